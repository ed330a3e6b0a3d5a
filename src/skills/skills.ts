import { asc, eq, sql } from 'drizzle-orm'
import { LIMITS } from '../config/limits'
import type { TenantContext } from '../context'
import { pickOwn, selectOwn } from '../db/own'
import { agents } from '../db/tables/agents'
import { knowledgeBases } from '../db/tables/knowledge'
import { type SkillRow, skills } from '../db/tables/skills'
import { invalid, notFound } from '../errors'
import { selectDirectory, toDirectory } from '../mcp/tool-directory'
import { newId } from '../platform/ids'
import {
  changeResource,
  createResource,
  getResource,
  insertResource,
  nameTaken,
  type ResourceKind,
  removeResource,
  saveResource,
} from '../resources/named-resource'
import { readSnapshot } from '../revisions/fields'
import { listHolders, replaceReferences } from '../revisions/references'
import { getRevision } from '../revisions/revisions'
import { requireKnownModel } from '../tenants/check-model'
import { withCurrentNames } from './current-names'
import { snapshotSkill } from './present-skill'
import { SkillConfig, type SkillIn, type SkillPatch } from './schema'
import { completeSkill, patchSkillConfig } from './skill-config'
import type { SkillSurroundings } from './warnings'

const SKILL: ResourceKind<typeof skills> = {
  table: skills,
  entity: 'skill',
  title: 'Skill',
  limit: {
    most: LIMITS.skillsPerTenant,
    full: `A tenant has at most ${LIMITS.skillsPerTenant} skills; delete one first`,
  },
  snapshot: snapshotSkill,
  revised: 'skill',
  follow: (ctx, before, after) => replaceReferences(ctx, 'skills', before, after),
  usedBy: (ctx, row) => listHolders(ctx, row, 'skills'),
}

/** A skill, and what has to be known around it to compute its warnings. */
export interface SkillInPlace {
  skill: SkillRow
  around: SkillSurroundings
}

/** All skills of the tenant, by name. */
export async function listSkills(ctx: TenantContext): Promise<SkillInPlace[]> {
  const { found, around } = await readSkills(ctx)
  return found.map((skill) => ({ skill, around }))
}

/** @throws notFound. */
export async function getSkill(ctx: TenantContext, name: string): Promise<SkillInPlace> {
  const {
    found: [skill],
    around,
  } = await readSkills(ctx, name)
  if (!skill) throw notFound(SKILL.title)
  return { skill, around }
}

/** Reads in one round trip: the skills (or the named one), and the tenant's bases, servers and names of skills that agents use. */
async function readSkills(
  ctx: TenantContext,
  name?: string,
): Promise<{ found: SkillRow[]; around: SkillSurroundings }> {
  const used = sql<string>`json_each.value`
  const [found, bases, usedRows, serverRows] = await ctx.db.batch([
    selectOwn(
      ctx.db,
      skills,
      ctx.tenant.id,
      name === undefined ? undefined : eq(skills.name, name),
    ).orderBy(asc(skills.name)),
    pickOwn(ctx.db, knowledgeBases, ctx.tenant.id, { name: knowledgeBases.name }),
    ctx.db
      .selectDistinct({ name: used })
      .from(sql`${agents}, json_each(${agents.config}, '$.skills')`)
      .where(eq(agents.tenantId, ctx.tenant.id)),
    selectDirectory(ctx.db, ctx.tenant.id),
  ])
  const around = {
    baseNames: new Set(bases.map(({ name }) => name)),
    usedSkills: new Set(usedRows.map(({ name }) => name)),
    servers: toDirectory(serverRows),
  }
  return { found, around }
}

/** The skill's row alone. @throws notFound. */
export function getSkillRow(ctx: TenantContext, name: string): Promise<SkillRow> {
  return getResource(ctx, SKILL, eq(skills.name, name))
}

/** @throws conflict when the name is taken or the tenant has its 500 skills. */
export async function createSkill(
  ctx: TenantContext,
  name: string,
  input: SkillIn,
): Promise<SkillInPlace> {
  const config = completeSkill(input)
  await requireKnownModel(ctx, config.model)
  const { found, around } = await readSkills(ctx, name)
  if (found.length > 0) throw nameTaken(SKILL)
  return { skill: await createResource(ctx, SKILL, newSkill(ctx, name, config)), around }
}

const newSkill = (ctx: TenantContext, name: string, config: SkillConfig): SkillRow => ({
  id: newId(ctx.now),
  tenantId: ctx.tenant.id,
  name,
  config,
  createdAt: ctx.now,
  updatedAt: ctx.now,
})

/** PUT: creates when absent, else replaces in full. */
export async function replaceSkill(
  ctx: TenantContext,
  name: string,
  input: SkillIn,
): Promise<SkillInPlace> {
  const config = completeSkill(input)
  await requireKnownModel(ctx, config.model)
  return changeResource(ctx, SKILL, name, async () => {
    const {
      found: [before],
      around,
    } = await readSkills(ctx, name)
    const skill = before
      ? await saveResource(ctx, SKILL, before, { config })
      : await insertResource(ctx, SKILL, newSkill(ctx, name, config))
    return skill && { skill, around }
  })
}

/** What a PATCH adds to. All else that is stored stays, by whichever release it was taken. */
const LISTS = SkillConfig.pick({ tools: true, knowledge_bases: true })

/** @throws notFound; ApiError 422 when a list grows too long. */
export async function patchSkill(
  ctx: TenantContext,
  name: string,
  patch: SkillPatch,
): Promise<SkillInPlace> {
  return changeResource(ctx, SKILL, name, async () => {
    const { skill: before, around } = await getSkill(ctx, name)
    const config = patchSkillConfig(before.config, patch)
    const issue = LISTS.safeParse(config).error?.issues[0]
    if (issue) throw invalid(['body', ...issue.path.map(String)], 'the resulting list is too long')
    if (patch.model !== undefined) await requireKnownModel(ctx, config.model)
    const skill = await saveResource(ctx, SKILL, before, { config })
    return skill && { skill, around }
  })
}

/** Detaches the skill from every agent in the same batch. @throws notFound. */
export async function deleteSkill(ctx: TenantContext, name: string): Promise<void> {
  await changeResource(ctx, SKILL, name, async () =>
    removeResource(ctx, SKILL, await getSkillRow(ctx, name)),
  )
}

/** The skill as it was at that revision; a new revision is written. The snapshot passes the same allow-list as any input. */
export async function restoreSkill(
  ctx: TenantContext,
  name: string,
  revisionId: string,
): Promise<SkillInPlace> {
  return changeResource(ctx, SKILL, name, async () => {
    const { skill: before, around } = await getSkill(ctx, name)
    const revision = await getRevision(ctx, 'skill', before.id, revisionId)
    const former = completeSkill(readSnapshot(SkillConfig, revision.snapshot))
    const config = await withCurrentNames(ctx, former)
    const skill = await saveResource(ctx, SKILL, before, { config }, 'restore')
    return skill && { skill, around }
  })
}

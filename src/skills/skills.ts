import { asc, eq, sql } from 'drizzle-orm'
import { LIMITS } from '../config/limits'
import type { TenantContext } from '../context'
import { findOwn, listOwn, pickOwn } from '../db/own'
import { agents, knowledgeBases, type SkillRow, skills } from '../db/tables'
import { invalid } from '../errors'
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
import { replaceReferences } from '../revisions/references'
import { getRevision } from '../revisions/revisions'
import { requireKnownModel } from '../tenants/check-model'
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
}

export function listSkills(ctx: TenantContext): Promise<SkillRow[]> {
  return listOwn(ctx.db, skills, ctx.tenant.id, [], [asc(skills.name)])
}

/** What warnings are about, in one round trip: the tenant's bases and servers, and the skills that its agents have. */
export async function readSurroundings(ctx: TenantContext): Promise<SkillSurroundings> {
  const used = sql<string>`json_each.value`
  const [bases, usedRows, serverRows] = await ctx.db.batch([
    pickOwn(ctx.db, knowledgeBases, ctx.tenant.id, { name: knowledgeBases.name }),
    ctx.db
      .selectDistinct({ name: used })
      .from(sql`${agents}, json_each(${agents.config}, '$.skills')`)
      .where(eq(agents.tenantId, ctx.tenant.id)),
    selectDirectory(ctx.db, ctx.tenant.id),
  ])
  return {
    baseNames: new Set(bases.map(({ name }) => name)),
    usedSkills: new Set(usedRows.map(({ name }) => name)),
    servers: toDirectory(serverRows),
  }
}

/** @throws notFound. */
export function getSkill(ctx: TenantContext, name: string): Promise<SkillRow> {
  return getResource(ctx, SKILL, eq(skills.name, name))
}

const findSkill = (ctx: TenantContext, name: string): Promise<SkillRow | undefined> =>
  findOwn(ctx.db, skills, ctx.tenant.id, eq(skills.name, name))

/** @throws conflict when the name is taken or the tenant has its 500 skills. */
export async function createSkill(
  ctx: TenantContext,
  name: string,
  input: SkillIn,
): Promise<SkillRow> {
  const config = completeSkill(input)
  await requireKnownModel(ctx, config.model)
  if (await findSkill(ctx, name)) throw nameTaken(SKILL)
  return createResource(ctx, SKILL, newSkill(ctx, name, config))
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
): Promise<SkillRow> {
  const config = completeSkill(input)
  await requireKnownModel(ctx, config.model)
  return changeResource(ctx, SKILL, name, async () => {
    const before = await findSkill(ctx, name)
    return before
      ? saveResource(ctx, SKILL, before, { config })
      : insertResource(ctx, SKILL, newSkill(ctx, name, config))
  })
}

/** @throws notFound; ApiError 422 when a list grows too long. */
export async function patchSkill(
  ctx: TenantContext,
  name: string,
  patch: SkillPatch,
): Promise<SkillRow> {
  return changeResource(ctx, SKILL, name, async () => {
    const before = await getSkill(ctx, name)
    const config = patchSkillConfig(before.config, patch)
    const issue = SkillConfig.safeParse(config).error?.issues[0]
    if (issue) throw invalid(['body', ...issue.path.map(String)], 'the resulting list is too long')
    if (patch.model !== undefined) await requireKnownModel(ctx, config.model)
    return saveResource(ctx, SKILL, before, { config })
  })
}

/** Detaches the skill from every agent in the same batch. @throws notFound. */
export async function deleteSkill(ctx: TenantContext, name: string): Promise<void> {
  await changeResource(ctx, SKILL, name, async () =>
    removeResource(ctx, SKILL, await getSkill(ctx, name)),
  )
}

/** The skill as it was at that revision; a new revision is written. The snapshot passes the same allow-list as any input. */
export async function restoreSkill(
  ctx: TenantContext,
  name: string,
  revisionId: string,
): Promise<SkillRow> {
  return changeResource(ctx, SKILL, name, async () => {
    const before = await getSkill(ctx, name)
    const revision = await getRevision(ctx, 'skill', before.id, revisionId)
    const config = completeSkill(SkillConfig.partial().parse(revision.snapshot))
    return saveResource(ctx, SKILL, before, { config }, 'restore')
  })
}

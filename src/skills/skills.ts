import { and, asc, eq, sql } from 'drizzle-orm'
import { commitChange } from '../audit/commit-change'
import { isUnchanged, nextUpdate, untilCommitted } from '../audit/until-committed'
import { LIMITS } from '../config/limits'
import type { TenantContext } from '../context'
import { findOwn, listOwn } from '../db/own'
import { isTaken } from '../db/sql-errors'
import { agents, knowledgeBases, type SkillRow, skills } from '../db/tables'
import { conflict, invalid, notFound } from '../errors'
import { selectDirectory, toDirectory } from '../mcp/tool-directory'
import { newId } from '../platform/ids'
import { replaceReferences } from '../revisions/references'
import { addRevision, getRevision } from '../revisions/revisions'
import { requireKnownModel } from '../tenants/check-model'
import { snapshotSkill } from './present-skill'
import { SkillConfig, type SkillIn, type SkillPatch } from './schema'
import { completeSkill, patchSkillConfig } from './skill-config'
import type { SkillSurroundings } from './warnings'

const NAME_TAKEN = 'Skill already exists'

export function listSkills(ctx: TenantContext): Promise<SkillRow[]> {
  return listOwn(ctx.db, skills, ctx.tenant.id, [], [asc(skills.name)])
}

/** What warnings are about, in one round trip: the tenant's bases and servers, and the skills that its agents have. */
export async function readSurroundings(ctx: TenantContext): Promise<SkillSurroundings> {
  const used = sql<string>`json_each.value`
  const [bases, usedRows, serverRows] = await ctx.db.batch([
    ctx.db
      .select({ name: knowledgeBases.name })
      .from(knowledgeBases)
      .where(eq(knowledgeBases.tenantId, ctx.tenant.id)),
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
export async function getSkill(ctx: TenantContext, name: string): Promise<SkillRow> {
  const row = await findSkill(ctx, name)
  if (!row) throw notFound('Skill')
  return row
}

async function findSkill(ctx: TenantContext, name: string): Promise<SkillRow | undefined> {
  return findOwn(ctx.db, skills, ctx.tenant.id, eq(skills.name, name))
}

/** @throws conflict when the name is taken or the tenant has its 500 skills. */
export async function createSkill(
  ctx: TenantContext,
  name: string,
  input: SkillIn,
): Promise<SkillRow> {
  const config = completeSkill(input)
  await requireKnownModel(ctx, config.model)
  if (await findSkill(ctx, name)) throw conflict(NAME_TAKEN)
  const row = await insertSkill(ctx, name, config)
  if (!row) throw conflict(NAME_TAKEN)
  return row
}

/** @returns null when the name was taken meanwhile. */
async function insertSkill(
  ctx: TenantContext,
  name: string,
  config: SkillConfig,
): Promise<SkillRow | null> {
  const row: SkillRow = {
    id: newId(ctx.now),
    tenantId: ctx.tenant.id,
    name,
    config,
    createdAt: ctx.now,
    updatedAt: ctx.now,
  }
  const after = snapshotSkill(row)
  try {
    const hadRoom = await commitChange(
      ctx,
      ctx.tenant.id,
      [ctx.db.insert(skills).values(row), ...addRevision(ctx, 'skill', row, after)],
      {
        action: 'create',
        entity: 'skill',
        entityId: row.id,
        entityName: name,
        before: null,
        after,
        requires: sql`(SELECT count(*) FROM skills WHERE tenant_id = ${ctx.tenant.id}) < ${LIMITS.skillsPerTenant}`,
      },
    )
    if (!hadRoom)
      throw conflict(`A tenant has at most ${LIMITS.skillsPerTenant} skills; delete one first`)
    return row
  } catch (error) {
    if (isTaken(error, 'skills.name')) return null
    throw error
  }
}

/** PUT: creates when absent, else replaces in full. */
export async function replaceSkill(
  ctx: TenantContext,
  name: string,
  input: SkillIn,
): Promise<SkillRow> {
  const config = completeSkill(input)
  await requireKnownModel(ctx, config.model)
  return untilCommitted(turnOf(ctx, name), async () => {
    const before = await findSkill(ctx, name)
    return before ? saveSkill(ctx, before, config, 'update') : insertSkill(ctx, name, config)
  })
}

/** @throws notFound; ApiError 422 when a list grows too long. */
export async function patchSkill(
  ctx: TenantContext,
  name: string,
  patch: SkillPatch,
): Promise<SkillRow> {
  return untilCommitted(turnOf(ctx, name), async () => {
    const before = await getSkill(ctx, name)
    const config = patchSkillConfig(before.config, patch)
    const issue = SkillConfig.safeParse(config).error?.issues[0]
    if (issue) throw invalid(['body', ...issue.path.map(String)], 'the resulting list is too long')
    if (patch.model !== undefined) await requireKnownModel(ctx, config.model)
    return saveSkill(ctx, before, config, 'update')
  })
}

const turnOf = (ctx: TenantContext, name: string) => `skill ${ctx.tenant.id} ${name}`

/** @returns null when the skill is no longer as it was read. */
async function saveSkill(
  ctx: TenantContext,
  before: SkillRow,
  config: SkillConfig,
  action: 'update' | 'restore',
): Promise<SkillRow | null> {
  const after: SkillRow = { ...before, config, updatedAt: nextUpdate(before, ctx.now) }
  const states = { before: snapshotSkill(before), after: snapshotSkill(after) }
  const isSame = JSON.stringify(states.before) === JSON.stringify(states.after)
  const written = await commitChange(
    ctx,
    ctx.tenant.id,
    [
      ctx.db
        .update(skills)
        .set({ config, updatedAt: after.updatedAt })
        .where(and(eq(skills.tenantId, ctx.tenant.id), eq(skills.id, before.id))),
      ...(isSame ? [] : addRevision(ctx, 'skill', after, states.after)),
    ],
    {
      action,
      entity: 'skill',
      entityId: before.id,
      entityName: before.name,
      ...states,
      requires: isUnchanged(skills, before),
    },
  )
  return written ? after : null
}

/** Detaches the skill from every agent in the same batch. @throws notFound. */
export async function deleteSkill(ctx: TenantContext, name: string): Promise<void> {
  await untilCommitted(turnOf(ctx, name), async () => {
    const before = await getSkill(ctx, name)
    const deleted = await commitChange(
      ctx,
      ctx.tenant.id,
      [
        ctx.db
          .delete(skills)
          .where(and(eq(skills.tenantId, ctx.tenant.id), eq(skills.id, before.id))),
        ...replaceReferences(ctx, 'skills', name, null),
      ],
      {
        action: 'delete',
        entity: 'skill',
        entityId: before.id,
        entityName: name,
        before: snapshotSkill(before),
        after: null,
        requires: isUnchanged(skills, before),
      },
    )
    return deleted || null
  })
}

/** The skill as it was at that revision; a new revision is written. The snapshot passes the same allow-list as any input. */
export async function restoreSkill(
  ctx: TenantContext,
  name: string,
  revisionId: string,
): Promise<SkillRow> {
  return untilCommitted(turnOf(ctx, name), async () => {
    const before = await getSkill(ctx, name)
    const revision = await getRevision(ctx, 'skill', before.id, revisionId)
    return saveSkill(
      ctx,
      before,
      completeSkill(SkillConfig.partial().parse(revision.snapshot)),
      'restore',
    )
  })
}

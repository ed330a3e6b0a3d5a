import { and, asc, count, eq, sql } from 'drizzle-orm'
import { commitChange } from '../audit/commit-change'
import { isUnchanged, nextUpdate, untilCommitted } from '../audit/until-committed'
import { LIMITS } from '../config/limits'
import type { TenantContext } from '../context'
import { isTaken } from '../db/sql-errors'
import { documents, type KnowledgeBaseRow, knowledgeBases } from '../db/tables'
import { conflict, notFound } from '../errors'
import { embedderName } from '../models/embedding'
import { newId } from '../platform/ids'
import { sendJobs } from '../platform/queue'
import { replaceReferences } from '../revisions/references'
import { OFFLINE_EMBEDDER } from '../text/statistical-vectors'
import { auditBase, type BaseCounts } from './present-knowledge'
import type { BaseIn, BasePatch } from './schema'

const NAME_TAKEN = 'Knowledge base already exists'

export type CountedBase = KnowledgeBaseRow & { counts: BaseCounts }

/** @throws conflict when the name is taken or the tenant has its 100 bases. */
export async function createBase(ctx: TenantContext, input: BaseIn): Promise<CountedBase> {
  const row: KnowledgeBaseRow = {
    id: newId(ctx.now),
    tenantId: ctx.tenant.id,
    name: input.name,
    instructions: input.instructions ?? '',
    embeddingModel: embedderName(ctx.env) ?? OFFLINE_EMBEDDER,
    downloads: input.downloads ?? false,
    rerank: input.rerank ?? false,
    createdAt: ctx.now,
    updatedAt: ctx.now,
  }
  try {
    const hadRoom = await commitChange(
      ctx,
      ctx.tenant.id,
      [ctx.db.insert(knowledgeBases).values(row)],
      {
        action: 'create',
        entity: 'knowledge_base',
        entityId: row.id,
        entityName: row.name,
        before: null,
        after: auditBase(row),
        requires: sql`(SELECT count(*) FROM knowledge_bases WHERE tenant_id = ${ctx.tenant.id}) < ${LIMITS.basesPerTenant}`,
      },
    )
    if (!hadRoom) {
      throw conflict(
        `A tenant has at most ${LIMITS.basesPerTenant} knowledge bases; delete one first`,
      )
    }
  } catch (error) {
    if (isTaken(error, 'knowledge_bases.name')) throw conflict(NAME_TAKEN)
    throw error
  }
  return {
    ...row,
    counts: { documents: 0, chunks: 0, working: 0, ready: 0, failed: 0, progress: 0 },
  }
}

export function listBases(ctx: TenantContext): Promise<CountedBase[]> {
  return readBases(ctx, undefined)
}

/** @throws notFound. */
export async function getBase(ctx: TenantContext, name: string): Promise<CountedBase> {
  const [base] = await readBases(ctx, name)
  if (!base) throw notFound('Knowledge base')
  return base
}

async function readBases(ctx: TenantContext, name: string | undefined): Promise<CountedBase[]> {
  const working = sql`${documents.status} IN ('queued', 'parsing', 'embedding')`
  const rows = await ctx.db
    .select({
      base: knowledgeBases,
      documents: count(documents.id),
      chunks: sql<number>`coalesce(sum(${documents.chunkCount}), 0)`,
      working: sql<number>`coalesce(sum(${working}), 0)`,
      ready: sql<number>`coalesce(sum(${documents.status} = 'ready'), 0)`,
      failed: sql<number>`coalesce(sum(${documents.status} = 'failed'), 0)`,
      progress: sql<number>`coalesce(sum(CASE WHEN ${working} THEN ${documents.progress} ELSE 100 END), 0)`,
    })
    .from(knowledgeBases)
    .leftJoin(
      documents,
      and(eq(documents.tenantId, ctx.tenant.id), eq(documents.baseId, knowledgeBases.id)),
    )
    .where(
      and(
        eq(knowledgeBases.tenantId, ctx.tenant.id),
        name === undefined ? undefined : eq(knowledgeBases.name, name),
      ),
    )
    .groupBy(knowledgeBases.id)
    .orderBy(asc(knowledgeBases.name))
  return rows.map(({ base, ...counts }) => ({ ...base, counts }))
}

/** Agents and skills that use the base by name follow a rename. @throws notFound; conflict when the new name is taken. */
export async function patchBase(
  ctx: TenantContext,
  name: string,
  patch: BasePatch,
): Promise<CountedBase> {
  return untilCommitted(turnOf(ctx, name), async () => {
    const before = await getBase(ctx, name)
    const after = {
      ...before,
      name: patch.name ?? before.name,
      instructions:
        patch.instructions === undefined ? before.instructions : (patch.instructions ?? ''),
      downloads: patch.downloads === undefined ? before.downloads : (patch.downloads ?? false),
      rerank: patch.rerank === undefined ? before.rerank : (patch.rerank ?? false),
      updatedAt: nextUpdate(before, ctx.now),
    }
    return (await saveBase(ctx, before, after)) ? after : null
  })
}

const turnOf = (ctx: TenantContext, name: string) => `knowledge_base ${ctx.tenant.id} ${name}`

async function saveBase(
  ctx: TenantContext,
  before: CountedBase,
  after: CountedBase,
): Promise<boolean> {
  const { name, instructions, downloads, rerank, updatedAt } = after
  try {
    return await commitChange(
      ctx,
      ctx.tenant.id,
      [
        ctx.db
          .update(knowledgeBases)
          .set({ name, instructions, downloads, rerank, updatedAt })
          .where(and(eq(knowledgeBases.tenantId, ctx.tenant.id), eq(knowledgeBases.id, before.id))),
        ...(name === before.name
          ? []
          : replaceReferences(ctx, 'knowledge_bases', before.name, name)),
      ],
      {
        action: 'update',
        entity: 'knowledge_base',
        entityId: before.id,
        entityName: name,
        before: auditBase(before),
        after: auditBase(after),
        requires: isUnchanged(knowledgeBases, before),
      },
    )
  } catch (error) {
    if (isTaken(error, 'knowledge_bases.name')) throw conflict(NAME_TAKEN)
    throw error
  }
}

/** Detaches the base from agents and skills at once; its text, index and files go in the background. @throws notFound. */
export async function deleteBase(ctx: TenantContext, name: string): Promise<void> {
  const { id } = await untilCommitted(turnOf(ctx, name), async () => {
    const before = await getBase(ctx, name)
    const own = and(eq(knowledgeBases.tenantId, ctx.tenant.id), eq(knowledgeBases.id, before.id))
    const deleted = await commitChange(
      ctx,
      ctx.tenant.id,
      [
        ctx.db
          .delete(documents)
          .where(and(eq(documents.tenantId, ctx.tenant.id), eq(documents.baseId, before.id))),
        ctx.db.delete(knowledgeBases).where(own),
        ...replaceReferences(ctx, 'knowledge_bases', before.name, null),
      ],
      {
        action: 'delete',
        entity: 'knowledge_base',
        entityId: before.id,
        entityName: name,
        before: auditBase(before),
        after: null,
        requires: isUnchanged(knowledgeBases, before),
      },
    )
    return deleted ? before : null
  })
  await sendJobs(ctx.env, [{ type: 'base.delete', tenantId: ctx.tenant.id, baseId: id }])
}

import { and, asc, count, eq, sql } from 'drizzle-orm'
import { LIMITS } from '../config/limits'
import type { TenantContext } from '../context'
import { pickOwn } from '../db/own'
import {
  documents,
  type KnowledgeBaseRow,
  knowledgeBases,
  siteImports,
} from '../db/tables/knowledge'
import { notFound } from '../errors'
import { embedderName } from '../models/embedding'
import { newId } from '../platform/ids'
import {
  changeResource,
  createResource,
  getResource,
  type ResourceKind,
  removeResource,
  saveResource,
} from '../resources/named-resource'
import { listHolders, renameInStorylines, replaceReferences } from '../revisions/references'
import { OFFLINE_EMBEDDER } from '../text/statistical-vectors'
import { clearLater, clearSoon } from './clear-data'
import { auditBase, type BaseCounts } from './present-knowledge'
import type { BaseIn, BasePatch } from './schema'

const BASE: ResourceKind<typeof knowledgeBases> = {
  table: knowledgeBases,
  entity: 'knowledge_base',
  title: 'Knowledge base',
  limit: {
    most: LIMITS.basesPerTenant,
    full: `A tenant has at most ${LIMITS.basesPerTenant} knowledge bases; delete one first`,
  },
  snapshot: auditBase,
  follow: (ctx, before, after) => [
    ...replaceReferences(ctx, 'knowledge_bases', before, after),
    ...(after === null ? [] : renameInStorylines(ctx, before, after)),
  ],
  usedBy: (ctx, row) => listHolders(ctx, row, 'knowledge_bases'),
}

export type CountedBase = KnowledgeBaseRow & { counts: BaseCounts }

/** @throws conflict when the name is taken or the tenant has its 100 bases. */
export async function createBase(ctx: TenantContext, input: BaseIn): Promise<CountedBase> {
  const base = await createResource(ctx, BASE, {
    id: newId(ctx.now),
    tenantId: ctx.tenant.id,
    name: input.name,
    instructions: input.instructions ?? '',
    embeddingModel: embedderName(ctx.env) ?? OFFLINE_EMBEDDER,
    downloads: input.downloads ?? false,
    rerank: input.rerank ?? false,
    refresh: input.refresh ?? 'off',
    formerNames: [],
    createdAt: ctx.now,
    updatedAt: ctx.now,
  })
  const counts = { documents: 0, chunks: 0, working: 0, ready: 0, failed: 0, progress: 0 }
  return { ...base, counts }
}

export function listBases(ctx: TenantContext): Promise<CountedBase[]> {
  return readBases(ctx, undefined)
}

/** The base alone: its documents are not counted. @throws notFound. */
export function getBase(ctx: TenantContext, name: string): Promise<KnowledgeBaseRow> {
  return getResource(ctx, BASE, eq(knowledgeBases.name, name))
}

/** @throws notFound. */
export async function getCountedBase(ctx: TenantContext, name: string): Promise<CountedBase> {
  const [base] = await readBases(ctx, name)
  if (!base) throw notFound(BASE.title)
  return base
}

async function readBases(ctx: TenantContext, name: string | undefined): Promise<CountedBase[]> {
  const working = sql`${documents.status} IN ('queued', 'parsing', 'embedding')`
  const rows = await pickOwn(
    ctx.db,
    knowledgeBases,
    ctx.tenant.id,
    {
      base: knowledgeBases,
      documents: count(documents.baseId),
      chunks: sql<number>`coalesce(sum(${documents.chunkCount}), 0)`,
      working: sql<number>`coalesce(sum(${working}), 0)`,
      ready: sql<number>`coalesce(sum(${documents.status} = 'ready'), 0)`,
      failed: sql<number>`coalesce(sum(${documents.status} = 'failed'), 0)`,
      progress: sql<number>`coalesce(sum(CASE WHEN ${working} THEN ${documents.progress} ELSE 100 END), 0)`,
    },
    name === undefined ? undefined : eq(knowledgeBases.name, name),
  )
    .leftJoin(
      documents,
      and(eq(documents.tenantId, ctx.tenant.id), eq(documents.baseId, knowledgeBases.id)),
    )
    // As they come: grouped by their ids all documents would be sorted first.
    .groupBy(knowledgeBases.name)
    .orderBy(asc(knowledgeBases.name))
  return rows.map(({ base, ...counts }) => ({ ...base, counts }))
}

/** Agents, skills and storylines that use the base by name follow a rename. @throws notFound; conflict when the new name is taken. */
export async function patchBase(
  ctx: TenantContext,
  which: string,
  patch: BasePatch,
): Promise<CountedBase> {
  return changeResource(ctx, BASE, which, async () => {
    const before = await getCountedBase(ctx, which)
    return saveResource(ctx, BASE, before, {
      name: patch.name ?? before.name,
      instructions:
        patch.instructions === undefined ? before.instructions : (patch.instructions ?? ''),
      downloads: patch.downloads === undefined ? before.downloads : (patch.downloads ?? false),
      rerank: patch.rerank === undefined ? before.rerank : (patch.rerank ?? false),
      refresh: patch.refresh === undefined ? before.refresh : (patch.refresh ?? 'off'),
    })
  })
}

/** Detaches the base from agents and skills at once; its text, index and files go in the background. @throws notFound. */
export async function deleteBase(ctx: TenantContext, name: string): Promise<void> {
  const base = await changeResource(ctx, BASE, name, async () => {
    const before = await getBase(ctx, name)
    await clearLater(ctx.env, jobOf(before))
    const held = and(eq(documents.tenantId, ctx.tenant.id), eq(documents.baseId, before.id))
    const imported = and(eq(siteImports.tenantId, ctx.tenant.id), eq(siteImports.baseId, before.id))
    return (
      (await removeResource(ctx, BASE, before, [
        ctx.db.delete(documents).where(held),
        ctx.db.delete(siteImports).where(imported),
      ])) && before
    )
  })
  await clearSoon(ctx, jobOf(base))
}

const jobOf = ({ tenantId, id }: KnowledgeBaseRow) =>
  ({ type: 'base.delete', tenantId, baseId: id }) as const

import { KNOWLEDGE_GRAPH } from '../config/limits'
import type { TenantContext } from '../context'
import { loadLayout } from '../lazy'
import { sha256, toHex, utf8 } from '../platform/crypto/bytes'
import { isoOf } from '../time'
import { buildGeometry, type Stage, vectorsOf } from './build-geometry'
import { collectItems, findSpaces, readItem, type Selection } from './collect-items'
import { createMatcher } from './match-items'
import type { Geometry, GraphItem } from './types'

export interface Progress {
  stage: 'collecting' | Stage
  done: number
  total: number
}

/** Geometries of this isolate. Nothing of a text: positions, groups and edges alone. */
const kept = new Map<string, { fingerprint: string; geometry: Geometry; computedAt: number }>()

/**
 * The map of what is known of a user: items, where they lie, what is near. Content is left out in privacy mode, and then
 * nothing can be searched for. @throws notFound for a user or space.
 * @param refresh computes anew what is known already.
 */
export async function drawGraph(
  ctx: TenantContext,
  selection: Selection,
  refresh: boolean,
  onProgress: (progress: Progress) => Promise<void>,
) {
  const { privacyMode } = ctx.tenant
  const query = privacyMode ? '' : selection.query
  const matches = createMatcher(query)
  const from = await findSpaces(ctx, selection)
  const collecting = (done: number) => onProgress({ stage: 'collecting', done, total: from.length })
  await collecting(0)
  const { items, total } = await collectItems(
    ctx,
    from,
    { ...selection, query },
    matches,
    collecting,
  )
  const { geometry, computedAt } = await geometryOf(ctx, selection, items, refresh, (stage, done) =>
    onProgress({ stage, done, total: items.length }),
  )
  return {
    nodes: items.map((item, i) => ({
      id: item.id,
      source: item.source,
      label: privacyMode ? null : labelOf(item),
      kind: item.kind,
      x: geometry.points[i * 3] ?? 0,
      y: geometry.points[i * 3 + 1] ?? 0,
      z: geometry.points[i * 3 + 2] ?? 0,
      weight: item.weight,
      cluster: geometry.clusters[i] ?? 0,
      match: matches(item.text),
    })),
    edges: geometry.edges.flatMap(({ a, b, weight }) => {
      const [one, other] = [items[a], items[b]]
      return one && other ? [{ a: one.id, b: other.id, weight }] : []
    }),
    total,
    truncated: total > items.length,
    computed_at: isoOf(computedAt),
  }
}

async function geometryOf(
  ctx: TenantContext,
  { userId, spaceId, source, limit }: Selection,
  items: GraphItem[],
  refresh: boolean,
  onStage: (stage: Stage, done: number) => Promise<void>,
): Promise<{ geometry: Geometry; computedAt: number }> {
  const name = [ctx.tenant.id, userId, spaceId, source, limit].join(' ')
  const parts = items.map(({ id, at, vector }) => `${id} ${at} ${vector?.embedder ?? ''}`)
  const fingerprint = toHex(await sha256(utf8(parts.join('\n'))))
  const known = kept.get(name)
  if (known?.fingerprint === fingerprint && !refresh) return known
  const geometry = await buildGeometry(items, onStage)
  const made = { fingerprint, geometry, computedAt: ctx.now }
  kept.delete(name)
  kept.set(name, made)
  for (const oldest of kept.keys()) {
    if (kept.size <= KNOWLEDGE_GRAPH.kept) break
    kept.delete(oldest)
  }
  return made
}

function labelOf({ text, meta }: GraphItem): string {
  const heading = typeof meta.heading === 'string' ? `${meta.heading}: ` : ''
  const plain = `${heading}${text}`.replaceAll(/\s+/gu, ' ').trim()
  const characters = [...plain.slice(0, KNOWLEDGE_GRAPH.labelLength * 2)]
  return characters.length <= KNOWLEDGE_GRAPH.labelLength &&
    plain.length === characters.join('').length
    ? plain
    : `${characters
        .slice(0, KNOWLEDGE_GRAPH.labelLength - 1)
        .join('')
        .trimEnd()}…`
}

/** One item with its text and what is nearest to it, in the user's other spaces too. @throws notFound. */
export async function readGraphItem(
  ctx: TenantContext,
  userId: string,
  id: string,
  source: Selection['source'],
) {
  const from = await findSpaces(ctx, { userId, spaceId: null })
  const item = await readItem(ctx, from, id, source)
  const selection = {
    userId,
    spaceId: null,
    source,
    limit: KNOWLEDGE_GRAPH.nodes.max,
    query: '',
  }
  const still = async () => undefined
  const { items } = await collectItems(ctx, from, selection, () => false, still)
  const others = items.filter((other) => other.id !== id)
  const own = items.find((other) => other.id === id) ?? item
  const { vectors, similarity } = await vectorsOf([own, ...others], still)
  const [vector, ...rest] = vectors
  const { nearestTo } = await loadLayout()
  const near = vector ? nearestTo(vector, rest, KNOWLEDGE_GRAPH.neighbours, similarity) : []
  return {
    id: item.id,
    source: item.source,
    text: ctx.tenant.privacyMode ? null : item.text,
    meta: presentMeta(item, ctx.tenant.privacyMode),
    neighbors: near.flatMap(({ index, score }) => {
      const other = others[index]
      const rounded = Math.round(score * 1000) / 1000
      return other && rounded > 0 ? [{ id: other.id, score: rounded }] : []
    }),
  }
}

/** What names or repeats content is content. */
const CONTENT = new Set(['topic', 'document_name', 'heading'])
const TIMES = new Set(['created_at', 'updated_at'])

function presentMeta({ kind, meta }: GraphItem, isPrivate: boolean) {
  const entries = Object.entries(meta).map(([name, value]) => {
    if (TIMES.has(name) && typeof value === 'number') return [name, isoOf(value)]
    return [name, isPrivate && CONTENT.has(name) ? null : value]
  })
  return { kind, ...(Object.fromEntries(entries) as GraphItem['meta']) }
}

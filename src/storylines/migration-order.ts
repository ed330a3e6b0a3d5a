import { eq, inArray, type SQL } from 'drizzle-orm'
import type { TenantContext } from '../context'
import { pickOwn } from '../db/own'
import {
  type MigrationRow,
  type StorylineRow,
  storylineCounts,
  storylineEnrollments,
} from '../db/tables/storylines'
import { invalid } from '../errors'
import { newId } from '../platform/ids'
import type { Graph } from './graph'
import type { MigrationOrder } from './migrate'
import type { MigrationIn } from './schema'

export const RUNNING = inArray(storylineEnrollments.status, ['active', 'paused'])

export const standsAt = ({ fromNode }: MigrationOrder): SQL | undefined =>
  fromNode === null ? undefined : eq(storylineEnrollments.nodeKey, fromNode)

export async function readOrder(
  ctx: TenantContext,
  storyline: StorylineRow,
  { id: revisionId, graph }: { id: string; graph: Graph },
  { action, from_node, to_node, nodes }: MigrationIn,
): Promise<MigrationOrder> {
  const order = {
    id: newId(ctx.now),
    action,
    revisionId,
    fromNode: from_node ?? null,
    toNode: to_node ?? null,
    ...(action === 'map' && nodes ? { nodes } : {}),
  }
  const has = (node: string) => Object.hasOwn(graph.nodes, node)
  if (action === 'move') {
    for (const field of ['from_node', 'to_node'] as const)
      if (!{ from_node, to_node }[field])
        throw invalid(['body', field], 'Field required', 'missing')
  }
  if (action === 'map') {
    if (!nodes) throw invalid(['body', 'nodes'], 'Field required', 'missing')
    const were = await nodesSeen(ctx, storyline)
    for (const [from, to] of Object.entries(nodes))
      if (!has(to) || !(has(from) || were.has(from))) throw unknownNode('nodes', from)
  }
  const { fromNode, toNode } = order
  if (toNode !== null && !has(toNode)) throw unknownNode('to_node')
  if (fromNode !== null && !has(fromNode) && !(await nodesSeen(ctx, storyline)).has(fromNode))
    throw unknownNode('from_node')
  return order
}

const unknownNode = (...field: string[]) =>
  invalid(['body', ...field], 'the storyline has no such node', 'unknown_target')

/** Nodes of any revision, as far as anybody came to them. */
async function nodesSeen(
  { db, tenant }: TenantContext,
  { id }: StorylineRow,
): Promise<ReadonlySet<string>> {
  const node = storylineCounts.nodeKey
  const own = eq(storylineCounts.storylineId, id)
  const rows = await pickOwn(db, storylineCounts, tenant.id, { node }, own).groupBy(node)
  return new Set(rows.map((one) => one.node))
}

/** Whom an order is about: those on the way, or those whom the order moved that it takes back. */
export const whoIsMoved = ({
  storylineId,
  wanted,
}: Pick<MigrationRow, 'storylineId' | 'wanted'>) =>
  wanted.undoes === undefined
    ? [eq(storylineEnrollments.storylineId, storylineId), RUNNING, standsAt(wanted)]
    : [
        eq(storylineEnrollments.storylineId, storylineId),
        eq(storylineEnrollments.movedBy, wanted.undoes),
      ]

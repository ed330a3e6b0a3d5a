import { asc, count, inArray, type SQL } from 'drizzle-orm'
import { STORYLINES } from '../config/limits'
import type { TenantContext } from '../context'
import { pickOwn } from '../db/own'
import { storylineEnrollments } from '../db/tables/storylines'
import type { Graph } from './graph'
import type { MigrationOrder } from './migrate'

/** What would come of it, by what the directory knows. */
export async function foresee(
  { db, tenant }: TenantContext,
  which: (SQL | undefined)[],
  order: MigrationOrder,
  graph: Graph,
) {
  const node = storylineEnrollments.nodeKey
  const revision = storylineEnrollments.revisionId
  const groups = await pickOwn(
    db,
    storylineEnrollments,
    tenant.id,
    { node, revision, n: count() },
    ...which,
  ).groupBy(node, revision)
  const reasonOf = (at: { node: string; revision: string }): string | null => {
    if (order.action !== 'upgrade' && order.action !== 'map') return null
    if (Object.hasOwn(order.nodes ?? {}, at.node)) return null
    if (!Object.hasOwn(graph.nodes, at.node)) {
      const elsewhere = order.action === 'upgrade' && order.toNode !== null
      return elsewhere ? null : 'node_missing'
    }
    return at.revision === order.revisionId ? 'unchanged' : null
  }
  const changed = groups.filter((one) => reasonOf(one) === null)
  const stay = groups.filter((one) => reasonOf(one) !== null)
  const named =
    stay.length === 0
      ? []
      : await pickOwn(
          db,
          storylineEnrollments,
          tenant.id,
          { id: storylineEnrollments.id, node, revision },
          ...which,
          inArray(
            node,
            stay.map((one) => one.node),
          ),
        )
          .orderBy(asc(storylineEnrollments.id))
          .limit(STORYLINES.skippedShown)
  return {
    changed: changed.reduce((sum, { n }) => sum + n, 0),
    skipped: named.flatMap((one) => {
      const reason = reasonOf(one)
      return reason === null ? [] : [{ id: one.id, reason }]
    }),
  }
}

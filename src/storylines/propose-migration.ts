import { count, eq, inArray } from 'drizzle-orm'
import { STORYLINES } from '../config/limits'
import type { TenantContext } from '../context'
import { listOwn, pickOwn } from '../db/own'
import {
  type StorylineRow,
  storylineEnrollments,
  storylineRevisions,
} from '../db/tables/storylines'
import { conflict } from '../errors'
import { loadRules } from '../lazy'
import { RUNNING } from './migration-order'
import type { Proposal } from './propose-nodes'
import { findLive } from './storylines'

/**
 * Where the people of nodes that are gone would go on in the live revision: of the same key, the same title, or the same
 * neighbours. @throws conflict without a live revision.
 */
export async function proposeMigration(ctx: TenantContext, storyline: StorylineRow) {
  const { db, tenant } = ctx
  const live = await findLive(ctx, storyline)
  if (!live) throw conflict('The storyline is not published', 'not_published')
  const { nodeKey: node, revisionId: revision } = storylineEnrollments
  const people = await pickOwn(
    db,
    storylineEnrollments,
    tenant.id,
    { node, revision, n: count() },
    eq(storylineEnrollments.storylineId, storyline.id),
    RUNNING,
  ).groupBy(node, revision)
  const ids = [...new Set(people.map((one) => one.revision))].filter((id) => id !== live.id)
  const older = []
  for (let at = 0; at < ids.length; at += STORYLINES.movedAtOnce) {
    const some = inArray(storylineRevisions.id, ids.slice(at, at + STORYLINES.movedAtOnce))
    older.push(...(await listOwn(db, storylineRevisions, tenant.id, [some])))
  }
  const graphs = new Map(older.map(({ id, graph }) => [id, graph]))
  const { proposeNodes } = await loadRules()
  const proposals = people
    .filter((one) => one.revision !== live.id)
    .flatMap(({ node, revision, n }) => {
      const before = graphs.get(revision) ?? { ...live.graph, nodes: {} }
      return proposeNodes(before, live.graph, [node]).map((one) => ({ ...one, people: n }))
    })
  return { revision_id: live.id, ...foldProposals(proposals) }
}

/** People of one node may be on several revisions: what stands for it must be the same in all. */
function foldProposals(proposals: readonly (Proposal & { people: number })[]) {
  const byNode = Map.groupBy(proposals, ({ from }) => from)
  const folded = [...byNode]
    .map(([from, all]) => {
      const targets = new Set(all.map(({ to }) => to))
      const [first] = all
      const agreed = targets.size === 1 && first ? first : { to: null, by: null }
      const people = all.reduce((sum, one) => sum + one.people, 0)
      return { from, to: agreed.to, by: agreed.by, people }
    })
    .toSorted((a, b) => (a.from < b.from ? -1 : 1))
  const nodes = folded.flatMap(({ from, to, by }) =>
    to === null || by === 'key' ? [] : [[from, to] as const],
  )
  return { nodes: Object.fromEntries(nodes), proposals: folded }
}

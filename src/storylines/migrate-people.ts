import { and, asc, count, eq, gt, inArray, type SQL } from 'drizzle-orm'
import type { BatchItem } from 'drizzle-orm/batch'
import { commitChange } from '../audit/commit-change'
import { MINUTE_MS, STORYLINES } from '../config/limits'
import type { OperatorContext, TenantContext } from '../context'
import type { Db } from '../db/client'
import { countOwn, findOwn, listOwn, pickOwn, selectOwn } from '../db/own'
import { isTaken } from '../db/sql-errors'
import {
  type EnrollmentRow,
  type MigrationRow,
  type StorylineRow,
  storylineCounts,
  storylineEnrollments,
  storylineMigrations,
  storylineRevisions,
} from '../db/tables'
import { conflict, gone, invalid, notFound } from '../errors'
import { loadRules } from '../lazy'
import { newId } from '../platform/ids'
import { sendJobs } from '../platform/queue'
import { workIn } from '../platform/stubs'
import { isoOf } from '../time'
import type { Graph } from './graph'
import type { MigrationOrder, MigrationOutcome } from './migrate'
import type { Proposal } from './propose-nodes'
import type { MigrationIn } from './schema'
import { findLive, requireEnabled } from './storylines'

/** What came of an order so far. */
export interface Moved {
  changed: number
  /** Whom it changed. */
  ids: string[]
  slotsDropped: number
  skipped: { id: string; reason: string }[]
}

const RUNNING = inArray(storylineEnrollments.status, ['active', 'paused'])

/**
 * Moves the people who are on the way: a few at once, many in the background, one order at a time.
 * @throws conflict without a live revision, or while an order is worked off; ApiError 422 for a node that is not there.
 */
export async function migratePeople(
  ctx: TenantContext,
  storyline: StorylineRow,
  input: MigrationIn,
  dryRun: boolean,
) {
  if (!dryRun) requireEnabled(ctx)
  const live = await findLive(ctx, storyline)
  if (!live) throw conflict('The storyline is not published', 'not_published')
  const order = await readOrder(ctx, storyline, live, input)
  const which = [eq(storylineEnrollments.storylineId, storyline.id), RUNNING, standsAt(order)]
  const matched = await countOwn(ctx.db, storylineEnrollments, ctx.tenant.id, ...which)
  const told = { action: order.action, matched, revision_id: order.revisionId }
  if (dryRun) return { ...told, ...(await foresee(ctx, which, order, live.graph)) }
  if (matched > STORYLINES.movedAtOnce) return begin(ctx, storyline, order, matched)
  const rows = await selectOwn(ctx.db, storylineEnrollments, ctx.tenant.id, ...which)
    .orderBy(asc(storylineEnrollments.id))
    .limit(STORYLINES.movedAtOnce)
  return { ...told, ...(await moveNow(ctx, storyline, order, rows)) }
}

/** A few people, before the answer; what is kept of the order is what can be taken back. */
async function moveNow(
  ctx: TenantContext,
  storyline: StorylineRow,
  order: MigrationOrder,
  rows: readonly EnrollmentRow[],
  more: readonly BatchItem<'sqlite'>[] = [],
) {
  const moved = await moveAll(ctx.env, rows, order)
  const matched = rows.length
  const row: MigrationRow = {
    ...newMigration(ctx, storyline, order, matched),
    status: 'done',
    changed: moved.changed,
    slotsDropped: moved.slotsDropped,
    skipped: moved.skipped,
  }
  const statements = [
    ctx.db.insert(storylineMigrations).values(row),
    ...noteMoved(ctx.db, row, moved),
    ...more,
  ]
  await commitChange(ctx, ctx.tenant.id, statements, {
    ...entryOf(storyline),
    before: null,
    after: { ...order, matched, ...shortOf(moved) },
  })
  return { changed: moved.changed, skipped: moved.skipped, job_id: row.id }
}

/** Undoing finds them by this. */
function noteMoved(db: Db, { id, tenantId }: MigrationRow, { ids }: Moved) {
  if (ids.length === 0) return []
  const own = and(
    eq(storylineEnrollments.tenantId, tenantId),
    inArray(storylineEnrollments.id, ids),
  )
  return [db.update(storylineEnrollments).set({ movedBy: id }).where(own)]
}

const standsAt = ({ fromNode }: MigrationOrder): SQL | undefined =>
  fromNode === null ? undefined : eq(storylineEnrollments.nodeKey, fromNode)

const entryOf = ({ id, key }: Pick<StorylineRow, 'id' | 'key'>) => ({
  action: 'update' as const,
  entity: 'storyline_enrollments',
  entityId: id,
  entityName: key,
})

const shortOf = ({
  changed,
  slotsDropped,
  skipped,
}: Pick<Moved, 'changed' | 'slotsDropped' | 'skipped'>) => ({
  changed,
  slots_dropped: slotsDropped,
  skipped: skipped.length,
})

async function readOrder(
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

/** What would come of it, by what the directory knows. */
async function foresee(
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

/** Each in its user's object; what one of them did with the order already, it does not do again. */
export async function moveAll(
  env: Env,
  rows: readonly EnrollmentRow[],
  order: MigrationOrder,
): Promise<Moved> {
  const moved: Moved = { changed: 0, ids: [], slotsDropped: 0, skipped: [] }
  await Promise.all(
    rows.map(async (row) => {
      const { tenantId, userId, spaceId, id } = row
      const address = { tenantId, userId, spaceId }
      const outcome: MigrationOutcome = await workIn(
        env,
        address,
        'enrollments',
        'migrate',
        id,
        order,
        false,
      )
      if (!outcome.changed) moved.skipped.push({ id, reason: outcome.reason })
      else {
        moved.changed += 1
        moved.ids.push(id)
        moved.slotsDropped += outcome.droppedSlots.length
      }
    }),
  )
  return moved
}

const newMigration = (
  ctx: TenantContext,
  storyline: StorylineRow,
  order: MigrationOrder,
  matched: number,
): MigrationRow => ({
  id: order.id,
  tenantId: ctx.tenant.id,
  storylineId: storyline.id,
  wanted: order,
  status: 'running',
  at: '',
  matched,
  changed: 0,
  slotsDropped: 0,
  skipped: [],
  createdAt: ctx.now,
  updatedAt: ctx.now,
})

async function begin(
  ctx: TenantContext,
  storyline: StorylineRow,
  order: MigrationOrder,
  matched: number,
  more: readonly BatchItem<'sqlite'>[] = [],
) {
  const row = newMigration(ctx, storyline, order, matched)
  const statements = [ctx.db.insert(storylineMigrations).values(row), ...more]
  try {
    await commitChange(ctx, ctx.tenant.id, statements, {
      ...entryOf(storyline),
      before: null,
      after: { ...order, matched, job_id: row.id },
    })
  } catch (error) {
    if (isTaken(error, 'storyline_migrations.storyline_id'))
      throw conflict('People of this storyline are being moved already', 'migration_running')
    throw error
  }
  await sendJobs(ctx.env, [
    { type: 'storyline.migrate', tenantId: ctx.tenant.id, migrationId: row.id },
  ])
  return { job_id: row.id }
}

/**
 * Takes an order back, for half an hour after it was done: whoever stands as it left them stands as before.
 * @throws notFound; conflict while an order is worked off, or when it was taken back; gone after that time.
 */
export async function undoMigration(ctx: TenantContext, storyline: StorylineRow, id: string) {
  requireEnabled(ctx)
  const row = await getMigration(ctx, storyline.id, id)
  if (row.status === 'running')
    throw conflict('People of this storyline are being moved already', 'migration_running')
  if (row.status === 'undone' || row.wanted.action === 'undo')
    throw conflict('This was taken back already', 'migration_undone')
  if (ctx.now > row.updatedAt + STORYLINES.undoMinutes * MINUTE_MS)
    throw gone('It is too late to take this back', 'undo_expired')
  const { revisionId } = row.wanted
  const order: MigrationOrder = {
    id: newId(ctx.now),
    action: 'undo',
    revisionId,
    fromNode: null,
    toNode: null,
    undoes: id,
  }
  const which = whoIsMoved({ storylineId: storyline.id, wanted: order })
  const rows = await selectOwn(ctx.db, storylineEnrollments, ctx.tenant.id, ...which)
    .orderBy(asc(storylineEnrollments.id))
    .limit(STORYLINES.movedAtOnce + 1)
  const undone = ctx.db
    .update(storylineMigrations)
    .set({ status: 'undone' })
    .where(and(eq(storylineMigrations.tenantId, ctx.tenant.id), eq(storylineMigrations.id, id)))
  if (rows.length > STORYLINES.movedAtOnce) {
    const matched = await countOwn(ctx.db, storylineEnrollments, ctx.tenant.id, ...which)
    return begin(ctx, storyline, order, matched, [undone])
  }
  const done = await moveNow(ctx, storyline, order, rows, [undone])
  return { action: order.action, matched: rows.length, revision_id: revisionId, ...done }
}

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

/** @throws notFound. */
export async function getMigration(
  { db, tenant }: TenantContext,
  storylineId: string,
  id: string,
): Promise<MigrationRow> {
  const which = [eq(storylineMigrations.storylineId, storylineId), eq(storylineMigrations.id, id)]
  const row = await findOwn(db, storylineMigrations, tenant.id, ...which)
  if (!row) throw notFound('Migration')
  return row
}

export const presentMigration = (row: MigrationRow) => ({
  job_id: row.id,
  status: row.status,
  action: row.wanted.action,
  revision_id: row.wanted.revisionId,
  matched: row.matched,
  changed: row.changed,
  skipped: row.skipped,
  created_at: isoOf(row.createdAt),
  updated_at: isoOf(row.updatedAt),
})

/** Whom an order is about: those on the way, or those whom the order moved that it takes back. */
const whoIsMoved = ({ storylineId, wanted }: Pick<MigrationRow, 'storylineId' | 'wanted'>) =>
  wanted.undoes === undefined
    ? [eq(storylineEnrollments.storylineId, storylineId), RUNNING, standsAt(wanted)]
    : [
        eq(storylineEnrollments.storylineId, storylineId),
        eq(storylineEnrollments.movedBy, wanted.undoes),
      ]

/** The next people of an order; each step is counted once, by the place that it began at. @returns whether there are more. */
export async function migrateSome(
  env: Env,
  db: Db,
  row: MigrationRow,
  audit: OperatorContext,
): Promise<boolean> {
  const people = await selectOwn(
    db,
    storylineEnrollments,
    row.tenantId,
    ...whoIsMoved(row),
    gt(storylineEnrollments.id, row.at),
  )
    .orderBy(asc(storylineEnrollments.id))
    .limit(STORYLINES.movedPerStep)
  const moved = await moveAll(env, people, { ...row.wanted, id: row.id })
  const isLast = people.length < STORYLINES.movedPerStep
  const next = {
    at: people.at(-1)?.id ?? row.at,
    status: isLast ? ('done' as const) : row.status,
    changed: row.changed + moved.changed,
    slotsDropped: row.slotsDropped + moved.slotsDropped,
    skipped: [...row.skipped, ...moved.skipped].slice(0, STORYLINES.skippedShown),
    updatedAt: audit.now,
  }
  const own = and(
    eq(storylineMigrations.tenantId, row.tenantId),
    eq(storylineMigrations.id, row.id),
    eq(storylineMigrations.at, row.at),
    eq(storylineMigrations.status, 'running'),
  )
  const update = db.update(storylineMigrations).set(next).where(own)
  const noted = noteMoved(db, row, moved)
  if (!isLast) {
    await db.batch([update, ...noted])
    return true
  }
  await commitChange(audit, row.tenantId, [update, ...noted], {
    action: 'update',
    entity: 'storyline_enrollments',
    entityId: row.storylineId,
    entityName: null,
    before: null,
    after: { ...row.wanted, job_id: row.id, matched: row.matched, ...shortOf(next) },
  })
  return false
}

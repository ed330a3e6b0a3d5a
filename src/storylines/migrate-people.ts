import { and, asc, count, eq, gt, inArray, type SQL } from 'drizzle-orm'
import { commitChange } from '../audit/commit-change'
import { STORYLINES } from '../config/limits'
import type { OperatorContext, TenantContext } from '../context'
import type { Db } from '../db/client'
import { countOwn, findOwn, pickOwn, selectOwn } from '../db/own'
import { isTaken } from '../db/sql-errors'
import {
  type EnrollmentRow,
  type MigrationRow,
  type StorylineRow,
  storylineCounts,
  storylineEnrollments,
  storylineMigrations,
} from '../db/tables'
import { conflict, invalid, notFound } from '../errors'
import { newId } from '../platform/ids'
import { sendJobs } from '../platform/queue'
import { workIn } from '../platform/stubs'
import { isoOf } from '../time'
import type { Graph } from './graph'
import type { MigrationOrder, MigrationOutcome } from './migrate'
import type { MigrationIn } from './schema'
import { findLive, requireEnabled } from './storylines'

/** What came of an order so far. */
export interface Moved {
  changed: number
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
  const moved = await moveAll(ctx.env, rows, order)
  await commitChange(ctx, ctx.tenant.id, [], {
    ...entryOf(storyline),
    before: null,
    after: { ...order, matched, ...shortOf(moved) },
  })
  return { ...told, changed: moved.changed, skipped: moved.skipped }
}

const standsAt = ({ fromNode }: MigrationOrder): SQL | undefined =>
  fromNode === null ? undefined : eq(storylineEnrollments.nodeKey, fromNode)

const entryOf = ({ id, key }: Pick<StorylineRow, 'id' | 'key'>) => ({
  action: 'update' as const,
  entity: 'storyline_enrollments',
  entityId: id,
  entityName: key,
})

const shortOf = ({ changed, slotsDropped, skipped }: Moved) => ({
  changed,
  slots_dropped: slotsDropped,
  skipped: skipped.length,
})

async function readOrder(
  ctx: TenantContext,
  storyline: StorylineRow,
  { id: revisionId, graph }: { id: string; graph: Graph },
  { action, from_node, to_node }: MigrationIn,
): Promise<MigrationOrder> {
  const order = {
    id: newId(ctx.now),
    action,
    revisionId,
    fromNode: from_node ?? null,
    toNode: to_node ?? null,
  }
  const has = (node: string) => Object.hasOwn(graph.nodes, node)
  if (action === 'move') {
    for (const field of ['from_node', 'to_node'] as const)
      if (!{ from_node, to_node }[field])
        throw invalid(['body', field], 'Field required', 'missing')
  }
  const { fromNode, toNode } = order
  if (toNode !== null && !has(toNode)) throw unknownNode('to_node')
  if (fromNode !== null && !has(fromNode) && !(await wasNode(ctx, storyline, fromNode)))
    throw unknownNode('from_node')
  return order
}

const unknownNode = (field: string) =>
  invalid(['body', field], 'the storyline has no such node', 'unknown_target')

/** Whether an earlier revision had the node, as far as anybody came to it. */
async function wasNode(
  { db, tenant }: TenantContext,
  { id }: StorylineRow,
  node: string,
): Promise<boolean> {
  const at = [eq(storylineCounts.storylineId, id), eq(storylineCounts.nodeKey, node)]
  return (await findOwn(db, storylineCounts, tenant.id, ...at)) !== undefined
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
    if (order.action !== 'upgrade') return null
    if (!Object.hasOwn(graph.nodes, at.node)) return order.toNode === null ? 'node_missing' : null
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
  const moved: Moved = { changed: 0, slotsDropped: 0, skipped: [] }
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
        moved.slotsDropped += outcome.droppedSlots.length
      }
    }),
  )
  return moved
}

async function begin(
  ctx: TenantContext,
  storyline: StorylineRow,
  order: MigrationOrder,
  matched: number,
) {
  const row: MigrationRow = {
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
  }
  try {
    await commitChange(ctx, ctx.tenant.id, [ctx.db.insert(storylineMigrations).values(row)], {
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
    eq(storylineEnrollments.storylineId, row.storylineId),
    RUNNING,
    standsAt(row.wanted),
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
  if (!isLast) {
    await update
    return true
  }
  await commitChange(audit, row.tenantId, [update], {
    action: 'update',
    entity: 'storyline_enrollments',
    entityId: row.storylineId,
    entityName: null,
    before: null,
    after: { ...row.wanted, job_id: row.id, matched: row.matched, ...shortOf(next) },
  })
  return false
}

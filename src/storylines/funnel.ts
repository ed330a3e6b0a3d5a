import { and, eq, sql } from 'drizzle-orm'
import { DAY_MS, STORYLINES } from '../config/limits'
import type { TenantContext } from '../context'
import { pickOwn } from '../db/own'
import { type StorylineRow, storylineCounts, storylineEnrollments } from '../db/tables/storylines'
import { loadRules } from '../lazy'
import { medianSeconds } from './durations'
import type { Graph } from './graph'
import { findLive } from './storylines'

interface NodeCount {
  node: string
  kind: (typeof storylineCounts.$inferSelect)['kind']
  name: string
  n: number
}
interface Standing {
  node: string
  active: number
  stalled: number
}

/**
 * People at each node over all revisions: counted from moves, never from what was said; who stands where, and for how
 * long, comes from the directory.
 */
export async function readFunnel(ctx: TenantContext, row: StorylineRow) {
  const { db, tenant, now } = ctx
  const graph = await graphOf(ctx, row)
  const stallDays = graph.settings?.stall_days ?? STORYLINES.stallDays
  const stalledBefore = now - stallDays * DAY_MS
  const [counts, standing] = await db.batch([
    pickOwn(
      db,
      storylineCounts,
      tenant.id,
      {
        node: storylineCounts.nodeKey,
        kind: storylineCounts.kind,
        name: storylineCounts.name,
        n: storylineCounts.n,
      },
      eq(storylineCounts.storylineId, row.id),
    ),
    pickOwn(
      db,
      storylineEnrollments,
      tenant.id,
      {
        node: storylineEnrollments.nodeKey,
        active: sql<number>`count(*)`,
        stalled: sql<number>`sum(${storylineEnrollments.lastTurnAt} < ${stalledBefore})`,
      },
      and(eq(storylineEnrollments.storylineId, row.id), eq(storylineEnrollments.status, 'active')),
    ).groupBy(storylineEnrollments.nodeKey),
  ])
  return { nodes: nodesOf(graph, counts, standing) }
}

/** The live graph; of a storyline that is not live the one that is being worked on. */
async function graphOf(ctx: TenantContext, row: StorylineRow): Promise<Graph> {
  const live = await findLive(ctx, row)
  if (live) return live.graph
  const { readGraph, readSlots } = await loadRules()
  return readGraph(row.graph, readSlots(row.profileSchema).slots).graph
}

function nodesOf(graph: Graph, counts: readonly NodeCount[], standing: readonly Standing[]) {
  const present = typeof graph.nodes === 'object' && graph.nodes !== null ? graph.nodes : {}
  const byNode = Map.groupBy(counts, ({ node }) => node)
  const keys = new Set([...Object.keys(present), ...byNode.keys(), ...standing.map(nodeOf)])
  return Object.fromEntries(
    [...keys].map((key) => {
      const node = Object.hasOwn(present, key) ? present[key] : undefined
      const { active = 0, stalled = 0 } = standing.find((one) => one.node === key) ?? {}
      const shown = {
        title: typeof node?.title === 'string' ? node.title : null,
        type: typeof node?.type === 'string' ? node.type : null,
        milestone: node?.milestone === true,
        retired: node === undefined,
        active,
        stalled,
      }
      return [key, { ...shown, ...totalsOf(byNode.get(key) ?? []) }]
    }),
  )
}

const nodeOf = ({ node }: Standing): string => node

function totalsOf(counts: readonly NodeCount[]) {
  const total = (kind: NodeCount['kind']) => counts.find((one) => one.kind === kind)?.n ?? 0
  const named = (kind: NodeCount['kind']) =>
    counts.filter((one) => one.kind === kind).map(({ name, n }) => [name, n] as const)
  return {
    entered: total('entered'),
    completed: total('completed'),
    exited: total('exited'),
    failed: total('failed'),
    median_seconds: medianSeconds(new Map(named('seconds'))),
    exits: Object.fromEntries(named('exit')),
  }
}

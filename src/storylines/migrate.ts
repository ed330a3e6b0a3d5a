import type { DoneOrder, Enrollment } from './enrollment'
import { newState } from './machine'
import type { CountStep } from './records'
import type { Profile } from './slots'
import type { Story, StoryState } from './story-state'

/** What a tenant wants of the enrollments of a storyline (storyline-model, section 8). */
export const MIGRATIONS = ['upgrade', 'map', 'move', 'restart', 'complete', 'exit'] as const
/** What an order does; the last puts back what another one changed. */
export const ORDERS = [...MIGRATIONS, 'undo'] as const
export type MigrationAction = (typeof ORDERS)[number]

export interface MigrationOrder {
  /** Delivered again it is known by this. */
  id: string
  action: MigrationAction
  /** The live revision. */
  revisionId: string
  /** Only those that stand here; null for all. */
  fromNode: string | null
  toNode: string | null
  /** Where each node's people go on, for `map`. */
  nodes?: Readonly<Record<string, string>>
  /** The order that `undo` takes back. */
  undoes?: string
}

export type MigrationOutcome =
  | { changed: true; droppedSlots: readonly string[] }
  | {
      changed: false
      reason: 'gone' | 'not_running' | 'elsewhere' | 'node_missing' | 'unchanged' | 'moved'
    }

interface Migrated {
  outcome: MigrationOutcome
  enrollment: Enrollment | null
  counts: readonly CountStep[]
}

/**
 * One enrollment as an order leaves it: on the live revision, at the node that it names, or over. Whoever is put at a
 * node enters it with their next message, and is told there what the node says; a wait begins at once. Pure.
 */
export function migrated(
  enrollment: Enrollment,
  story: Story,
  order: MigrationOrder,
  now: number,
): Migrated {
  const { status, node } = enrollment
  const known = enrollment.kept.order
  if (known?.id === order.id)
    return {
      outcome: { changed: true, droppedSlots: known.dropped },
      enrollment: null,
      counts: [],
    }
  if (order.action === 'undo') return putBack(enrollment, order) ?? skipped('moved')
  if (status !== 'active' && status !== 'paused') return skipped('not_running')
  if (order.fromNode !== null && order.fromNode !== node) return skipped('elsewhere')
  if (order.action === 'complete') return ended(enrollment, order, 'completed')
  if (order.action === 'exit') return ended(enrollment, order, 'exited')
  const target = targetOf(enrollment, story, order)
  if (target === null) return skipped('node_missing')
  const stays = (order.action === 'upgrade' || order.action === 'map') && target === node
  if (stays && enrollment.revisionId === order.revisionId) return skipped('unchanged')
  return moved(enrollment, story, order, target, stays, now)
}

const skipped = (reason: Extract<MigrationOutcome, { changed: false }>['reason']): Migrated => ({
  outcome: { changed: false, reason },
  enrollment: null,
  counts: [],
})

/** That somebody left a node by an order. */
const leftAt = (node: string): CountStep => ({ node, kind: 'exit', name: 'migrate', n: 1 })

function ended(
  enrollment: Enrollment,
  order: MigrationOrder,
  status: 'completed' | 'exited',
): Migrated {
  const { node, kept } = enrollment
  const counts: CountStep[] = [leftAt(node), { node, kind: status, name: '', n: 1 }]
  return {
    outcome: { changed: true, droppedSlots: [] },
    enrollment: {
      ...enrollment,
      status,
      pausedBy: null,
      dueAt: null,
      kept: {
        ...kept,
        state: { ...kept.state, status },
        asked: [],
        order: doneTo(enrollment, order.id, [], counts),
      },
    },
    counts,
  }
}

/** @param stays whether only the revision changes, and the state goes on as it is. */
function moved(
  enrollment: Enrollment,
  story: Story,
  order: MigrationOrder,
  target: string,
  stays: boolean,
  now: number,
): Migrated {
  const { kept } = enrollment
  const { profile, dropped } = fitting(kept.state.profile, story)
  const seen = new Set([...(kept.state.counted ?? []), ...Object.keys(kept.state.visits)])
  const before = { ...kept.state, profile }
  const state = stays
    ? before
    : order.action === 'restart'
      ? { ...begunAnew(story, before, target, now), counted: [...seen] }
      : putAt(before, target, now)
  const counts: CountStep[] = stays
    ? []
    : [
        leftAt(enrollment.node),
        ...(seen.has(target) ? [] : [{ node: target, kind: 'entered' as const, name: '', n: 1 }]),
      ]
  return {
    outcome: { changed: true, droppedSlots: dropped },
    enrollment: {
      ...enrollment,
      revisionId: order.revisionId,
      node: target,
      dueAt: stays ? enrollment.dueAt : isWait(story, target) ? now : null,
      enteredNodeAt: state.enteredAt,
      kept: {
        ...kept,
        state,
        asked: askedAt(story, state, stays ? null : kept.asked),
        order: doneTo(enrollment, order.id, dropped, counts),
      },
    },
    counts,
  }
}

const begunAnew = (
  story: Story,
  { profile, step }: StoryState,
  target: string,
  now: number,
): StoryState => ({
  ...newState(story, now),
  profile,
  pending: 'entry',
  visits: { [target]: 1 },
  step: step + 1,
})

const putAt = (before: StoryState, target: string, now: number): StoryState => ({
  ...before,
  node: target,
  pending: 'entry',
  visits: { ...before.visits, [target]: (before.visits[target] ?? 0) + 1 },
  turns: 0,
  attempts: 0,
  enteredAt: now,
  step: before.step + 1,
  moves: 0,
})

/** What an order leaves behind in what it changed, until the next change: by this it can be taken back. */
function doneTo(
  { status, pausedBy, node, revisionId, dueAt, holds, enteredNodeAt, reports, kept }: Enrollment,
  id: string,
  dropped: readonly string[],
  counts: readonly CountStep[],
): DoneOrder {
  const { order: _, ...before } = kept
  const head = { status, pausedBy, node, revisionId, dueAt, holds, enteredNodeAt }
  return { id, dropped, undo: { report: reports + 1, head, kept: before, counts } }
}

/** An enrollment as it was before an order, or null where it has gone on since. */
function putBack(enrollment: Enrollment, { id, undoes }: MigrationOrder): Migrated | null {
  const { order } = enrollment.kept
  const undo = order?.id === undoes ? order?.undo : undefined
  if (!undo || undo.report !== enrollment.reports) return null
  return {
    outcome: { changed: true, droppedSlots: [] },
    enrollment: { ...enrollment, ...undo.head, kept: { ...undo.kept, order: { id, dropped: [] } } },
    counts: undo.counts.map((count) => ({ ...count, n: -count.n })),
  }
}

function targetOf({ node }: Enrollment, { graph }: Story, order: MigrationOrder): string | null {
  const there = (key: string | null) =>
    key !== null && Object.hasOwn(graph.nodes, key) ? key : null
  if (order.action === 'restart') return there(graph.start)
  if (order.action === 'move') return there(order.toNode)
  if (order.action === 'map') {
    const mapped = new Map(Object.entries(order.nodes ?? {})).get(node)
    return there(mapped ?? node)
  }
  return there(node) ?? there(order.toNode)
}

/** What of a profile the slots of another revision take. */
export function fitting(
  profile: Profile,
  { slots }: Story,
): { profile: Profile; dropped: string[] } {
  const entries = Object.entries(profile)
  const fits = entries.filter(([key, value]) => slots.get(key)?.accepts(value))
  const kept = new Set(fits.map(([key]) => key))
  return {
    profile: Object.fromEntries(fits),
    dropped: entries.map(([key]) => key).filter((key) => !kept.has(key)),
  }
}

const isWait = ({ graph }: Story, node: string) => graph.nodes[node]?.type === 'wait'

/** The slot that is open where the enrollment stands now; where it has not been asked there yet, only if it was before. */
function askedAt(
  { graph }: Story,
  { node, profile }: StoryState,
  shown: readonly string[] | null,
): string[] {
  const open = (graph.nodes[node]?.slots ?? []).filter(
    ({ slot, required }) => required !== false && profile[slot] === undefined,
  )
  const [first] = open.map(({ slot }) => slot)
  return first !== undefined && (shown === null || shown.includes(first)) ? [first] : []
}

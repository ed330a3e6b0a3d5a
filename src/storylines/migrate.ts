import type { Enrollment } from './enrollment'
import { newState, type Story, type StoryState } from './machine'
import type { CountStep } from './records'
import type { Profile } from './slots'

/** What a tenant wants of the enrollments of a storyline (storyline-model, section 8). */
export const MIGRATIONS = ['upgrade', 'move', 'restart', 'complete', 'exit'] as const
export type MigrationAction = (typeof MIGRATIONS)[number]

export interface MigrationOrder {
  /** Delivered again it is known by this. */
  id: string
  action: MigrationAction
  /** The live revision. */
  revisionId: string
  /** Only those that stand here; null for all. */
  fromNode: string | null
  toNode: string | null
}

export type MigrationOutcome =
  | { changed: true; droppedSlots: readonly string[] }
  | { changed: false; reason: 'gone' | 'not_running' | 'elsewhere' | 'node_missing' | 'unchanged' }

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
  const skip = (reason: Extract<MigrationOutcome, { changed: false }>['reason']): Migrated => ({
    outcome: { changed: false, reason },
    enrollment: null,
    counts: [],
  })
  const { status, node, revisionId } = enrollment
  const known = enrollment.kept.order
  if (known?.id === order.id)
    return {
      outcome: { changed: true, droppedSlots: known.dropped },
      enrollment: null,
      counts: [],
    }
  if (status !== 'active' && status !== 'paused') return skip('not_running')
  if (order.fromNode !== null && order.fromNode !== node) return skip('elsewhere')
  const left: CountStep = { node, kind: 'exit', name: 'migrate', n: 1 }
  if (order.action === 'complete' || order.action === 'exit') {
    const ended = order.action === 'complete' ? ('completed' as const) : ('exited' as const)
    const state = { ...enrollment.kept.state, status: ended }
    return {
      outcome: { changed: true, droppedSlots: [] },
      enrollment: {
        ...enrollment,
        status: ended,
        pausedBy: null,
        dueAt: null,
        kept: { ...enrollment.kept, state, asked: [], order: { id: order.id, dropped: [] } },
      },
      counts: [left, { node, kind: ended, name: '', n: 1 }],
    }
  }
  const target = targetOf(enrollment, story, order)
  if (target === null) return skip('node_missing')
  const stays = order.action === 'upgrade' && target === node
  if (stays && revisionId === order.revisionId) return skip('unchanged')
  const { profile, dropped } = fitting(enrollment.kept.state.profile, story)
  const before = enrollment.kept.state
  const seen = new Set([...(before.counted ?? []), ...Object.keys(before.visits)])
  const state: StoryState = stays
    ? { ...before, profile }
    : order.action === 'restart'
      ? {
          ...newState(story, now),
          profile,
          pending: 'entry',
          visits: { [target]: 1 },
          counted: [...seen],
          step: before.step + 1,
        }
      : {
          ...before,
          profile,
          node: target,
          pending: 'entry',
          visits: { ...before.visits, [target]: (before.visits[target] ?? 0) + 1 },
          turns: 0,
          attempts: 0,
          enteredAt: now,
          step: before.step + 1,
          moves: 0,
        }
  return {
    outcome: { changed: true, droppedSlots: dropped },
    enrollment: {
      ...enrollment,
      revisionId: order.revisionId,
      node: target,
      dueAt: stays ? enrollment.dueAt : isWait(story, target) ? now : null,
      enteredNodeAt: state.enteredAt,
      kept: {
        ...enrollment.kept,
        state,
        asked: askedAt(story, state, stays ? null : enrollment.kept.asked),
        order: { id: order.id, dropped },
      },
    },
    counts: stays
      ? []
      : [
          left,
          ...(seen.has(target) ? [] : [{ node: target, kind: 'entered' as const, name: '', n: 1 }]),
        ],
  }
}

function targetOf({ node }: Enrollment, { graph }: Story, order: MigrationOrder): string | null {
  const there = (key: string | null) =>
    key !== null && Object.hasOwn(graph.nodes, key) ? key : null
  if (order.action === 'restart') return there(graph.start)
  if (order.action === 'move') return there(order.toNode)
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

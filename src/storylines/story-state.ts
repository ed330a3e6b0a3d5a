import type { Conditions, Scope } from './conditions'
import type { AskedSlot, Graph, StoryNode, StoryText } from './graph'
import type { Profile, Slots, SlotValue } from './slots'

/** What the machine takes and gives: an enrollment's state, what happens to it, and what is to be done then. */

export type StoryStatus = 'active' | 'completed' | 'exited' | 'failed'

/**
 * What the enrollment waits for: the user, a tool's result, a stored handoff, a yes to the values read back, or, at
 * a node that it was put at, whoever speaks next to enter it.
 */
export type Pending = 'user' | 'tool' | 'handoff' | 'confirm' | 'entry'

export interface StoryState {
  status: StoryStatus
  node: string
  pending: Pending
  /** Times each node was entered. */
  visits: Readonly<Record<string, number>>
  /** Nodes that were entered before it began anew: the funnel has them already. */
  counted?: readonly string[]
  /** The user's turns in this visit. */
  turns: number
  attempts: number
  /** The user's turns in the enrollment. */
  count: number
  /** Milliseconds since 1970. */
  enteredAt: number
  profile: Profile
  tool: Scope['tool']
  /** Moves so far; keys the call of a tool, so that a repeated turn finds its result. */
  step: number
  /** Moves since the user or the clock last spoke. */
  moves: number
}

/** What a person's message says to the storyline, read by rule and by model before the machine runs. */
export interface Said {
  text: string
  lang: string
  images: number
  audio: boolean
  /** Valid values by slot. */
  values: Profile
  /** Exits whose statement was judged true, by id; a global one as `global:<id>`. */
  judged: readonly string[]
  /** The message is about something else. */
  digression: boolean
  leave: boolean
  /** The answer to values that were read back; null when it was neither. */
  confirmed: boolean | null
}

export type StoryEvent =
  /** With the message that started the flow, when one did. */
  | { type: 'start'; said: Said | null }
  | ({ type: 'said' } & Said)
  | { type: 'tool'; ok: boolean; status: number; data: unknown }
  | { type: 'handoff'; ok: boolean }
  | { type: 'due' }

export type Ending =
  | 'end'
  | 'last_word'
  | 'user_exit'
  | 'too_many_moves'
  | 'no_exit'
  | 'node_missing'
  | 'no_due_time'

export type Effect =
  /** `profile`: what was known then. */
  | { type: 'say'; node: string; text: StoryText; profile: Profile; pushed: boolean }
  | { type: 'ask'; node: string; slots: readonly AskedSlot[]; form: boolean; again: boolean }
  | { type: 'confirm'; node: string; slots: readonly string[] }
  | { type: 'converse'; node: string }
  | { type: 'digression'; node: string }
  | { type: 'leave_refused'; node: string }
  | {
      type: 'tool'
      node: string
      step: number
      tool: string
      args: Readonly<Record<string, SlotValue>>
      timeoutS: number
    }
  | { type: 'handoff'; node: string; notify: readonly string[] }
  | { type: 'timer'; node: string; dueAt: number }
  | { type: 'entered'; node: string }
  | { type: 'moved'; from: string; exit: string; to: string }
  | { type: 'ended'; status: StoryStatus; node: string; outcome: string | null; why: Ending }

/** Why an exit was taken or not, for the step log and the simulator. */
export interface Tried {
  node: string
  exit: string
  held: boolean
  why: 'default' | 'event' | 'when' | 'judge' | 'raised' | 'taken'
}

export interface Ran {
  state: StoryState
  effects: readonly Effect[]
  tried: readonly Tried[]
}

/** What a storyline is to the machine: a revision's graph with its slots, compiled. */
export interface Story {
  graph: Graph
  slots: Slots
  conditions: Conditions
  allowExit: boolean
}

/** What the machine knows of the person. */
export type Person = Scope['user']

/** Slots that the message may fill: those of every collect node, and what the present node extracts. */
export function fillableSlots({ graph, slots }: Story, node: string): readonly string[] {
  const asked = Object.values(graph.nodes).flatMap((one) =>
    one.type === 'collect' ? (one.slots ?? []).map(({ slot }) => slot) : [],
  )
  const extracted = graph.nodes[node]?.extract ?? []
  return [...new Set([...asked, ...extracted])].filter((key) => slots.get(key)?.computed === false)
}

/** @returns the required slots of a collect node that have no value yet, in the order of asking. */
export function missingSlots(node: StoryNode, profile: Profile): readonly AskedSlot[] {
  return (node.slots ?? []).filter(
    ({ slot, required }) => required !== false && profile[slot] === undefined,
  )
}

import type { Answer } from '../../../src/spaces/answer'
import type { CitedSources } from '../documents/cited-sources'
import type { Documents } from '../documents/documents'
import type { Ingestion } from '../documents/ingestion'
import type { OwnEnrollments } from '../enrollments/own-enrollments'
import type { Handoffs } from '../handoffs/handoffs'
import type { Carrying } from '../memories/carrying'
import type { Learning } from '../memories/learning'
import type { Memories } from '../memories/memories'
import type { MergeTarget } from '../merge/merge-target'
import type { ReminderChannels } from '../reminders/reminder-channels'
import type { Reminders } from '../reminders/reminders'
import type { Messages } from '../sessions/messages'
import type { Sessions } from '../sessions/sessions'
import type { Speeches } from '../sessions/speeches'
import type { AfterTurn } from '../turns/after-turn'
import type { Turns } from '../turns/turns'
import type { Exporting } from './exporting'
import type { Access } from './freeze'
import type { GraphItemsOfSpace } from './graph-items'
import type { Visit } from './visit'
import type { WholeSpace } from './whole-space'

/** The parts of a space that are called from outside. */
export interface Parts {
  space: WholeSpace
  turns: Turns
  afterTurn: AfterTurn
  sessions: Sessions
  messages: Messages
  speeches: Speeches
  memories: Memories
  learning: Learning
  carrying: Carrying
  documents: Documents
  citedSources: CitedSources
  ingestion: Ingestion
  enrollments: OwnEnrollments
  handoffs: Handoffs
  reminders: Reminders
  reminderChannels: ReminderChannels
  graph: GraphItemsOfSpace
  exporting: Exporting
  arrival: MergeTarget
}

/** The methods that may be called for people. One that writes is refused while the space is being merged. */
export const ASKED = {
  space: { check: 'read', count: 'read' },
  turns: { stop: 'read', knows: 'read' },
  sessions: {
    list: 'read',
    get: 'read',
    agentOf: 'read',
    search: 'read',
    listImages: 'read',
    readImage: 'read',
    rename: 'write',
    markRead: 'write',
    remove: 'write',
    branch: 'write',
    dismissCalls: 'write',
  },
  messages: { list: 'read', edit: 'write', choose: 'write', remove: 'write', setFeedback: 'write' },
  speeches: { find: 'read', keep: 'write' },
  memories: { list: 'read', listAll: 'read', forget: 'write' },
  carrying: { exportAll: 'read', importAll: 'write', dropCarried: 'write' },
  documents: { list: 'read', add: 'write', remove: 'write' },
  citedSources: { read: 'read', original: 'read' },
  enrollments: { list: 'read', leave: 'write' },
  handoffs: { reply: 'write', resume: 'write' },
  reminders: { list: 'read', create: 'write', cancel: 'write', remove: 'write' },
  graph: { list: 'read', read: 'read' },
  exporting: { rows: 'read', file: 'read' },
  // `publish` writes, and is not refused all the same: the merge is decided by then.
  arrival: { accept: 'write', publish: 'read' },
} as const satisfies { [P in keyof Parts]?: { [V in AskedIn<Parts[P]>]?: Access } }

/**
 * The methods that background jobs may call. `there`: waits for a running merge to end and is then done in the space that
 * holds the data. `here`: concerns this very object, whatever became of the space.
 */
export const WORK = {
  space: {
    countSessions: 'here',
    countRows: 'here',
    countVectors: 'here',
    forgetProfile: 'here',
    withdrawAgent: 'here',
    leave: 'here',
    renameAgent: 'there',
    dropVectors: 'there',
    tellExport: 'here',
  },
  arrival: { stage: 'here', unstage: 'here' },
  turns: { settle: 'here' },
  afterTurn: { follow: 'there', findForReview: 'there', indexTitle: 'there' },
  learning: { relearn: 'there' },
  ingestion: { begin: 'there', addPart: 'there', finish: 'there', fail: 'there', giveUp: 'there' },
  enrollments: { migrate: 'there', clear: 'there', reported: 'there', wake: 'there' },
  handoffs: { notice: 'there', told: 'there' },
  reminderChannels: {
    notice: 'there',
    claim: 'there',
    settle: 'there',
    release: 'there',
    putOff: 'there',
    finish: 'there',
    giveUp: 'there',
  },
} as const satisfies { [P in keyof Parts]?: { [V in keyof Parts[P]]?: 'here' | 'there' } }

/** The methods of a part that take a `Visit` first. */
type AskedIn<Part> = {
  [V in keyof Part]: Part[V] extends (visit: Visit, ...rest: never[]) => Promise<Answer<unknown>>
    ? V
    : never
}[keyof Part]

export type AskedPart = keyof typeof ASKED
export type AskedVerb<P extends AskedPart> = keyof (typeof ASKED)[P] & keyof Parts[P] & string
export type AskedArgs<P extends AskedPart, V extends AskedVerb<P>> = Parts[P][V] extends (
  visit: Visit,
  ...rest: infer Rest
) => unknown
  ? Rest
  : never
export type AskedValue<P extends AskedPart, V extends AskedVerb<P>> = Parts[P][V] extends (
  ...args: never[]
) => Promise<Answer<infer T>>
  ? T
  : never

export type WorkPart = keyof typeof WORK
export type WorkVerb<P extends WorkPart> = keyof (typeof WORK)[P] & keyof Parts[P] & string
export type WorkArgs<P extends WorkPart, V extends WorkVerb<P>> = Parts[P][V] extends (
  ...args: infer Args
) => unknown
  ? Args
  : never
export type WorkResult<P extends WorkPart, V extends WorkVerb<P>> = Parts[P][V] extends (
  ...args: never[]
) => infer R
  ? Awaited<R>
  : never

/** Calls a method by its name, once `verbOf` has found it in one of the lists above. */
export function callVerb(part: object, verb: string, args: unknown[]): unknown {
  return (part as Record<string, (...args: unknown[]) => unknown>)[verb]?.(...args)
}

/** What a list says of a method. Names come over RPC: own properties alone count. @throws Error for one that is not listed. */
export function verbOf<P extends string, Kind extends string>(
  list: Record<P, Record<string, Kind>>,
  part: P,
  verb: string,
): Kind {
  const found = Object.hasOwn(list, part) ? list[part] : {}
  const kind = Object.hasOwn(found, verb) ? found[verb] : undefined
  if (kind === undefined) throw new Error(`A space has no ${part}.${verb}`)
  return kind
}

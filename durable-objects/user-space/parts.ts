import { Exporting } from './core/exporting'
import { GraphItemsOfSpace } from './core/graph-items'
import type { LiveEvents } from './core/live-events'
import type { SpaceCore } from './core/space-core'
import type { Parts } from './core/verbs'
import { WholeSpace } from './core/whole-space'
import { CitedSources } from './documents/cited-sources'
import { DocumentSearch } from './documents/document-search'
import { Documents } from './documents/documents'
import { Ingestion } from './documents/ingestion'
import { DueEnrollments } from './enrollments/due-enrollments'
import { Enrollments } from './enrollments/enrollments'
import { OwnEnrollments } from './enrollments/own-enrollments'
import { Handoffs } from './handoffs/handoffs'
import { Carrying } from './memories/carrying'
import { Learning } from './memories/learning'
import { Memories } from './memories/memories'
import { OpenMemories } from './memories/open-memories'
import { MergeTarget } from './merge/merge-target'
import { DueReminders } from './reminders/due-reminders'
import { ReminderChannels } from './reminders/reminder-channels'
import { Reminders } from './reminders/reminders'
import { Messages } from './sessions/messages'
import { Sessions } from './sessions/sessions'
import { Speeches } from './sessions/speeches'
import { TitleVectors } from './sessions/title-vectors'
import { AfterTurn } from './turns/after-turn'
import { Following } from './turns/following'
import { Turns } from './turns/turns'

export type BuiltParts = ReturnType<typeof buildParts>

/** The parts of one space and what they need of each other. */
export function buildParts(core: SpaceCore, live: LiveEvents) {
  const titleVectors = new TitleVectors(core)
  const dueReminders = new DueReminders(core, live)
  const reminders = new Reminders(core, dueReminders)

  const openMemories = new OpenMemories(core)
  const memoryChanged = (changed: number) => live.hint({ type: 'memory', changed })
  const memories = new Memories(core, openMemories, memoryChanged)
  const learning = new Learning(core, openMemories, memoryChanged)
  const carrying = new Carrying(core, openMemories, memoryChanged)

  const documentSearch = new DocumentSearch(core.stores.documents)
  const documentChanged = (id: string, status: 'parsing' | 'ready' | 'failed' | 'deleted') =>
    live.hint({ type: 'document', id, status })
  const ingestion = new Ingestion(core, documentSearch, documentChanged)
  const documents = new Documents(core, ingestion)

  const storylines = new Enrollments(core)
  const handoffs = new Handoffs(core, dueReminders)
  const dueEnrollments = new DueEnrollments(core, storylines, reminders, handoffs)
  const following = new Following()
  const turns = new Turns(
    core,
    live,
    reminders,
    memories,
    documentSearch,
    storylines,
    handoffs,
    following,
  )
  const called: Parts = {
    space: new WholeSpace(core, { live, memories, titleVectors }),
    turns,
    afterTurn: new AfterTurn(core, live, titleVectors, learning, following),
    sessions: new Sessions(core, {
      live,
      titleVectors,
      endTurn: (id) => turns.end(id),
      settle: () => turns.settle(),
    }),
    messages: new Messages(core, {
      live,
      forgetMessage: (keys, id) => learning.forgetMessage(keys, id),
      isBusy: (sessionId) => turns.isBusy(sessionId),
    }),
    speeches: new Speeches(core),
    memories,
    learning,
    carrying,
    documents,
    citedSources: new CitedSources(core),
    ingestion,
    enrollments: new OwnEnrollments(core, storylines),
    handoffs,
    reminders,
    reminderChannels: new ReminderChannels(core),
    exporting: new Exporting(core),
    graph: new GraphItemsOfSpace(memories, documentSearch),
    arrival: new MergeTarget(core, {
      live,
      memories: carrying,
      shown: () => {
        documentSearch.forgetOpened()
        // What came may have been on its way since before privacy mode.
        if (core.privacy) titleVectors.drop()
      },
    }),
  }
  return { ...called, dueEnrollments, titleVectors, dueReminders, openMemories, documentSearch }
}

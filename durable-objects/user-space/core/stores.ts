import { DocumentStore } from '../documents/document-store'
import { EnrollmentStore } from '../enrollments/enrollment-store'
import { HandoffStore } from '../handoffs/handoff-store'
import { MemoryStore } from '../memories/memory-store'
import { MovingRows } from '../merge/moving-rows'
import { StagingStore } from '../merge/staging-store'
import { ReminderStore } from '../reminders/reminder-store'
import { AttachmentStore } from '../sessions/attachment-store'
import { MessageStore } from '../sessions/message-store'
import { SessionStore } from '../sessions/session-store'
import { TurnStore } from '../turns/turn-store'
import { EventStore } from './event-store'
import { FactStore } from './fact-store'

/**
 * Every table of a space has one store, which alone writes it (`scripts/check-writers.mjs` holds that). What is to change
 * together is put together by the parts, in one transaction.
 */
export class Stores {
  readonly facts: FactStore
  readonly sessions: SessionStore
  readonly messages: MessageStore
  readonly attachments: AttachmentStore
  readonly turns: TurnStore
  readonly memories: MemoryStore
  readonly documents: DocumentStore
  readonly reminders: ReminderStore
  readonly enrollments: EnrollmentStore
  readonly handoffs: HandoffStore
  readonly events: EventStore
  readonly staging: StagingStore
  readonly moving: MovingRows

  constructor(sql: SqlStorage) {
    this.facts = new FactStore(sql)
    this.sessions = new SessionStore(sql)
    this.messages = new MessageStore(sql)
    this.attachments = new AttachmentStore(sql)
    this.turns = new TurnStore(sql)
    this.memories = new MemoryStore(sql)
    this.documents = new DocumentStore(sql)
    this.reminders = new ReminderStore(sql)
    this.enrollments = new EnrollmentStore(sql)
    this.handoffs = new HandoffStore(sql)
    this.events = new EventStore(sql)
    this.staging = new StagingStore(sql)
    this.moving = new MovingRows(sql, () => this.facts.forget())
  }
}

import type { ScheduleKind, ScheduleRequest, ScheduleResult } from '../../../src/chat/turn'
import { HOUR_MS, LIMITS, REMINDERS } from '../../../src/config/limits'
import { configOf } from '../../../src/config/read-config'
import type { ReminderView } from '../../../src/reminders/present-reminder'
import { type DueTime, moveReminder, readDue } from '../../../src/reminders/rules'
import { showInZone } from '../../../src/reminders/zone-time'
import { type Answer, ok, refuse } from '../../../src/spaces/answer'
import { isoOf } from '../../../src/time'
import { readProfileZone } from '../../../src/users/profile-zone'
import type { SpaceCore } from '../core/space-core'
import type { SpaceKeys } from '../core/space-keys'
import type { Visit } from '../core/visit'
import type { DueReminders } from './due-reminders'
import type { ReminderRow, ReminderStore } from './reminder-store'

/** A reminder that a user makes by hand, with what the rules made of its time. */
export interface NewReminder {
  text: string
  due: DueTime
  agentName: string | null
  sessionId: string | null
  idempotency: { key: string; bodyHash: string } | null
  now: number
}

interface CreatedReminder {
  view: ReminderView
  replayed: boolean
}

/** Reminders of one space as its user and their agents make and see them. */
export class Reminders {
  readonly #core: SpaceCore
  readonly #due: DueReminders

  constructor(core: SpaceCore, due: DueReminders) {
    this.#core = core
    this.#due = due
  }

  get #store(): ReminderStore {
    return this.#core.stores.reminders
  }

  /** An alarm that was lost is found again by the first call after it. */
  async prepare(): Promise<void> {
    await this.#due.armOnce()
  }

  /** `replayed`: it was made before, under the same Idempotency-Key. */
  async create({ keys }: Visit, input: NewReminder): Promise<Answer<CreatedReminder>> {
    const repeated = this.#findRepeat(input)
    if (repeated) return repeated
    const { due } = input
    if (!due.ok) return { ok: false, refusal: { ...due, reason: 'due' } }
    const session =
      input.sessionId === null ? null : this.#core.stores.sessions.get(input.sessionId)
    if (session === undefined) return refuse('session')
    const agentName = input.agentName ?? session?.agent_name ?? null
    const id = await this.#insert(keys, {
      ...input,
      ...due,
      agentName,
      kind: 'reminder',
      source: 'manual',
    })
    const row = id === null ? undefined : this.#store.get(id)
    return row ? ok({ view: view(row), replayed: false }) : refuse('reminders_full')
  }

  #findRepeat({ idempotency, now }: NewReminder): Answer<CreatedReminder> | null {
    if (!idempotency) return null
    const { turns } = this.#core.stores
    const since = now - LIMITS.idempotencyHours * HOUR_MS
    turns.dropRepeats(since)
    const row = this.#store.repeated(idempotency.key, since)
    const removed = row ? undefined : turns.repeat(idempotency.key)
    const hash = row?.repeat_hash ?? removed?.body_hash
    if (hash === undefined) return null
    if (hash !== idempotency.bodyHash) return refuse('repeat_differs')
    return ok({ view: row ? view(row) : JSON.parse(removed?.answer ?? ''), replayed: true })
  }

  /**
   * What the model's tools ask for: the same rules, with the profile's zone looked up here.
   * @param by `former`: the id of one that it takes the place of, unless that was told or given up
   */
  async scheduleByAgent(
    kind: ScheduleKind,
    { text, dueAt, timezone }: ScheduleRequest,
    { former = null, ...by }: { agentName: string; sessionId: string; former?: string | null },
  ): Promise<ScheduleResult> {
    const keys = await this.#core.keys()
    const { address, env } = this.#core
    if (!keys || !address) return { ok: false, problem: 'The user is gone.' }
    const profileZone = timezone === null ? await readProfileZone(env, address) : null
    const now = Date.now()
    const due = readDue({ dueAt, timezone }, profileZone, now, configOf(env).reminderLeadMs)
    if (!due.ok) {
      return { ok: false, problem: `${due.field}: ${due.problem}. It is now ${isoOf(now)}.` }
    }
    const kept = { text, ...due }
    const isChanged =
      former !== null && (await this.#change(keys, former, kind, kept, by.sessionId))
    const id = isChanged
      ? former
      : await this.#insert(keys, {
          ...kept,
          ...by,
          kind,
          source: 'agent',
          idempotency: null,
          now,
        })
    if (id === null) {
      return { ok: false, problem: `The user already has ${REMINDERS.pending} pending reminders.` }
    }
    return { ok: true, id, due_at: showInZone(due.dueAt, due.timezone), timezone: due.timezone }
  }

  /** @returns whether it is still to come, and comes so now. */
  async #change(
    keys: SpaceKeys,
    id: string,
    kind: ScheduleKind,
    { text, dueAt, timezone }: { text: string; dueAt: number; timezone: string },
    sessionId: string,
  ): Promise<boolean> {
    const textSealed = await keys.seal('reminders', 'text', id, text)
    if (!this.#store.change({ id, kind, sessionId, textSealed, dueAt, timezone })) return false
    await this.#core.wakeAt(dueAt)
    return true
  }

  /** @returns the id, or null when as many as allowed are pending. */
  async #insert(
    keys: SpaceKeys,
    reminder: Omit<NewReminder, 'due'> & {
      dueAt: number
      timezone: string
      kind: ScheduleKind
      source: 'manual' | 'agent'
    },
  ): Promise<string | null> {
    const id = this.#core.mint(reminder.now)
    const textSealed = await keys.seal('reminders', 'text', id, reminder.text)
    const isKept = this.#core.storage.transactionSync(() => {
      if (this.#store.countPending() >= REMINDERS.pending) return false
      this.#store.add({
        ...reminder,
        id,
        textSealed,
        repeatKey: reminder.idempotency?.key ?? null,
        repeatHash: reminder.idempotency?.bodyHash ?? null,
      })
      return true
    })
    if (!isKept) return null
    await this.#core.wakeAt(reminder.dueAt)
    return id
  }

  /** Most recently created first, one more than `limit`; `after` is the position of the last one seen. */
  async list(
    _visit: Visit,
    after: { createdAt: number; id: string } | null,
    limit: number,
  ): Promise<Answer<ReminderView[]>> {
    return ok(this.#store.list(after, limit + 1).map(view))
  }

  async cancel(_visit: Visit, id: string): Promise<Answer<null>> {
    const row = this.#store.get(id)
    if (row?.kind !== 'reminder') return refuse('reminder')
    const next = moveReminder(row.status, 'cancel')
    if (next === null) return refuse('not_pending')
    this.#store.setStatus(id, next, Date.now())
    return ok(null)
  }

  async remove(_visit: Visit, id: string): Promise<Answer<null>> {
    const row = this.#store.get(id)
    if (row?.kind !== 'reminder') return refuse('reminder')
    const { repeat_key: key, repeat_hash: hash } = row
    this.#core.storage.transactionSync(() => {
      this.#store.remove(id)
      // The call that made it is not to make another one when it comes again.
      if (key !== null && hash !== null)
        this.#core.stores.turns.keepAnswer(key, hash, JSON.stringify(view(row)), row.created_at)
    })
    return ok(null)
  }
}

function view(row: ReminderRow): ReminderView {
  return {
    id: row.id,
    status: row.status,
    dueAt: row.due_at,
    timezone: row.timezone,
    source: row.source === 'manual' ? 'manual' : 'agent',
    agentName: row.agent_name,
    sessionId: row.session_id,
    createdAt: row.created_at,
    deliveredAt: row.delivered_at,
    cancelledAt: row.cancelled_at,
  }
}

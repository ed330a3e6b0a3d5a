import { REMINDER_CHANNELS, type ReminderNotice } from '../../src/channels/reminder-channels'
import type { ScheduleKind, ScheduleRequest, ScheduleResult } from '../../src/chat/turn'
import { HOUR_MS, LIMITS, REMINDERS } from '../../src/config/limits'
import { CHANNELS } from '../../src/config/names'
import { configOf } from '../../src/config/read-config'
import { sendJobs } from '../../src/platform/queue'
import { tenantMeter } from '../../src/platform/stubs'
import type { ReminderView } from '../../src/reminders/present-reminder'
import {
  type ChannelOutcome,
  type DueTime,
  isLost,
  moveReminder,
  type ReminderStatus,
  readDue,
} from '../../src/reminders/rules'
import { showInZone } from '../../src/reminders/zone-time'
import type { SpaceCaller, TurnRefusal } from '../../src/spaces/caller'
import { isoOf } from '../../src/time'
import { readProfileZone } from '../../src/users/profile-zone'
import type { Access } from './freeze'
import type { LiveEvents, PreparedEvent, StoredEvent } from './live-events'
import { sealBody } from './session-store'
import type { SpaceCore } from './space-core'
import type { SpaceKeys } from './space-keys'

const DUE_BATCH = 50

/** Values of `handed_on`: a job is to be sent for the other channels, was sent, has reported. */
const TO_HAND_ON = 0
const HANDED_ON = 1
const DELIVERED = 2

export type ChannelClaim = 'yours' | 'held' | 'done'

interface ReminderRow extends Record<string, SqlStorageValue> {
  id: string
  kind: ScheduleKind
  status: ReminderStatus
  due_at: number
  timezone: string
  source: 'manual' | 'agent'
  agent_name: string | null
  session_id: string | null
  text_sealed: string
  repeat_hash: string | null
  created_at: number
  delivered_at: number | null
  cancelled_at: number | null
  away: number
}

/** A reminder that a user makes by hand, with what the rules made of its time. */
export interface NewReminder {
  text: string
  due: DueTime
  agentName: string | null
  sessionId: string | null
  idempotency: { key: string; bodyHash: string } | null
  now: number
}

type Refusal =
  | TurnRefusal
  | { reason: 'reminder' | 'not_pending' | 'reminders_full' }
  | { reason: 'due'; field: 'due_at' | 'timezone'; problem: string }
type Answered<T> = { ok: true; value: T } | { ok: false; refusal: Refusal }

/** What is ready to be told, with all that it takes sealed. */
interface Prepared {
  row: ReminderRow
  /** Null for what cannot be told any more: it ends as failed. */
  telling: { event: PreparedEvent; message: { id: string; sealed: string } | null } | null
}

/** Reminders and follow-ups of one space: kept, listed, cancelled, and told when they fall due. */
export class Reminders {
  readonly #core: SpaceCore
  readonly #live: LiveEvents
  #armed = false

  constructor(core: SpaceCore, live: LiveEvents) {
    this.#core = core
    this.#live = live
  }

  get #sql(): SqlStorage {
    return this.#core.storage.sql
  }

  #with<T>(
    caller: SpaceCaller,
    access: Access,
    work: (keys: SpaceKeys) => Answered<T> | Promise<Answered<T>>,
  ): Promise<Answered<T>> {
    return this.#core.freeze.during(async () => {
      const refusal = await this.#core.enter(caller, access)
      if (refusal) return { ok: false, refusal }
      if (!this.#armed) await this.#arm()
      const keys = await this.#core.keys()
      return keys ? work(keys) : { ok: false, refusal: { reason: 'user_gone' } }
    })
  }

  create(caller: SpaceCaller, input: NewReminder): Promise<Answered<ReminderView>> {
    return this.#with(caller, 'write', async (keys) => {
      const repeated = this.#findRepeat(input)
      if (repeated) return repeated
      const { due } = input
      if (!due.ok) return { ok: false, refusal: { ...due, reason: 'due' } }
      const session = input.sessionId === null ? null : this.#core.store.session(input.sessionId)
      if (session === undefined) return refuse('session')
      const agentName = input.agentName ?? session?.agent_name ?? null
      const id = await this.#insert(keys, {
        ...input,
        ...due,
        agentName,
        kind: 'reminder',
        source: 'manual',
      })
      const row = id === null ? undefined : this.#find(id)
      return row ? ok(view(row)) : refuse('reminders_full')
    })
  }

  #findRepeat({ idempotency, now }: NewReminder): Answered<ReminderView> | null {
    if (!idempotency) return null
    const row = this.#sql
      .exec<ReminderRow>(
        'SELECT * FROM reminders WHERE repeat_key = ? AND created_at > ?',
        idempotency.key,
        now - LIMITS.idempotencyHours * HOUR_MS,
      )
      .toArray()[0]
    if (!row) return null
    return row.repeat_hash === idempotency.bodyHash ? ok(view(row)) : refuse('repeat_differs')
  }

  /** What the model's tools ask for: the same rules, with the profile's zone looked up here. */
  async scheduleByAgent(
    kind: ScheduleKind,
    { text, dueAt, timezone }: ScheduleRequest,
    by: { agentName: string; sessionId: string },
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
    const id = await this.#insert(keys, {
      text,
      ...due,
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
    const sealed = await keys.seal('reminders', 'text', id, reminder.text)
    const isKept = this.#core.storage.transactionSync(() => {
      const { n } = this.#sql
        .exec<{ n: number }>("SELECT count(*) AS n FROM reminders WHERE status = 'pending'")
        .one()
      if (n >= REMINDERS.pending) return false
      this.#sql.exec(
        `INSERT INTO reminders (id, kind, status, due_at, timezone, source, agent_name, session_id, text_sealed, repeat_key, repeat_hash, created_at)
         VALUES (?, ?, 'pending', ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
        id,
        reminder.kind,
        reminder.dueAt,
        reminder.timezone,
        reminder.source,
        reminder.agentName,
        reminder.sessionId,
        sealed,
        reminder.idempotency?.key ?? null,
        reminder.idempotency?.bodyHash ?? null,
        reminder.now,
      )
      return true
    })
    if (!isKept) return null
    await this.#core.wakeAt(reminder.dueAt)
    return id
  }

  /** Most recently created first, one more than `limit`; `after` is the position of the last one seen. */
  list(
    caller: SpaceCaller,
    after: { createdAt: number; id: string } | null,
    limit: number,
  ): Promise<Answered<ReminderView[]>> {
    return this.#with(caller, 'read', () => {
      const rows = this.#sql
        .exec<ReminderRow>(
          `SELECT * FROM reminders WHERE kind = 'reminder' AND (?1 IS NULL OR (created_at, id) < (?1, ?2))
           ORDER BY created_at DESC, id DESC LIMIT ?3`,
          after?.createdAt ?? null,
          after?.id ?? null,
          limit + 1,
        )
        .toArray()
      return ok(rows.map(view))
    })
  }

  cancel(caller: SpaceCaller, id: string): Promise<Answered<null>> {
    return this.#with(caller, 'write', () => {
      const row = this.#find(id)
      if (row?.kind !== 'reminder') return refuse('reminder')
      return this.#move(row, 'cancel', Date.now()) ? ok(null) : refuse('not_pending')
    })
  }

  remove(caller: SpaceCaller, id: string): Promise<Answered<null>> {
    return this.#with(caller, 'write', () => {
      if (this.#find(id)?.kind !== 'reminder') return refuse('reminder')
      this.#core.storage.transactionSync(() => {
        this.#sql.exec('DELETE FROM reminders WHERE id = ?', id)
        this.#sql.exec('DELETE FROM reminder_channels WHERE reminder_id = ?', id)
      })
      return ok(null)
    })
  }

  #find(id: string): ReminderRow | undefined {
    return this.#sql.exec<ReminderRow>('SELECT * FROM reminders WHERE id = ?', id).toArray()[0]
  }

  /** @returns false when the reminder can no longer make the move. */
  #move(
    { id, status }: ReminderRow,
    move: Parameters<typeof moveReminder>[1],
    now: number,
  ): boolean {
    const next = moveReminder(status, move)
    if (next === null) return false
    this.#sql.exec(
      `UPDATE reminders SET status = ?2, delivered_at = iif(?2 = 'sent', ?3, NULL),
         cancelled_at = iif(?2 = 'cancelled', ?3, NULL) WHERE id = ?1`,
      id,
      next,
      now,
    )
    return true
  }

  /** Tells everything that is due, hands it on, and asks to be woken for what comes next. Safe to run twice. */
  async deliverDue(): Promise<void> {
    for (;;) {
      const due = this.#due(Date.now())
      if (due.length === 0) break
      const keys = await this.#core.keys()
      // Without the user's key nothing can be read again; what is left goes with the user.
      if (!keys) {
        this.#sql.exec('DELETE FROM reminders')
        return
      }
      await this.#tell(keys, due)
    }
    await this.#handOn()
    await this.#arm()
  }

  /** Wakes the object for the next one due. An alarm that was lost is found again by the first call after it. */
  async #arm(): Promise<void> {
    this.#armed = true
    for (const next of [this.#nextDue(), this.#nextHanded()]) {
      if (next !== null) await this.#core.wakeAt(next)
    }
  }

  #due(now: number): ReminderRow[] {
    return this.#sql
      .exec<ReminderRow>(
        "SELECT * FROM reminders WHERE status = 'pending' AND due_at <= ? ORDER BY due_at, id LIMIT ?",
        now,
        DUE_BATCH,
      )
      .toArray()
  }

  #nextDue(): number | null {
    return this.#sql
      .exec<{ due: number | null }>(
        "SELECT min(due_at) AS due FROM reminders WHERE status = 'pending'",
      )
      .one().due
  }

  /** When a delivery that has not been heard of is handed on again: its job may be lost. */
  #nextHanded(): number | null {
    const { at } = this.#sql
      .exec<{ at: number | null }>('SELECT min(handed_at) AS at FROM reminders WHERE handed_on = 1')
      .one()
    return at === null ? null : at + this.#handedMs
  }

  /** Longer than a job holds a channel. */
  get #handedMs(): number {
    return 2 * configOf(this.#core.env).claimMs
  }

  async #tell(keys: SpaceKeys, due: readonly ReminderRow[]): Promise<void> {
    const mayTell = await this.#mayTell()
    const prepared = await Promise.all(
      due.map(async (row): Promise<Prepared> => {
        const telling = mayTell ? await this.#prepare(keys, row).catch(() => null) : null
        return { row, telling }
      }),
    )
    const now = Date.now()
    const stored = this.#core.storage.transactionSync(() =>
      prepared.flatMap((one) => this.#settle(one, now)),
    )
    for (const { row, telling } of prepared) {
      if (telling?.message && row.session_id) this.#core.recent.forget(row.session_id)
    }
    this.#live.send(stored)
  }

  /** A suspended tenant says nothing to anybody. */
  async #mayTell(): Promise<boolean> {
    const { address, env } = this.#core
    return address !== null && (await tenantMeter(env, address.tenantId).refusal(null)) === null
  }

  async #prepare(keys: SpaceKeys, row: ReminderRow): Promise<Prepared['telling']> {
    const text = await keys.read('reminders', 'text', row.id, row.text_sealed)
    if (text === null) return null
    if (row.kind === 'reminder') {
      const due_at = isoOf(row.due_at)
      const event = await this.#live.prepare(keys, { type: 'reminder', id: row.id, text, due_at })
      return { event, message: null }
    }
    const session_id = row.session_id ?? ''
    if (!this.#core.store.session(session_id)) return null
    const id = this.#core.mint(Date.now())
    const agent = row.agent_name
    const event = await this.#live.prepare(keys, { type: 'followup', id, session_id, agent, text })
    const sealed = await sealBody(keys, id, { content: text, finishReason: 'stop' })
    return { event, message: { id, sealed } }
  }

  /** In one transaction with the others: status, event and message together, or nothing of it. */
  #settle({ row, telling }: Prepared, now: number): StoredEvent[] {
    // It may have been cancelled, or its session deleted, while it was being prepared.
    const current = this.#find(row.id)
    if (current?.status !== 'pending') return []
    const session = row.session_id ? this.#core.store.session(row.session_id) : undefined
    if (!telling || (telling.message && !session)) {
      this.#move(current, 'fail', now)
      return []
    }
    this.#move(current, 'deliver', now)
    const away = this.#live.hasListeners ? 0 : 1
    const goesOn = row.kind === 'reminder' || isAtChannel(session?.channel)
    this.#sql.exec(
      'UPDATE reminders SET away = ?, handed_on = ? WHERE id = ?',
      away,
      goesOn ? TO_HAND_ON : DELIVERED,
      row.id,
    )
    if (telling.message && session) {
      const { id, sealed } = telling.message
      const sessionId = session.id
      this.#core.store.addMessage({
        sessionId,
        id,
        role: 'assistant',
        agentName: row.agent_name,
        status: 'complete',
        sealed,
        now,
      })
      this.#sql.exec(
        'UPDATE sessions SET message_count = message_count + 1, updated_at = ? WHERE id = ?',
        now,
        sessionId,
      )
    }
    return [this.#live.store(telling.event, now)]
  }

  #unhanded(now: number): string[] {
    return this.#sql
      .exec<{ id: string }>(
        `SELECT id FROM reminders WHERE status = 'sent'
         AND (handed_on = ${TO_HAND_ON} OR (handed_on = ${HANDED_ON} AND handed_at <= ?))`,
        now - this.#handedMs,
      )
      .toArray()
      .map(({ id }) => id)
  }

  /** The other channels are a job each: sent at least once, done once (`claimChannel`). */
  async #handOn(): Promise<void> {
    const now = Date.now()
    const ids = this.#unhanded(now)
    const { address, env } = this.#core
    if (ids.length === 0 || !address) return
    await sendJobs(
      env,
      ids.map((reminderId) => ({ type: 'reminder.deliver' as const, ...address, reminderId })),
    )
    for (const id of ids) {
      // A job may have been faster.
      this.#sql.exec(
        `UPDATE reminders SET handed_on = ${HANDED_ON}, handed_at = ? WHERE id = ? AND handed_on <> ${DELIVERED}`,
        now,
        id,
      )
    }
  }

  /** What a further channel has to tell; null when there is nothing to tell any more. A sign of life of its job. */
  async notice(reminderId: string): Promise<ReminderNotice | null> {
    const keys = await this.#core.keys()
    const row = keys ? this.#find(reminderId) : undefined
    if (row) this.putOff(reminderId, 0)
    if (!keys || row?.status !== 'sent') return null
    const text = await keys.read('reminders', 'text', row.id, row.text_sealed)
    if (text === null) return null
    return {
      id: row.id,
      kind: row.kind,
      text,
      dueAt: row.due_at,
      timezone: row.timezone,
      agentName: row.agent_name,
      away: row.away === 1,
    }
  }

  /** The job will be heard of again, this much later than usual. */
  putOff(reminderId: string, delayMs: number): void {
    if (this.#core.isClosed) return
    this.#sql.exec(
      `UPDATE reminders SET handed_at = ? WHERE id = ? AND handed_on = ${HANDED_ON}`,
      Date.now() + delayMs,
      reminderId,
    )
  }

  /** Who may deliver by this channel now: one at a time, and nobody once its outcome is known. */
  claimChannel(reminderId: string, channel: string): ChannelClaim {
    if (this.#core.isClosed) return 'done'
    const now = Date.now()
    const taken = this.#sql
      .exec(
        `INSERT INTO reminder_channels (reminder_id, channel, claimed_at)
         SELECT id, ?2, ?3 FROM reminders WHERE id = ?1
         ON CONFLICT DO UPDATE SET claimed_at = ?3 WHERE outcome IS NULL AND claimed_at <= ?4
         RETURNING channel`,
        reminderId,
        channel,
        now,
        now - configOf(this.#core.env).claimMs,
      )
      .toArray()
    if (taken.length > 0) return 'yours'
    const held = this.#outcomes(reminderId).some(
      (row) => row.channel === channel && row.outcome === null,
    )
    return held ? 'held' : 'done'
  }

  #outcomes(reminderId: string) {
    return this.#sql
      .exec<{ channel: string; outcome: ChannelOutcome | null }>(
        'SELECT channel, outcome FROM reminder_channels WHERE reminder_id = ?',
        reminderId,
      )
      .toArray()
  }

  settleChannel(reminderId: string, channel: string, outcome: ChannelOutcome): void {
    if (this.#core.isClosed) return
    this.#sql.exec(
      'UPDATE reminder_channels SET outcome = ? WHERE reminder_id = ? AND channel = ?',
      outcome,
      reminderId,
      channel,
    )
  }

  /** Every channel is settled: the reminder is lost when it reached nobody. */
  finish(reminderId: string): void {
    if (this.#core.isClosed) return
    const row = this.#find(reminderId)
    if (!row) return
    const outcomes = this.#outcomes(reminderId).flatMap(({ outcome }) => outcome ?? [])
    this.#core.storage.transactionSync(() => {
      if (isLost(row.away === 1, outcomes)) this.#move(row, 'lose', Date.now())
      this.#sql.exec(`UPDATE reminders SET handed_on = ${DELIVERED} WHERE id = ?`, reminderId)
    })
  }

  /** The job was given up: what it could not settle has failed. */
  giveUp(reminderId: string): void {
    for (const channel of REMINDER_CHANNELS) {
      const { name } = channel
      if (this.claimChannel(reminderId, name) !== 'done')
        this.settleChannel(reminderId, name, 'failed')
    }
    this.finish(reminderId)
  }

  /** The delivery failed and is to be tried again. */
  releaseChannel(reminderId: string, channel: string): void {
    if (this.#core.isClosed) return
    this.#sql.exec(
      'DELETE FROM reminder_channels WHERE reminder_id = ? AND channel = ?',
      reminderId,
      channel,
    )
  }
}

const isAtChannel = (channel: string | undefined) =>
  (CHANNELS as readonly string[]).includes(channel ?? '')

const ok = <T>(value: T): Answered<T> => ({ ok: true, value })
const refuse = (
  reason: 'reminder' | 'not_pending' | 'reminders_full' | 'repeat_differs' | 'session',
): Answered<never> => ({ ok: false, refusal: { reason } })

function view(row: ReminderRow): ReminderView {
  return {
    id: row.id,
    status: row.status,
    dueAt: row.due_at,
    timezone: row.timezone,
    source: row.source,
    agentName: row.agent_name,
    sessionId: row.session_id,
    createdAt: row.created_at,
    deliveredAt: row.delivered_at,
    cancelledAt: row.cancelled_at,
  }
}

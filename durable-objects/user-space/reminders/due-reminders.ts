import { CHANNELS } from '../../../src/config/names'
import { configOf } from '../../../src/config/read-config'
import { sendJobs } from '../../../src/platform/queue'
import { tenantMeter } from '../../../src/platform/stubs'
import { moveReminder } from '../../../src/reminders/rules'
import { isoOf } from '../../../src/time'
import type { LiveEvents, PreparedEvent, StoredEvent } from '../core/live-events'
import type { SpaceCore } from '../core/space-core'
import type { SpaceKeys } from '../core/space-keys'
import { sealBody } from '../sessions/message-body'
import type { ReminderRow, ReminderStore } from './reminder-store'

const DUE_BATCH = 50

/** What is ready to be told, with all that it takes sealed. */
interface Prepared {
  row: ReminderRow
  /** Null for what cannot be told any more: it ends as failed. */
  telling: { event: PreparedEvent; message: { id: string; sealed: string } | null } | null
}

/** Reminders and follow-ups that fall due: told on the streams of the space, and handed on to the other channels. */
export class DueReminders {
  readonly #core: SpaceCore
  readonly #live: LiveEvents
  #armed = false

  constructor(core: SpaceCore, live: LiveEvents) {
    this.#core = core
    this.#live = live
  }

  get #store(): ReminderStore {
    return this.#core.stores.reminders
  }

  /** Tells everything that is due, hands it on, and asks to be woken for what comes next. Safe to run twice. */
  async deliver(): Promise<void> {
    for (;;) {
      const due = this.#store.due(Date.now(), DUE_BATCH)
      if (due.length === 0) break
      const keys = await this.#core.keys()
      // Without the user's key nothing can be read again; what is left goes with the user.
      if (!keys) return this.#store.removeAll()
      await this.#tell(keys, due)
    }
    await this.#handOn()
    await this.#arm()
  }

  async armOnce(): Promise<void> {
    if (!this.#armed) await this.#arm()
  }

  /** Wakes the object for the next one due, and for what was handed on and not heard of: its job may be lost. */
  async #arm(): Promise<void> {
    this.#armed = true
    const due = this.#store.nextDue()
    if (due !== null) await this.#core.wakeAt(due)
    const handed = this.#store.firstHanded()
    if (handed !== null) await this.#core.wakeAt(handed + this.#handedMs)
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
    if (!this.#core.stores.sessions.has(session_id)) return null
    const id = this.#core.mint(Date.now())
    const agent = row.agent_name
    const event = await this.#live.prepare(keys, { type: 'followup', id, session_id, agent, text })
    const sealed = await sealBody(keys, id, {
      content: text,
      finishReason: 'stop',
      ...(row.source === 'staff' ? { author: 'staff' as const } : {}),
    })
    return { event, message: { id, sealed } }
  }

  /** In one transaction with the others: status, event and message together, or nothing of it. */
  #settle({ row, telling }: Prepared, now: number): StoredEvent[] {
    const { sessions, messages } = this.#core.stores
    // It may have been cancelled, or its session deleted, while it was being prepared.
    const current = this.#store.get(row.id)
    if (current?.status !== 'pending') return []
    const session = row.session_id ? sessions.get(row.session_id) : undefined
    const isTold = telling !== null && (!telling.message || session !== undefined)
    const next = moveReminder(current.status, isTold ? 'deliver' : 'fail')
    if (next !== null) this.#store.setStatus(row.id, next, now)
    if (!isTold) return []
    const goesOn = goesAfter(row) || isAtChannel(session?.channel)
    this.#store.noteTold(row.id, !this.#live.hasListeners, goesOn)
    if (telling.message && session) {
      const { id, sealed } = telling.message
      messages.add({
        sessionId: session.id,
        id,
        role: 'assistant',
        agentName: row.agent_name,
        status: 'complete',
        sealed,
        now,
      })
      sessions.countMessage(session.id, now)
    }
    return [this.#live.store(telling.event, now)]
  }

  /** The other channels are a job each: sent at least once, done once (`ReminderChannels`). */
  async #handOn(): Promise<void> {
    const now = Date.now()
    const ids = this.#store.unhanded(now - this.#handedMs)
    const { address, env } = this.#core
    if (ids.length === 0 || !address) return
    await sendJobs(
      env,
      ids.map((reminderId) => ({ type: 'reminder.deliver' as const, ...address, reminderId })),
    )
    for (const id of ids) this.#store.noteHanded(id, now)
  }
}

/** Whether it finds its user when they are away; what an agent wanted to say later waits in its session. */
export const goesAfter = ({ kind, source }: Pick<ReminderRow, 'kind' | 'source'>): boolean =>
  kind === 'reminder' || source === 'storyline' || source === 'staff'

export const isAtChannel = (channel: string | undefined) =>
  (CHANNELS as readonly string[]).includes(channel ?? '')

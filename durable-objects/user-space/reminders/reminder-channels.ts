import { REMINDER_CHANNELS, type ReminderNotice } from '../../../src/channels/reminder-channels'
import { configOf } from '../../../src/config/read-config'
import { type ChannelOutcome, isLost, moveReminder } from '../../../src/reminders/rules'
import type { SpaceCore } from '../core/space-core'
import { goesAfter, isAtChannel } from './due-reminders'
import type { ReminderStore } from './reminder-store'

export type ChannelClaim = 'yours' | 'held' | 'done'

/** What the job that tells a reminder beside the stream asks and reports: by each channel it is told once. */
export class ReminderChannels {
  readonly #core: SpaceCore

  constructor(core: SpaceCore) {
    this.#core = core
  }

  get #store(): ReminderStore {
    return this.#core.stores.reminders
  }

  /** What a further channel has to tell; null when there is nothing to tell any more. A sign of life of its job. */
  async notice(reminderId: string): Promise<ReminderNotice | null> {
    const keys = await this.#core.keys()
    const { sessions } = this.#core.stores
    const row = keys ? this.#store.get(reminderId) : undefined
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
      finds: goesAfter(row),
      atChannel: isAtChannel(sessions.get(row.session_id ?? '')?.channel),
    }
  }

  /** The job will be heard of again, this much later than usual. */
  putOff(reminderId: string, delayMs: number): void {
    if (this.#core.isClosed) return
    this.#store.noteHeard(reminderId, Date.now() + delayMs)
  }

  /** Who may deliver by this channel now: one at a time, and nobody once its outcome is known. */
  claim(reminderId: string, channel: string): ChannelClaim {
    if (this.#core.isClosed) return 'done'
    const now = Date.now()
    const heldSince = now - configOf(this.#core.env).claimMs
    if (this.#store.claim(reminderId, channel, now, heldSince)) return 'yours'
    const held = this.#store
      .outcomes(reminderId)
      .some((row) => row.channel === channel && row.outcome === null)
    return held ? 'held' : 'done'
  }

  settle(reminderId: string, channel: string, outcome: ChannelOutcome): void {
    if (!this.#core.isClosed) this.#store.settle(reminderId, channel, outcome)
  }

  /** The delivery failed and is to be tried again. */
  release(reminderId: string, channel: string): void {
    if (!this.#core.isClosed) this.#store.release(reminderId, channel)
  }

  /** Every channel is settled: the reminder is lost when it reached nobody. */
  finish(reminderId: string): void {
    if (this.#core.isClosed) return
    const row = this.#store.get(reminderId)
    if (!row) return
    const outcomes = this.#store.outcomes(reminderId).flatMap(({ outcome }) => outcome ?? [])
    this.#core.storage.transactionSync(() => {
      const next = isLost(row.away === 1, outcomes) ? moveReminder(row.status, 'lose') : null
      if (next !== null) this.#store.setStatus(reminderId, next, Date.now())
      this.#store.noteDelivered(reminderId)
    })
  }

  /** The job was given up: what it could not settle has failed. */
  giveUp(reminderId: string): void {
    for (const { name } of REMINDER_CHANNELS) {
      if (this.claim(reminderId, name) !== 'done') this.settle(reminderId, name, 'failed')
    }
    this.finish(reminderId)
  }
}

import type { SpaceAddress } from '../platform/stubs'

/** A reminder that fell due, for a channel beside the stream. */
export interface ReminderNotice {
  id: string
  text: string
  /** Milliseconds since 1970. */
  dueAt: number
  timezone: string
  agentName: string | null
  /** No stream was open when it fell due. */
  away: boolean
}

/** A way to reach a user beside the stream, which tells every reminder by itself. */
export interface ReminderChannel {
  name: 'mail' | 'telegram'
  /** Whether this reminder is for this channel: a user is mailed when away only. */
  wants(notice: ReminderNotice): boolean
  /** Delivers once; a user whom the channel cannot reach is no failure. @throws what is worth another try. */
  deliver(env: Env, address: SpaceAddress, notice: ReminderNotice): Promise<void>
}

/** The linked channel and mail stand here once they exist; `reminder.deliver` goes through the list. */
export const REMINDER_CHANNELS: readonly ReminderChannel[] = []

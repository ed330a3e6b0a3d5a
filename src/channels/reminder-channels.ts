import type { SpaceAddress } from '../platform/stubs'
import { linkedChannel } from './linked-channel'
import { mailChannel } from './mail-channel'

/** A reminder that fell due, for a channel beside the stream. */
export interface ReminderNotice {
  id: string
  kind: 'reminder' | 'followup'
  text: string
  /** Milliseconds since 1970. */
  dueAt: number
  timezone: string
  agentName: string | null
  /** No stream was open when it fell due. */
  away: boolean
  /** It goes after its user when they are away; a follow-up of the agent's own waits in its session. */
  finds: boolean
  /** Its session is at a messaging channel. */
  atChannel: boolean
}

/** What a channel made of a notice; `none`: the user cannot be reached by it, which is no failure. */
export type Delivery = 'sent' | 'none'

/** A way to reach a user beside the stream, which tells every reminder by itself. */
export interface ReminderChannel {
  name: 'mail' | 'linked'
  /** Whether this notice is for this channel: a user is mailed when away only. */
  wants(notice: ReminderNotice): boolean
  /** Delivers once. @throws DeliveryRefused for what no repeat mends; TryLater; else what is worth another try. */
  deliver(env: Env, address: SpaceAddress, notice: ReminderNotice): Promise<Delivery>
}

/** The linked messaging channel and mail; `reminder.deliver` goes through the list. */
export const REMINDER_CHANNELS: readonly ReminderChannel[] = [linkedChannel, mailChannel]

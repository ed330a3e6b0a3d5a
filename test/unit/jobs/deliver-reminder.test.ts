import { describe, expect, it } from 'vitest'
import { deliverReminder } from '../../../src/jobs/deliver-reminder'
import type { ReminderChannel, ReminderNotice } from '../../../src/reminders/channels'

const NOTICE: ReminderNotice = {
  id: 'r1',
  text: 'Call Ada',
  dueAt: 0,
  timezone: 'UTC',
  agentName: null,
  away: true,
}
const JOB = {
  type: 'reminder.deliver' as const,
  tenantId: 't',
  userId: 'u',
  spaceId: 's',
  reminderId: 'r1',
}

/** The object's side in memory: who has claimed what. */
function spaceWith(notice: ReminderNotice | null) {
  const claimed = new Set<string>()
  const stub = {
    reminderNotice: async () => notice,
    claimReminderChannel: async (_id: string, channel: string) => {
      const isFirst = !claimed.has(channel)
      claimed.add(channel)
      return isFirst
    },
    releaseReminderChannel: async (_id: string, channel: string) => {
      claimed.delete(channel)
    },
  }
  return { USER_SPACE: { idFromName: () => 'id', get: () => stub } } as unknown as Env
}

function channel(name: ReminderChannel['name'], fails = 0, wants = true) {
  const delivered: string[] = []
  let left = fails
  return {
    delivered,
    name,
    wants: () => wants,
    deliver: async (_env: Env, _address: unknown, { text }: ReminderNotice) => {
      if (left-- > 0) throw new Error(`${name} is down`)
      delivered.push(text)
    },
  }
}

describe('the channels beside the stream', () => {
  it('each delivers once, however often the job runs', async () => {
    const env = spaceWith(NOTICE)
    const channels = [channel('mail'), channel('telegram')]
    for (let run = 0; run < 3; run++) await deliverReminder(env, JOB, channels)
    expect(channels.map(({ delivered }) => delivered)).toEqual([['Call Ada'], ['Call Ada']])
  })

  it('one that fails is tried again without the others', async () => {
    const env = spaceWith(NOTICE)
    const channels = [channel('mail', 1), channel('telegram')]
    await expect(deliverReminder(env, JOB, channels)).rejects.toThrow('mail is down')
    expect(channels.map(({ delivered }) => delivered.length)).toEqual([0, 1])
    await deliverReminder(env, JOB, channels)
    expect(channels.map(({ delivered }) => delivered.length)).toEqual([1, 1])
  })

  it('says nothing where there is nothing to tell or the channel does not want it', async () => {
    const gone = channel('mail')
    await deliverReminder(spaceWith(null), JOB, [gone])
    const unwanted = channel('telegram', 0, false)
    await deliverReminder(spaceWith(NOTICE), JOB, [unwanted])
    expect([gone.delivered, unwanted.delivered]).toEqual([[], []])
  })
})

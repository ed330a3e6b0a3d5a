import { describe, expect, it } from 'vitest'
import type { ReminderChannel, ReminderNotice } from '../../../src/channels/reminder-channels'
import { deliverReminder } from '../../../src/jobs/deliver-reminder'
import { TryLater } from '../../../src/platform/try-later'
import { DeliveryRefused } from '../../../src/reminders/delivery-refused'
import { SECRETS } from '../../support/harness'

const NOTICE: ReminderNotice = {
  id: 'r1',
  kind: 'reminder',
  text: 'Call Ada',
  dueAt: 0,
  timezone: 'UTC',
  agentName: null,
  away: true,
  finds: true,
  atChannel: false,
}
const JOB = {
  type: 'reminder.deliver' as const,
  tenantId: 't',
  userId: 'u',
  spaceId: 's',
  reminderId: 'r1',
}

/** The object's side in memory: who has claimed what, and what became of it. */
function spaceWith(notice: ReminderNotice | null, claims: Record<string, string> = {}) {
  const log: string[] = []
  const part: Record<string, (...args: never[]) => Promise<unknown>> = {
    notice: async () => notice,
    claim: async (_id: string, channel: string) => {
      const state = claims[channel]
      if (state !== undefined) return state === 'claimed' ? 'held' : 'done'
      claims[channel] = 'claimed'
      return 'yours'
    },
    settle: async (_id: string, channel: string, outcome: string) => {
      claims[channel] = outcome
    },
    release: async (_id: string, channel: string) => {
      delete claims[channel]
    },
    putOff: async (_id: string, ms: number) => {
      log.push(`put off by ${ms}`)
    },
    finish: async () => {
      log.push('finished')
    },
  }
  const stub = {
    work: (_part: 'reminderChannels', verb: string, args: never[]) => part[verb]?.(...args),
  }
  const env = { USER_SPACE: { idFromName: () => 'id', get: () => stub }, ...SECRETS }
  return { env: env as unknown as Env, claims, log }
}

function channel(name: ReminderChannel['name'], fails: Error[] = [], wants = true) {
  const delivered: string[] = []
  const left = [...fails]
  return {
    delivered,
    name,
    wants: () => wants,
    deliver: async (_env: Env, _address: unknown, { text }: ReminderNotice) => {
      const error = left.shift()
      if (error) throw error
      delivered.push(text)
      return 'sent' as const
    },
  }
}

describe('the channels beside the stream', () => {
  it('each delivers once, however often the job runs', async () => {
    const { env, claims, log } = spaceWith(NOTICE)
    const channels = [channel('mail'), channel('linked')]
    for (let run = 0; run < 3; run++) await deliverReminder(env, JOB, channels)
    expect(channels.map(({ delivered }) => delivered)).toEqual([['Call Ada'], ['Call Ada']])
    expect(claims).toEqual({ mail: 'sent', linked: 'sent' })
    expect(log).toContain('finished')
  })

  it('one that fails is tried again without the others', async () => {
    const { env, log } = spaceWith(NOTICE)
    const channels = [channel('mail', [new Error('mail is down')]), channel('linked')]
    await expect(deliverReminder(env, JOB, channels)).rejects.toThrow('mail is down')
    expect(channels.map(({ delivered }) => delivered.length)).toEqual([0, 1])
    expect(log).toEqual([])
    await deliverReminder(env, JOB, channels)
    expect(channels.map(({ delivered }) => delivered.length)).toEqual([1, 1])
  })

  it('one that is refused for good has failed, and nothing is tried again', async () => {
    const { env, claims, log } = spaceWith(NOTICE)
    const mail = channel('mail', [new DeliveryRefused('no such person')])
    await deliverReminder(env, JOB, [mail])
    await deliverReminder(env, JOB, [mail])
    expect(claims).toEqual({ mail: 'failed' })
    expect(mail.delivered).toEqual([])
    expect(log).toContain('finished')
  })

  it('waits for one that another job holds, and for one that asks to', async () => {
    const held = spaceWith(NOTICE, { mail: 'claimed' })
    await expect(deliverReminder(held.env, JOB, [channel('mail')])).rejects.toThrow(TryLater)
    const busy = spaceWith(NOTICE)
    const slow = channel('linked', [new TryLater(7)])
    await expect(deliverReminder(busy.env, JOB, [slow])).rejects.toMatchObject({ delayS: 7 })
    expect([held.log, busy.log, busy.claims]).toEqual([
      ['put off by 120000'],
      ['put off by 7000'],
      {},
    ])
  })

  it('says nothing where there is nothing to tell or the channel does not want it', async () => {
    const gone = channel('mail')
    await deliverReminder(spaceWith(null).env, JOB, [gone])
    const unwanted = channel('linked', [], false)
    await deliverReminder(spaceWith(NOTICE).env, JOB, [unwanted])
    expect([gone.delivered, unwanted.delivered]).toEqual([[], []])
  })
})

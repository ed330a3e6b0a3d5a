import { describe, expect, it, vi } from 'vitest'
import { MAIL } from '../../../src/config/limits'
import { consumeJobs } from '../../../src/jobs/consume'
import { sendAccountMail } from '../../../src/jobs/send-account-mail'
import { MailError } from '../../../src/platform/mail/send-mail'

vi.mock('../../../src/jobs/send-account-mail', () => ({ sendAccountMail: vi.fn() }))

describe('a mail that a server does not take', () => {
  /** What becomes of a job at each of its attempts. */
  async function attempt(error: Error, attempts: number) {
    vi.mocked(sendAccountMail).mockRejectedValueOnce(error)
    const retry = vi.fn()
    const ack = vi.fn()
    const message = { body: { type: 'account.mail' }, attempts, retry, ack }
    const batch = { queue: 'parley-jobs', messages: [message] }
    await consumeJobs(batch as unknown as MessageBatch<unknown>, {} as Env)
    return { tries: retry.mock.calls, taken: ack.mock.calls.length }
  }

  it('is sent again soon, and then when greylisting is over', async () => {
    const busy = new MailError('not_sent', 'EENVELOPE')
    expect(await attempt(busy, 1)).toEqual({ tries: [[{}]], taken: 0 })
    const later = [{ delaySeconds: MAIL.greylistS }]
    expect(await attempt(busy, 2)).toEqual({ tries: [later], taken: 0 })
    expect(await attempt(new Error('down'), 2)).toEqual({ tries: [[{}]], taken: 0 })
  })

  it('is not sent again where it is refused for good', async () => {
    expect(await attempt(new MailError('refused', 'EENVELOPE'), 1)).toEqual({ tries: [], taken: 1 })
  })
})

/** A release that was rolled back may have sent it: nobody here can say what it asks for. */
it('a job of a kind that this release does not know is not taken as done', async () => {
  const retry = vi.fn()
  const ack = vi.fn()
  const message = { body: { type: 'story.print', tenantId: 't' }, attempts: 1, retry, ack }
  const batch = { queue: 'parley-jobs', messages: [message] }
  await consumeJobs(batch as unknown as MessageBatch<unknown>, {} as Env)
  expect({ tries: retry.mock.calls.length, taken: ack.mock.calls.length }).toEqual({
    tries: 1,
    taken: 0,
  })
})

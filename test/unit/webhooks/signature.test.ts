import { Webhook } from 'standardwebhooks'
import { describe, expect, it } from 'vitest'
import { newSecret, signatureHeaders } from '../../../src/platform/crypto/webhook-signature'
import { eventBody, eventId } from '../../../src/webhooks/events'

describe('signatureHeaders', () => {
  it('is what the public library accepts, and nothing else passes', async () => {
    const secret = newSecret()
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    const body = '{"a":"ü"}'
    const headers = await signatureHeaders(secret, { id: 'evt_1', body }, Date.now())
    const receiver = new Webhook(secret)
    expect(receiver.verify(body, headers)).toEqual({ a: 'ü' })
    expect(() => receiver.verify('{"a":"u"}', headers)).toThrow()
    expect(() => receiver.verify(body, { ...headers, 'webhook-id': 'evt_2' })).toThrow()
    expect(() => new Webhook(newSecret()).verify(body, headers)).toThrow()
  })

  it('signs as the published example does', async () => {
    const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
    const headers = await signatureHeaders(
      secret,
      { id: 'msg_p5jXN8AQM9LWM0D4loKWxJek', body: '{"test": 2432232314}' },
      1614265330_000,
    )
    expect(headers['webhook-signature']).toBe('v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=')
  })
})

describe('an event', () => {
  it('has one id for every repeat, and another for anything else', async () => {
    const event = { type: 'turn.completed', key: 'm1' }
    const id = await eventId('t1', event)
    expect(id).toMatch(/^evt_[0-9a-f]{32}$/)
    expect(await eventId('t1', { ...event })).toBe(id)
    for (const other of [
      await eventId('t2', event),
      await eventId('t1', { ...event, key: 'm2' }),
      await eventId('t1', { ...event, type: 'turn.no_match' }),
    ])
      expect(other).not.toBe(id)
  })

  it('is the same text at every attempt', () => {
    const event = { tenantId: 't', type: 'user.deleted', happenedAt: 0, data: { user_id: 'u' } }
    expect(eventBody(event)).toBe(
      '{"type":"user.deleted","timestamp":"1970-01-01T00:00:00.000Z","tenant_id":"t","data":{"user_id":"u"}}',
    )
  })
})

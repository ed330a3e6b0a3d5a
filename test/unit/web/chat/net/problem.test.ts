import { describe, expect, it } from 'vitest'
import { problemOf } from '../../../../../src/web/chat/net/problem'

function refusal(status: number, detail: unknown, headers: Record<string, string> = {}): Response {
  return new Response(JSON.stringify({ detail }), { status, headers })
}

describe('problemOf', () => {
  it('tells the monthly ceiling from a short wait', async () => {
    expect(await problemOf(refusal(429, 'Monthly token quota exceeded'), 0)).toEqual({
      kind: 'quota',
    })
    const rate = refusal(429, 'Too many requests', { 'Retry-After': '12' })
    expect(await problemOf(rate, 1000)).toEqual({ kind: 'rate', retryAt: 13_000 })
    expect(await problemOf(refusal(429, 'Too many requests'), 0)).toEqual({
      kind: 'rate',
      retryAt: 30_000,
    })
  })

  it('passes the first validation message on', async () => {
    const detail = [{ type: 'string_too_long', loc: ['body', 'message'], msg: 'Too long' }]
    expect(await problemOf(refusal(422, detail), 0)).toEqual({
      kind: 'refused',
      detail: 'Too long',
    })
  })

  it.each([
    [403, 'gone'],
    [404, 'gone'],
    [409, 'busy'],
  ])('%i means %s', async (status, kind) => {
    expect(await problemOf(refusal(status, 'x'), 0)).toEqual({ kind })
  })

  it('keeps the request id of a fault, whatever its body is', async () => {
    const response = new Response('<html>', { status: 500, headers: { 'X-Request-Id': 'r1' } })
    expect(await problemOf(response, 0)).toEqual({ kind: 'server', requestId: 'r1' })
  })
})

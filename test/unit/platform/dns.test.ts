import { afterEach, describe, expect, it } from 'vitest'
import { resolveAddresses } from '../../../src/platform/dns'
import { type Loopback, startLoopback } from '../../support/loopback'

const open: Loopback[] = []
afterEach(async () => {
  await Promise.all(open.splice(0).map((server) => server.close()))
})

const TYPES: Record<string, number> = { A: 1, AAAA: 28 }
type Zone = Record<string, { status?: number; A?: string[]; AAAA?: string[]; ttl?: number }>

/** A resolver that answers in JSON. */
async function startJson(zone: Zone, http = 200): Promise<Loopback> {
  const server = await startLoopback((request, response) => {
    const query = new URL(request.url ?? '', 'http://x').searchParams
    const entry = zone[query.get('name') ?? ''] ?? { status: 3 }
    const type = query.get('type') ?? ''
    const data = (type === 'A' ? entry.A : entry.AAAA) ?? []
    const Answer = data.map((address) => ({
      name: query.get('name'),
      type: TYPES[type],
      TTL: entry.ttl ?? 300,
      data: address,
    }))
    response.writeHead(http, { 'content-type': 'application/dns-json' })
    response.end(JSON.stringify({ Status: entry.status ?? 0, Answer }))
  })
  open.push(server)
  return server
}

/** A resolver that knows RFC 8484 only and answers every name with 93.184.215.14, or with an empty list for AAAA. */
async function startWire(): Promise<Loopback> {
  const server = await startLoopback((request, response) => {
    const query = new URL(request.url ?? '', 'http://x').searchParams.get('dns')
    if (query === null) {
      response.writeHead(400).end('no query')
      return
    }
    const message = Buffer.from(query, 'base64url')
    const isA = message.at(-3) === 1
    const answer = Buffer.from('c00c00010001000000050004', 'hex')
    const head = Buffer.from(`000081800001000${isA ? 1 : 0}00000000`, 'hex')
    const address = Buffer.of(93, 184, 215, 14)
    const parts = isA ? [head, message.subarray(12), answer, address] : [head, message.subarray(12)]
    response.writeHead(200, { 'content-type': 'application/dns-message' }).end(Buffer.concat(parts))
  })
  open.push(server)
  return server
}

describe('resolveAddresses', () => {
  it('asks for both kinds and remembers the answer for a while', async () => {
    const server = await startJson({ 'a.example': { A: ['8.8.8.8'], AAAA: ['2606:4700::1'] } })
    const resolver = `${server.origin}/dns-query?key=1`
    expect((await resolveAddresses(resolver, 'a.example')).addresses).toEqual([
      '8.8.8.8',
      '2606:4700::1',
    ])
    expect((await resolveAddresses(resolver, 'a.example')).addresses).toEqual([
      '8.8.8.8',
      '2606:4700::1',
    ])
    const asked = server.requests.map((request) => request.url)
    expect(asked.sort()).toEqual([
      '/dns-query?key=1&name=a.example&type=A',
      '/dns-query?key=1&name=a.example&type=AAAA',
    ])
  })

  it('does not remember what may change at once, nor that there is nothing', async () => {
    const zone: Zone = { 'a.example': { A: ['8.8.8.8'], ttl: 0 } }
    const server = await startJson(zone)
    expect((await resolveAddresses(server.origin, 'a.example')).addresses).toEqual(['8.8.8.8'])
    zone['a.example'] = { A: ['10.0.0.1'], ttl: 0 }
    expect((await resolveAddresses(server.origin, 'a.example')).addresses).toEqual(['10.0.0.1'])
    expect((await resolveAddresses(server.origin, 'b.example')).addresses).toEqual([])
    zone['b.example'] = { A: ['9.9.9.9'] }
    expect((await resolveAddresses(server.origin, 'b.example')).addresses).toEqual(['9.9.9.9'])
  })

  it('speaks the wire format to a resolver without JSON, and then at once', async () => {
    const server = await startWire()
    expect((await resolveAddresses(server.origin, 'a.example')).addresses).toEqual([
      '93.184.215.14',
    ])
    expect(server.requests).toHaveLength(4)
    expect((await resolveAddresses(server.origin, 'b.example')).addresses).toEqual([
      '93.184.215.14',
    ])
    expect(server.requests).toHaveLength(6)
  })

  it('fails when the resolver does, instead of taking it for an empty answer', async () => {
    const failing = [
      (await startJson({ 'a.example': { status: 2 } })).origin,
      (await startJson({}, 503)).origin,
      (await startJson({}, 429)).origin,
      (await startJson({}, 404)).origin,
    ]
    const closed = await startJson({})
    await closed.close()
    for (const resolver of [...failing, closed.origin]) {
      await expect(resolveAddresses(resolver, 'a.example')).rejects.toMatchObject({
        code: 'unreachable',
      })
    }
  })

  it('does not let one bad name change how a resolver is asked', async () => {
    const server = await startLoopback((request, response) => {
      const name = new URL(request.url ?? '', 'http://x').searchParams.get('name')
      if (name !== 'good.example') {
        response.writeHead(400).end()
        return
      }
      response.writeHead(200, { 'content-type': 'application/json' })
      const Answer = [{ type: 1, TTL: 60, data: '8.8.8.8' }]
      response.end(JSON.stringify({ Status: 0, Answer }))
    })
    open.push(server)
    await expect(resolveAddresses(server.origin, 'bad.example')).rejects.toThrow()
    expect((await resolveAddresses(server.origin, 'good.example')).addresses).toEqual(['8.8.8.8'])
  })
})

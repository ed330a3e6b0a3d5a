import type { RequestListener } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { afterEach, describe, expect, it } from 'vitest'
import {
  assertHostAllowed,
  assertUrlAllowed,
  createGuardedFetch,
  type EgressContext,
  guardedFetch,
} from '../../../src/platform/egress'
import { type Loopback, startLoopback } from '../../support/loopback'

const open: Loopback[] = []
afterEach(async () => {
  await Promise.all(open.splice(0).map((server) => server.close()))
})

async function start(handler: RequestListener): Promise<Loopback> {
  const server = await startLoopback(handler)
  open.push(server)
  return server
}

function allowing(...servers: Loopback[]): EgressContext {
  const resolver = 'http://127.0.0.1:9/'
  return {
    allow: servers.map((server) => server.pair),
    ownHosts: [],
    isBound: async () => false,
    resolver,
  }
}

/** A resolver with one answer for every name. */
async function resolving(
  records: { A?: string[]; AAAA?: string[] },
  alias?: string,
): Promise<EgressContext> {
  const server = await start((request, response) => {
    const type = new URL(request.url ?? '', 'http://x').searchParams.get('type')
    const data = (type === 'A' ? records.A : records.AAAA) ?? []
    const found = data.map((address) => ({ type: type === 'A' ? 1 : 28, TTL: 60, data: address }))
    const Answer = [...(alias ? [{ type: 5, TTL: 60, data: alias }] : []), ...found]
    response.writeHead(200, { 'content-type': 'application/dns-json' })
    response.end(JSON.stringify({ Status: 0, Answer }))
  })
  return { allow: [], ownHosts: [], resolver: server.origin, isBound: async () => false }
}

const redirectTo =
  (location: string, status = 302): RequestListener =>
  (_, response) =>
    response.writeHead(status, { location }).end('moved')

describe('assertHostAllowed', () => {
  it('takes the name of a host, and nothing that a URL would only read one out of', async () => {
    const ctx = await resolving({ A: ['8.8.8.8'], AAAA: [] })
    expect(await assertHostAllowed(ctx, 'mail.example.com', 587)).toEqual({ exempt: false })
    for (const host of ['mail.example.com/x', 'mail.example.com?x', 'mail.example.com#x', '[::1]'])
      await expect(assertHostAllowed(ctx, host, 587)).rejects.toMatchObject({
        code: 'url_not_allowed',
      })
  })
})

describe('assertUrlAllowed', () => {
  it('gives the parsed URL when every address is public', async () => {
    const ctx = await resolving({ A: ['8.8.8.8'], AAAA: ['2606:4700::1'] })
    expect((await assertUrlAllowed(ctx, 'https://Example.com./a')).href).toBe(
      'https://example.com/a',
    )
  })

  it.each<[string, { A?: string[]; AAAA?: string[] }]>([
    ['a private address', { A: ['192.168.1.1'] }],
    ['one private address among public ones', { A: ['8.8.8.8', '127.0.0.1'] }],
    ['a private IPv6 address beside a public IPv4 one', { A: ['8.8.8.8'], AAAA: ['fd00::1'] }],
    ['a mapped address', { AAAA: ['::ffff:8.8.8.8'] }],
    ['an answer that is no address', { A: ['localhost'] }],
    ['no address', {}],
  ])('refuses a name with %s', async (_, records) => {
    const ctx = await resolving(records)
    await expect(assertUrlAllowed(ctx, 'https://example.com/')).rejects.toMatchObject({
      code: 'url_not_allowed',
      message: 'URL is not allowed',
    })
  })

  it('refuses another name of a host of our own, as tenants bind them', async () => {
    const ownHosts = ['chat.example', 'domains.chat.example']
    for (const alias of ['chat.example.', 'a1b2.Domains.chat.example']) {
      const ctx = { ...(await resolving({ A: ['8.8.8.8'] }, alias)), ownHosts }
      await expect(assertUrlAllowed(ctx, 'https://help.acme.com/')).rejects.toThrow(
        'URL is not allowed',
      )
    }
    const other = { ...(await resolving({ A: ['8.8.8.8'] }, 'cdn.example')), ownHosts }
    await expect(assertUrlAllowed(other, 'https://help.acme.com/')).resolves.toBeInstanceOf(URL)
  })

  it('refuses by its form without asking the resolver', async () => {
    const ctx = await resolving({ A: ['8.8.8.8'] })
    await expect(assertUrlAllowed(ctx, 'https://127.0.0.1/')).rejects.toThrow('URL is not allowed')
    expect(open[0]?.requests).toHaveLength(0)
  })

  it('allows nothing while the resolver is down', async () => {
    const ctx = {
      allow: [],
      ownHosts: [],
      resolver: 'http://127.0.0.1:9/',
      isBound: async () => false,
    }
    await expect(assertUrlAllowed(ctx, 'https://example.com/')).rejects.toMatchObject({
      code: 'unreachable',
    })
  })
})

describe('guardedFetch', () => {
  it('brings the answer', async () => {
    const server = await start((request, response) => {
      response.writeHead(201, { 'x-seen': request.headers['x-mine'], 'content-type': 'text/plain' })
      response.end('hello')
    })
    const url = `${server.origin}/a?b=1`
    const init = { method: 'POST', headers: { 'x-mine': 'yes' }, body: 'question' }
    const response = await guardedFetch(allowing(server), url, init)
    expect([response.status, response.headers.get('x-seen')]).toEqual([201, 'yes'])
    expect(await response.text()).toBe('hello')
    expect([server.requests[0]?.method, server.requests[0]?.url]).toEqual(['POST', '/a?b=1'])
  })

  it('brings an answer without a body', async () => {
    const server = await start((_, response) => response.writeHead(204).end())
    const response = await guardedFetch(allowing(server), server.origin)
    expect([response.status, response.body]).toEqual([204, null])
  })

  it('refuses loopback that is not listed, without calling it', async () => {
    const server = await start((_, response) => response.end('secret'))
    await expect(guardedFetch(allowing(), server.origin)).rejects.toThrow('URL is not allowed')
    expect(server.requests).toHaveLength(0)
  })

  it('goes on after the check only when the addresses are public', async () => {
    // The name does not exist, so whatever gets past the guard is unreachable.
    const url = 'https://egress.parley.invalid/'
    await expect(guardedFetch(await resolving({ A: ['8.8.8.8'] }), url)).rejects.toMatchObject({
      code: 'unreachable',
    })
    await expect(guardedFetch(await resolving({ A: ['10.0.0.1'] }), url)).rejects.toMatchObject({
      code: 'url_not_allowed',
    })
  })

  it('says nothing about a failure', async () => {
    const server = await start((_, response) => response.end())
    const ctx = allowing(server)
    await server.close()
    const error = await guardedFetch(ctx, server.origin).catch((e: unknown) => e)
    expect(String(error)).toBe('EgressError: Request failed (unreachable)')
  })

  it('keeps the reason of the caller when the caller gives up', async () => {
    const server = await start((_, response) => response.write('never ends'))
    const controller = new AbortController()
    const response = await guardedFetch(allowing(server), server.origin, {
      signal: controller.signal,
    })
    const reading = response.text()
    controller.abort(new Error('stopped by the user'))
    await expect(reading).rejects.toThrow('stopped by the user')
    await expect(
      guardedFetch(allowing(server), server.origin, { signal: controller.signal }),
    ).rejects.toThrow('stopped by the user')
  })
})

describe('redirects', () => {
  it('are followed on the same origin with all headers', async () => {
    const server = await start((request, response) =>
      request.url === '/a' ? redirectTo('b?c=1')(request, response) : response.end('there'),
    )
    const headers = { authorization: 'Bearer x', 'x-api-key': 'y' }
    const response = await guardedFetch(allowing(server), `${server.origin}/a`, { headers })
    expect(await response.text()).toBe('there')
    expect(server.requests[1]?.url).toBe('/b?c=1')
    expect(server.requests[1]?.headers).toMatchObject(headers)
  })

  it('lose every credential at another origin, and do not get them back', async () => {
    const home: Loopback = await start((request, response) =>
      request.url === '/a'
        ? redirectTo(`${away.origin}/`)(request, response)
        : response.end('home'),
    )
    const away: Loopback = await start((request, response) =>
      redirectTo(`${home.origin}/b`)(request, response),
    )
    const secrets = { authorization: 'Bearer x', cookie: 'a=b', 'x-api-key': 'y', 'x-own': 'z' }
    const headers = { ...secrets, accept: 'application/json' }
    const response = await guardedFetch(allowing(home, away), `${home.origin}/a`, { headers })
    expect(await response.text()).toBe('home')
    for (const request of [away.requests[0], home.requests[1]]) {
      expect(request?.headers.accept).toBe('application/json')
      for (const name of Object.keys(secrets)) expect(request?.headers).not.toHaveProperty(name)
    }
  })

  it('are checked at every hop', async () => {
    const hidden = await start((_, response) => response.end('secret'))
    for (const location of [
      hidden.origin,
      'file:///etc/passwd',
      'https://localhost/',
      'http://[',
    ]) {
      const server = await start(redirectTo(location))
      await expect(guardedFetch(allowing(server), server.origin)).rejects.toMatchObject({
        code: 'url_not_allowed',
      })
    }
    expect(hidden.requests).toHaveLength(0)
  })

  it('end after three', async () => {
    const server = await start((request, response) => {
      const left = Number(request.url?.slice(1))
      if (left === 0) response.end('arrived')
      else redirectTo(`/${left - 1}`)(request, response)
    })
    const ctx = allowing(server)
    expect(await (await guardedFetch(ctx, `${server.origin}/3`)).text()).toBe('arrived')
    await expect(guardedFetch(ctx, `${server.origin}/4`)).rejects.toMatchObject({
      code: 'too_many_redirects',
    })
    expect(server.requests).toHaveLength(8)
  })

  it.each([301, 302, 303, 307, 308])('never send a POST again (%i)', async (status) => {
    const server = await start(redirectTo('/again', status))
    const init = { method: 'POST', body: 'once' }
    const response = await guardedFetch(allowing(server), server.origin, init)
    expect(response.status).toBe(status)
    await response.body?.cancel()
    expect(server.requests).toHaveLength(1)
  })

  it('are no redirects without a location or with another status', async () => {
    const server = await start((request, response) =>
      response
        .writeHead(request.url === '/' ? 302 : 201, request.url === '/' ? {} : { location: '/x' })
        .end(),
    )
    expect((await guardedFetch(allowing(server), server.origin)).status).toBe(302)
    expect((await guardedFetch(allowing(server), `${server.origin}/made`)).status).toBe(201)
  })
})

describe('limits', () => {
  it('refuse an announced size at once', async () => {
    const server = await start((_, response) =>
      response.writeHead(200, { 'content-length': 2000 }).write('x'),
    )
    await expect(
      guardedFetch(allowing(server), server.origin, {}, { maxBytes: 1999 }),
    ).rejects.toMatchObject({ code: 'too_large' })
  })

  it('count the bytes that arrive', async () => {
    const server = await start(async (_, response) => {
      for (let i = 0; i < 100 && !response.destroyed; i++) {
        response.write('x'.repeat(1000))
        await sleep(1)
      }
      response.end()
    })
    const all = await guardedFetch(allowing(server), server.origin, {}, { maxBytes: 100_000 })
    expect((await all.text()).length).toBe(100_000)
    const cut = await guardedFetch(allowing(server), server.origin, {}, { maxBytes: 99_999 })
    await expect(cut.text()).rejects.toMatchObject({ code: 'too_large' })
  })

  it('count what a compressed body holds, not what was sent', async () => {
    const packed = gzipSync(Buffer.alloc(5_000_000))
    const server = await start((_, response) =>
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(packed),
    )
    expect(packed.length).toBeLessThan(10_000)
    const response = await guardedFetch(allowing(server), server.origin)
    expect(response.headers.get('content-encoding')).toBeNull()
    await expect(response.text()).rejects.toMatchObject({ code: 'too_large' })
  })

  it('end a peer that does not answer', async () => {
    const server = await start(() => {})
    const before = Date.now()
    await expect(
      guardedFetch(allowing(server), server.origin, {}, { connectMs: 100 }),
    ).rejects.toMatchObject({ code: 'timeout' })
    expect(Date.now() - before).toBeLessThan(8000)
  })

  it('end a peer that answers too slowly, however many hops it takes', async () => {
    const server = await start(async (request, response) => {
      await sleep(80)
      if (request.url !== '/4')
        redirectTo(`/${Number(request.url?.slice(1)) + 1}`)(request, response)
      else response.end('late')
    })
    await expect(
      guardedFetch(allowing(server), `${server.origin}/1`, {}, { totalMs: 150 }),
    ).rejects.toMatchObject({ code: 'timeout' })
  })

  it('end a body that never does', async () => {
    const server = await start((_, response) => response.write('first'))
    let ends = 0
    // Long enough for its head, however busy the machine.
    const limits = { totalMs: 1500 }
    const response = await guardedFetch(allowing(server), server.origin, {}, limits, () => {
      ends += 1
    })
    expect(ends).toBe(0)
    await expect(response.text()).rejects.toMatchObject({ code: 'timeout' })
    expect(ends).toBe(1)
  })

  it('are not waited for where a body breaks off', async () => {
    const server = await start((_, response) =>
      response.writeHead(200, { 'content-length': 2000 }).write('first', () => response.destroy()),
    )
    let ends = 0
    const response = await guardedFetch(allowing(server), server.origin, {}, {}, () => {
      ends += 1
    })
    await expect(response.text()).rejects.toMatchObject({ code: 'unreachable' })
    expect(ends).toBe(1)
  })
})

describe('createGuardedFetch', () => {
  it('opens five requests at once and gives the place of each back, whatever became of it', async () => {
    let inside = 0
    let most = 0
    const server = await start(async (request, response) => {
      inside += 1
      most = Math.max(most, inside)
      await sleep(20)
      inside -= 1
      if (request.url === '/none') response.writeHead(204).end()
      else if (request.url === '/gone') response.destroy()
      else if (request.url === '/moved') redirectTo('/read')(request, response)
      else response.end('x'.repeat(5000))
    })
    const fetchOne = createGuardedFetch(allowing(server), { maxBytes: 10_000, totalMs: 10_000 })
    const run = async (path: string) => {
      const response = await fetchOne(new URL(path, server.origin))
      if (path === '/left') await response.body?.cancel()
      else await response.text()
    }
    const paths = ['/read', '/left', '/none', '/gone', '/moved', 'http://127.0.0.1:9/']
    const results = await Promise.allSettled(Array.from({ length: 5 }, () => paths.map(run)).flat())
    expect(most).toBe(5)
    expect(results.filter(({ status }) => status === 'rejected')).toHaveLength(10)
  })

  it('takes back the place of a body that nobody reads', async () => {
    const server = await start((_, response) => response.write('endless'))
    const fetchOne = createGuardedFetch(allowing(server), { totalMs: 1500 })
    await Promise.all(Array.from({ length: 5 }, () => fetchOne(server.origin)))
    expect((await fetchOne(server.origin)).status).toBe(200)
  })
})

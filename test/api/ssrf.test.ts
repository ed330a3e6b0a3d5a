import { createServer, type Server, type Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Route } from '../../src/http/route'
import { ADMIN_TOKEN, type Answer, startParley } from '../support/harness'
import { countJobs } from '../support/jobs-done'
import { type Loopback, startLoopback } from '../support/loopback'
import { rawSend } from '../support/raw-send'
import { type Field, fieldsOf, withField } from '../support/request-fields'
import { bodyOf, exampleOf, inBatches, keyOf, pathOf, ROUTES } from '../support/route-contract'
import type { Filled } from '../support/route-examples'
import { expectOk, seedTenant, waitFor } from '../support/seed'
import type { World } from '../support/world'
import { startWorld, type WorldServer } from '../support/world-server'

/** Fields that may name an address, by their name. */
const ADDRESS_NAME =
  /url|uri|host|domain|endpoint|redirect|resolver|server|image|audio|webhook|logo|icon|link|website/i
/** What must go with an address for it to be used at all. */
const ALONG: Record<string, Record<string, unknown>> = {
  'PUT /v1/tenant/settings/smtp host': {
    port: 587,
    user: '',
    from_addr: 'desk@parley-customer.com',
    starttls: false,
  },
  'PUT /v1/tenant/privacy byok_config.base_url': {
    byok_config: { provider: 'openai-compatible', api_key: 'k', model: 'm' },
  },
}

/** A port of the loopback that counts whoever knocks, whatever they speak. */
interface Canary {
  port: number
  knocks(): number
  close(): Promise<void>
}
async function startCanary(host: string): Promise<Canary | null> {
  let knocks = 0
  const open = new Set<Socket>()
  const server: Server = createServer((socket) => {
    knocks += 1
    open.add(socket)
    socket.on('error', () => {}).end('HTTP/1.1 200 OK\r\ncontent-length: 12\r\n\r\nunmistakable')
  })
  const listening = await new Promise<boolean>((resolve) => {
    server.once('error', () => resolve(false))
    server.listen(0, host, () => resolve(true))
  })
  if (!listening) return null
  const { port } = server.address() as { port: number }
  return {
    port,
    knocks: () => knocks,
    close: () => {
      for (const socket of open) socket.destroy()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}

/** Rules SF1 to SF5: no field of any route makes the Worker call an address that is not public. */
describe('addresses', { timeout: 300_000 }, () => {
  let server: WorldServer
  let world: World
  let v4: Canary
  let v6: Canary | null
  let resolver: Loopback
  let bouncer: Loopback

  beforeAll(async () => {
    const canary = await startCanary('127.0.0.1')
    if (!canary) throw new Error('There is no loopback')
    v4 = canary
    v6 = await startCanary('::1')
    // Whatever name is asked for leads to us: what an attacker's own DNS would say.
    resolver = await startLoopback((request, response) => {
      const { searchParams } = new URL(request.url ?? '/', 'http://x')
      const isV6 = searchParams.get('type') === 'AAAA'
      const answer = isV6 ? { type: 28, data: '::1' } : { type: 1, data: '127.0.0.1' }
      response.writeHead(200, { 'content-type': 'application/dns-json' }).end(
        JSON.stringify({
          Status: 0,
          Answer: [{ name: searchParams.get('name'), TTL: 1, ...answer }],
        }),
      )
    })
    // A peer that is let through, and sends on to the canary.
    bouncer = await startLoopback((request, response) => {
      const status = Number(
        new URL(request.url ?? '/', 'http://x').searchParams.get('status') ?? 302,
      )
      response.writeHead(status, { location: `http://127.0.0.1:${v4.port}/bounced` }).end()
    })
    // What the deployment itself calls there is no leave for a tenant to.
    const WEATHER_URL = `http://127.0.0.1:${v4.port}`
    server = await startWorld({ DOH_URL: `${resolver.origin}/dns-query`, WEATHER_URL })
    world = server.world
  }, 120_000)
  afterAll(async () => {
    await server.close()
    for (const one of [resolver, bouncer, v4, v6]) await one?.close()
  })

  /** Every form of the requirements in which an address of our own can be written. */
  function forms(): string[] {
    const { port } = v4
    const hosts = [
      ...[
        '127.0.0.1',
        'localhost',
        'LOCALHOST',
        'localhost.',
        'a.localhost',
        '127.1',
        '127.0.1',
        '0',
        '0.0.0.0',
      ],
      ...[
        '2130706433',
        '0x7f000001',
        '0x7f.1',
        '017700000001',
        '0177.0.0.1',
        '127.000.000.001',
        '127.0.0.1.',
      ],
      ...[
        '[::1]',
        '[::]',
        '[::ffff:127.0.0.1]',
        '[::ffff:7f00:1]',
        '[64:ff9b::7f00:1]',
        '[2002:7f00:1::]',
      ],
      ...['①②⑦.⓪.⓪.①', '127。0。0。1', 'ｌｏｃａｌｈｏｓｔ', '127.0.0.1%2f', '%31%32%37.0.0.1'],
      ...[
        'rebinding.parley-customer.com',
        'canary.internal',
        'canary.local',
        'canary.home.arpa',
        'intranet',
      ],
    ]
    const addresses = hosts.flatMap((host) => [
      `http://${host}:${port}/`,
      `https://${host}:${port}/`,
    ])
    return [
      ...addresses,
      ...(v6 ? [`http://[::1]:${v6.port}/`] : []),
      'https://rebinding.parley-customer.com/',
      'https://rebinding.parley-customer.com:8443/x',
      `https://user:pass@127.0.0.1:${port}/`,
      `http://example.com@127.0.0.1:${port}/`,
      `http://127.0.0.1:${port}#@example.com/`,
      `http://127.0.0.1:${port}\\@example.com/`,
      `//127.0.0.1:${port}/`,
      `\thttp://127.0.0.1:${port}/`,
      `http:127.0.0.1:${port}/`,
      `HTTP://127.0.0.1:${port}/`,
      `ftp://127.0.0.1:${port}/`,
      `gopher://127.0.0.1:${port}/_x`,
      'file:///etc/passwd',
      'data:text/html,x',
      `\${HOME}http://127.0.0.1:${port}/`,
      `http://{host}:${port}/`,
    ]
  }
  const isMail = (route: Route, field: Field) =>
    field.path.at(-1) === 'host' && route.path.endsWith('/smtp')

  const headersFor = (route: Route): Record<string, string> => {
    if (route.layer === 'operator') return { 'x-admin-token': ADMIN_TOKEN }
    if (route.layer === 'public') return {}
    const key = { 'x-api-key': world.own.tenant.key }
    return route.layer === 'tenant' ? key : { ...key, 'x-end-user': 'ada' }
  }
  const call = (route: Route, filled: Filled): Promise<Answer> =>
    rawSend(server.parley.url, route.method, pathOf(route.path, filled), {
      headers: headersFor(route),
      untilFirst: exampleOf(route).endless === true,
      ...bodyOf(filled),
    })
  /** Of a list, what its items are. */
  const nameOf = ({ path }: Field) => path.findLast((part) => !/^\d+$/.test(part)) ?? ''
  const targets = async (): Promise<{ route: Route; field: Field }[]> => {
    const found: { route: Route; field: Field }[] = []
    for (const route of ROUTES) {
      if (route.multipart && !route.json) continue
      const filled = await exampleOf(route).fill(world, world.own.ada)
      for (const field of fieldsOf(route, filled))
        if (ADDRESS_NAME.test(nameOf(field))) found.push({ route, field })
    }
    return found
  }
  /** What the log says of an answer that should not have been. */
  const causeOf = ({ headers }: Answer): string => {
    const id = headers.get('x-request-id') ?? 'no id'
    const lines = server.parley.server.getLogs().filter(({ message }) => message.includes(id))
    return lines.map(({ message }) => message).join('\n')
  }
  const knocks = () => v4.knocks() + (v6?.knocks() ?? 0)

  it('the canary answers, and the fields that name an address are found', async () => {
    expect(await (await fetch(`http://127.0.0.1:${v4.port}/`)).text()).toBe('unmistakable')
    const names = (await targets()).map(
      ({ route, field }) => `${keyOf(route)} ${field.path.join('.')}`,
    )
    expect(names).toEqual(
      expect.arrayContaining([
        'POST /v1/knowledge-bases/{name}/documents/url url',
        'POST /v1/knowledge-bases/{name}/documents/text source_url',
        'PUT /v1/tenant/settings/smtp host',
        'PUT /v1/tenant/custom-domain domain',
        'POST /v1/tenant/webhooks url',
        'GET /auth/oauth/{provider}/start redirect',
        'POST /v1/chat images.0',
        'POST /v1/chat audio',
      ]),
    )
  })

  it('no form in any field reaches the loopback, when stored or when used', async () => {
    const before = knocks()
    const wrong: string[] = []
    for (const { route, field } of await targets()) {
      const where = `${keyOf(route)} ${field.path.join('.')}`
      const example = await exampleOf(route).fill(world, world.own.ada)
      const body = { ...example.body, ...ALONG[where] }
      const filled = ALONG[where] ? { ...example, body } : example
      const values = isMail(route, field)
        ? [
            '127.0.0.1',
            'localhost',
            '0',
            '[::1]',
            '2130706433',
            'rebinding.parley-customer.com',
            'a.internal',
          ]
        : forms()
      await inBatches(values, async (value) => {
        const answer = await call(route, withField(filled, field, value))
        if (answer.status >= 500 && answer.status !== 502)
          wrong.push(`${where} ${value}: ${answer.status} ${causeOf(answer)}`)
        if (answer.text.includes('unmistakable'))
          wrong.push(`${where} ${value}: the canary's answer came back`)
      })
      if (knocks() > before) throw new Error(`${where} reached the canary`)
    }
    expect(wrong).toEqual([])
    // What was stored all the same is used: mail is tried, webhooks are fired, agents talk.
    const { tenant } = world.own
    await tenant.call('POST', '/v1/tenant/settings/smtp/test?to=ada@people.example')
    const { json: hooks } = await tenant.call('GET', '/v1/tenant/webhooks')
    for (const { id } of Array.isArray(hooks) ? hooks : [])
      await tenant.call('POST', `/v1/tenant/webhooks/${id}/test`)
    const followed = countJobs(server.parley, 'turn.after')
    await expectOk(tenant.as('ada', 'POST', '/v1/chat', { message: 'When are refunds paid?' }))
    await followed()
    for (const { id } of Array.isArray(hooks) ? hooks : [])
      await waitFor(async () => {
        const { json } = await tenant.call('GET', `/v1/tenant/webhooks/${id}/deliveries`)
        return json.items.every(({ attempts }: { attempts: number }) => attempts > 0) ? true : null
      })
    expect(knocks()).toBe(before)
  })

  it('a redirect of a peer that is let through does not lead there either', async () => {
    const before = knocks()
    const relay = await startParley({
      EGRESS_ALLOW: bouncer.pair,
      DOH_URL: `${resolver.origin}/dns-query`,
    })
    const tenant = await seedTenant(relay)
    await expectOk(tenant.call('POST', '/v1/knowledge-bases', { name: 'guide' }))
    for (const status of [301, 302, 303, 307, 308]) {
      const url = `${bouncer.origin}/?status=${status}`
      const answer = await tenant.call('POST', '/v1/knowledge-bases/guide/documents/url', { url })
      expect([answer.status, answer.json.detail[0].msg]).toEqual([422, 'URL is not allowed'])
    }
    await relay.close()
    expect(bouncer.requests.length).toBe(5)
    expect(knocks()).toBe(before)
  })

  it('a refusal tells nothing of what was found behind an address', async () => {
    const add = (url: string) =>
      world.own.tenant.call('POST', `/v1/knowledge-bases/${world.own.base}/documents/url`, { url })
    const answers = await Promise.all(
      [
        `http://127.0.0.1:${v4.port}/`,
        'http://127.0.0.1:1/',
        'https://rebinding.parley-customer.com/',
        'https://no.such.name.internal/',
        'nonsense',
      ].map(add),
    )
    for (const { status, json } of answers)
      expect([status, json]).toEqual([
        422,
        { detail: [{ type: 'value_error', loc: ['body', 'url'], msg: 'URL is not allowed' }] },
      ])
  })
})

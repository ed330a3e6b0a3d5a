import { createServer as createHttp, type RequestListener } from 'node:http'
import { type AddressInfo, createServer as createTcp, type Server, type Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Parley, startParley } from '../support/harness'
import { expectOk, seedTenant } from '../support/seed'

/** The longest that an answer may take that has to wait for a peer's deadline (MAIL.totalMs, DNS), with room for a busy machine. */
const PATIENCE_MS = 40_000

type Peer = (socket: Socket) => void

/** Keeps writing until the other side goes. */
const pour = (text: string, everyMs: number) => (socket: Socket) => {
  const timer = setInterval(() => socket.write(text), everyMs)
  socket.on('close', () => clearInterval(timer))
}

const MAIL_PEERS: Record<string, Peer> = {
  'says nothing': () => undefined,
  'hangs up at once': (socket) => socket.end(),
  'resets the connection': (socket) => socket.resetAndDestroy(),
  'greets without an end': pour('220-welcome and wait\r\n', 20),
  'sends a line without an end': pour('2'.repeat(65_536), 5),
  'drips single bytes': pour('2', 200),
  'speaks another protocol': (socket) => socket.end('HTTP/1.1 200 OK\r\n\r\nhello'),
  'sends noise': (socket) =>
    socket.write(Buffer.from(Array.from({ length: 4096 }, (_, i) => i % 256))),
  'greets and falls silent': (socket) => socket.write('220 ready\r\n'),
  'refuses with a secret of ours in it': (socket) => {
    socket.write('220 ready\r\n')
    socket.on('data', () => socket.write('550 your password is Hunter-2-Horse\r\n'))
  },
}

const DNS_PEERS: Record<string, RequestListener> = {
  'says nothing': () => undefined,
  'answers without an end': (_request, response) => {
    response.writeHead(200, { 'content-type': 'application/dns-json' })
    const timer = setInterval(() => response.write(' '.repeat(65_536)), 5)
    response.on('close', () => clearInterval(timer))
  },
  'leads elsewhere': (_request, response) =>
    response.writeHead(302, { location: 'http://169.254.169.254/latest' }).end(),
  'answers what is no JSON': (_request, response) =>
    response
      .writeHead(200, { 'content-type': 'application/dns-json' })
      .end('{"Status":0,"Answer":[{'),
  'answers other shapes': (_request, response) =>
    response
      .writeHead(200, { 'content-type': 'application/dns-json' })
      .end('{"Status":"0","Answer":{"data":7}}'),
  'answers a broken message': (_request, response) =>
    response
      .writeHead(200, { 'content-type': 'application/dns-message' })
      .end(Buffer.from([0, 0, 129, 128, 255, 255, 255, 255, 0, 0, 0, 0, 192, 12])),
}

const open: { close(): unknown }[] = []

async function listen(server: Server): Promise<number> {
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  open.push(server)
  return (server.address() as AddressInfo).port
}

/** A call is answered in time, and meanwhile the Worker answers others. */
async function answerOf(parley: Parley, call: Promise<{ status: number; json: unknown }>) {
  const started = Date.now()
  const health = await parley.call('GET', '/health')
  expect([health.status, Date.now() - started < PATIENCE_MS]).toEqual([200, true])
  const { status, json } = await call
  expect(Date.now() - started).toBeLessThan(PATIENCE_MS)
  return { status, json }
}

afterAll(() => {
  for (const server of open) server.close()
})

describe('a mail server of a tenant that', { timeout: 60_000 }, () => {
  let parley: Parley
  const ports = new Map<string, number>()

  beforeAll(async () => {
    for (const [name, peer] of Object.entries(MAIL_PEERS)) {
      const server = createTcp((socket) => {
        socket.on('error', () => undefined)
        peer(socket)
      })
      ports.set(name, await listen(server))
    }
    parley = await startParley({
      EGRESS_ALLOW: [...ports.values()].map((port) => `127.0.0.1:${port}`).join(),
    })
  })
  afterAll(() => parley.close())

  it.concurrent.each(Object.keys(MAIL_PEERS))(
    '%s ends in the one error of a failed test',
    async (name) => {
      const tenant = await seedTenant(parley)
      await expectOk(
        tenant.call('PUT', '/v1/tenant/settings/smtp', {
          host: '127.0.0.1',
          port: ports.get(name),
          user: 'mailer',
          password: 'Hunter-2-Horse',
          from_addr: 'post@acme.example',
          starttls: true,
        }),
      )
      const test = tenant.call('POST', '/v1/tenant/settings/smtp/test?to=ada%40people.example')
      expect(await answerOf(parley, test)).toEqual({
        status: 502,
        json: { detail: 'The test message could not be sent', code: 'smtp_failed' },
      })
    },
  )
})

describe.each(Object.entries(DNS_PEERS))('a resolver that %s', (_name, peer) => {
  let parley: Parley

  beforeAll(async () => {
    const port = await listen(createHttp(peer))
    parley = await startParley({
      DOH_URL: `http://127.0.0.1:${port}/dns-query`,
      PUBLIC_BASE: 'https://app.parley-cloud.dev',
      CNAME_BASE: 'to.parley-cloud.dev',
    })
  })
  afterAll(() => parley.close())

  it('proves nothing, and nothing hangs', { timeout: 60_000 }, async () => {
    const tenant = await seedTenant(parley)
    const domain = `chat.customer-${process.pid}.com`
    await expectOk(tenant.call('PUT', '/v1/tenant/custom-domain', { domain }))
    const checked = await answerOf(parley, tenant.call('POST', '/v1/tenant/custom-domain/check'))
    expect(checked).toMatchObject({ status: 200, json: { domain, status: 'pending' } })
    const asked = await parley.call('GET', `/internal/tls-allow?domain=${domain}`)
    expect(asked.status).toBe(404)
  })
})

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type HostileMcp, startHostileMcp } from '../support/hostile-mcp'
import { type Killable, startKillable } from '../support/killable'
import { type Loopback, startLoopback } from '../support/loopback'
import { mcpTenant } from '../support/mcp-tenant'
import { type SeededTenant, seedTenant } from '../support/seed'

const SECRET = 'sk-peer-0123456789-never-shown'
const REDIRECTED = 'The server redirects to another address; give the final one'
const TOO_LARGE = 'The server’s answer is larger than 1 MiB'
const LATE = 'The server did not answer in time'
const NO_MCP = 'The server does not answer as an MCP server of this transport'
const REFUSED = 'The server refuses the credentials'

/** Ten seconds and what the machine takes beside them. */
const DEADLINE_MS = 13_500

describe('a hostile MCP server', () => {
  let server: Killable
  let hostile: HostileMcp
  let canary: Loopback
  let tenant: SeededTenant
  let peer: ReturnType<typeof mcpTenant>

  beforeAll(async () => {
    canary = await startLoopback((_request, response) => response.end('canary'))
    hostile = await startHostileMcp(canary.origin)
    server = await startKillable({ EGRESS_ALLOW: hostile.pair })
    tenant = await seedTenant(server.parley)
    peer = mcpTenant(tenant)
  })
  afterAll(async () => {
    await server.dispose()
    await Promise.all([hostile.close(), canary.close()])
  })

  /** Off, so that nothing asks it in the background. */
  const ask = async (transport: string, url: string) => {
    const config = { url, headers: { Authorization: SECRET } }
    const { json } = await peer.add({ enabled: false, transport, config })
    const started = Date.now()
    const answer = await tenant.call('POST', `/v1/mcp-servers/${json.id}/check`, {})
    expect(Date.now() - started).toBeLessThan(DEADLINE_MS)
    expect(answer.status).toBe(200)
    expect(answer.text).not.toContain('secret-text-of-the-peer')
    expect(answer.text).not.toContain(SECRET)
    expect(canary.requests).toHaveLength(0)
    expect((await server.parley.call('GET', '/health')).status).toBe(200)
    expect((await tenant.call('DELETE', `/v1/mcp-servers/${json.id}`)).status).toBe(204)
    return answer.json.last_error
  }

  // Each peer that says nothing takes the whole deadline: they do so at the same time.
  it.concurrent.each([
    ['/redirect-canary', REDIRECTED],
    ['/redirect-metadata', REDIRECTED],
    ['/redirect-list', REDIRECTED],
    ['/endless', TOO_LARGE],
    ['/endless-events', TOO_LARGE],
    ['/drip', LATE],
    ['/silent', LATE],
    ['/silent-list', LATE],
    ['/wrong-id', LATE],
    ['/many-tools', 'The server announces more tools than are supported (128)'],
    ['/many-pages', NO_MCP],
    ['/not-json', NO_MCP],
    ['/wrong-shape', NO_MCP],
    [
      '/deep',
      '1 announced tool is not usable (deep): the name is repeated or malformed, or the arguments are no object of reasonable size.',
    ],
    ['/fails', NO_MCP],
    ['/nothing-here', NO_MCP],
    ['/refuses', REFUSED],
    ['/asks', 'The server keeps asking for new connections'],
  ])('%s over streamable HTTP ends in a defined error in time', async (path, error) => {
    expect(await ask('streamable_http', hostile.urlOf(path))).toBe(error)
  })

  it.concurrent.each([
    ['/sse/redirect-canary', 'URL is not allowed'],
    ['/sse/redirect-metadata', 'URL is not allowed'],
    ['/sse/elsewhere', NO_MCP],
    ['/sse/no-endpoint', LATE],
    ['/sse/endless', TOO_LARGE],
    ['/sse/drip', LATE],
    ['/sse/ends', NO_MCP],
    ['/sse/refuses', REFUSED],
    ['/sse/not-events', NO_MCP],
    ['/nothing-here', NO_MCP],
  ])('%s over SSE ends in a defined error in time', async (path, error) => {
    expect(await ask('sse', hostile.urlOf(path))).toBe(error)
  })

  it('an address where nobody listens', async () => {
    const dead = await startHostileMcp(canary.origin)
    const other = await startKillable({ EGRESS_ALLOW: dead.pair })
    try {
      const own = await seedTenant(other.parley)
      const url = dead.urlOf('/tools')
      await dead.close()
      for (const transport of ['streamable_http', 'sse']) {
        const { last_error, status } = await mcpTenant(own).addChecked(url, { transport })
        expect([status, last_error]).toEqual(['failed', 'The server cannot be reached'])
      }
    } finally {
      await other.dispose()
    }
  })

  it('twenty of them at once leave the Worker well', async () => {
    const paths = ['/endless', '/endless-events', '/many-tools', '/deep', '/drip']
    const started = Date.now()
    await Promise.all(
      [...paths, ...paths, ...paths, ...paths].map(async (path) => {
        const { json } = await peer.add({ enabled: false, config: { url: hostile.urlOf(path) } })
        return peer.check(json.id)
      }),
    )
    expect(Date.now() - started).toBeLessThan(2 * DEADLINE_MS)
    expect((await server.parley.call('GET', '/health')).status).toBe(200)
  }, 60_000)
})

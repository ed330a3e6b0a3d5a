import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ADMIN_TOKEN, type Parley, startParley } from '../support/harness'
import { type Loopback, startLoopback } from '../support/loopback'
import { rawSend } from '../support/raw-send'
import { exampleOf, inBatches, keyOf, pathOf, ROUTES } from '../support/route-contract'
import { expectOk, seedTenant, waitFor } from '../support/seed'
import { startTelegram, type TelegramServer } from '../support/telegram-server'
import { makeWorld, type World } from '../support/world'

/** Written behind any call: when a key and a user were last seen, and what the meter counted. */
const NOTES = new Set(['last_used_at', 'last_active_at', 'tokens_24h', 'tokens_24h_until'])
const GETS = ROUTES.filter(({ method }) => method === 'GET')

describe('HEAD', { timeout: 120_000 }, () => {
  let parley: Parley
  let page: Loopback
  let telegram: TelegramServer
  let world: World
  beforeAll(async () => {
    page = await startLoopback((_request, response) => response.end())
    telegram = await startTelegram()
    parley = await startParley({ EGRESS_ALLOW: page.pair, TELEGRAM_URL: telegram.url })
    world = await makeWorld(parley, page.origin, telegram)
  })
  afterAll(async () => {
    await parley.close()
    await page.close()
    await telegram.close()
  })

  /** Every row of every table but the meter’s, which writes when it likes. */
  async function everything(): Promise<Record<string, unknown[]>> {
    const { results } = await world.db
      .prepare("SELECT name FROM sqlite_master WHERE type = 'table'")
      .all<{ name: string }>()
    const tables = results
      .map(({ name }) => name)
      .filter((name) => !/^(?:_cf|sqlite|d1)_|^usage_hourly$/.test(name))
    const dump: Record<string, unknown[]> = {}
    for (const table of tables) {
      const { results: all } = await world.db.prepare(`SELECT * FROM "${table}"`).all()
      // The deleted tenant is still being cleared away.
      const rows = all.filter((row) => row.tenant_id !== world.deleted.id)
      dump[table] = rows.map((row) => Object.entries(row).filter(([column]) => !NOTES.has(column)))
    }
    return dump
  }
  const settled = () =>
    waitFor(async () => {
      const one = JSON.stringify(await everything())
      await new Promise((resolve) => setTimeout(resolve, 500))
      return one === JSON.stringify(await everything()) ? true : null
    })
  const callers = (layer: string): Record<string, string>[] => {
    const { key } = world.own.tenant
    if (layer === 'operator') return [{ 'x-admin-token': ADMIN_TOKEN }]
    if (layer === 'tenant') return [{ 'x-api-key': key }]
    if (layer === 'public') return [{}]
    return [
      { 'x-api-key': key, 'x-end-user': 'ada' },
      { 'x-api-key': key, 'x-end-user': 'nobody-yet' },
      world.own.visitor.headers,
    ]
  }

  it('changes nothing, on no route, whoever asks', async () => {
    const paths = []
    for (const route of GETS)
      paths.push({
        route,
        path: pathOf(route.path, await exampleOf(route).fill(world, world.own.ada)),
      })
    await settled()
    const before = await everything()
    const wrong = await inBatches(paths, async ({ route, path }) => {
      const problems: string[] = []
      for (const headers of callers(route.layer)) {
        const answer = await rawSend(parley.url, 'HEAD', path, { headers })
        const fine = route.takesEffect
          ? answer.status === 405 && !answer.headers.get('allow')?.includes('HEAD')
          : [200, 302, 404].includes(answer.status)
        if (!fine || answer.text !== '') problems.push(`${keyOf(route)}: ${answer.status}`)
      }
      return problems
    })
    expect(wrong.flat()).toEqual([])
    await settled()
    expect(await everything()).toEqual(before)
  })

  it('leaves a verification link unused, and a stream unopened', async () => {
    const token = 'x'.repeat(43)
    const verify = await parley.call('HEAD', `/auth/verify?token=${token}`)
    expect([verify.status, verify.headers.get('allow')]).toEqual([405, 'GET, OPTIONS'])
    for (const path of ['/me/stream', '/v1/me/stream']) {
      const { status } = await parley.call('HEAD', path, { headers: world.own.visitor.headers })
      expect(status).toBe(405)
    }
  })

  it('makes no user of somebody who was never seen', async () => {
    const tenant = await seedTenant(parley)
    const head = await tenant.as('never', 'HEAD', '/me')
    expect(head.status).toBe(404)
    const count = () =>
      world.db
        .prepare('SELECT count(*) AS n FROM users WHERE tenant_id = ?')
        .bind(tenant.id)
        .first('n')
    expect(await count()).toBe(0)
    await expectOk(tenant.as('never', 'GET', '/me'))
    expect(await count()).toBe(1)
    expect((await tenant.as('never', 'HEAD', '/me')).status).toBe(200)
  })
})

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Route } from '../../src/http/route'
import { ADMIN_TOKEN, type Answer } from '../support/harness'
import { rawSend } from '../support/raw-send'
import { type Field, fieldsOf, withField } from '../support/request-fields'
import { bodyOf, exampleOf, inBatches, keyOf, pathOf, ROUTES } from '../support/route-contract'
import type { Filled } from '../support/route-examples'
import type { World } from '../support/world'
import { startWorld, type WorldServer } from '../support/world-server'

/** A field that carries a secret by its name; `headers` and the like carry them as values. */
const SECRET_NAME = /pass(?:word|phrase)?$|secret|(?:^|_)token$|api_?key$|authorization|credential/i
const SECRET_HOLDER = /^(?:headers|config|byok_config)$/
const NO_SECRET = /tokens$|max_|_ceiling$/
/** Fields whose value is a secret although the name does not say so, and what else must be sent with it. */
const ALSO: Record<string, Record<string, unknown>> = {
  'PUT /v1/tenant/settings/smtp': {
    host: 'mail.parley-customer.com',
    port: 587,
    user: 'mailer',
    from_addr: 'desk@parley-customer.com',
    starttls: true,
  },
}

const MUTATING = ROUTES.filter(({ method }) => method !== 'GET')

/**
 * Rules AT2, E1, AU1 and FE6 by the table of routes: a secret that goes in through any field of any route comes out nowhere:
 * in no answer, error, trail, file, revision or log, and in no row of the database.
 */
describe('secrets', { timeout: 180_000 }, () => {
  let server: WorldServer
  let world: World
  const planted = new Map<string, string>()
  const answers: { from: string; text: string }[] = []
  let made = 0

  beforeAll(async () => {
    server = await startWorld({ DOH_URL: 'http://127.0.0.1:1/dns' })
    world = server.world
  })
  afterAll(() => server.close())

  const plant = (where: string): string => {
    const secret = `Zq7canary${String(++made).padStart(4, '0')}xWv`
    planted.set(secret, where)
    return secret
  }
  const headersFor = (route: Route): Record<string, string>[] => {
    const { key } = world.own.tenant
    if (route.layer === 'operator') return [{ 'x-admin-token': ADMIN_TOKEN }]
    if (route.layer === 'tenant')
      return [
        { 'x-api-key': key },
        { 'x-admin-token': ADMIN_TOKEN, 'x-act-tenant': world.own.tenant.id },
      ]
    if (route.layer === 'public') return [{}]
    return [
      { 'x-api-key': key, 'x-end-user': 'ada' },
      ...(route.keyOnly ? [] : [world.own.visitor.headers]),
    ]
  }
  async function call(
    route: Route,
    filled: Filled,
    headers: Record<string, string> = headersFor(route)[0] ?? {},
  ): Promise<Answer> {
    const untilFirst = exampleOf(route).endless === true
    const answer = await rawSend(server.parley.url, route.method, pathOf(route.path, filled), {
      headers,
      untilFirst,
      ...bodyOf(filled),
    })
    const lines = [...answer.headers].map((pair) => pair.join(': ')).join('\n')
    answers.push({ from: `${keyOf(route)} ${answer.status}`, text: `${lines}\n${answer.text}` })
    return answer
  }

  const isSecret = ({ path }: Field) => {
    const name = path.at(-1) ?? ''
    return SECRET_NAME.test(name) && !NO_SECRET.test(name)
  }
  /** `{headers: {authorization: …}}`, whatever the object is called. */
  const isHolder = ({ path }: Field) => SECRET_HOLDER.test(path.at(-1) ?? '')

  it('are found in the table, among them those that the contract names', async () => {
    const found: string[] = []
    for (const route of MUTATING) {
      const filled = await exampleOf(route).fill(world, world.own.ada)
      for (const field of fieldsOf(route, filled))
        if (isSecret(field) || isHolder(field))
          found.push(`${keyOf(route)} ${field.path.join('.')}`)
    }
    expect(found).toEqual(
      expect.arrayContaining([
        'PUT /v1/tenant/settings/smtp password',
        'PUT /v1/tenant/oauth/{provider} client_secret',
        'POST /auth/register password',
        'POST /auth/login password',
        'POST /auth/reset-password token',
        'POST /auth/reset-password new_password',
      ]),
    )
  })

  it('that go in come out nowhere', async () => {
    for (const route of MUTATING) {
      const first = await exampleOf(route).fill(world, world.own.ada)
      const fields = fieldsOf(route, first).filter((field) => isSecret(field) || isHolder(field))
      for (const field of fields) {
        const where = `${keyOf(route)} ${field.path.join('.')}`
        // Each by itself, as a text and as what it may not be: an error repeats nothing.
        for (const shape of ['text', 'object', 'list']) {
          const fresh = await exampleOf(route).fill(world, world.own.ada)
          const filled = { ...fresh, ...(ALSO[keyOf(route)] ? { body: ALSO[keyOf(route)] } : {}) }
          const secret = plant(where)
          const holder = { url: world.page, headers: { authorization: secret }, api_key: secret }
          const text = isHolder(field)
            ? field.path.at(-1) === 'headers'
              ? { authorization: secret, 'x-secret': secret }
              : { ...(readAt(filled.body, field.path) as object), ...holder }
            : secret
          // The names of headers come back by the contract, so there the secret is no name.
          const inner = isHolder(field) ? { 'x-inner': { inner: secret } } : { [secret]: secret }
          const value = shape === 'text' ? text : shape === 'object' ? inner : [secret]
          await call(route, withField(filled as Filled, field, value))
        }
      }
    }
    expect(planted.size).toBeGreaterThan(20)

    // Everything that can be read, by everybody who may.
    await inBatches(
      ROUTES.filter(({ method }) => method === 'GET'),
      async (route) => {
        const filled = await exampleOf(route).fill(world, world.own.ada)
        for (const headers of headersFor(route)) await call(route, filled, headers)
      },
    )
    const { tenant } = world.own
    for (const path of ['/v1/tenant/audit?limit=200', '/v1/tenant/audit.csv', '/v1/tenant/keys'])
      answers.push({ from: path, text: (await tenant.call('GET', path)).text })
    const { results } = await world.db
      .prepare("SELECT name FROM sqlite_master WHERE type = 'table'")
      .all<{ name: string }>()
    for (const { name } of results.filter((table) => !/^(?:_cf|sqlite|d1)_/.test(table.name))) {
      const rows = await world.db.prepare(`SELECT * FROM "${name}"`).all()
      answers.push({ from: `table ${name}`, text: JSON.stringify(rows.results) })
    }
    answers.push({ from: 'the log', text: JSON.stringify(server.parley.server.getLogs()) })

    const leaks = answers.flatMap(({ from, text }) =>
      [...planted].flatMap(([secret, where]) =>
        text.includes(secret) || text.includes(btoa(secret).slice(0, -3))
          ? [`${where} → ${from}`]
          : [],
      ),
    )
    expect([...new Set(leaks)]).toEqual([])
    // The search finds what is there.
    expect(answers.some(({ from, text }) => from.startsWith('the log') && text.length > 2)).toBe(
      true,
    )
    expect(answers.some(({ text }) => text.includes(world.own.agent))).toBe(true)
  })

  it('the key that is minted is shown once, in the answer that must not be kept', async () => {
    const { tenant } = world.own
    const minted = await tenant.call('POST', '/v1/tenant/keys', { name: 'shown once' })
    expect(minted.headers.get('cache-control')).toBe('no-store')
    const everything = await Promise.all(
      ['/v1/tenant/keys', '/v1/tenant/audit', '/v1/tenant/audit.csv'].map((path) =>
        tenant.call('GET', path),
      ),
    )
    for (const { text } of everything) expect(text).not.toContain(minted.json.api_key)
  })
})

function readAt(body: unknown, path: string[]): unknown {
  return path.reduce<unknown>(
    (value, name) =>
      typeof value === 'object' && value !== null
        ? (value as Record<string, unknown>)[name]
        : undefined,
    body,
  )
}

import type { SQL } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Answer, type Parley, sharedParley } from '../support/harness'
import { expectOk, type SeededTenant, seedAgent, seedTenant, waitFor } from '../support/seed'

const PASSWORD = 'correct horse battery'
const HOUR = 3_600_000

describe('/manage/users', () => {
  let parley: Parley
  let db: D1Database
  let tenant: SeededTenant
  let other: SeededTenant
  beforeAll(async () => {
    parley = await sharedParley()
    db = (await parley.worker.getEnv()).DB as D1Database
    tenant = await seedTenant(parley)
    other = await seedTenant(parley)
    await seedAgent(tenant, 'desk')
  })
  afterAll(() => parley.close())

  const idOf = async (user: string): Promise<string> =>
    (await expectOk(tenant.as(user, 'GET', '/me'))).json.user_id
  const say = async (user: string, message: string, fields: Record<string, unknown> = {}) =>
    (await expectOk(tenant.as(user, 'POST', '/v1/chat', { message, agent: 'desk', ...fields })))
      .json
  const list = (query = ''): Promise<Answer> => tenant.call('GET', `/v1/manage/users${query}`)
  const lastEntry = async (entity: string) =>
    (await expectOk(tenant.call('GET', `/v1/tenant/audit?entity=${entity}&limit=1`))).json.items[0]
  const register = async (email: string) =>
    (
      await expectOk(
        parley.call('POST', '/auth/register', {
          body: { tenant_id: tenant.id, email, password: PASSWORD, pref_name: 'Grace' },
        }),
      )
    ).json

  it('knows everybody by the external id that they see of themselves', async () => {
    await say('eve-1', 'Hello there')
    const visitor = await expectOk(
      parley.call('POST', '/auth/anonymous', { body: { tenant_id: tenant.id } }),
    )
    const account = await register(`${crypto.randomUUID()}@example.com`)
    const selves = await Promise.all([
      tenant.as('eve-1', 'GET', '/me'),
      ...[visitor.json, account].map(({ access_token }) =>
        parley.call('GET', '/me', { headers: { authorization: `Bearer ${access_token}` } }),
      ),
    ])
    expect(selves.map(({ json }) => json.auth)).toEqual(['proxy', 'anonymous', 'email'])
    for (const { json: self } of selves) {
      const { external_user_id } = self
      expect((await list(`?q=${external_user_id}`)).json.items).toMatchObject([
        { id: self.user_id, external_user_id },
      ])
      const detail = await tenant.call('GET', `/v1/manage/users/${self.user_id}`)
      expect(detail.json).toMatchObject({ external_user_id })
    }
  })

  it('shows every field of a user, and counts sessions and tokens without being asked to', async () => {
    await say('ada-1', 'Hello there')
    await say('ada-1', 'And once more')
    const shown = await waitFor(async () => {
      const { json } = await expectOk(list('?q=ADA-1'))
      return json.items[0]?.session_count === 2 ? json : null
    })
    expect(shown).toEqual({
      items: [
        {
          id: await idOf('ada-1'),
          external_user_id: 'ada-1',
          pref_name: null,
          email: null,
          auth: 'proxy',
          created_at: expect.stringMatching(/Z$/),
          last_active_at: expect.stringMatching(/Z$/),
          session_count: 2,
          tokens_24h: expect.any(Number),
        },
      ],
      next_cursor: null,
    })
    expect(shown.items[0].tokens_24h).toBeGreaterThan(0)

    const [session] = (
      await expectOk(tenant.call('GET', `/v1/manage/users/${await idOf('ada-1')}/sessions`))
    ).json.items
    await expectOk(tenant.as('ada-1', 'DELETE', `/me/sessions/${session.id}`))
    await waitFor(async () =>
      (await list('?q=ada-1')).json.items[0].session_count === 1 ? true : null,
    )
  })

  it('finds a user by the whole address, by a part of the external id, and not by a part of the address', async () => {
    const { user_id } = await register('grace@people.example')
    const byAddress = (await expectOk(list('?q=Grace%40people.example'))).json.items
    expect(byAddress).toMatchObject([
      { id: user_id, email: 'grace@people.example', pref_name: 'Grace', auth: 'email' },
    ])
    expect((await list('?q=grace%40people')).json.items).toEqual([])
    expect((await list(`?q=${user_id.slice(0, 20)}`)).json.items).toMatchObject([{ id: user_id }])
    expect((await list('?q=%25')).json.items).toEqual([])
    expect(
      (await other.call('GET', '/v1/manage/users?q=grace%40people.example')).json.items,
    ).toEqual([])
  })

  it('lists a user whose key does not open, without a name (FE9)', async () => {
    const own = await seedTenant(parley)
    for (const user of ['ada', 'bob'])
      await expectOk(own.as(user, 'PATCH', '/me/profile', { pref_name: `Name of ${user}` }))
    const { user_id } = (await expectOk(own.as('ada', 'GET', '/me'))).json
    const { FILES } = await parley.worker.getEnv()
    await FILES.put(`keys/${own.id}/${user_id}`, 'w1.gone.gone.AAAA')
    const { json } = await expectOk(own.call('GET', '/v1/manage/users'))
    const names = json.items.map(
      ({ external_user_id, pref_name }: { external_user_id: string; pref_name: string | null }) => [
        external_user_id,
        pref_name,
      ],
    )
    expect(Object.fromEntries(names)).toEqual({ ada: null, bob: 'Name of bob' })
  })

  it('pages by both sorts without loss or repeat, and a cursor serves its list alone', async () => {
    const many = await seedTenant(parley)
    const now = Date.now()
    const rows = Array.from({ length: 130 }, (_, n) => ({
      id: crypto.randomUUID(),
      name: `u${n}`,
      // Equal values too: the id decides then.
      at: now - (n % 40) * 1000,
      tokens: n % 3 === 0 ? 0 : (n % 17) * 10,
    }))
    await db
      .prepare(
        `INSERT INTO users (id, tenant_id, source, external_id, created_at, last_active_at, tokens_24h)
         SELECT value ->> 'id', ?1, 'proxy', value ->> 'name', 0, value ->> 'at', value ->> 'tokens' FROM json_each(?2)`,
      )
      .bind(many.id, JSON.stringify(rows))
      .run()
    for (const [sort, value] of [
      ['recent', (row: (typeof rows)[0]) => row.at],
      ['tokens24h', (row: (typeof rows)[0]) => row.tokens],
    ] as const) {
      const seen: string[] = []
      let cursor = ''
      for (;;) {
        const query = `?sort=${sort}&limit=17${cursor && `&cursor=${encodeURIComponent(cursor)}`}`
        const { json } = await expectOk(many.call('GET', `/v1/manage/users${query}`))
        seen.push(...json.items.map((item: { id: string }) => item.id))
        if (json.next_cursor === null) break
        cursor = json.next_cursor
        expect(json.items).toHaveLength(17)
      }
      const wanted = rows
        .toSorted((one, two) => value(two) - value(one) || (two.id < one.id ? -1 : 1))
        .map(({ id }) => id)
      expect(seen).toEqual(wanted)
      const wrong = sort === 'recent' ? 'tokens24h' : 'recent'
      const strange = `?sort=${wrong}&cursor=${encodeURIComponent(cursor)}`
      expect((await many.call('GET', `/v1/manage/users${strange}`)).status).toBe(422)
      expect(
        (
          await tenant.call(
            'GET',
            `/v1/manage/users?sort=${sort}&cursor=${encodeURIComponent(cursor)}`,
          )
        ).status,
      ).toBe(422)
    }
  })

  it.each(['?limit=0', '?limit=201', '?limit=x', '?sort=name', '?cursor=x'])(
    'refuses %s',
    async (query) => {
      const { status, json } = await list(query)
      expect(status).toBe(422)
      expect(json.detail[0].loc[0]).toBe('query')
    },
  )

  it('reads every page from the end of an index', async () => {
    for (const [sort, index, column] of [
      ['recent', 'users_recent', 'last_active_at'],
      ['tokens24h', 'users_by_tokens', 'tokens_24h'],
    ] as const) {
      const plan = await explainUsers(db, tenant.id, sort)
      expect(plan).toContain(`SEARCH u USING INDEX ${index} (tenant_id=? AND (${column},id)<(?,?))`)
      expect(plan).not.toContain('TEMP B-TREE')
      expect(plan).not.toContain('SCAN')
    }
  })

  it('reads what one user used without the hours of the others', async () => {
    const { userHoursQuery } = await import('../../src/usage/user-usage')
    const ofUser = 'SEARCH d USING INDEX usage_by_user (tenant_id=? AND user_id=? AND hour>?)'
    expect(await explainUsers(db, tenant.id, 'recent')).toContain(ofUser)
    expect(await explain(db, userHoursQuery(tenant.id, 'x', 1))).toBe(ofUser)
  })

  it('sums the last day up when it is read, in every list alike', async () => {
    await say('early', 'Hello')
    const id = await idOf('early')
    const tokens = async (): Promise<number> => {
      const lists = await Promise.all([
        list('?q=early&sort=tokens24h'),
        list('?q=early&sort=recent'),
      ])
      const detail = await expectOk(tenant.call('GET', `/v1/manage/users/${id}`))
      const sums = [...lists.map(({ json }) => json.items[0].tokens_24h), detail.json.tokens_24h]
      expect(new Set(sums).size).toBe(1)
      return sums[0]
    }
    // The title is booked in the background.
    await waitFor(async () => {
      const { json } = await expectOk(tenant.call('GET', `/v1/manage/users/${id}/usage?hours=2`))
      const booked = json.points.map(({ requests }: { requests: number }) => requests)
      return booked.reduce((sum: number, one: number) => sum + one, 0) === 2 ? true : null
    })
    const before = await tokens()
    expect(before).toBeGreaterThan(0)
    const hour = Math.floor(Date.now() / HOUR) * HOUR
    await db
      .prepare(
        `INSERT INTO usage_hourly VALUES (?1, ?2, 'a', ?3, 's', 'm', 'chat', 1, 700, 70, 0, 1, 0), (?1, ?4, 'a', ?3, 's', 'm', 'chat', 1, 7, 0, 0, 1, 0)`,
      )
      .bind(tenant.id, hour - 22 * HOUR, id, hour - 25 * HOUR)
      .run()
    expect(await tokens()).toBe(before + 770)
    await db
      .prepare("DELETE FROM usage_hourly WHERE tenant_id = ?1 AND user_id = ?2 AND agent_id = 'a'")
      .bind(tenant.id, id)
      .run()
    expect(await tokens()).toBe(before)
  })

  it('describes a user field by field', async () => {
    const user = 'detail'
    await say(user, 'What is this about?')
    await expectOk(
      tenant.as(user, 'PATCH', '/me/profile', {
        pref_name: 'Dee',
        contact_email: 'dee@example.com',
        contact_phone: '+4915112345678',
        pref_city: 'Lima',
        pref_timezone: 'America/Lima',
      }),
    )
    const home = (await tenant.as(user, 'GET', '/me')).json.space_id
    await expectOk(
      tenant.as(user, 'POST', `/me/spaces/${home}/documents`, { title: 'Note', text: 'One line.' }),
    )
    const id = await idOf(user)
    const second = (
      await expectOk(tenant.call('POST', `/v1/manage/users/${id}/spaces`, { name: 'Work' }))
    ).json
    const { json } = await expectOk(tenant.call('GET', `/v1/manage/users/${id}`))
    expect(json).toEqual({
      id,
      external_user_id: user,
      pref_name: 'Dee',
      created_at: expect.stringMatching(/Z$/),
      space_count: 2,
      session_count: 1,
      document_count: 1,
      auth: 'proxy',
      email: null,
      email_verified: null,
      tokens_24h: expect.any(Number),
      spaces: [{ id: home, name: 'Default', is_default: true }, second],
      contact_email: 'dee@example.com',
      contact_phone: '+4915112345678',
      pref_city: 'Lima',
      pref_timezone: 'America/Lima',
      consent: null,
      recent_refs: [
        { type: 'document', id: expect.any(String), title: 'Note.txt', at: expect.any(String) },
        {
          type: 'session',
          id: expect.any(String),
          title: expect.toSatisfy((title: unknown) => title === null || typeof title === 'string'),
          at: expect.any(String),
        },
      ],
    })
    const account = await register('linus@people.example')
    expect((await tenant.call('GET', `/v1/manage/users/${account.user_id}`)).json).toMatchObject({
      auth: 'email',
      email: 'linus@people.example',
      email_verified: false,
      external_user_id: account.user_id,
    })
    expect((await other.call('GET', `/v1/manage/users/${id}`)).json).toEqual({
      detail: 'User not found',
    })
    expect((await tenant.call('GET', '/v1/manage/users/x')).status).toBe(422)
  })

  it('lists sessions and documents over all spaces, page by page', async () => {
    const user = 'spread'
    const id = await idOf(user)
    const home = (await tenant.as(user, 'GET', '/me')).json.space_id
    const work = (
      await expectOk(tenant.call('POST', `/v1/manage/users/${id}/spaces`, { name: 'Work' }))
    ).json.id
    await expectOk(tenant.call('POST', `/v1/manage/spaces/${work}/agents`, { name: 'desk' }))
    const sessions: string[] = []
    const documents: string[] = []
    for (const space of [home, work, home, work, home]) {
      const headers = { 'x-space-id': space }
      const talk = await expectOk(
        tenant.as(user, 'POST', '/v1/chat', { message: 'Hi', agent: 'desk' }, headers),
      )
      sessions.unshift(talk.json.session_id)
      const added = await expectOk(
        tenant.as(user, 'POST', `/me/spaces/${space}/documents`, {
          title: `Note ${documents.length}`,
          text: 'Line.',
        }),
      )
      documents.unshift(added.json.id)
    }
    const pages = async (what: string) => {
      const items = []
      let cursor = ''
      do {
        const { json } = await expectOk(
          tenant.call('GET', `/v1/manage/users/${id}/${what}?limit=2${cursor}`),
        )
        items.push(...json.items)
        cursor = json.next_cursor === null ? '' : `&cursor=${encodeURIComponent(json.next_cursor)}`
      } while (cursor !== '')
      return items
    }
    const listed = await pages('sessions')
    expect(listed.map(({ id }) => id)).toEqual(sessions)
    expect(listed[0]).toEqual({
      id: sessions[0],
      user_id: id,
      space_id: home,
      agent_name: 'desk',
      channel: 'api',
      title: expect.toSatisfy((title: unknown) => title === null || typeof title === 'string'),
      message_count: 2,
      created_at: expect.stringMatching(/Z$/),
      updated_at: expect.stringMatching(/Z$/),
    })
    const files = await pages('documents')
    expect(files.map((file) => [file.id, file.space_id])).toEqual(
      documents.map((file, n) => [file, n % 2 === 0 ? home : work]),
    )
    for (const what of ['sessions', 'documents']) {
      expect((await other.call('GET', `/v1/manage/users/${id}/${what}`)).json).toEqual({
        detail: 'User not found',
      })
      expect((await tenant.call('GET', `/v1/manage/users/${id}/${what}?limit=201`)).status).toBe(
        422,
      )
    }
  })

  it('creates spaces up to fifty, with an entry of the trail that does not name them', async () => {
    const id = await idOf('spacious')
    const make = (name: unknown, headers = {}) =>
      tenant.call('POST', `/v1/manage/users/${id}/spaces`, { name }, headers)
    const made = await make('My diary', { 'idempotency-key': 'once' })
    expect(made.status).toBe(200)
    expect(made.json).toEqual({ id: expect.any(String), name: 'My diary', is_default: false })
    expect((await make('My diary', { 'idempotency-key': 'once' })).json).toEqual(made.json)
    const entry = await lastEntry('space')
    expect(entry).toMatchObject({
      action: 'create',
      entity_id: made.json.id,
      entity_name: null,
      after: { id: made.json.id, user_id: id },
    })
    expect(JSON.stringify(entry)).not.toContain('diary')
    const results = await Promise.all(Array.from({ length: 52 }, (_, n) => make(`Space ${n}`)))
    expect(results.filter(({ status }) => status === 200)).toHaveLength(48)
    expect(results.filter(({ status }) => status === 409)).toHaveLength(4)
    for (const name of ['', '  ', 'x'.repeat(81), 7, null])
      expect((await make(name)).status).toBe(422)
    expect(
      (await other.call('POST', `/v1/manage/users/${id}/spaces`, { name: 'Trap' })).json,
    ).toEqual({ detail: 'User not found' })
  })

  it('sets the password of an e-mail account, which ends its tokens, and of nobody else', async () => {
    const { user_id, access_token } = await register('pass@people.example')
    const headers = { authorization: `Bearer ${access_token}` }
    await expectOk(parley.call('GET', '/me', { headers }))
    const set = (id: string, new_password: unknown) =>
      tenant.call('POST', `/v1/manage/users/${id}/password`, { new_password })
    for (const wrong of ['short', 'x'.repeat(257), 8, null]) {
      expect((await set(user_id, wrong)).status).toBe(422)
    }
    expect((await parley.call('GET', '/me', { headers })).status).toBe(200)
    expect((await set(user_id, 'another good pass')).status).toBe(204)
    expect((await parley.call('GET', '/me', { headers })).status).toBe(401)
    const login = (password: string) =>
      parley.call('POST', '/auth/login', {
        body: { tenant_id: tenant.id, email: 'pass@people.example', password },
      })
    expect((await login(PASSWORD)).status).toBe(401)
    expect((await login('another good pass')).status).toBe(200)
    const entry = await lastEntry('user')
    expect(entry).toMatchObject({
      action: 'update',
      entity_id: user_id,
      after: { password: { set: true, changed: true } },
    })
    expect(JSON.stringify(entry)).not.toMatch(/another good|people\.example|scrypt/)
    const refused = await set(await idOf('proxy-user'), 'another good pass')
    expect(refused).toMatchObject({ status: 404, json: { detail: 'User not found' } })
    expect(
      (
        await other.call('POST', `/v1/manage/users/${user_id}/password`, {
          new_password: 'another good pass',
        })
      ).status,
    ).toBe(404)
  })
})

async function explainUsers(
  db: D1Database,
  tenantId: string,
  sort: 'recent' | 'tokens24h',
): Promise<string> {
  const { usersQuery } = await import('../../src/users/list-users')
  const page = { after: { at: 1, id: 'x' }, rows: 51, now: Date.now() }
  return explain(db, usersQuery(tenantId, sort, null, page))
}

async function explain(db: D1Database, statement: SQL): Promise<string> {
  const { SQLiteAsyncDialect } = await import('drizzle-orm/sqlite-core')
  const query = new SQLiteAsyncDialect().sqlToQuery(statement)
  const { results } = await db
    .prepare(`EXPLAIN QUERY PLAN ${query.sql}`)
    .bind(...query.params)
    .all<{ detail: string }>()
  return results.map(({ detail }) => detail).join('\n')
}

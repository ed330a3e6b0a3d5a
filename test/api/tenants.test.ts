import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ADMIN_TOKEN, type Parley, startParley } from '../support/harness'
import { expectOk, type SeededTenant, seedAgent, seedTenant, waitFor } from '../support/seed'
import { readSse } from '../support/sse-reader'

const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/
const KEY = /^pk_[0-9A-Za-z]{49}$/
const INACTIVE = { detail: 'Tenant is not active' }
const BAD_KEY = { detail: 'Invalid API key' }

describe('tenants', () => {
  let parley: Parley
  beforeAll(async () => {
    parley = await startParley({ STREAM_PING_S: '1' })
  })
  afterAll(() => parley.close())

  const act = (tenant: string, method: string, path: string, body?: unknown) =>
    parley.call(method, path, {
      body,
      headers: { 'x-admin-token': ADMIN_TOKEN, 'x-act-tenant': tenant },
    })
  const trail = async (tenant: SeededTenant, query = '') =>
    (await expectOk(tenant.call('GET', `/v1/tenant/audit?${query}`))).json.items

  describe('the operator', () => {
    it('creates one with exactly the record’s fields and a first key that works', async () => {
      const { status, json, headers } = await parley.admin('POST', '/v1/admin/tenants', {
        name: 'Acme',
        alias: 'acme-exact',
        auth_mode: 'proxy',
        monthly_token_ceiling: 1000,
        features: { custom_domain: true, storylines: false },
        id: 'mine',
        status: 'suspended',
      })
      expect(status).toBe(200)
      expect(headers.get('cache-control')).toBe('no-store')
      expect(json).toEqual({
        id: expect.any(String),
        tenant_id: json.id,
        name: 'Acme',
        alias: 'acme-exact',
        auth_mode: 'proxy',
        status: 'active',
        monthly_token_ceiling: 1000,
        features: { custom_domain: true, storylines: false },
        privacy_mode: false,
        created_at: expect.stringMatching(ISO),
        updated_at: expect.stringMatching(ISO),
        key: { id: expect.any(String), api_key: expect.stringMatching(KEY) },
      })
      const { key, ...record } = json
      expect((await parley.admin('GET', `/v1/admin/tenants/${json.id}`)).json).toEqual(record)
      const me = await parley.call('GET', '/v1/tenant/me', {
        headers: { 'x-api-key': key.api_key },
      })
      expect(me.json).toEqual({
        tenant_id: json.id,
        name: 'Acme',
        auth_mode: 'proxy',
        alias: 'acme-exact',
        public_base: parley.url.origin,
      })
      const taken = await parley.admin('POST', '/v1/admin/tenants', {
        name: 'B',
        alias: 'acme-exact',
      })
      expect([taken.status, taken.json]).toEqual([409, { detail: 'Alias already in use' }])
    })

    it('gets the defaults for what is omitted; null is no ceiling', async () => {
      const plain = (await parley.admin('POST', '/v1/admin/tenants', { name: 'Plain' })).json
      expect(plain).toMatchObject({
        alias: null,
        auth_mode: 'native',
        monthly_token_ceiling: 2_000_000,
        features: {},
      })
      const endless = { name: 'Endless', monthly_token_ceiling: null }
      expect((await parley.admin('POST', '/v1/admin/tenants', endless)).json).toMatchObject({
        monthly_token_ceiling: null,
      })
    })

    it.each([
      ['name', 'missing', {}],
      ['name', 'string_too_short', { name: '' }],
      ['alias', 'value_error', { name: 'x', alias: 'A b' }],
      ['alias', 'value_error', { name: 'x', alias: 'console' }],
      ['auth_mode', 'literal_error', { name: 'x', auth_mode: 'magic' }],
      ['monthly_token_ceiling', 'greater_than_equal', { name: 'x', monthly_token_ceiling: -1 }],
      ['features', 'dict_type', { name: 'x', features: [] }],
    ])('is refused a bad %s as %s', async (field, type, body) => {
      const { status, json } = await parley.admin('POST', '/v1/admin/tenants', body)
      expect([status, json.detail[0].type, json.detail[0].loc]).toEqual([
        422,
        type,
        ['body', field],
      ])
    })

    it('changes name, status, ceiling and features, nothing else', async () => {
      const tenant = await seedTenant(parley)
      const path = `/v1/admin/tenants/${tenant.id}`
      const patched = await parley.admin('PATCH', path, {
        name: 'Renamed',
        monthly_token_ceiling: null,
        features: { storylines: true },
        alias: 'not-this-way',
        auth_mode: 'proxy',
        privacy_mode: true,
      })
      expect(patched.json).toMatchObject({
        id: tenant.id,
        tenant_id: tenant.id,
        name: 'Renamed',
        monthly_token_ceiling: null,
        features: { storylines: true },
        alias: tenant.alias,
        auth_mode: 'native',
        privacy_mode: false,
      })
      const reset = await parley.admin('PATCH', path, { features: null })
      expect(reset.json).toMatchObject({ name: 'Renamed', features: {} })
      const quota = await tenant.call('GET', '/v1/tenant/quota')
      expect(quota.json).toMatchObject({ limit: null, remaining: null, percent: 0, state: 'ok' })
      for (const body of [{ status: 'deleted' }, { status: 1 }, { name: '' }])
        expect((await parley.admin('PATCH', path, body)).status).toBe(422)
    })

    it('pages through all of them, oldest first', async () => {
      const mine = await Promise.all([1, 2, 3].map(() => seedTenant(parley)))
      const seen: string[] = []
      let cursor = ''
      do {
        const { json } = await expectOk(
          parley.admin('GET', `/v1/admin/tenants?limit=2${cursor && `&cursor=${cursor}`}`),
        )
        expect(json.items.length).toBeLessThanOrEqual(2)
        seen.push(...json.items.map(({ id }: { id: string }) => id))
        cursor = json.next_cursor === null ? '' : encodeURIComponent(json.next_cursor)
      } while (cursor)
      expect(seen).toEqual([...new Set(seen)].sort())
      for (const { id } of mine) expect(seen).toContain(id)
    })

    it('deletes one: its keys are refused, its user keys destroyed, its trail stays', async () => {
      const tenant = await seedTenant(parley)
      await seedAgent(tenant, 'desk')
      await expectOk(tenant.as('ada', 'POST', '/v1/chat', { message: 'Hello' }))
      const { FILES, DB } = await parley.worker.getEnv()
      const keys = async () => (await FILES.list({ prefix: `keys/${tenant.id}/` })).objects.length
      expect(await keys()).toBe(1)
      const gone = await parley.admin('DELETE', `/v1/admin/tenants/${tenant.id}`)
      expect([gone.status, gone.text]).toEqual([204, ''])
      expect((await tenant.call('GET', '/v1/tenant/me')).json).toEqual(BAD_KEY)
      expect((await tenant.as('ada', 'POST', '/v1/chat', { message: 'Hi' })).json).toEqual(BAD_KEY)
      expect((await act(tenant.id, 'GET', '/v1/tenant/me')).json).toEqual({
        detail: 'Tenant not found',
      })
      for (const method of ['GET', 'DELETE'])
        expect((await parley.admin(method, `/v1/admin/tenants/${tenant.id}`)).status).toBe(404)
      await waitFor(async () => ((await keys()) === 0 ? true : null))
      const kept = await DB.prepare(
        'SELECT action FROM audit WHERE tenant_id = ? ORDER BY seq DESC',
      )
        .bind(tenant.id)
        .first('action')
      expect(kept).toBe('delete')
    })
  })

  describe('acting as a tenant', () => {
    it('is in the tenant’s own trail as the operator', async () => {
      const tenant = await seedTenant(parley)
      await expectOk(act(tenant.id, 'POST', '/v1/agents/by-operator', {}))
      await expectOk(tenant.call('POST', '/v1/agents/by-key', {}))
      const entries = await trail(tenant, 'entity=agent')
      expect(
        entries.map((entry: Record<string, unknown>) => [
          entry.entity_name,
          entry.actor,
          entry.actor_type,
          entry.via,
        ]),
      ).toEqual([
        ['by-key', 'key:first', 'key', 'api'],
        ['by-operator', 'operator', 'operator', 'api'],
      ])
    })

    it('needs the operator’s token, and a tenant that is there', async () => {
      const tenant = await seedTenant(parley)
      const call = (headers: Record<string, string>) =>
        parley.call('GET', '/v1/tenant/me', { headers })
      const alone = await call({ 'x-act-tenant': tenant.id })
      expect([alone.status, alone.json]).toEqual([403, { detail: 'Platform operator required' }])
      const withKey = await call({ 'x-act-tenant': tenant.id, 'x-api-key': tenant.key })
      expect(withKey.status).toBe(403)
      const wrong = await call({ 'x-act-tenant': tenant.id, 'x-admin-token': 'x'.repeat(40) })
      expect([wrong.status, wrong.json]).toEqual([401, { detail: 'Invalid admin token' }])
      const unknown = await act('01890a5d-ac96-774b-bcce-b302099a8057', 'GET', '/v1/tenant/me')
      expect([unknown.status, unknown.json]).toEqual([404, { detail: 'Tenant not found' }])
      expect((await act(tenant.id, 'GET', '/v1/tenant/me')).json.tenant_id).toBe(tenant.id)
    })
  })

  describe('keys', () => {
    it('are known as used by their turns, though a user has come by several within a minute', async () => {
      const tenant = await seedTenant(parley)
      await seedAgent(tenant, 'desk')
      const keys: string[] = []
      for (const name of ['web', 'phone']) {
        const { json } = await tenant.call('POST', '/v1/tenant/keys', { name, scopes: ['chat'] })
        const headers = { 'x-api-key': json.api_key, 'x-end-user': 'ann' }
        const body = { message: 'Hello', agent: 'desk' }
        await expectOk(parley.call('POST', '/v1/chat', { headers, body }))
        keys.push(json.id)
      }
      await waitFor(async () => {
        // Whoever asks for the usage has the meter tell it.
        await expectOk(tenant.call('GET', '/v1/manage/usage'))
        const { json } = await tenant.call('GET', '/v1/tenant/keys')
        const seen = json.filter((key: { last_used_at: unknown }) => key.last_used_at !== null)
        const ids = seen.map(({ id }: { id: string }) => id)
        return keys.every((id) => ids.includes(id)) ? ids : null
      })
    })

    it('are minted once in plaintext, listed newest first without it, and stored as a hash', async () => {
      const tenant = await seedTenant(parley)
      const minted = await tenant.call('POST', '/v1/tenant/keys', {
        name: 'web',
        scopes: ['chat', 'chat'],
      })
      expect([minted.status, minted.headers.get('cache-control')]).toEqual([200, 'no-store'])
      expect(minted.json).toEqual({
        id: expect.any(String),
        api_key: expect.stringMatching(KEY),
      })
      const { json: list, text } = await tenant.call('GET', '/v1/tenant/keys')
      expect(list.map(({ name }: { name: string }) => name)).toEqual(['web', 'first'])
      expect(list[0]).toEqual({
        id: minted.json.id,
        name: 'web',
        prefix: minted.json.api_key.slice(0, list[0].prefix.length),
        scopes: ['chat'],
        revoked: false,
        created_at: expect.stringMatching(ISO),
        last_used_at: null,
      })
      expect(list[0].prefix).toHaveLength(8)
      expect(list[1].last_used_at).toMatch(ISO)
      expect(text).not.toContain(minted.json.api_key)
      const { DB } = await parley.worker.getEnv()
      const rows = JSON.stringify((await DB.prepare('SELECT * FROM api_keys').all()).results)
      expect(rows).not.toContain(minted.json.api_key)
      expect(JSON.stringify(await trail(tenant))).not.toContain(minted.json.api_key.slice(8))
      for (const body of [
        {},
        { name: '' },
        { name: 'x', scopes: [] },
        { name: 'x', scopes: ['all'] },
      ])
        expect((await tenant.call('POST', '/v1/tenant/keys', body)).status).toBe(422)
    })

    it('end at once when revoked or deleted, in management, chat and open streams', async () => {
      const tenant = await seedTenant(parley)
      await seedAgent(tenant, 'desk')
      for (const end of ['revoke', 'delete']) {
        const { json: key } = await tenant.call('POST', '/v1/tenant/keys', { name: end })
        const headers = { 'x-api-key': key.api_key, 'x-end-user': 'ada' }
        const body = { message: 'Hello' }
        expect(
          (await parley.call('GET', '/v1/agents', { headers: { 'x-api-key': key.api_key } }))
            .status,
        ).toBe(200)
        expect((await parley.call('POST', '/v1/chat', { headers, body })).status).toBe(200)
        const stream = await fetch(new URL('/me/stream', parley.url), { headers })
        const path = `/v1/tenant/keys/${key.id}`
        const ended =
          end === 'revoke' ? tenant.call('POST', `${path}/revoke`) : tenant.call('DELETE', path)
        expect((await ended).status).toBe(204)
        expect(
          (await parley.call('GET', '/v1/agents', { headers: { 'x-api-key': key.api_key } })).json,
        ).toEqual(BAD_KEY)
        expect((await parley.call('POST', '/v1/chat', { headers, body })).json).toEqual(BAD_KEY)
        expect((await parley.call('GET', '/me', { headers })).json).toEqual(BAD_KEY)
        await readSse(stream)
      }
    })

    it('the last active one can neither be revoked nor deleted; revoking twice is 204', async () => {
      const tenant = await seedTenant(parley)
      const { json: spare } = await tenant.call('POST', '/v1/tenant/keys', { name: 'spare' })
      const revoke = (id: string) => tenant.call('POST', `/v1/tenant/keys/${id}/revoke`)
      expect([(await revoke(spare.id)).status, (await revoke(spare.id)).status]).toEqual([204, 204])
      for (const answer of [
        await revoke(tenant.keyId),
        await tenant.call('DELETE', `/v1/tenant/keys/${tenant.keyId}`),
      ]) {
        expect(answer.status).toBe(409)
        expect(answer.json.detail).toBe('The last active API key cannot be revoked')
      }
      expect((await tenant.call('DELETE', `/v1/tenant/keys/${spare.id}`)).status).toBe(204)
      expect(
        (await trail(tenant, 'entity=api_key')).map(({ action }: { action: string }) => action),
      ).toEqual(['delete', 'revoke', 'create'])
    })

    it.each([
      [['manage'], [['manage'], ['read'], ['manage', 'read']], [['chat'], ['manage', 'chat']]],
      [['manage', 'chat'], [['chat'], ['read'], ['manage', 'chat', 'read']], []],
    ])(
      'with the scopes %j mint what they may do themselves, and no more',
      async (own, less, more) => {
        const tenant = await seedTenant(parley)
        const { json: minter } = await tenant.call('POST', '/v1/tenant/keys', {
          name: 'own',
          scopes: own,
        })
        const mint = (fields: { name: string; scopes?: string[] | null }) =>
          parley.call('POST', '/v1/tenant/keys', {
            body: fields,
            headers: { 'x-api-key': minter.api_key },
          })
        const scopesOf = async (name: string) =>
          (await tenant.call('GET', '/v1/tenant/keys')).json.find(
            (key: { name: string }) => key.name === name,
          )?.scopes
        expect((await mint({ name: 'omitted' })).status).toBe(200)
        expect((await mint({ name: 'null', scopes: null })).status).toBe(200)
        expect([await scopesOf('omitted'), await scopesOf('null')]).toEqual([own, own])
        for (const scopes of less) {
          const name = scopes.join(' ')
          expect((await mint({ name, scopes })).status).toBe(200)
          expect(await scopesOf(name)).toEqual(scopes)
        }
        for (const scopes of more) {
          const refused = await mint({ name: 'refused', scopes })
          expect([refused.status, refused.json]).toEqual([
            403,
            {
              detail: 'A key mints no key with more scopes than its own',
              code: 'scope_exceeded',
            },
          ])
        }
        expect(await scopesOf('refused')).toBeUndefined()
      },
    )

    it('without the scope chat take no user’s token', async () => {
      const tenant = await seedTenant(parley, { auth_mode: 'proxy' })
      const verdicts: Record<string, number> = {}
      for (const scope of ['manage', 'read', 'chat']) {
        const { json } = await tenant.call('POST', '/v1/tenant/keys', {
          name: scope,
          scopes: [scope],
        })
        verdicts[scope] = (
          await parley.call('POST', '/v1/users/token', {
            headers: { 'x-api-key': json.api_key, 'x-end-user': 'ada' },
          })
        ).status
      }
      expect(verdicts).toEqual({ manage: 403, read: 403, chat: 200 })
    })

    it.each([['unscoped'], ['manage']])(
      'the last %s one stays while only weaker ones do',
      async (last) => {
        const tenant = await seedTenant(parley)
        const mint = async (scopes: string[] | null) =>
          (await tenant.call('POST', '/v1/tenant/keys', { name: 'other', scopes })).json
        const weak = [await mint(['chat']), await mint(['read']), await mint(['chat', 'read'])]
        const end = (how: string, id: string) =>
          how === 'revoke'
            ? act(tenant.id, 'POST', `/v1/tenant/keys/${id}/revoke`)
            : act(tenant.id, 'DELETE', `/v1/tenant/keys/${id}`)
        let strong = tenant.keyId
        if (last === 'manage') {
          strong = (await mint(['read', 'manage'])).id
          expect((await end('revoke', tenant.keyId)).status).toBe(204)
        }
        for (const how of ['revoke', 'delete']) {
          const refused = await end(how, strong)
          expect([refused.status, refused.json]).toEqual([
            409,
            { detail: 'The last active API key cannot be revoked' },
          ])
        }
        for (const { id } of weak) expect((await end('revoke', id)).status).toBe(204)
        expect((await end('delete', strong)).status).toBe(409)
      },
    )

    it('two that manage cannot end each other at once', async () => {
      const tenant = await seedTenant(parley)
      const { json: other } = await tenant.call('POST', '/v1/tenant/keys', { name: 'other' })
      await tenant.call('POST', '/v1/tenant/keys', { name: 'weak', scopes: ['chat'] })
      const answers = await Promise.all([
        act(tenant.id, 'POST', `/v1/tenant/keys/${other.id}/revoke`),
        act(tenant.id, 'DELETE', `/v1/tenant/keys/${tenant.keyId}`),
      ])
      expect(answers.map(({ status }) => status).sort()).toEqual([204, 409])
    })

    it('do what their scopes say and nothing else', async () => {
      const tenant = await seedTenant(parley)
      await seedAgent(tenant, 'desk')
      const verdicts: Record<string, number[]> = {}
      for (const scope of ['manage', 'chat', 'read']) {
        const { json } = await tenant.call('POST', '/v1/tenant/keys', {
          name: scope,
          scopes: [scope],
        })
        const call = (method: string, path: string, body?: unknown) =>
          parley.call(method, path, {
            body,
            headers: { authorization: `Bearer ${json.api_key}`, 'x-end-user': 'ada' },
          })
        verdicts[scope] = [
          (await call('GET', '/v1/agents')).status,
          (await call('PUT', `/v1/agents/by-${scope}`, {})).status,
          (await call('POST', '/v1/chat', { message: 'Hello' })).status,
          (await call('GET', '/v1/models')).status,
          (await call('GET', '/me')).status,
        ]
      }
      expect(verdicts).toEqual({
        manage: [200, 200, 403, 403, 403],
        chat: [403, 403, 200, 200, 200],
        read: [200, 403, 403, 403, 403],
      })
    })
  })

  it('a suspended tenant is refused everywhere at once, its streams end, and resumes as it was', async () => {
    const tenant = await seedTenant(parley)
    await seedAgent(tenant, 'desk')
    const { json: token } = await parley.call('POST', '/auth/anonymous', {
      body: { tenant_id: tenant.id },
    })
    const visitor = { authorization: `Bearer ${token.access_token}` }
    const ask = () =>
      parley.call('POST', '/v1/chat', { body: { message: 'Hello' }, headers: visitor })
    expect((await ask()).status).toBe(200)
    const stream = await fetch(new URL('/me/stream', parley.url), { headers: visitor })
    const status = (value: string) =>
      expectOk(parley.admin('PATCH', `/v1/admin/tenants/${tenant.id}`, { status: value }))
    await status('suspended')
    for (const answer of [
      await tenant.call('GET', '/v1/agents'),
      await tenant.as('ada', 'POST', '/v1/chat', { message: 'Hello' }),
      await ask(),
      await parley.call('GET', '/me', { headers: visitor }),
      await parley.call('POST', '/auth/anonymous', { body: { tenant_id: tenant.id } }),
    ])
      expect([answer.status, answer.json]).toEqual([403, INACTIVE])
    await readSse(stream)
    expect((await act(tenant.id, 'GET', '/v1/agents')).status).toBe(200)
    await status('active')
    expect((await ask()).status).toBe(200)
    expect((await tenant.call('GET', '/v1/agents')).status).toBe(200)
  })

  it('the quota snapshot has exactly the contract’s fields', async () => {
    const tenant = await seedTenant(parley, { monthly_token_ceiling: 100_000 })
    await seedAgent(tenant, 'desk')
    await expectOk(tenant.as('ada', 'POST', '/v1/chat', { message: 'Hello' }))
    const { json } = await tenant.call('GET', '/v1/tenant/quota')
    expect(json).toEqual({
      period: new Date().toISOString().slice(0, 7),
      used: expect.any(Number),
      limit: 100_000,
      remaining: 100_000 - json.used,
      percent: expect.any(Number),
      state: 'ok',
      resets_at: expect.stringMatching(/^\d{4}-\d\d-01T00:00:00\.000Z$/),
      unit: 'tokens',
    })
  })
})

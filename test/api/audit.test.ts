import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findBreak, GENESIS_HASH, hashEntry } from '../../src/audit/entry'
import type { AuditRow } from '../../src/db/tables/audit'
import { type Parley, startParley } from '../support/harness'
import { expectOk, type SeededTenant, seedTenant, waitFor } from '../support/seed'

const TWO_YEARS_MS = 2 * 366 * 86_400_000
const NIGHTLY = '17 3 * * *'

describe('audit', () => {
  let parley: Parley

  beforeAll(async () => {
    parley = await startParley()
  })
  afterAll(() => parley.close())

  /** The trail as the table has it, after somebody read it: whatever waited has its place in the chain. */
  async function rowsOf(tenant: SeededTenant): Promise<AuditRow[]> {
    const { DB } = await parley.worker.getEnv()
    await tenant.call('GET', '/v1/tenant/audit?limit=1')
    const { results } = await DB.prepare(
      `SELECT tenant_id AS tenantId, seq, id, created_at AS createdAt, actor, actor_type AS actorType, via, action, entity,
         entity_id AS entityId, entity_name AS entityName, before, after, request_id AS requestId, hash, digest, sealed_at AS sealedAt FROM audit WHERE tenant_id = ? ORDER BY seq`,
    )
      .bind(tenant.id)
      .all<AuditRow>()
    return results
  }
  type Entry = Record<'before' | 'after', { used_by?: unknown } | null>
  const START = { seq: 0, hash: GENESIS_HASH }
  const list = async (tenant: SeededTenant, query = '') =>
    (await expectOk(tenant.call('GET', `/v1/tenant/audit?${query}`))).json
  const names = (page: { items: { entity_name: string }[] }) =>
    page.items.map((item) => item.entity_name)

  it('records who, when, through which door, and the state before and after', async () => {
    const tenant = await seedTenant(parley)
    const { headers } = await expectOk(tenant.call('PUT', '/v1/agents/helper', { task: 'Help' }))
    await expectOk(tenant.call('PATCH', '/v1/agents/helper', { published: true }))
    const { items, next_cursor, total } = await list(tenant)
    expect([items.length, next_cursor, total]).toEqual([3, null, 3])
    expect(items[0]).toMatchObject({
      action: 'publish',
      before: { published: false },
      after: { published: true },
    })
    expect(items[1]).toEqual({
      id: expect.any(String),
      created_at: expect.stringMatching(/^\d{4}-\d{2}-\d{2}T.*Z$/),
      actor: 'key:first',
      actor_type: 'key',
      via: 'api',
      action: 'create',
      entity: 'agent',
      entity_id: items[0].entity_id,
      entity_name: 'helper',
      before: null,
      after: expect.objectContaining({ name: 'helper', task: 'Help' }),
      request_id: headers.get('x-request-id'),
      seq: 2,
      sealed_at: expect.stringMatching(/^\d{4}-\d{2}-\d{2}T.*Z$/),
      prev_hash: items[2].hash,
      hash: expect.stringMatching(/^[0-9a-f]{64}$/),
      canonical: expect.stringContaining('"helper"'),
    })
    expect(items[2]).toMatchObject({
      actor: 'operator',
      actor_type: 'operator',
      entity: 'tenant',
      action: 'create',
    })
  })

  it('says with a rename and a deletion whose lists held the name', async () => {
    const tenant = await seedTenant(parley)
    const call = (method: string, path: string, body?: unknown) =>
      expectOk(tenant.call(method, path, body))
    await call('POST', '/v1/knowledge-bases', { name: 'guide' })
    const servers = '/v1/mcp-servers'
    const config = { url: 'https://mcp.example.com/mcp' }
    const server = { name: 'orders', transport: 'streamable_http', config, enabled: false }
    const { id } = (await call('POST', servers, server)).json
    const fields = { knowledge_bases: ['guide'], tools: ['mcp:orders/find'] }
    await call('PUT', '/v1/skills/returns', fields)
    await call('PUT', '/v1/agents/desk', { ...fields, skills: ['returns'] })
    await call('PUT', '/v1/agents/other', {})
    await call('PATCH', '/v1/knowledge-bases/guide', { name: 'manual' })
    await call('PATCH', `${servers}/${id}`, { name: 'shop' })
    await call('DELETE', '/v1/skills/returns')
    await call('DELETE', '/v1/knowledge-bases/manual')
    await call('DELETE', `${servers}/${id}`)
    const { items } = await list(tenant, 'limit=5')
    const both = { agents: ['desk'], skills: ['returns'] }
    const agent = { agents: ['desk'], skills: [] }
    const held = items.map(({ before }: Entry) => before?.used_by)
    expect(held).toEqual([agent, agent, agent, both, both])
    const holds = items.map(({ after }: Entry) => after?.used_by)
    expect(holds).toEqual([undefined, undefined, undefined, both, both])
  })

  it('names the operator who acts as the tenant', async () => {
    const tenant = await seedTenant(parley)
    const headers = {
      'x-act-tenant': tenant.id,
      'x-admin-token': 'test-admin-token-0123456789-abcdefghij',
    }
    await expectOk(parley.call('PUT', '/v1/skills/s', { body: {}, headers }))
    expect((await list(tenant)).items[0]).toMatchObject({ actor: 'operator', entity_name: 's' })
  })

  it('never holds a key', async () => {
    const tenant = await seedTenant(parley)
    const minted = (await expectOk(tenant.call('POST', '/v1/tenant/keys', { name: 'second' }))).json
    await expectOk(tenant.call('POST', `/v1/tenant/keys/${minted.id}/revoke`))
    const text = JSON.stringify(await rowsOf(tenant))
    expect(text).toContain('"revoke"')
    expect(text).not.toContain(minted.api_key)
    expect(text).not.toContain(tenant.key)
  })

  it('finds a name by a part of it in any case, also of letters that are not Latin', async () => {
    const tenant = await seedTenant(parley)
    const name = 'Возврат товаров'
    await expectOk(tenant.call('PUT', `/v1/skills/${encodeURIComponent(name)}`, {}))
    for (const q of ['возврат Товаров', 'РАТ Т'])
      expect(names(await list(tenant, `q=${encodeURIComponent(q)}`))).toEqual([name])
  })

  it('filters', async () => {
    const tenant = await seedTenant(parley)
    for (const name of ['Alpha', 'beta', '退款政策'])
      await expectOk(tenant.call('PUT', `/v1/skills/${encodeURIComponent(name)}`, {}))
    await expectOk(tenant.call('PUT', '/v1/skills/beta', {}))
    await expectOk(tenant.call('PUT', '/v1/agents/Alpha', {}))
    expect(names(await list(tenant, 'entity=skill'))).toEqual(['beta', '退款政策', 'beta', 'Alpha'])
    expect(names(await list(tenant, 'entity=skill&changes_only=true'))).toEqual([
      '退款政策',
      'beta',
      'Alpha',
    ])
    expect(names(await list(tenant, 'entity=skill&action=update'))).toEqual(['beta'])
    expect(names(await list(tenant, 'q=ALPH'))).toEqual(['Alpha', 'Alpha'])
    expect(names(await list(tenant, `q=${encodeURIComponent('政策')}`))).toEqual(['退款政策'])
    expect(names(await list(tenant, 'q=%25'))).toEqual([])
    expect(names(await list(tenant, 'action=&entity=agent&q='))).toEqual(['Alpha'])
    const days = (await list(tenant)).items.map((item: { created_at: string }) =>
      item.created_at.slice(0, 10),
    )
    expect((await list(tenant, `date_from=${days.at(-1)}&date_to=${days[0]}`)).total).toBe(6)
    expect((await list(tenant, 'date_to=2020-01-01')).total).toBe(0)
    expect((await list(tenant, 'date_from=2099-01-01T00:00:00Z')).total).toBe(0)
  })

  it('date bounds include their own instants', async () => {
    const tenant = await seedTenant(parley)
    await expectOk(tenant.call('PUT', '/v1/skills/one', {}))
    const [item] = (await list(tenant)).items
    const at = item.created_at
    const before = new Date(Date.parse(at) - 1).toISOString()
    const after = new Date(Date.parse(at) + 1).toISOString()
    expect(names(await list(tenant, `entity=skill&date_from=${at}&date_to=${at}`))).toEqual(['one'])
    expect(names(await list(tenant, `entity=skill&date_from=${after}`))).toEqual([])
    expect(names(await list(tenant, `entity=skill&date_to=${before}`))).toEqual([])
  })

  it('pages by cursor without loss or repeats while the trail grows, and by offset', async () => {
    const tenant = await seedTenant(parley)
    for (let n = 0; n < 7; n++) await expectOk(tenant.call('PUT', `/v1/skills/s${n}`, {}))
    let page = await list(tenant, 'entity=skill&limit=3')
    expect([names(page), page.total]).toEqual([['s6', 's5', 's4'], 7])
    await expectOk(tenant.call('PUT', '/v1/skills/late', {}))
    page = await list(tenant, `entity=skill&limit=3&cursor=${page.next_cursor}`)
    expect([names(page), page.total]).toEqual([['s3', 's2', 's1'], null])
    const { next_cursor } = page
    page = await list(tenant, `entity=skill&limit=3&cursor=${next_cursor}`)
    expect([names(page), page.next_cursor]).toEqual([['s0'], null])
    page = await list(tenant, 'entity=skill&limit=2&offset=5')
    expect([names(page), page.total]).toEqual([['s2', 's1'], 8])

    for (const query of [`limit=3&cursor=${next_cursor}`, `entity=skill&cursor=${next_cursor}x`]) {
      const { status, json } = await tenant.call('GET', `/v1/tenant/audit?${query}`)
      expect([query, status, json.detail[0].loc]).toEqual([query, 422, ['query', 'cursor']])
    }
    const other = await seedTenant(parley)
    const foreign = await other.call('GET', `/v1/tenant/audit?entity=skill&cursor=${next_cursor}`)
    expect(foreign.status).toBe(422)
  })

  it.each([
    ['limit=0', 'greater_than_equal', 'limit'],
    ['limit=201', 'less_than_equal', 'limit'],
    ['limit=ten', 'int_parsing', 'limit'],
    ['offset=-1', 'greater_than_equal', 'offset'],
    ['changes_only=perhaps', 'bool_parsing', 'changes_only'],
    ['date_from=yesterday', 'value_error', 'date_from'],
    ['date_to=2026-02-31', 'value_error', 'date_to'],
    [`q=${'x'.repeat(257)}`, 'string_too_long', 'q'],
  ])('refuses ?%s', async (query, type, field) => {
    const tenant = await seedTenant(parley)
    const { status, json } = await tenant.call('GET', `/v1/tenant/audit?${query}`)
    expect([status, json.detail]).toEqual([
      422,
      [{ type, loc: ['query', field], msg: expect.any(String) }],
    ])
  })

  it('shows nothing of another tenant', async () => {
    const [one, two] = [await seedTenant(parley), await seedTenant(parley)]
    await expectOk(one.call('PUT', '/v1/skills/secret', {}))
    expect(JSON.stringify(await list(two))).not.toContain('secret')
    expect((await two.call('GET', '/v1/tenant/audit.csv')).text).not.toContain('secret')
  })

  it('is a file too: same filters, guarded cells, JSON in before and after', async () => {
    const tenant = await seedTenant(parley)
    await expectOk(tenant.call('PUT', '/v1/skills/=1%2B1', { description: 'says "hi", twice' }))
    await expectOk(tenant.call('PUT', '/v1/agents/a', {}))
    const { status, headers, text } = await tenant.call('GET', '/v1/tenant/audit.csv?entity=skill')
    expect(status).toBe(200)
    expect(headers.get('content-type')).toBe('text/csv; charset=utf-8')
    expect(headers.get('content-disposition')).toMatch(
      /^attachment; filename="audit-\d{4}-\d{2}-\d{2}\.csv"$/,
    )
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    const [header, first, ...rest] = text.split('\r\n')
    expect(header).toBe(
      'id,created_at,actor,actor_type,via,action,entity,entity_id,entity_name,before,after,request_id,seq,sealed_at,prev_hash,hash,canonical',
    )
    expect(first).toContain(',\'=1+1,,"{')
    expect(first).toContain('says \\""hi\\"", twice')
    expect(rest).toEqual([''])
  })

  it('the file holds a long trail in full, in order', async () => {
    const tenant = await seedTenant(parley)
    const { DB } = await parley.worker.getEnv()
    await DB.prepare(
      `WITH RECURSIVE n (i) AS (SELECT 2 UNION ALL SELECT i + 1 FROM n WHERE i < 2500)
       INSERT INTO audit SELECT ?1, i, 'id' || i, ?2 + i, 'system', 'system', 'api', 'update', 'agent', 'e', 'n' || i, NULL,
         CASE WHEN i BETWEEN 100 AND 104 THEN '"' || printf('%.*c', 900000, 'x') || '"' ELSE '1' END, NULL, '', 'd', NULL FROM n`,
    )
      .bind(tenant.id, Date.now())
      .run()
    const { text } = await tenant.call('GET', '/v1/tenant/audit.csv')
    const ids = text
      .split('\r\n')
      .slice(1, -1)
      .map((line) => line.slice(0, line.indexOf(',')))
    expect(ids.slice(0, -1)).toEqual(Array.from({ length: 2499 }, (_, n) => `id${2500 - n}`))
    expect(ids).toHaveLength(2500)
    for (const limit of [1, 1500]) {
      const part = await tenant.call('GET', `/v1/tenant/audit.csv?limit=${limit}`)
      expect(part.text.split('\r\n').slice(1, -1)).toEqual(text.split('\r\n').slice(1, limit + 1))
    }
    for (const limit of ['0', 'all'])
      expect((await tenant.call('GET', `/v1/tenant/audit.csv?limit=${limit}`)).status).toBe(422)
  })

  it('two hundred writes at once all succeed, in two hundred entries without a gap, in one chain', async () => {
    const tenant = await seedTenant(parley)
    const answers = await Promise.all(
      Array.from({ length: 200 }, (_, n) =>
        tenant.call('PUT', `/v1/skills/s${n}`, { description: `number ${n}` }),
      ),
    )
    expect(answers.map(({ status }) => status)).toEqual(Array(200).fill(200))
    const rows = await rowsOf(tenant)
    expect(rows.map(({ seq }) => seq)).toEqual(Array.from({ length: 201 }, (_, n) => n + 1))
    expect(new Set(rows.map(({ entityName }) => entityName)).size).toBe(201)
    expect(await findBreak(START, rows)).toBeNull()
    expect(rows.filter(({ hash }) => hash === '')).toEqual([])
  })

  it('a hundred writers of one alias: each takes effect or meets the one who has it', async () => {
    const tenant = await seedTenant(parley)
    const names = Array.from({ length: 100 }, (_, n) => `a${n}`)
    await Promise.all(names.map((name) => expectOk(tenant.call('PUT', `/v1/agents/${name}`, {}))))
    const claims = await Promise.all(
      names.map((name) => tenant.call('PUT', `/v1/agents/${name}/alias`, { alias: 'front-desk' })),
    )
    expect(claims.map(({ status }) => status).sort()).toEqual([200, ...Array(99).fill(409)])
    const own = await Promise.all(
      names.map((_, n) => tenant.call('PATCH', '/v1/tenant/settings', { name: `Name ${n}` })),
    )
    expect(own.map(({ status }) => status)).toEqual(Array(100).fill(200))
    const rows = await rowsOf(tenant)
    const renames = rows.filter(({ entity }) => entity === 'settings')
    expect(renames).toHaveLength(100)
    for (let n = 1; n < renames.length; n++) expect(renames[n]?.before).toBe(renames[n - 1]?.after)
    expect(await findBreak(START, rows)).toBeNull()
  })

  it('whoever keeps the entries can check them: the hash of each is that of its canonical text', async () => {
    const tenant = await seedTenant(parley)
    for (const name of ['a', 'b', 'c']) await expectOk(tenant.call('PUT', `/v1/skills/${name}`, {}))
    const items = (await list(tenant)).items.toReversed()
    let previous = GENESIS_HASH
    for (const [n, item] of items.entries()) {
      const digest = createHash('sha256').update(item.canonical).digest('hex')
      expect([item.seq, item.prev_hash, item.hash]).toEqual([n + 1, previous, digest])
      const facts = JSON.parse(item.canonical)
      expect(facts.slice(0, 4)).toEqual([previous, tenant.id, item.seq, item.id])
      expect([facts[4], facts.at(-1)].map((ms) => new Date(ms).toISOString())).toEqual([
        item.created_at,
        item.sealed_at,
      ])
      previous = item.hash
    }
  })

  it('the cron seals what nobody came by for; several at once make one chain', async () => {
    const tenant = await seedTenant(parley)
    const { DB } = await parley.worker.getEnv()
    const waiting = (from: number, to: number) =>
      DB.prepare(
        `WITH RECURSIVE n (i) AS (SELECT ?2 UNION ALL SELECT i + 1 FROM n WHERE i < ?3)
         INSERT INTO audit SELECT ?1, i, 'id' || i, ?4, 'system', 'system', 'api', 'update', 'agent', 'e', 'n' || i, NULL,
           NULL, NULL, '', 'd', NULL FROM n`,
      )
        .bind(tenant.id, from, to, Date.now())
        .run()
    await waitFor(async () => ((await rowsOf(tenant))[0]?.hash ? true : null))
    await waiting(2, 350)
    await parley.worker.scheduled({ cron: '*/5 * * * *', scheduledTime: new Date() })
    const { results } = await DB.prepare('SELECT seq FROM audit WHERE tenant_id = ? AND hash = ?')
      .bind(tenant.id, '')
      .all()
    expect(results).toEqual([])
    await waiting(351, 900)
    await Promise.all(Array.from({ length: 8 }, () => list(tenant)))
    let { hash } = START
    const rows = await rowsOf(tenant)
    expect(rows).toHaveLength(900)
    for (const row of rows) {
      expect([row.seq, await hashEntry(hash, row)]).toEqual([row.seq, row.hash])
      hash = row.hash
    }
    // These were written without what their digest says.
    expect(await findBreak(START, rows)).toBe(2)
  })

  it('what is refused leaves no entry: taken names, raced names, bad bodies, absent objects', async () => {
    const tenant = await seedTenant(parley)
    const raced = await Promise.all(
      Array.from({ length: 10 }, () => tenant.call('POST', '/v1/agents/one', {})),
    )
    expect(raced.filter(({ status }) => status === 200)).toHaveLength(1)
    await tenant.call('PATCH', '/v1/agents/absent', { task: 'x' })
    await tenant.call('PUT', '/v1/agents/one', { tools: 7 })
    await tenant.call('DELETE', '/v1/skills/absent')
    const rows = await rowsOf(tenant)
    expect(rows.map(({ entity, action }) => `${entity} ${action}`)).toEqual([
      'tenant create',
      'agent create',
    ])
    expect(await findBreak(START, rows)).toBeNull()
  })

  it('racing changes of one object each take effect on the one before, deletions once', async () => {
    const tenant = await seedTenant(parley)
    await expectOk(tenant.call('PUT', '/v1/agents/one', { tools: [] }))
    await expectOk(tenant.call('POST', '/v1/knowledge-bases', { name: 'base' }))
    const document = { title: 'Text', text: 'One sentence.' }
    const added = await expectOk(
      tenant.call('POST', '/v1/knowledge-bases/base/documents/text', document),
    )
    const file = `/v1/knowledge-bases/base/documents/${added.json.documents[0].id}`
    const tools = Array.from({ length: 10 }, (_, n) => `mcp:server/tool${n}`)
    await Promise.all(
      tools.map((tool) => expectOk(tenant.call('PATCH', '/v1/agents/one', { tools_add: [tool] }))),
    )
    const { json } = await tenant.call('GET', '/v1/agents/one')
    expect(json.tools.toSorted()).toEqual(tools)

    const changes = (await rowsOf(tenant)).filter(
      ({ entityName, action }) => entityName === 'one' && action === 'update',
    )
    expect(changes).toHaveLength(10)
    for (let n = 1; n < changes.length; n++) expect(changes[n]?.before).toBe(changes[n - 1]?.after)

    for (const path of [file, '/v1/agents/one', '/v1/knowledge-bases/base']) {
      const answers = await Promise.all(
        Array.from({ length: 4 }, () => tenant.call('DELETE', path)),
      )
      expect([path, answers.map(({ status }) => status).sort()]).toEqual([
        path,
        [204, 404, 404, 404],
      ])
    }
    const deleted = (await rowsOf(tenant)).filter(({ action }) => action === 'delete')
    expect(deleted.map(({ entity }) => entity)).toEqual(['document', 'agent', 'knowledge_base'])
    expect(await findBreak(START, await rowsOf(tenant))).toBeNull()
  })

  it('racing changes of a tenant by the operator each take effect', async () => {
    const tenant = await seedTenant(parley)
    const patches = [
      { name: 'Renamed' },
      { features: { storylines: true } },
      { features: { custom_domain: true } },
      { monthly_token_ceiling: 7 },
    ]
    const answers = await Promise.all(
      patches.map((patch) => parley.admin('PATCH', `/v1/admin/tenants/${tenant.id}`, patch)),
    )
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    const { json } = await parley.admin('GET', `/v1/admin/tenants/${tenant.id}`)
    expect(json).toMatchObject({
      name: 'Renamed',
      features: { storylines: true, custom_domain: true },
      monthly_token_ceiling: 7,
    })
    const deletions = await Promise.all(
      [1, 2, 3].map(() => parley.admin('DELETE', `/v1/admin/tenants/${tenant.id}`)),
    )
    expect(deletions.map(({ status }) => status).sort()).toEqual([204, 404, 404])
    // The job that clears the tenant away has an entry of its own.
    const changes = (await rowsOf(tenant)).filter(({ actorType }) => actorType !== 'system')
    expect(changes.map(({ action }) => action)).toEqual([
      'create',
      'update',
      'update',
      'update',
      'update',
      'delete',
    ])
  })

  it('racing revocations of two keys leave one active key and one entry', async () => {
    const tenant = await seedTenant(parley)
    const second = (await expectOk(tenant.call('POST', '/v1/tenant/keys', { name: 'second' }))).json
    const with2 = (id: string) =>
      parley.call('POST', `/v1/tenant/keys/${id}/revoke`, {
        headers: { 'x-api-key': second.api_key },
      })
    const answers = await Promise.all([
      tenant.call('POST', `/v1/tenant/keys/${second.id}/revoke`),
      with2(tenant.keyId),
      tenant.call('DELETE', `/v1/tenant/keys/${second.id}`),
      with2(tenant.keyId),
      tenant.call('POST', `/v1/tenant/keys/${second.id}/revoke`),
    ])
    for (const { status } of answers) expect([204, 401, 404, 409]).toContain(status)
    const { DB } = await parley.worker.getEnv()
    const active = await DB.prepare(
      'SELECT count(*) AS n FROM api_keys WHERE tenant_id = ? AND revoked = 0',
    )
      .bind(tenant.id)
      .first('n')
    expect(active).toBe(1)
    const ended = (await rowsOf(tenant)).filter(
      ({ action }) => action === 'revoke' || action === 'delete',
    )
    const perKey = new Set(ended.map(({ entityId, action }) => `${entityId} ${action}`))
    expect(perKey.size).toBe(ended.length)
    expect(new Set(ended.map(({ entityId }) => entityId)).size).toBe(1)
  })

  it('the database refuses to change or drop an entry', async () => {
    const tenant = await seedTenant(parley)
    await expectOk(tenant.call('PUT', '/v1/skills/kept', {}))
    const { DB } = await parley.worker.getEnv()
    const run = (statement: string) => DB.prepare(statement).bind(tenant.id).run()
    await expect(run("UPDATE audit SET actor = 'nobody' WHERE tenant_id = ?")).rejects.toThrow(
      'audit entries are immutable',
    )
    await expect(run('DELETE FROM audit WHERE tenant_id = ?')).rejects.toThrow(
      'audit entries are kept two years',
    )
    await expect(
      run('INSERT OR REPLACE INTO audit SELECT * FROM audit WHERE tenant_id = ? AND seq = 1'),
    ).rejects.toThrow('audit entries follow one another')
    await expect(
      run(
        "INSERT INTO audit SELECT tenant_id, 9, 'x', created_at, actor, actor_type, via, action, entity, NULL, NULL, NULL, NULL, NULL, hash, NULL, NULL FROM audit WHERE tenant_id = ? AND seq = 1",
      ),
    ).rejects.toThrow('audit entries follow one another')
    expect(await rowsOf(tenant)).toHaveLength(2)
  })

  it('no route changes it', async () => {
    const tenant = await seedTenant(parley)
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
      const { status, headers } = await tenant.call(method, '/v1/tenant/audit', {})
      expect([status, headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS'])
    }
  })

  it('an entry that waits can only be sealed, in its turn, and nothing of it changed', async () => {
    const tenant = await seedTenant(parley)
    await rowsOf(tenant)
    const { DB } = await parley.worker.getEnv()
    const add = (seq: number, hash: string, digest: string | null) =>
      DB.prepare(
        `INSERT INTO audit SELECT tenant_id, ?2, 'x', created_at, actor, actor_type, via, action, entity, NULL, NULL, NULL, NULL, NULL, ?3, ?4, NULL
         FROM audit WHERE tenant_id = ?1 AND seq = 1`,
      )
        .bind(tenant.id, seq, hash, digest)
        .run()
    const set = (seq: number, assignment: string) =>
      DB.prepare(`UPDATE audit SET ${assignment} WHERE tenant_id = ? AND seq = ?`)
        .bind(tenant.id, seq)
        .run()
    const columnsOf = async () =>
      (
        await DB.prepare("SELECT name FROM pragma_table_info('audit')").all<{ name: string }>()
      ).results.map(({ name }) => name)
    const seal = `hash = '${'a'.repeat(64)}', sealed_at = 1`
    await expect(add(2, '', null)).rejects.toThrow('audit entries follow one another')
    await add(2, '', 'd')
    await add(3, '', 'd')
    await expect(add(4, 'a'.repeat(64), 'd')).rejects.toThrow('audit entries follow one another')
    for (const column of await columnsOf()) {
      if (column === 'hash' || column === 'sealed_at') continue
      const value = column === 'seq' || column === 'created_at' ? 7 : "'forged'"
      await expect(set(2, `${seal}, ${column} = ${value}`)).rejects.toThrow(
        'audit entries are immutable',
      )
    }
    for (const assignment of ["hash = 'short', sealed_at = 1", `hash = '${'a'.repeat(64)}'`])
      await expect(set(2, assignment)).rejects.toThrow('audit entries are immutable')
    await expect(set(3, seal)).rejects.toThrow('audit entries are immutable')
    await set(2, seal)
    await expect(set(2, seal)).rejects.toThrow('audit entries are immutable')
  })

  it('a row changed behind the triggers is found', async () => {
    const tenant = await seedTenant(parley)
    for (const name of ['a', 'b', 'c']) await expectOk(tenant.call('PUT', `/v1/skills/${name}`, {}))
    const rows = await rowsOf(tenant)
    const forged = rows.map((row) => (row.seq === 3 ? { ...row, actor: 'key:somebody' } : row))
    expect(await findBreak(START, forged)).toBe(3)
    expect(
      await findBreak(
        START,
        rows.filter(({ seq }) => seq !== 2),
      ),
    ).toBe(3)
  })

  /** The clock cannot be turned back: the first entries get earlier times behind the triggers. */
  async function makeOld(tenant: SeededTenant, last: number): Promise<void> {
    const { DB } = await parley.worker.getEnv()
    const trigger = await DB.prepare(
      "SELECT sql FROM sqlite_master WHERE name = 'audit_no_update'",
    ).first<string>('sql')
    await DB.batch([
      DB.prepare('DROP TRIGGER audit_no_update'),
      DB.prepare(
        'UPDATE audit SET created_at = created_at - ?2 WHERE tenant_id = ?1 AND seq <= ?3',
      ).bind(tenant.id, TWO_YEARS_MS, last),
      DB.prepare(trigger ?? ''),
    ])
  }

  it('the nightly purge drops what is older than two years and the rest stays verifiable', async () => {
    const [tenant, other] = await Promise.all([seedTenant(parley), seedTenant(parley)])
    const { DB } = await parley.worker.getEnv()
    for (const one of [tenant, other])
      for (let n = 0; n < 6; n++) await expectOk(one.call('PUT', `/v1/skills/s${n}`, {}))
    const [rows, others] = [await rowsOf(tenant), await rowsOf(other)]
    await makeOld(tenant, 4)
    expect(
      await parley.worker.scheduled({ cron: NIGHTLY, scheduledTime: new Date() }),
    ).toMatchObject({ outcome: 'ok' })
    const kept = await rowsOf(tenant)
    expect(kept.map(({ seq }) => seq)).toEqual([5, 6, 7])
    const anchorOf = ({ id }: SeededTenant) =>
      DB.prepare('SELECT seq, hash FROM audit_anchors WHERE tenant_id = ?')
        .bind(id)
        .first<{ seq: number; hash: string }>()
    const anchor = await anchorOf(tenant)
    expect(anchor).toEqual({ seq: 4, hash: rows[3]?.hash })
    expect([await anchorOf(other), await rowsOf(other)]).toEqual([null, others])
    if (!anchor) throw new Error('There is an anchor')
    expect(await findBreak(anchor, kept)).toBeNull()

    await expectOk(tenant.call('PUT', '/v1/skills/after', {}))
    expect(await findBreak(anchor, await rowsOf(tenant))).toBeNull()
    await parley.worker.scheduled({
      cron: NIGHTLY,
      scheduledTime: new Date(Date.now() + 10 * TWO_YEARS_MS),
    })
    expect(await rowsOf(tenant)).toHaveLength(4)
  })

  it('a trail that was purged whole goes on from its anchor', async () => {
    const tenant = await seedTenant(parley)
    await rowsOf(tenant)
    await makeOld(tenant, 1)
    await parley.worker.scheduled({ cron: NIGHTLY, scheduledTime: new Date() })
    expect(await rowsOf(tenant)).toEqual([])
    await expectOk(tenant.call('PUT', '/v1/skills/first-again', {}))
    expect((await rowsOf(tenant)).map(({ seq }) => seq)).toEqual([2])
  })
})

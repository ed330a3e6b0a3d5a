import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Parley, sharedParley } from '../support/harness'
import { expectOk, type SeededTenant, seedAgent, seedBase, seedTenant } from '../support/seed'

/** Every writable field of the specification with a value of its own. */
const FULL = {
  soul: 'You are Iris.',
  task: 'Help with orders.',
  tools: ['current_time', 'mcp:files/read', 'unheard_of'],
  skills: ['refunds', 'atlantis'],
  knowledge_bases: ['guide', 'nowhere'],
  history_window: 6,
  max_output_tokens: 500,
  tool_call_max_tokens: 128,
  daily_tokens_per_user: 5000,
  handoff_hours: 2,
  model: 'offline',
  published: true,
  greeting: 'Hello!',
  auto_greeting: true,
  auto_suggest: true,
  suggest_prompt: 'About orders.',
  ask_forms: true,
  proactive_cta: true,
  cta_prompt: 'https://shop.example/buy',
  no_match_reply: 'I do not know.',
  reasoning: true,
  grounding_required: true,
  injection_guard: false,
  public_sources: true,
  ambiguity_check: true,
  deep_research: true,
  on_demand_context: true,
  menu_items: ['Refunds', 'Opening hours'],
  display_name: 'Iris at the desk',
  translations: { fr: { display_name: 'Iris à l’accueil', greeting: null, menu_items: [] } },
}
const DEFAULTS = {
  soul: '',
  task: '',
  tools: ['current_time', 'ip_geo', 'weather'],
  skills: [],
  knowledge_bases: [],
  history_window: null,
  max_output_tokens: null,
  tool_call_max_tokens: null,
  daily_tokens_per_user: null,
  handoff_hours: null,
  model: null,
  published: false,
  greeting: null,
  auto_greeting: false,
  auto_suggest: false,
  suggest_prompt: null,
  ask_forms: false,
  proactive_cta: false,
  cta_prompt: null,
  no_match_reply: null,
  reasoning: false,
  grounding_required: false,
  injection_guard: true,
  public_sources: false,
  ambiguity_check: false,
  deep_research: false,
  on_demand_context: false,
  menu_items: null,
  display_name: null,
  translations: null,
}
const EXPORTED = [
  ...['schema_version', 'kind', 'name', 'soul', 'task', 'tools', 'skills', 'knowledge_bases'],
  ...['history_window', 'max_output_tokens', 'tool_call_max_tokens', 'model', 'greeting'],
  ...['auto_greeting', 'auto_suggest', 'suggest_prompt', 'ask_forms', 'proactive_cta'],
  ...['cta_prompt', 'no_match_reply', 'reasoning', 'grounding_required'],
].sort()
const IDENTITY = { id: expect.any(String), alias: null, source: 'tenant' }

describe('agents', () => {
  let parley: Parley
  let tenant: SeededTenant
  beforeAll(async () => {
    parley = await sharedParley()
    tenant = await seedTenant(parley)
    await seedBase(tenant, 'guide', { Refunds: 'Refunds are paid within five working days.' })
    await expectOk(
      tenant.call('POST', '/v1/skills/refunds', { description: 'How customers get refunds' }),
    )
  })
  afterAll(() => parley.close())

  const actions = async (name: string) =>
    (
      await expectOk(
        tenant.call('GET', `/v1/tenant/audit?entity=agent&q=${encodeURIComponent(name)}`),
      )
    ).json.items.map(({ action }: { action: string }) => action)

  it('creates with every field as sent, ignores what is not writable, refuses a second of the name', async () => {
    const created = await tenant.call('POST', '/v1/agents/Iris', {
      ...FULL,
      name: 'Other',
      id: 'mine',
      alias: 'mine',
      source: 'system',
      tenant_id: 'x',
      version: 9,
    })
    expect([created.status, created.json]).toEqual([200, { name: 'Iris', ...IDENTITY, ...FULL }])
    expect((await tenant.call('GET', '/v1/agents/Iris')).json).toEqual(created.json)
    const again = await tenant.call('POST', '/v1/agents/Iris', {})
    expect([again.status, again.json]).toEqual([409, { detail: 'Agent already exists' }])
  })

  it('takes the default of every field that is omitted or null; no tools is none', async () => {
    const empty = await tenant.call('POST', '/v1/agents/plain')
    expect([empty.status, empty.json]).toEqual([200, { name: 'plain', ...IDENTITY, ...DEFAULTS }])
    const nulls = Object.fromEntries(Object.keys(FULL).map((field) => [field, null]))
    expect((await tenant.call('POST', '/v1/agents/nulls', nulls)).json).toMatchObject(DEFAULTS)
    expect((await tenant.call('POST', '/v1/agents/bare', { tools: [] })).json.tools).toEqual([])
  })

  it('PUT creates, and replaces in full: what is omitted is not kept, the alias is', async () => {
    expect((await tenant.call('PUT', '/v1/agents/put', FULL)).json).toMatchObject(FULL)
    await expectOk(tenant.call('PUT', '/v1/agents/put/alias', { alias: 'put-alias' }))
    const replaced = await tenant.call('PUT', '/v1/agents/put', { task: 'Only this.' })
    expect(replaced.json).toEqual({
      name: 'put',
      ...IDENTITY,
      ...DEFAULTS,
      task: 'Only this.',
      alias: 'put-alias',
    })
    expect(await actions('put')).toEqual(['unpublish', 'update', 'create'])
  })

  it('PATCH changes only what is sent; null resets; lists are set, added to, removed from', async () => {
    await expectOk(tenant.call('POST', '/v1/agents/patched', FULL))
    const { json } = await tenant.call('PATCH', '/v1/agents/patched', {
      name: null,
      soul: null,
      injection_guard: null,
      history_window: 0,
      menu_items: null,
      tools: ['weather'],
      tools_add: ['ip_geo', 'weather', 'later'],
      tools_remove: ['later', 'never'],
      skills_add: ['more'],
      skills_remove: ['atlantis'],
      knowledge_bases_add: ['more'],
      knowledge_bases_remove: ['guide'],
    })
    expect(json).toEqual({
      name: 'patched',
      ...IDENTITY,
      ...FULL,
      soul: '',
      injection_guard: true,
      history_window: 0,
      menu_items: null,
      tools: ['weather', 'ip_geo'],
      skills: ['refunds', 'more'],
      knowledge_bases: ['nowhere', 'more'],
    })
  })

  it('PATCH publishes and unpublishes, and says so in the trail', async () => {
    await expectOk(tenant.call('POST', '/v1/agents/switch', {}))
    for (const published of [true, false])
      expect((await tenant.call('PATCH', '/v1/agents/switch', { published })).json.published).toBe(
        published,
      )
    expect(await actions('switch')).toEqual(['unpublish', 'publish', 'create'])
  })

  it('PATCH renames: a taken name is 409, references follow', async () => {
    await seedAgent(tenant, 'old name')
    await tenant.call('PATCH', '/v1/tenant/settings', { profile: { default_agent: 'old name' } })
    const taken = await tenant.call('PATCH', '/v1/agents/old%20name', { name: 'plain' })
    expect([taken.status, taken.json]).toEqual([409, { detail: 'Agent already exists' }])
    const renamed = await tenant.call('PATCH', '/v1/agents/old%20name', { name: 'new name' })
    expect(renamed.json.name).toBe('new name')
    expect((await tenant.call('GET', '/v1/agents/old%20name')).status).toBe(404)
    const settings = await tenant.call('GET', '/v1/tenant/settings')
    expect(settings.json.profile.default_agent).toBe('new name')
    const turn = await tenant.as('ada', 'POST', '/v1/chat', { message: 'Hello' })
    expect(turn.json.agent).toBe('new name')
  })

  it('lists by name with exactly the fields of a list item, and by publication', async () => {
    const own = await seedTenant(parley)
    await expectOk(own.call('POST', '/v1/agents/b', { ...FULL, published: false }))
    await expectOk(own.call('POST', '/v1/agents/a', { published: true }))
    const list = async (query = '') => (await own.call('GET', `/v1/agents${query}`)).json
    const all = await list()
    expect(all.map(({ name }: { name: string }) => name)).toEqual(['a', 'b'])
    expect(all[1]).toEqual({
      name: 'b',
      id: expect.any(String),
      alias: null,
      published: false,
      source: 'tenant',
      model: 'offline',
      task: FULL.task,
      tools_count: 3,
      skills_count: 2,
      tools: FULL.tools,
      skills: FULL.skills,
      knowledge_bases: FULL.knowledge_bases,
    })
    const names = async (query: string) =>
      (await list(query)).map(({ name }: { name: string }) => name)
    expect(await names('?published=true')).toEqual(['a'])
    expect(await names('?published=false')).toEqual(['b'])
  })

  it('deletes once', async () => {
    await expectOk(tenant.call('POST', '/v1/agents/gone', {}))
    const first = await tenant.call('DELETE', '/v1/agents/gone')
    expect([first.status, first.text]).toEqual([204, ''])
    for (const method of ['GET', 'DELETE'])
      expect((await tenant.call(method, '/v1/agents/gone')).json).toEqual({
        detail: 'Agent not found',
      })
  })

  it('an alias is checked, unique, shown as an address, and cleared by null', async () => {
    await expectOk(tenant.call('POST', '/v1/agents/aliased', {}))
    await expectOk(tenant.call('POST', '/v1/agents/rival', {}))
    const path = '/v1/agents/aliased/alias'
    const prefix = `${parley.url.origin}/a/${tenant.alias}/`
    expect((await tenant.call('GET', path)).json).toEqual({
      alias: null,
      url: null,
      url_prefix: prefix,
    })
    const set = await tenant.call('PUT', path, { alias: 'help-desk' })
    expect([set.status, set.json]).toEqual([
      200,
      { alias: 'help-desk', url: `${prefix}help-desk`, url_prefix: prefix },
    ])
    expect((await tenant.call('GET', '/v1/agents/aliased')).json.alias).toBe('help-desk')
    const taken = await tenant.call('PUT', '/v1/agents/rival/alias', { alias: 'help-desk' })
    expect([taken.status, taken.json]).toEqual([409, { detail: 'Alias already in use' }])
    for (const alias of [
      'ab',
      'Desk',
      '-desk',
      'desk-',
      'a b',
      'a'.repeat(64),
      'console',
      'widget',
    ])
      expect([alias, (await tenant.call('PUT', path, { alias })).status]).toEqual([alias, 422])
    const other = await seedTenant(parley)
    await expectOk(other.call('POST', '/v1/agents/aliased', {}))
    expect((await other.call('PUT', path, { alias: 'help-desk' })).status).toBe(200)
    expect((await tenant.call('PUT', path, { alias: null })).json).toMatchObject({ alias: null })
    await expectOk(tenant.call('PUT', path, { alias: 'help-desk' }))
    expect((await tenant.call('PUT', path, {})).json).toMatchObject({ alias: null })
  })

  it('clones to a draft without an alias, under the first free name or the one given', async () => {
    await expectOk(tenant.call('POST', '/v1/agents/original', FULL))
    await expectOk(tenant.call('PUT', '/v1/agents/original/alias', { alias: 'original' }))
    const clone = (path: string, body?: unknown) =>
      tenant.call('POST', `/v1/agents/original/clone${path}`, body)
    const first = await clone('')
    expect([first.status, first.json]).toEqual([
      200,
      { name: 'original-copy', ...IDENTITY, ...FULL, published: false },
    ])
    expect((await clone('')).json.name).toBe('original-copy-2')
    expect((await clone('', { name: 'given' })).json.name).toBe('given')
    const many = await Promise.all(Array.from({ length: 5 }, () => clone('')))
    expect(many.map(({ status, json }) => [status, json.name]).toSorted()).toEqual(
      [3, 4, 5, 6, 7].map((n) => [200, `original-copy-${n}`]),
    )
    expect((await clone('?name=asked')).json.name).toBe('asked')
    expect((await clone('', { name: 'given' })).status).toBe(409)
    expect((await tenant.call('GET', '/v1/agents/original')).json.published).toBe(true)
    const long = 'x'.repeat(64)
    await expectOk(tenant.call('POST', `/v1/agents/${long}`, {}))
    const copy = await tenant.call('POST', `/v1/agents/${long}/clone`)
    expect([copy.status, copy.json.name.length <= 64]).toEqual([200, true])
    const path = encodeURIComponent(`a${'😀'.repeat(40)}`)
    await expectOk(tenant.call('POST', `/v1/agents/${path}`, {}))
    const { name } = (await expectOk(tenant.call('POST', `/v1/agents/${path}/clone`))).json
    expect(name).toBe(`a${'😀'.repeat(27)}-copy`)
    await expectOk(tenant.call('GET', `/v1/agents/${encodeURIComponent(name)}`))
  })

  it('the hundredth clone of a long name has a name that can be read', async () => {
    const owner = await seedTenant(parley)
    const long = 'x'.repeat(64)
    const taken = Array.from({ length: 99 }, (_, n) => (n === 0 ? '-copy' : `-copy-${n + 1}`))
    await seedAgent(owner, long)
    const { name: first } = (await owner.call('POST', `/v1/agents/${long}/clone`)).json
    await Promise.all(taken.slice(1).map((end) => seedAgent(owner, first.replace('-copy', end))))
    const { name } = (await expectOk(owner.call('POST', `/v1/agents/${long}/clone`))).json
    expect(name).toMatch(/^x+-copy-100$/)
    await expectOk(owner.call('GET', `/v1/agents/${name}`))
  })

  it('exports exactly the keys of the specification and imports them as a draft, field by field', async () => {
    await expectOk(tenant.call('POST', '/v1/agents/travels', FULL))
    const { json: file } = await tenant.call('GET', '/v1/agents/travels/export')
    expect(Object.keys(file).sort()).toEqual(EXPORTED)
    expect(file).toMatchObject({ schema_version: 1, kind: 'agent', name: 'travels' })
    for (const secret of [tenant.id, tenant.alias])
      expect(JSON.stringify(file)).not.toContain(secret)

    const other = await seedTenant(parley)
    const imported = await other.call('POST', '/v1/agents/import', {
      ...file,
      id: 'mine',
      published: true,
      alias: 'mine',
    })
    expect([imported.status, imported.json]).toEqual([
      200,
      {
        name: 'travels',
        ...IDENTITY,
        ...DEFAULTS,
        ...Object.fromEntries(
          Object.entries(file).filter(([field]) => field !== 'schema_version' && field !== 'kind'),
        ),
      },
    ])
    expect(imported.json.published).toBe(false)
    expect((await other.call('POST', '/v1/agents/import', file)).status).toBe(409)
    const again = { ...file, kind: null, override_name: 'b' }
    const renamed = await other.call('POST', '/v1/agents/import', again)
    expect(renamed.json.name).toBe('b')
    expect((await other.call('GET', '/v1/agents/b/export')).json).toEqual({ ...file, name: 'b' })
    for (const [body, field] of [
      [{ ...file, schema_version: 2 }, 'schema_version'],
      [{ ...file, kind: 'storyline' }, 'kind'],
      [{ ...file, tools: 'weather' }, 'tools'],
      [{ ...file, model: 'no such model' }, 'model'],
      [{ name: 'x' }, 'schema_version'],
    ] as const) {
      const { status, json } = await other.call('POST', '/v1/agents/import', body)
      expect([status, json.detail[0].loc]).toEqual([422, ['body', field]])
    }
  })

  it('keeps a revision for every effective write, newest first, and restores one as a new one', async () => {
    await expectOk(tenant.call('POST', '/v1/agents/history', FULL))
    await expectOk(
      tenant.call('PATCH', '/v1/agents/history', { task: 'Changed.', published: false }),
    )
    await expectOk(tenant.call('PATCH', '/v1/agents/history', { task: 'Changed.' }))
    const revisions = async () => (await tenant.call('GET', '/v1/agents/history/revisions')).json
    const before = await revisions()
    expect(before).toHaveLength(2)
    expect(before[1]).toEqual({
      id: expect.any(String),
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      actor: 'key:first',
      snapshot: { name: 'history', ...IDENTITY, ...FULL },
    })
    const restore = (name: string, id: string) =>
      tenant.call('POST', `/v1/agents/${name}/revisions/${id}/restore`)
    const restored = await restore('history', before[1].id)
    expect([restored.status, restored.json]).toEqual([
      200,
      { name: 'history', ...IDENTITY, ...FULL },
    ])
    const after = await revisions()
    expect(after).toHaveLength(3)
    expect(after[0].snapshot).toEqual(before[1].snapshot)
    expect(await actions('history')).toEqual(['restore', 'update', 'unpublish', 'create'])
    for (const [name, id] of [
      ['plain', before[1].id],
      ['history', '01890a5d-ac96-774b-bcce-b302099a8057'],
    ]) {
      const { status, json } = await restore(name as string, id)
      expect([status, json]).toEqual([404, { detail: 'Revision not found' }])
    }
    const operator = await parley.call('PATCH', '/v1/agents/history', {
      body: { task: 'By the operator.' },
      headers: {
        'x-admin-token': 'test-admin-token-0123456789-abcdefghij',
        'x-act-tenant': tenant.id,
      },
    })
    expect(operator.status).toBe(200)
    expect((await revisions())[0].actor).toBe('operator')
  })

  it('goes on with a value that an earlier release took and this one does not', async () => {
    const path = '/v1/agents/earlier'
    await expectOk(tenant.call('POST', path, { soul: 'Earlier.', display_name: 'Iris' }))
    const { DB } = await parley.worker.getEnv()
    // A name of which nothing is seen.
    for (const [table, column] of [
      ['agents', 'config'],
      ['revisions', 'snapshot'],
    ]) {
      const { meta } = await DB.prepare(
        `UPDATE ${table} SET ${column} = json_set(${column}, '$.display_name', char(0x3164))
         WHERE tenant_id = ? AND json_extract(${column}, '$.soul') = 'Earlier.'`,
      )
        .bind(tenant.id)
        .run()
      expect(meta.changes).toBe(1)
    }
    const patched = await expectOk(tenant.call('PATCH', path, { published: true }))
    expect(patched.json).toMatchObject({ published: true, display_name: '\u3164' })
    const { json } = await tenant.call('GET', `${path}/revisions`)
    const restored = await tenant.call('POST', `${path}/revisions/${json.at(-1).id}/restore`)
    expect([restored.status, restored.json]).toEqual([
      200,
      expect.objectContaining({ soul: 'Earlier.', published: false, display_name: null }),
    ])
  })

  it.each([
    ['agents', '/v1/agents/unseen', '/v1/agents'],
    ['skills', '/v1/skills/unseen', '/v1/skills'],
    ['knowledge_bases', '/v1/knowledge-bases', '/v1/knowledge-bases'],
  ])(
    'of %s, one that an earlier release let have a name of which nothing is seen is found',
    async (table, made, path) => {
      const name = '\u3164'
      await expectOk(tenant.call('POST', made, { name: 'unseen' }))
      const { DB } = await parley.worker.getEnv()
      await DB.prepare(`UPDATE ${table} SET name = ? WHERE tenant_id = ? AND name = 'unseen'`)
        .bind(name, tenant.id)
        .run()
      const own = `${path}/${encodeURIComponent(name)}`
      expect((await expectOk(tenant.call('GET', own))).json.name).toBe(name)
      if (table !== 'skills') {
        await expectOk(tenant.call('PATCH', own, { name: 'seen' }))
        await expectOk(tenant.call('DELETE', `${path}/seen`))
      } else await expectOk(tenant.call('DELETE', own))
      expect((await tenant.call('GET', own)).status).toBe(404)
      expect((await tenant.call('PUT', '/v1/agents/%E3%85%A4', {})).status).toBe(422)
    },
  )

  it('a restore names what was renamed since by the name that it has by now', async () => {
    const own = await seedTenant(parley)
    const made = async (path: string, body: object) =>
      (await expectOk(own.call('POST', path, body))).json
    await made('/v1/knowledge-bases', { name: 'guide' })
    const server = await made('/v1/mcp-servers', {
      name: 'shop',
      transport: 'streamable_http',
      enabled: false,
      config: { url: 'https://shop.example.com/mcp' },
    })
    const lists = (n: string) => ({
      knowledge_bases: [`guide${n}`, 'never'],
      tools: [`mcp:shop${n}/look_up`, `mcp:shop${n}`, 'weather'],
    })
    await made('/v1/agents/desk', lists(''))
    await made('/v1/skills/other', lists(''))
    for (const [from, to] of [
      ['', '2'],
      ['2', '3'],
    ]) {
      await expectOk(own.call('PATCH', `/v1/mcp-servers/${server.id}`, { name: `shop${to}` }))
      const path = `/v1/knowledge-bases/guide${from}`
      await expectOk(own.call('PATCH', path, { name: `guide${to}` }))
    }
    for (const path of ['/v1/agents/desk', '/v1/skills/other']) {
      const { json } = await own.call('GET', `${path}/revisions`)
      const restore = `${path}/revisions/${json.at(-1).id}/restore`
      expect((await expectOk(own.call('POST', restore))).json).toMatchObject(lists('3'))
    }
  })

  it('a restore brings the alias back, unless it is another’s by now', async () => {
    await expectOk(tenant.call('POST', '/v1/agents/moved', {}))
    await expectOk(tenant.call('PUT', '/v1/agents/moved/alias', { alias: 'first-alias' }))
    const [{ id }] = (await tenant.call('GET', '/v1/agents/moved/revisions')).json
    await expectOk(tenant.call('PUT', '/v1/agents/moved/alias', { alias: null }))
    const path = `/v1/agents/moved/revisions/${id}/restore`
    expect((await tenant.call('POST', path)).json.alias).toBe('first-alias')
    await expectOk(tenant.call('PUT', '/v1/agents/moved/alias', { alias: null }))
    await expectOk(tenant.call('PUT', '/v1/agents/plain/alias', { alias: 'first-alias' }))
    expect((await tenant.call('POST', path)).json).toEqual({ detail: 'Alias already in use' })
  })

  it('plans how it would answer, names what it does not know, and does nothing', async () => {
    await expectOk(
      tenant.call('POST', '/v1/agents/planner', {
        knowledge_bases: ['guide', 'nowhere'],
        skills: ['refunds', 'atlantis'],
        tools: ['weather', 'unheard_of'],
        ambiguity_check: true,
      }),
    )
    const plan = (goal: string) => tenant.call('POST', '/v1/agents/planner/preview-plan', { goal })
    const count = async () =>
      (await tenant.call('GET', '/v1/tenant/audit?limit=200')).json.items.length
    const [entries, used] = [
      await count(),
      (await tenant.call('GET', '/v1/tenant/quota')).json.used,
    ]
    const { status, json } = await plan('How do refunds work, and what is the weather in Lima?')
    expect(status).toBe(200)
    expect(Object.keys(json).sort()).toEqual(['backend', 'plan', 'warnings'])
    expect(['llm', 'rules']).toContain(json.backend)
    const { steps, knowledge_bases, estimated_tokens } = json.plan
    expect(knowledge_bases).toEqual(['guide'])
    expect(estimated_tokens).toBeGreaterThan(0)
    expect(steps.map(({ n }: { n: number }) => n)).toEqual(
      steps.map((_: unknown, index: number) => index + 1),
    )
    const kinds = steps.map(({ type, name }: { type: string; name: string }) => `${type} ${name}`)
    expect(kinds).toEqual(['skill refunds', 'retrieve guide', 'tool weather', 'answer planner'])
    for (const { reason } of steps) expect(reason).toMatch(/\w/)
    expect(json.warnings).toHaveLength(3)
    for (const name of ['atlantis', 'nowhere', 'unheard_of'])
      expect(json.warnings.join(' ')).toContain(name)
    expect((await plan('Hm?')).json.plan.steps[0].type).toBe('clarify')
    expect(await count()).toBe(entries)
    expect((await tenant.call('GET', '/v1/tenant/quota')).json.used).toBe(used)
    expect((await tenant.call('POST', '/v1/agents/planner/preview-plan', {})).status).toBe(422)
  })

  it('knows the models of this deployment only', async () => {
    const unknown = await tenant.call('POST', '/v1/agents/modelled', { model: 'no such model' })
    expect([unknown.status, unknown.json.detail[0].loc]).toEqual([422, ['body', 'model']])
    expect((await tenant.call('POST', '/v1/agents/modelled', { model: 'offline' })).status).toBe(
      200,
    )
  })

  it('that came with the deployment cannot be changed, only copied', async () => {
    await expectOk(tenant.call('POST', '/v1/agents/shipped', { published: true }))
    const { DB } = await parley.worker.getEnv()
    await DB.prepare("UPDATE agents SET source = 'system' WHERE tenant_id = ? AND name = 'shipped'")
      .bind(tenant.id)
      .run()
    const [{ id }] = (await tenant.call('GET', '/v1/agents/shipped/revisions')).json
    for (const [method, path, body] of [
      ['PUT', '', {}],
      ['PATCH', '', { task: 'Mine.' }],
      ['DELETE', '', undefined],
      ['PUT', '/alias', { alias: 'mine-now' }],
      ['POST', `/revisions/${id}/restore`, undefined],
    ] as const) {
      const { status, json } = await tenant.call(method, `/v1/agents/shipped${path}`, body)
      expect([method, status, json]).toEqual([
        method,
        403,
        { detail: 'A system agent cannot be changed' },
      ])
    }
    expect((await tenant.call('POST', '/v1/agents/shipped/clone')).json.source).toBe('tenant')
  })

  it.each([
    ['soul', 'string_type', 7],
    ['soul', 'string_too_long', 'x'.repeat(20_001)],
    ['task', 'string_too_long', 'x'.repeat(20_001)],
    ['tools', 'list_type', 'weather'],
    ['history_window', 'less_than_equal', 101],
    ['history_window', 'greater_than_equal', -1],
    ['history_window', 'int_type', 1.5],
    ['max_output_tokens', 'greater_than_equal', 15],
    ['max_output_tokens', 'less_than_equal', 32_769],
    ['tool_call_max_tokens', 'greater_than_equal', 63],
    ['handoff_hours', 'greater_than_equal', 0],
    ['handoff_hours', 'less_than_equal', 721],
    ['handoff_hours', 'int_type', 0.5],
    ['published', 'bool_parsing', 'maybe'],
    ['menu_items', 'too_long', Array(9).fill('x')],
  ])('refuses %s as %s', async (field, type, value) => {
    for (const method of ['POST', 'PUT', 'PATCH']) {
      const path = method === 'PATCH' ? '/v1/agents/plain' : '/v1/agents/refused'
      const { status, json } = await tenant.call(method, path, { [field]: value })
      expect([method, status, json.detail[0].type, json.detail[0].loc.slice(0, 2)]).toEqual([
        method,
        422,
        type,
        ['body', field],
      ])
    }
    expect((await tenant.call('GET', '/v1/agents/refused')).status).toBe(404)
  })

  it('names are exact: NFC, case-sensitive, 1 to 64 characters without separators', async () => {
    const decomposed = `/v1/agents/${encodeURIComponent('Cafe\u0301')}`
    expect((await tenant.call('POST', decomposed, {})).json.name).toBe('Caf\u00e9')
    expect((await tenant.call('GET', `/v1/agents/${encodeURIComponent('Caf\u00e9')}`)).status).toBe(
      200,
    )
    expect((await tenant.call('GET', `/v1/agents/${encodeURIComponent('caf\u00e9')}`)).status).toBe(
      404,
    )
    for (const name of ['a%2Fb', 'a%5Cb', '%01', 'x'.repeat(65), '%20'])
      expect([name, (await tenant.call('POST', `/v1/agents/${name}`, {})).status]).toEqual([
        name,
        422,
      ])
  })

  it('a name is counted as it is kept, and is the same in every way to write it', async () => {
    const long = 'é'.repeat(64)
    const at = (name: string) => `/v1/agents/${encodeURIComponent(name)}`
    const made = await tenant.call('POST', at(long.normalize('NFD')), { published: true })
    expect([made.status, made.json.name]).toEqual([200, long])
    const body = { message: 'Hello!', agent: long.normalize('NFD') }
    expect((await tenant.as('ada', 'POST', '/v1/chat', body)).json.agent).toBe(long)
    // Of two characters in NFC.
    for (const name of ['\u0958'.repeat(33), '\u0958'.repeat(64)])
      expect((await tenant.call('POST', at(name), {})).status).toBe(422)
    const kept = (await tenant.call('POST', at('\u0958'.repeat(32)), {})).json.name
    expect((await tenant.call('GET', at(kept))).status).toBe(200)
  })

  it('refers to what is named so, however the name is written', async () => {
    const tenant = await seedTenant(parley)
    await tenant.call('POST', '/v1/agents/oldest', { published: true })
    const [base, skill] = ['Café', 'Résumé']
    await tenant.call('POST', '/v1/knowledge-bases', { name: base })
    await tenant.call('POST', `/v1/skills/${encodeURIComponent(skill)}`, {
      menu_label: 'Write one',
      knowledge_bases: [base.normalize('NFD')],
    })
    const { json } = await tenant.call('POST', '/v1/agents/refers', {
      knowledge_bases: [base.normalize('NFD')],
      skills: [skill.normalize('NFD')],
      menu_items: [skill.normalize('NFD')],
      published: true,
    })
    expect([json.knowledge_bases, json.skills]).toEqual([[base], [skill]])
    const plan = await tenant.call('POST', '/v1/agents/refers/preview-plan', { goal: 'A résumé' })
    expect([plan.json.warnings, plan.json.plan.knowledge_bases]).toEqual([[], [base]])
    const path = `/v1/agents/refers/opening?tenant_id=${tenant.id}`
    expect((await parley.call('GET', path)).json.chips[0].label).toBe('Write one')
    const patched = await tenant.call('PATCH', '/v1/agents/refers', {
      knowledge_bases_add: [base.normalize('NFD')],
      skills_remove: [skill.normalize('NFD')],
    })
    expect([patched.json.knowledge_bases, patched.json.skills]).toEqual([[base], []])
    await tenant.call('PATCH', '/v1/agents/refers', { name: 'réfère' })
    await tenant.call('PATCH', '/v1/tenant/settings', {
      profile: { default_agent: 'réfère'.normalize('NFD') },
    })
    const answer = await tenant.as('ada', 'POST', '/v1/chat', { message: 'Hello!' })
    expect(answer.json.agent).toBe('réfère')
  })

  it('a tenant has at most 200', async () => {
    const crowded = await seedTenant(parley)
    const { DB } = await parley.worker.getEnv()
    await DB.prepare(
      `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 199)
       INSERT INTO agents (id, tenant_id, name, config, created_at, updated_at) SELECT ?1 || i, ?1, 'agent ' || i, '{}', 0, 0 FROM n`,
    )
      .bind(crowded.id)
      .run()
    const answers = await Promise.all(
      ['one', 'two'].map((name) => crowded.call('POST', `/v1/agents/${name}`, {})),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
  })

  it('of another tenant is absent', async () => {
    await expectOk(tenant.call('PUT', '/v1/agents/Theirs', {}))
    const other = await seedTenant(parley)
    for (const [method, path] of [
      ['GET', '/v1/agents/Theirs'],
      ['PATCH', '/v1/agents/Theirs'],
      ['DELETE', '/v1/agents/Theirs'],
      ['GET', '/v1/agents/Theirs/export'],
      ['POST', '/v1/agents/Theirs/clone'],
    ] as const) {
      const { status, json } = await other.call(method, path, method === 'PATCH' ? {} : undefined)
      expect([method, status, json]).toEqual([method, 404, { detail: 'Agent not found' }])
    }
    expect((await other.call('GET', '/v1/agents')).json).toEqual([])
    expect((await tenant.call('GET', '/v1/agents/Theirs')).status).toBe(200)
  })
})

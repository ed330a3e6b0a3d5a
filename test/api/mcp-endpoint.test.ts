import { Validator } from '@cfworker/json-schema'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ADMIN_TOKEN, type Parley, startParley } from '../support/harness'
import { type SeededTenant, seedAgent, seedBase, seedTenant, waitForBase } from '../support/seed'

type Mode = 'legacy' | 'auto'

describe('/v1/mcp', () => {
  let parley: Parley
  let tenant: SeededTenant
  let other: SeededTenant
  const open: Client[] = []

  beforeAll(async () => {
    parley = await startParley({ CONSOLE_ORIGINS: 'https://console.example' })
    ;[tenant, other] = await Promise.all([seedTenant(parley), seedTenant(parley)])
    await Promise.all([
      seedBase(tenant, 'guide', { Refunds: 'Refunds take five working days.' }),
      seedAgent(tenant, 'desk', { task: 'Answer.' }),
      seedAgent(other, 'their-desk', { task: 'Their secret task.' }),
    ])
  })
  afterAll(async () => {
    await Promise.all(open.map((client) => client.close()))
    await parley.close()
  })

  async function connect(headers: Record<string, string>, mode: Mode = 'legacy'): Promise<Client> {
    const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } })
    await client.connect(
      new StreamableHTTPClientTransport(new URL('/v1/mcp', parley.url), {
        requestInit: { headers },
      }),
    )
    open.push(client)
    return client
  }
  const asTenant = (mode?: Mode) => connect({ 'x-api-key': tenant.key }, mode)

  /** A tool's answer as what it says, or its refusal. */
  async function use(client: Client, name: string, args: Record<string, unknown> = {}) {
    const result = await client.callTool({ name, arguments: args })
    const [part] = result.content
    const value = JSON.parse(part?.type === 'text' ? part.text : 'null')
    if (result.isError !== true) {
      expect(result.structuredContent).toEqual(Array.isArray(value) ? { items: value } : value)
    }
    return { failed: result.isError === true, value }
  }

  it.each([
    ['application/json', 'application/json'],
    ['text/event-stream', 'text/event-stream'],
    ['application/json, text/event-stream', 'text/event-stream'],
  ])('a client that takes %s is answered by %s', async (accept, type) => {
    const answer = await parley.call('POST', '/v1/mcp', {
      headers: { 'x-api-key': tenant.key, accept },
      body: { jsonrpc: '2.0', id: 1, method: 'tools/list' },
    })
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, type])
    const json = answer.json ?? JSON.parse(/^data: (.+)$/m.exec(answer.text)?.[1] ?? '')
    expect(json).toMatchObject({ id: 1, result: { tools: expect.any(Array) } })
  })

  const post = (body: unknown) =>
    parley.call('POST', '/v1/mcp', {
      headers: { 'x-api-key': tenant.key, accept: 'application/json' },
      body,
    })

  it('a batch is answered whole', async () => {
    const call = { jsonrpc: '2.0', method: 'tools/call', params: { name: 'get_quota' } }
    const { json } = await post([
      { ...call, id: 'a' },
      { jsonrpc: '2.0', id: 2, method: 'ping' },
    ])
    expect(json).toHaveLength(2)
    expect(json).toContainEqual({ jsonrpc: '2.0', id: 2, result: {} })
    expect(json).toContainEqual(
      expect.objectContaining({
        id: 'a',
        result: expect.objectContaining({ content: [expect.anything()] }),
      }),
    )
  })

  it('null stands for what is not set', async () => {
    for (const [method, params] of [
      ['tools/list', null],
      ['tools/list', { cursor: null, _meta: null }],
      ['tools/call', { name: 'get_quota', arguments: null, _meta: null }],
    ])
      expect((await post({ jsonrpc: '2.0', id: 1, method, params })).json).toMatchObject({
        id: 1,
        result: expect.anything(),
      })
  })

  describe.each<[Mode]>([['legacy'], ['auto']])('the official client, %s', (mode) => {
    it('lists tools with their arguments, and calls them', async () => {
      const client = await asTenant(mode)
      expect(client.getServerVersion()?.name).toBe('parley')
      const { tools } = await client.listTools()
      const named = new Map(tools.map((tool) => [tool.name, tool]))
      for (const name of [
        'list_agents',
        'create_agent',
        'update_skill',
        'add_text',
        'search_knowledge_base',
        'validate_storyline',
        'simulate_storyline',
        'publish_storyline',
        'get_usage',
        'list_audit',
      ])
        expect(named.has(name), name).toBe(true)
      expect(named.get('create_agent')?.inputSchema.required).toEqual(['name'])
      expect(named.get('update_agent')?.inputSchema.properties).toHaveProperty('new_name')
      expect(named.get('search_knowledge_base')?.inputSchema.required).toEqual(['name', 'query'])
      expect(named.get('list_agents')?.annotations?.readOnlyHint).toBe(true)
      expect(named.get('delete_agent')?.annotations?.destructiveHint).toBe(true)
      const { value } = await use(client, 'list_agents')
      expect(value.map((agent: { name: string }) => agent.name)).toContain('desk')
    })

    it('writes a storyline, mends what the check finds, and publishes it', async () => {
      const client = await asTenant(mode)
      const named = { agent_name: 'desk', key: `tour-${mode}` }
      const bye = { type: 'end', outcome: 'done' }
      const graph = { schema: 1, start: 'hello', nodes: { bye } }
      const { value: draft } = await use(client, 'create_storyline', { ...named, graph })
      const storyline_id = draft.id
      const { value: checked } = await use(client, 'validate_storyline', { storyline_id })
      expect(checked).toMatchObject({ ok: false, errors: [{ code: 'start_missing' }] })
      expect((await use(client, 'publish_storyline', { storyline_id })).failed).toBe(true)
      const hello = { type: 'message', say: 'Hello!', exits: [{ id: 'go', to: 'bye' }] }
      const mended = { schema: 1, start: 'hello', nodes: { hello, bye } }
      await use(client, 'update_storyline', { storyline_id, ...named, graph: mended })
      const tried = await use(client, 'simulate_storyline', { storyline_id, messages: ['Hi'] })
      expect(JSON.stringify(tried)).toContain('Hello!')
      const { value: live } = await use(client, 'publish_storyline', { storyline_id })
      expect(live).toMatchObject({ status: 'published', version: 2 })
    })

    it('finds what was just uploaded', async () => {
      const client = await asTenant(mode)
      const base = `made-${mode}`
      await use(client, 'create_knowledge_base', { name: base, instructions: 'Quote it.' })
      const added = await use(client, 'add_text', {
        name: base,
        title: 'Opening hours',
        text: 'The shop opens at nine and closes at six.',
      })
      expect(added.value).toMatchObject({ imported: 1, failed: [] })
      await waitForBase(tenant, base)
      const found = await use(client, 'search_knowledge_base', {
        name: base,
        query: 'When does the shop close?',
        k: 2,
      })
      expect(found.value.hits[0].text).toContain('closes at six')
      const listed = await use(client, 'list_documents', { name: base, limit: 1 })
      expect(listed.value.items[0].name).toBe('Opening hours.txt')
      expect((await use(client, 'delete_knowledge_base', { name: base })).value).toEqual({
        status: 204,
      })
    })
  })

  it('changes agents and skills as the API does, audited as mcp with the key’s name', async () => {
    const client = await asTenant()
    const made = await use(client, 'create_agent', {
      name: 'clerk',
      soul: 'Kind.',
      published: true,
    })
    expect(made.value).toMatchObject({ name: 'clerk', soul: 'Kind.', published: true })
    const renamed = await use(client, 'update_agent', {
      name: 'clerk',
      new_name: 'teller',
      task: 'Count.',
    })
    expect(renamed.value).toMatchObject({ name: 'teller', soul: 'Kind.', task: 'Count.' })
    const clone = await use(client, 'clone_agent', { name: 'teller', new_name: 'teller two' })
    expect(clone.value).toMatchObject({ name: 'teller two', published: false })
    await use(client, 'create_skill', {
      name: 'counting',
      description: 'How money is counted here.',
    })
    const revisions = await use(client, 'list_agent_revisions', { name: 'teller' })
    expect(revisions.value[0].actor).toBe('mcp:first')
    await use(client, 'restore_agent', { name: 'teller', rev_id: revisions.value.at(-1).id })
    expect((await tenant.call('GET', '/v1/agents/teller')).json.task).toBe('')
    await use(client, 'delete_agent', { name: 'teller' })
    expect((await tenant.call('GET', '/v1/agents/teller')).status).toBe(404)

    const { items } = (await tenant.call('GET', '/v1/tenant/audit')).json
    const mine = items.filter((item: { via: string }) => item.via === 'mcp')
    expect(mine.map((item: { action: string }) => item.action).slice(0, 6)).toEqual([
      'delete',
      'restore',
      'create',
      'clone',
      'update',
      'create',
    ])
    for (const item of mine) {
      expect(item).toMatchObject({ actor: 'mcp:first', actor_type: 'mcp', via: 'mcp' })
    }
    const seen = await use(client, 'list_audit', { entity: 'skill', limit: 1 })
    expect(seen.value.items[0]).toMatchObject({ entity_name: 'counting', via: 'mcp' })
  })

  it('reads usage and quota', async () => {
    const client = await asTenant()
    const usage = await use(client, 'get_usage', { group: 'agent', since: '7d' })
    expect(usage.value).toMatchObject({ group: 'agent', rows: expect.any(Array) })
    expect((await use(client, 'get_quota')).value).toMatchObject({ unit: 'tokens' })
  })

  it('says what is wrong with bad input, in the contract’s form, and does nothing', async () => {
    const client = await asTenant()
    const before = (await tenant.call('GET', '/v1/tenant/audit')).json.total
    const cases: [string, Record<string, unknown>, number, unknown][] = [
      [
        'create_agent',
        {},
        422,
        [{ type: 'missing', loc: ['path', 'name'], msg: 'Field required' }],
      ],
      [
        'create_agent',
        { name: 7 },
        422,
        [{ type: 'string_type', loc: ['path', 'name'], msg: 'Input should be a valid string' }],
      ],
      ['get_agent', { name: '../tenant/keys' }, 422, expect.any(Array)],
      ['get_agent', { name: '..' }, 422, expect.any(Array)],
      ['get_agent', { name: '' }, 422, expect.any(Array)],
      ['get_agent', { name: 'a\u0000b' }, 422, expect.any(Array)],
      ['get_agent', { name: 'desk?published=1#x' }, 404, 'Agent not found'],
      ['get_agent', { name: '$&' }, 404, 'Agent not found'],
      [
        'create_agent',
        { name: 'bad', history_window: 'many' },
        422,
        [expect.objectContaining({ type: 'int_parsing', loc: ['body', 'history_window'] })],
      ],
      [
        'search_knowledge_base',
        { name: 'guide', query: 'x', k: 99 },
        422,
        [expect.objectContaining({ loc: ['body', 'k'] })],
      ],
      [
        'list_documents',
        { name: 'guide', limit: 0 },
        422,
        [expect.objectContaining({ loc: ['query', 'limit'] })],
      ],
      ['list_documents', { name: 'guide', limit: { a: 1 } }, 422, expect.any(Array)],
      ['create_agent', { name: 'desk' }, 409, 'Agent already exists'],
      ['delete_document', { name: 'guide', id: 'x' }, 422, expect.any(Array)],
    ]
    for (const [name, args, status, detail] of cases) {
      const { failed, value } = await use(client, name, args)
      expect([name, args, failed, value]).toEqual([name, args, true, { status, detail }])
    }
    expect((await tenant.call('GET', '/v1/tenant/audit')).json.total).toBe(before)
    await expect(client.callTool({ name: 'drop_tables', arguments: {} })).rejects.toThrow(
      /Unknown tool/,
    )
  })

  it('another tenant’s objects do not exist', async () => {
    const client = await asTenant()
    const { id } = (await other.call('POST', '/v1/knowledge-bases', { name: 'theirs' })).json
    const { json } = await other.call('POST', '/v1/knowledge-bases/theirs/documents/text', {
      title: 'Secret',
      text: 'The code is omega.',
    })
    const documentId = json.documents[0].id
    for (const [name, args, detail] of [
      ['get_agent', { name: 'their-desk' }, 'Agent not found'],
      ['update_agent', { name: 'their-desk', task: 'Mine.' }, 'Agent not found'],
      ['delete_agent', { name: 'their-desk' }, 'Agent not found'],
      ['clone_agent', { name: 'their-desk' }, 'Agent not found'],
      ['get_knowledge_base', { name: 'theirs' }, 'Knowledge base not found'],
      ['search_knowledge_base', { name: 'theirs', query: 'code' }, 'Knowledge base not found'],
      ['get_document', { name: 'guide', id: documentId }, 'Document not found'],
      ['delete_document', { name: 'guide', id: documentId }, 'Document not found'],
    ] as const) {
      expect([name, (await use(client, name, args)).value]).toEqual([name, { status: 404, detail }])
    }
    for (const name of ['list_agents', 'list_knowledge_bases', 'list_audit', 'get_usage']) {
      const { value } = await use(client, name)
      const text = JSON.stringify(value)
      for (const theirs of ['their-desk', 'theirs', id, other.id])
        expect(text).not.toContain(theirs)
    }
    expect((await other.call('GET', '/v1/agents/their-desk')).json.task).toBe('Their secret task.')
  })

  it('needs a tenant’s key, and of a key only the scopes it has', async () => {
    await expect(connect({})).rejects.toThrow()
    const wrong = tenant.key.endsWith('x') ? 'y' : 'x'
    await expect(connect({ 'x-api-key': tenant.key.slice(0, -1) + wrong })).rejects.toThrow()
    await expect(
      connect({ 'x-api-key': tenant.key, authorization: `Bearer ${other.key}` }),
    ).rejects.toThrow()
    const mint = async (scope: string) =>
      (await tenant.call('POST', '/v1/tenant/keys', { name: scope, scopes: [scope] })).json
    await expect(connect({ 'x-api-key': (await mint('chat')).api_key })).rejects.toThrow()
    const read = await mint('read')
    const client = await connect({ authorization: `Bearer ${read.api_key}` })
    expect((await use(client, 'list_agents')).failed).toBe(false)
    const detail = 'This key lacks the scope manage'
    const refused = { status: 403, detail, code: 'scope_missing' }
    expect((await use(client, 'create_agent', { name: 'mine' })).value).toEqual(refused)
    expect((await use(client, 'delete_agent', { name: 'desk' })).value).toEqual(refused)
    await tenant.call('POST', `/v1/tenant/keys/${read.id}/revoke`)
    await expect(client.callTool({ name: 'list_agents' })).rejects.toThrow()
  })

  it('serves the operator who acts as the tenant, audited as operator', async () => {
    const client = await connect({ 'x-admin-token': ADMIN_TOKEN, 'x-act-tenant': tenant.id })
    await use(client, 'create_skill', { name: 'by operator' })
    const { items } = (await tenant.call('GET', '/v1/tenant/audit?entity=skill&q=by operator')).json
    expect(items[0]).toMatchObject({ actor: 'operator', actor_type: 'operator', via: 'mcp' })
  })

  it('takes no request from a page of another origin', async () => {
    const body = { jsonrpc: '2.0', id: 1, method: 'tools/list' }
    const ask = (origin: string) =>
      tenant.call('POST', '/v1/mcp', body, {
        origin,
        accept: 'application/json, text/event-stream',
      })
    for (const origin of ['https://evil.example', 'null', `${parley.url.origin}.evil.example`]) {
      const { status, json } = await ask(origin)
      expect([origin, status, json]).toEqual([origin, 403, { detail: 'Origin is not allowed' }])
    }
    expect((await ask(parley.url.origin)).status).toBe(200)
    expect((await ask('https://console.example')).status).toBe(200)
  })

  it('says in the API description how it refuses what is no call', async () => {
    const { components, paths } = (await parley.call('GET', '/openapi.json')).json
    for (const [type, body] of Object.entries({ 'application/json': '{', 'text/plain': '{}' })) {
      const headers = { 'x-api-key': tenant.key, 'content-type': type }
      const { status, json } = await parley.call('POST', '/v1/mcp', { body, headers })
      const { content } = paths['/v1/mcp'].post.responses[status]
      const { schema } = content['application/json']
      expect(json).toHaveProperty('error.code')
      expect(new Validator({ ...schema, components }).validate(json)).toMatchObject({ valid: true })
    }
  })

  it('answers what is no call at all with a refusal, never a fault', async () => {
    const { key } = tenant
    const deep = (n: number) => '['.repeat(n) + ']'.repeat(n)
    const bodies = [
      '',
      '{',
      'null',
      '7',
      '[]',
      '{}',
      deep(100_000),
      `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get_agent","arguments":{"name":${deep(100_000)}}}}`,
      '{"jsonrpc":"1.0","id":1,"method":"tools/list"}',
      '{"jsonrpc":"2.0","id":1,"method":"resources/list"}',
      '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get_agent","arguments":[]}}',
      '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"__proto__"}}',
      '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get_agent","arguments":{"__proto__":{"name":"desk"}}}}',
    ]
    for (const body of bodies) {
      const { status, text } = await parley.call('POST', '/v1/mcp', {
        body,
        headers: { 'x-api-key': key, 'content-type': 'application/json' },
      })
      expect([body.slice(0, 100), status < 500], text.slice(0, 200)).toEqual([
        body.slice(0, 100),
        true,
      ])
      expect(text).toMatch(/error|detail/i)
    }
    const big = await parley.call('POST', '/v1/mcp', {
      body: 'x'.repeat(1024 * 1024 + 1),
      headers: { 'x-api-key': key },
    })
    expect(big.status).toBe(413)
    for (const method of ['GET', 'DELETE', 'PUT']) {
      expect((await tenant.call(method, '/v1/mcp')).status).toBe(405)
    }
    expect((await tenant.call('GET', '/v1/agents/desk')).status).toBe(200)
  })
})

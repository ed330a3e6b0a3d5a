import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Parley, sharedParley } from '../support/harness'
import { expectOk, type SeededTenant, seedAgent, seedTenant } from '../support/seed'

const FULL = {
  description: 'Explains how refunds work, step by step',
  instructions: 'Ask for the order number first.',
  tools: ['current_time'],
  knowledge_bases: ['guide'],
  model: 'offline',
  menu_label: 'Refunds',
  menu_prompt: 'How do refunds work?',
  menu_anchors: 'refund, money back',
}
const EMPTY = {
  description: '',
  instructions: '',
  tools: [],
  knowledge_bases: [],
  model: null,
  menu_label: null,
  menu_prompt: null,
  menu_anchors: null,
}

describe('skills', () => {
  let parley: Parley
  let tenant: SeededTenant

  beforeAll(async () => {
    parley = await sharedParley()
    tenant = await seedTenant(parley)
    await expectOk(tenant.call('POST', '/v1/knowledge-bases', { name: 'guide' }))
  })
  afterAll(() => parley.close())

  const codes = (skill: { warnings: { code: string }[] }) =>
    skill.warnings.map(({ code }) => code).sort()
  const audited = async (query = 'entity=skill') =>
    (await expectOk(tenant.call('GET', `/v1/tenant/audit?${query}`))).json.items

  it('creates with every field, refuses a second of the name, and lists by name', async () => {
    const created = await tenant.call('POST', '/v1/skills/refunds', { ...FULL, id: 'mine' })
    expect(created.status).toBe(200)
    const { warnings, ...skill } = created.json
    expect(skill).toEqual({ name: 'refunds', ...FULL })
    expect(warnings).toEqual([
      { field: 'name', code: 'unused', message: expect.any(String), severity: 'info' },
    ])

    const again = await tenant.call('POST', '/v1/skills/refunds', {})
    expect([again.status, again.json]).toEqual([409, { detail: 'Skill already exists' }])
    await expectOk(tenant.call('POST', '/v1/skills/a%20first', {}))
    const { json } = await tenant.call('GET', '/v1/skills')
    expect(json.map(({ name }: { name: string }) => name)).toEqual(['a first', 'refunds'])
    expect((await tenant.call('GET', '/v1/skills/refunds')).json).toEqual(created.json)
  })

  it('PUT replaces in full and creates when absent', async () => {
    const created = await tenant.call('PUT', '/v1/skills/replaced', FULL)
    expect(created.json).toMatchObject(FULL)
    const replaced = await tenant.call('PUT', '/v1/skills/replaced', { description: 'Short' })
    expect(replaced.json).toMatchObject({ ...EMPTY, description: 'Short' })
  })

  it('PATCH changes only what is sent; null resets; lists are set, added to, removed from', async () => {
    await expectOk(tenant.call('POST', '/v1/skills/patched', FULL))
    const { json } = await tenant.call('PATCH', '/v1/skills/patched', {
      instructions: null,
      menu_label: 'Money',
      tools: ['weather'],
      tools_add: ['ip_geo', 'weather', 'later'],
      tools_remove: ['later'],
      knowledge_bases_add: ['more'],
      knowledge_bases_remove: ['guide'],
    })
    expect(json).toMatchObject({
      ...FULL,
      instructions: '',
      menu_label: 'Money',
      tools: ['weather', 'ip_geo'],
      knowledge_bases: ['more'],
    })
    const names = Array.from({ length: 21 }, (_, n) => `base ${n}`)
    const full = await tenant.call('PATCH', '/v1/skills/patched', {
      knowledge_bases_add: names.slice(1),
    })
    expect([full.status, full.json.detail[0].loc]).toEqual([422, ['body', 'knowledge_bases']])
  })

  it('reports what is probably not meant', async () => {
    const { json } = await tenant.call('POST', '/v1/skills/odd', {
      description: 'Too short',
      tools: ['weather', 'mcp:files/read', 'teleport'],
      knowledge_bases: ['guide', 'atlantis'],
      menu_prompt: 'Go',
    })
    expect(json.tools).toEqual(['weather', 'mcp:files/read', 'teleport'])
    expect(codes(json)).toEqual([
      'description_too_short',
      'instructions_empty',
      'menu_prompt_without_label',
      'unknown_knowledge_base',
      'unknown_tool',
      'unknown_tool',
      'unused',
    ])
    expect(json.warnings).toContainEqual(
      expect.objectContaining({ field: 'tools', message: expect.stringContaining('teleport') }),
    )
    await seedAgent(tenant, 'odd agent', { skills: ['odd'] })
    const used = await tenant.call('GET', '/v1/skills/odd')
    expect(codes(used.json)).not.toContain('unused')
  })

  it('restores an earlier state as a new revision', async () => {
    await expectOk(tenant.call('POST', '/v1/skills/history', FULL))
    await expectOk(tenant.call('PATCH', '/v1/skills/history', { description: 'Changed' }))
    await expectOk(tenant.call('PATCH', '/v1/skills/history', { description: 'Changed' }))
    const before = (await tenant.call('GET', '/v1/skills/history/revisions')).json
    expect(before).toHaveLength(2)
    expect(before[0].snapshot.description).toBe('Changed')
    expect(before[1]).toEqual({
      id: expect.any(String),
      created_at: expect.stringMatching(/Z$/),
      actor: 'key:first',
      snapshot: { name: 'history', ...FULL },
    })

    const path = `/v1/skills/history/revisions/${before[1].id}/restore`
    expect((await tenant.call('POST', path)).json).toMatchObject(FULL)
    const after = (await tenant.call('GET', '/v1/skills/history/revisions')).json
    expect(after).toHaveLength(3)
    expect(after[0].snapshot).toEqual(before[1].snapshot)
    const foreign = await tenant.call('POST', path.replace('history', 'refunds'))
    expect([foreign.status, foreign.json]).toEqual([404, { detail: 'Revision not found' }])
  })

  it('keeps the newest hundred revisions', async () => {
    await expectOk(tenant.call('PUT', '/v1/skills/busy', { description: 'state 0' }))
    for (let n = 1; n <= 104; n++) {
      await expectOk(tenant.call('PATCH', '/v1/skills/busy', { description: `state ${n}` }))
    }
    const { json } = await tenant.call('GET', '/v1/skills/busy/revisions')
    expect(
      json.map((one: { snapshot: { description: string } }) => one.snapshot.description),
    ).toEqual(Array.from({ length: 100 }, (_, n) => `state ${104 - n}`))
  })

  it('deleting detaches it from every agent', async () => {
    await expectOk(tenant.call('POST', '/v1/skills/gone', {}))
    await seedAgent(tenant, 'holder', { skills: ['refunds', 'gone', 'unknown'] })
    expect((await tenant.call('DELETE', '/v1/skills/gone')).status).toBe(204)
    expect((await tenant.call('GET', '/v1/skills/gone')).status).toBe(404)
    expect((await tenant.call('DELETE', '/v1/skills/gone')).status).toBe(404)
    const { json } = await tenant.call('GET', '/v1/agents/holder')
    expect(json.skills).toEqual(['refunds', 'unknown'])
  })

  it('writes one audit entry for each write and none for a refused one', async () => {
    const name = 'audited'
    await expectOk(tenant.call('POST', `/v1/skills/${name}`, FULL))
    await tenant.call('POST', `/v1/skills/${name}`, FULL)
    await expectOk(tenant.call('PUT', `/v1/skills/${name}`, { description: 'Other' }))
    await tenant.call('PATCH', `/v1/skills/${name}`, { model: 'no such model' })
    const [{ id }] = (await tenant.call('GET', `/v1/skills/${name}/revisions`)).json
    await expectOk(tenant.call('POST', `/v1/skills/${name}/revisions/${id}/restore`))
    await expectOk(tenant.call('DELETE', `/v1/skills/${name}`))
    const entries = await audited(`entity=skill&q=${name}`)
    expect(entries.map(({ action }: { action: string }) => action)).toEqual([
      'delete',
      'restore',
      'update',
      'create',
    ])
    expect(entries.at(-1)).toMatchObject({
      actor: 'key:first',
      actor_type: 'key',
      via: 'api',
      entity_name: name,
      before: null,
      after: { name, ...FULL },
    })
    expect(entries[0]).toMatchObject({
      before: { name, ...EMPTY, description: 'Other' },
      after: null,
    })
  })

  it('both of two changes made at once take effect', async () => {
    await expectOk(tenant.call('PUT', '/v1/skills/shared', {}))
    const tools = Array.from({ length: 12 }, (_, n) => `tool ${n}`)
    await Promise.all(
      tools.map((tool) =>
        expectOk(tenant.call('PATCH', '/v1/skills/shared', { tools_add: [tool] })),
      ),
    )
    const { json } = await tenant.call('GET', '/v1/skills/shared')
    expect(json.tools.toSorted()).toEqual(tools.toSorted())
  })

  it('never makes two of one name', async () => {
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => tenant.call('POST', '/v1/skills/wanted', {})),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(7).fill(409)])
    const puts = await Promise.all(
      Array.from({ length: 8 }, () => tenant.call('PUT', '/v1/skills/put', {})),
    )
    expect(puts.map(({ status }) => status)).toEqual(Array(8).fill(200))
    const actions = (await audited('entity=skill&q=put')).map(
      ({ action }: { action: string }) => action,
    )
    expect(actions.filter((action: string) => action === 'create')).toHaveLength(1)
  })

  it.each([
    ['POST', 'x', 'value_error', ['body', 'model'], { model: 'no such model' }],
    ['POST', 'x', 'string_type', ['body', 'description'], { description: 7 }],
    ['POST', 'x', 'string_too_long', ['body', 'description'], { description: 'x'.repeat(1001) }],
    ['PUT', 'x', 'list_type', ['body', 'tools'], { tools: 'weather' }],
    ['PATCH', 'refunds', 'string_type', ['body', 'tools', 0], { tools: [{}] }],
    ['POST', 'a%2Fb', 'value_error', ['path', 'name'], {}],
    ['POST', 'x', 'json_invalid', ['body'], '{"description":'],
    ['POST', 'refunds/revisions/nine/restore', 'uuid_parsing', ['path', 'rev_id'], {}],
  ])('refuses %s %s as %s at %j', async (method, path, type, loc, body) => {
    const { status, json } = await tenant.call(method, `/v1/skills/${path}`, body, {
      'content-type': 'application/json',
    })
    expect(status).toBe(422)
    expect(json.detail).toContainEqual({ type, loc, msg: expect.any(String) })
  })

  it('of another tenant is absent', async () => {
    const other = await seedTenant(parley)
    for (const [method, path] of [
      ['GET', '/v1/skills/refunds'],
      ['PATCH', '/v1/skills/refunds'],
      ['DELETE', '/v1/skills/refunds'],
      ['GET', '/v1/skills/refunds/revisions'],
    ] as const) {
      const { status, json } = await other.call(method, path, method === 'GET' ? undefined : {})
      expect([method, status, json]).toEqual([method, 404, { detail: 'Skill not found' }])
    }
    expect((await other.call('GET', '/v1/skills')).json).toEqual([])
  })

  it('a tenant has at most 500', async () => {
    const crowded = await seedTenant(parley)
    const { DB } = await parley.worker.getEnv()
    await DB.prepare(
      `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 499)
       INSERT INTO skills (id, tenant_id, name, config, created_at, updated_at) SELECT ?1 || i, ?1, 'skill ' || i, '{}', 0, 0 FROM n`,
    )
      .bind(crowded.id)
      .run()
    const answers = await Promise.all(
      ['one', 'two'].map((name) => crowded.call('POST', `/v1/skills/${name}`, {})),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
    expect(answers.find(({ status }) => status === 409)?.json.detail).toContain(
      'at most 500 skills',
    )
    expect((await crowded.call('GET', '/v1/skills')).json).toHaveLength(500)
  })
})

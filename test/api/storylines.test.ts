import { beforeAll, describe, expect, it } from 'vitest'
import { ErrorOut } from '../../src/api-description/errors-schema'
import type { EnrollmentReport } from '../../src/storylines/records'
import { takeReport } from '../../src/storylines/take-report'
import intake from '../fixtures/storylines/customer-intake.json'
import noInternet from '../fixtures/storylines/no-internet.json'
import cafe from '../fixtures/storylines/spanish-cafe.json'
import { type Parley, sharedParley } from '../support/harness'
import { expectOk, type SeededTenant, seedAgent, seedTenant } from '../support/seed'

let parley: Parley
let tenant: SeededTenant
beforeAll(async () => {
  parley = await sharedParley()
})

const GRAPH = {
  schema: 1,
  start: 'ask',
  nodes: {
    ask: {
      type: 'collect',
      slots: [{ slot: 'name', ask: 'Your name?' }],
      exits: [{ id: 'go', to: 'bye' }],
    },
    bye: { type: 'end', outcome: 'done' },
  },
}
const PROFILE = { type: 'object', properties: { name: { type: 'string' } } }
const ready = (key: string, more: Record<string, unknown> = {}) => ({
  agent_name: 'desk',
  key,
  graph: GRAPH,
  profile_schema: PROFILE,
  ...more,
})

describe('storylines', () => {
  beforeAll(async () => {
    tenant = await seedTenant(parley)
    await seedAgent(tenant, 'desk', { tools: ['mcp:network'] })
  })
  const create = async (key: string, more: Record<string, unknown> = {}) =>
    (await expectOk(tenant.call('POST', '/v1/storylines', ready(key, more)))).json
  const path = (one: { id: string }, rest = '') => `/v1/storylines/${one.id}${rest}`
  const read = async (one: { id: string }) => (await expectOk(tenant.call('GET', path(one)))).json

  it('fills in what is not said, and keeps words that nobody knows', async () => {
    const { json } = await expectOk(
      tenant.call('POST', '/v1/storylines', { agent_name: 'desk', key: 'plain', entry: 'portal' }),
    )
    expect(json).toEqual({
      id: expect.any(String),
      agent_name: 'desk',
      key: 'plain',
      name: 'plain',
      description: '',
      graph: {},
      profile_schema: {},
      status: 'draft',
      published_revision_id: null,
      is_default: false,
      user_visibility: 'title',
      learner_visibility: 'title',
      entry: 'portal',
      display_name: 'plain',
      allow_exit: true,
      show_profile: false,
      on_complete: 'return',
      allow_agent_enroll: false,
      enroll_trigger: 'manual',
      concurrency: 'exclusive',
      next_storyline_id: null,
      position: 0,
      version: 1,
      updated_at: expect.any(String),
    })
    expect(await read(json)).toEqual(json)
    const { json: checked } = await expectOk(tenant.call('POST', path(json, '/validate')))
    expect(checked.ok).toBe(false)
    expect(checked.errors).toContainEqual({
      code: 'enum',
      severity: 'warning',
      path: '/entry',
      message: expect.stringContaining('menu applies'),
    })
  })

  it('goes from a draft to a live one, whose edits wait until they are published', async () => {
    const draft = await create('life')
    const { json: live } = await expectOk(tenant.call('POST', path(draft, '/publish')))
    expect(live).toMatchObject({ status: 'published', version: 1 })
    const again = (await expectOk(tenant.call('POST', path(draft, '/publish')))).json
    expect(again.published_revision_id).toBe(live.published_revision_id)

    const edited = { ...ready('life'), description: 'Asks for a name.' }
    const { json: saved } = await expectOk(tenant.call('PUT', path(draft), edited))
    expect(saved).toMatchObject({
      status: 'published',
      version: 2,
      published_revision_id: live.published_revision_id,
    })
    const { json: second } = await expectOk(tenant.call('POST', path(draft, '/publish')))
    expect(second.published_revision_id).not.toBe(live.published_revision_id)
    const { json: revisions } = await expectOk(tenant.call('GET', path(draft, '/revisions')))
    expect(revisions).toEqual([
      {
        id: second.published_revision_id,
        version: 2,
        actor: 'key:first',
        created_at: expect.any(String),
      },
      expect.objectContaining({ id: live.published_revision_id, version: 1 }),
    ])
    const of = (id: unknown) => tenant.call('GET', path(draft, `/revisions/${id}`))
    const { json: newest } = await expectOk(of(second.published_revision_id))
    const { agent_name: _, ...frozen } = edited
    expect(newest).toMatchObject({ ...frozen, ...revisions[0] })
    expect((await expectOk(of(live.published_revision_id))).json.description).toBe('')
    expect((await of(draft.id)).status).toBe(404)

    const { json: off } = await expectOk(tenant.call('POST', path(draft, '/unpublish')))
    expect(off).toMatchObject({ status: 'unpublished', published_revision_id: null })
    const refused = await tenant.call('POST', path(draft, '/unpublish'))
    expect([refused.status, refused.json.code]).toEqual([409, 'not_published'])
  })

  it('publishes nothing that could not run, and says where it is wrong', async () => {
    const nodes = { ...GRAPH.nodes, ask: { ...GRAPH.nodes.ask, exits: [{ id: 'go', to: 'gone' }] } }
    const draft = await create('broken', { graph: { ...GRAPH, nodes } })
    const { status, json } = await tenant.call('POST', path(draft, '/publish'))
    expect(status).toBe(422)
    expect(json.detail).toContainEqual({
      type: 'unknown_target',
      loc: ['body', 'graph', 'nodes', 'ask', 'exits', 0, 'to'],
      msg: 'there is no node gone',
    })
    expect(await read(draft)).toMatchObject({ status: 'draft', published_revision_id: null })
  })

  it('keeps what is not sent, and counts what changes', async () => {
    const draft = await create('kept', { description: 'First.' })
    const only = { agent_name: 'desk', key: 'kept', name: 'New name' }
    const { json } = await expectOk(tenant.call('PUT', path(draft), only))
    expect(json).toMatchObject({
      name: 'New name',
      description: 'First.',
      graph: GRAPH,
      version: 2,
    })
    expect((await expectOk(tenant.call('PUT', path(draft), only))).json.version).toBe(2)
    const shown = async (more: object) => {
      const { json } = await expectOk(tenant.call('PUT', path(draft), { ...only, ...more }))
      return [json.name, json.display_name]
    }
    expect(await shown({ display_name: ' ' })).toEqual(['New name', 'New name'])
    expect(await shown({ name: '', display_name: '' })).toEqual(['kept', 'kept'])
    const older = { ...only, learner_visibility: 'progress' }
    const { json: seen } = await expectOk(tenant.call('PUT', path(draft), older))
    expect([seen.user_visibility, seen.learner_visibility]).toEqual(['progress', 'progress'])
    const both = { ...older, user_visibility: 'hidden' }
    expect((await expectOk(tenant.call('PUT', path(draft), both))).json.user_visibility).toBe(
      'hidden',
    )
  })

  it('refuses to overwrite a newer version', async () => {
    const draft = await create('stale')
    const edit = (name: string) =>
      tenant.call('PUT', path(draft), { ...ready('stale'), name, expected_version: 1 })
    const answers = await Promise.all([edit('Ann'), edit('Ben')])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409])
    const lost = answers.find(({ status }) => status === 409)
    expect(lost?.json).toEqual({
      code: 'stale_version',
      detail: 'Version conflict',
      version: 2,
    })
    expect(ErrorOut.strict().safeParse(lost?.json).error).toBeUndefined()
  })

  it('refuses to undo unseen what a rename or a deletion changed in it', async () => {
    await seedAgent(tenant, 'before')
    const next = await create('next', { agent_name: 'before' })
    const seen = await create('seen', { agent_name: 'before', next_storyline_id: next.id })
    const editSeen = () =>
      tenant.call('PUT', path(seen), { ...seen, name: 'Mine', expected_version: seen.version })
    await expectOk(tenant.call('PATCH', '/v1/agents/before', { name: 'after' }))
    expect((await editSeen()).json).toMatchObject({ code: 'stale_version', version: 2 })
    await expectOk(tenant.call('DELETE', path(next)))
    expect((await editSeen()).json).toMatchObject({ code: 'stale_version', version: 3 })
    const { agent_name, next_storyline_id } = await read(seen)
    expect([agent_name, next_storyline_id]).toEqual(['after', null])
  })

  it('nor the new name of a base, nor that another one is the default now', async () => {
    await expectOk(tenant.call('POST', '/v1/knowledge-bases', { name: 'former' }))
    const talk = { type: 'converse', goal: 'Talk it over.', knowledge_bases: ['former'] }
    const seen = await create('reader', { is_default: true, graph: { ...GRAPH, nodes: { talk } } })
    const edit = { ...seen, name: 'Mine', expected_version: seen.version }
    await expectOk(tenant.call('PATCH', '/v1/knowledge-bases/former', { name: 'current' }))
    expect((await tenant.call('PUT', path(seen), edit)).json).toMatchObject({ version: 2 })
    await create('usurper', { is_default: true })
    expect((await tenant.call('PUT', path(seen), edit)).json).toMatchObject({ version: 3 })
    const { graph, is_default } = await read(seen)
    expect([graph.nodes.talk.knowledge_bases, is_default]).toEqual([['current'], false])
  })

  it('has one key once per agent, and one default', async () => {
    await create('taken')
    const second = await tenant.call('POST', '/v1/storylines', ready('taken'))
    expect([second.status, second.json.detail]).toEqual([409, 'Storyline already exists'])
    const rival = await create('rival')
    const moved = await tenant.call('PUT', path(rival), ready('taken'))
    expect([moved.status, moved.json.detail]).toEqual([409, 'Storyline already exists'])
    await create('taken', { agent_name: 'other' })
    const first = await create('first-default', { is_default: true })
    const next = await create('next-default', { is_default: true })
    expect((await read(first)).is_default).toBe(false)
    await expectOk(tenant.call('PUT', path(first), { ...ready('first-default'), is_default: true }))
    expect([(await read(first)).is_default, (await read(next)).is_default]).toEqual([true, false])
    const elsewhere = await create('elsewhere', { agent_name: 'other', is_default: true })
    expect([(await read(first)).is_default, elsewhere.is_default]).toEqual([true, true])
  })

  it('copies to a draft under the next free key', async () => {
    const draft = await create('model', { is_default: true, position: 3 })
    await expectOk(tenant.call('POST', path(draft, '/publish')))
    const copies = []
    for (let n = 0; n < 3; n++)
      copies.push((await expectOk(tenant.call('POST', path(draft, '/clone')))).json)
    expect(copies.map(({ key }) => key)).toEqual(['model-copy', 'model-copy2', 'model-copy3'])
    expect(copies[0]).toMatchObject({
      status: 'draft',
      version: 1,
      published_revision_id: null,
      is_default: false,
      graph: GRAPH,
    })
    expect((await expectOk(tenant.call('GET', path(copies[0], '/revisions')))).json).toEqual([])
  })

  it('goes with its name wherever it was named', async () => {
    const draft = await create('gone')
    const leading = await create('leading', { next_storyline_id: draft.id, on_complete: 'next' })
    expect((await tenant.call('DELETE', path(draft))).status).toBe(204)
    expect((await tenant.call('GET', path(draft))).status).toBe(404)
    expect((await read(leading)).next_storyline_id).toBeNull()
    const { json } = await expectOk(tenant.call('POST', path(leading, '/validate')))
    expect(json.errors.map(({ code }: { code: string }) => code)).toEqual(['next_missing'])
  })

  it('follows its agent to a new name, and goes with it', async () => {
    await seedAgent(tenant, 'mover')
    const draft = await create('moves', { agent_name: 'mover' })
    await expectOk(tenant.call('PATCH', '/v1/agents/mover', { name: 'moved' }))
    expect((await read(draft)).agent_name).toBe('moved')
    const waiting = await create('moves', { agent_name: 'mover' })
    const { status, json } = await tenant.call('PATCH', '/v1/agents/moved', { name: 'mover' })
    expect([status, json.detail]).toEqual([409, expect.stringContaining('A storyline')])
    await expectOk(tenant.call('DELETE', path(waiting)))
    await expectOk(tenant.call('DELETE', '/v1/agents/moved'))
    expect((await tenant.call('GET', path(draft))).status).toBe(404)
  })

  it('what leads to a storyline that goes with its agent leads nowhere then', async () => {
    await seedAgent(tenant, 'leaver')
    const last = await create('last', { agent_name: 'leaver' })
    const leading = await create('leads-there', { next_storyline_id: last.id })
    await expectOk(tenant.call('DELETE', '/v1/agents/leaver'))
    expect(await read(leading)).toMatchObject({ next_storyline_id: null, version: 2 })
  })

  it('an agent has one default also where the name that it gets has storylines waiting', async () => {
    await seedAgent(tenant, 'comer')
    const waiting = await create('waits', { agent_name: 'arrived', is_default: true })
    await expectOk(tenant.call('PATCH', '/v1/agents/comer', { name: 'arrived' }))
    expect((await read(waiting)).is_default).toBe(true)
    await expectOk(tenant.call('PATCH', '/v1/agents/arrived', { name: 'comer' }))
    const later = await create('later', { agent_name: 'arrived', is_default: true })
    await expectOk(tenant.call('PATCH', '/v1/agents/comer', { name: 'arrived' }))
    const defaults = [await read(waiting), await read(later)].map(({ is_default }) => is_default)
    expect(defaults).toEqual([true, false])
  })

  it('an agent is deleted with more storylines than a statement takes values', async () => {
    const owner = await seedTenant(parley)
    await seedAgent(owner, 'rich')
    for (let n = 0; n < 120; n += 10)
      await Promise.all(
        Array.from({ length: 10 }, (_, k) =>
          expectOk(
            owner.call('POST', '/v1/storylines', { agent_name: 'rich', key: `of-${n + k}` }),
          ),
        ),
      )
    await expectOk(owner.call('DELETE', '/v1/agents/rich'))
    expect((await owner.call('GET', '/v1/storylines')).json).toEqual([])
  })

  it('a base is renamed in all nodes of a large graph, and nothing else in it', async () => {
    await expectOk(tenant.call('POST', '/v1/knowledge-bases', { name: 'many' }))
    const nodesWith = (base: string) =>
      Object.fromEntries(
        Array.from({ length: 1000 }, (_, n) => [
          n === 0 ? 'many' : `a "key" \\ of.${n}`,
          {
            type: 'converse',
            title: 'many',
            knowledge_bases: Array(8).fill(base),
            milestone: true,
          },
        ]),
      )
    // Of nodes that are none, or are listed, nothing is changed.
    const odd = [
      { nodes: { a: 'many', b: { knowledge_bases: ['many'] } } },
      { nodes: [{ knowledge_bases: ['many'] }] },
      { nodes: { a: { knowledge_bases: 'many' }, b: { knowledge_bases: ['many', 3] } } },
    ]
    const large = await create('large', { graph: { ...GRAPH, nodes: nodesWith('many') } })
    const others = await Promise.all(odd.map((graph, n) => create(`odd-${n}`, { graph })))
    await expectOk(tenant.call('PATCH', '/v1/knowledge-bases/many', { name: 'mány "2"' }))
    expect((await read(large)).graph).toEqual({ ...GRAPH, nodes: nodesWith('mány "2"') })
    expect(await Promise.all(others.map(async (one) => (await read(one)).graph))).toEqual(odd)
  })

  it('leaves a graph of another shape as it was sent', async () => {
    const graph = {
      steps: [
        { id: 'Say hello', type: 'say', text: 'Hello!', next: 'Done' },
        { id: 'Done', type: 'finish' },
      ],
    }
    const draft = await create('foreign', { graph })
    expect(draft.graph).toEqual(graph)
    const { json } = await expectOk(tenant.call('POST', path(draft, '/publish')))
    expect([json.status, json.graph]).toEqual(['published', graph])
  })

  it.each([intake, cafe, noInternet])(
    'takes the example $key in, checks and gives it out',
    async (file) => {
      const { json: made } = await expectOk(tenant.call('POST', '/v1/storylines/import', file))
      expect(made).toMatchObject({ status: 'draft', version: 1, is_default: false })
      const { json: out } = await expectOk(tenant.call('GET', path(made, '/export')))
      expect(out).toEqual({ ...file, is_default: false })
      expect(Object.keys(out.graph.nodes)).toEqual(Object.keys(file.graph.nodes))
      const { json: second } = await expectOk(tenant.call('POST', '/v1/storylines/import', file))
      expect(second.key).toBe(`${file.key}-2`)

      const { json: checked } = await expectOk(tenant.call('POST', path(made, '/validate')))
      expect(checked.errors).toContainEqual(expect.objectContaining({ code: 'agent_missing' }))
      await seedAgent(tenant, file.agent_name, { tools: ['mcp:network'] })
      for (const name of ['spanish-a1', 'router-guides'])
        await tenant.call('POST', '/v1/knowledge-bases', { name })
      const config = { url: 'https://network.example/mcp' }
      const server = { name: 'network', transport: 'streamable_http', enabled: true, config }
      await tenant.call('POST', '/v1/mcp-servers', server)
      expect((await expectOk(tenant.call('POST', path(made, '/validate')))).json).toEqual({
        ok: true,
        errors: [],
      })
      const { json: live } = await expectOk(tenant.call('POST', path(made, '/publish')))
      expect(live.status).toBe('published')
      const { json: after } = await expectOk(tenant.call('GET', path(made, '/export')))
      expect(after).toEqual(out)
    },
  )

  it('reads no newer format', async () => {
    const { status, json } = await tenant.call('POST', '/v1/storylines/import', {
      ...intake,
      schema_version: 2,
    })
    expect([status, json.detail[0].type]).toEqual([422, 'schema_version_unsupported'])
    const { json: made } = await expectOk(
      tenant.call('POST', '/v1/storylines/import', { ...intake, override_agent_name: 'desk' }),
    )
    expect(made.agent_name).toBe('desk')
  })

  it('refuses the file of another kind', async () => {
    await seedAgent(tenant, 'not-a-storyline')
    const { json: file } = await expectOk(tenant.call('GET', `/v1/agents/not-a-storyline/export`))
    const refused = await tenant.call('POST', '/v1/storylines/import', file)
    expect([refused.status, refused.json.detail[0]]).toMatchObject([
      422,
      { loc: ['body', 'kind'], msg: 'Value error, the export is of another kind' },
    ])
    await expectOk(tenant.call('POST', '/v1/storylines/import', { ...intake, kind: 'course' }))
  })

  it('gives what names no agent to the oldest published one; without any, it says what is missing', async () => {
    const bare = await seedTenant(parley)
    const take = (file: unknown) => bare.call('POST', '/v1/storylines/import', file)
    const { agent_name: _, ...rest } = intake
    const refused = await take(rest)
    expect([refused.status, refused.json.detail[0].loc]).toEqual([422, ['body', 'agent_name']])
    await seedAgent(bare, 'draft', { published: false })
    await seedAgent(bare, 'desk', {})
    await seedAgent(bare, 'later', {})
    for (const file of [rest, {}]) {
      const { json: made } = await expectOk(take(file))
      expect([made.agent_name, made.status]).toEqual(['desk', 'draft'])
    }
  })

  it('gives what names no agent to the default one while that is there', async () => {
    const own = await seedTenant(parley)
    for (const name of ['oldest', 'wished']) await seedAgent(own, name)
    const agentFor = async (wished: unknown) => {
      await own.call('PATCH', '/v1/tenant/settings', { profile: { default_agent: wished } })
      return (await expectOk(own.call('POST', '/v1/storylines/import', {}))).json.agent_name
    }
    expect(await agentFor('wished')).toBe('wished')
    for (const nobody of ['gone', '', 7]) expect(await agentFor(nobody)).toBe('oldest')
  })

  it('is switched off per tenant: nothing is written, all is read', async () => {
    const draft = await create('frozen')
    await expectOk(
      parley.admin('PATCH', `/v1/admin/tenants/${tenant.id}`, { features: { storylines: false } }),
    )
    const writes = [
      tenant.call('POST', '/v1/storylines', ready('new')),
      tenant.call('PUT', path(draft), ready('frozen')),
      tenant.call('DELETE', path(draft)),
      tenant.call('POST', '/v1/storylines/import', intake),
      ...['clone', 'publish', 'unpublish'].map((verb) =>
        tenant.call('POST', path(draft, `/${verb}`)),
      ),
    ]
    for (const { status, json } of await Promise.all(writes))
      expect([status, json.detail]).toEqual([403, 'Storylines are not enabled'])
    expect((await expectOk(tenant.call('GET', '/v1/storylines/feature'))).json.enabled).toBe(false)
    await expectOk(tenant.call('POST', path(draft, '/validate')))
    await expectOk(
      parley.admin('PATCH', `/v1/admin/tenants/${tenant.id}`, { features: { storylines: true } }),
    )
    const { json } = await expectOk(tenant.call('GET', '/v1/storylines/feature'))
    expect(json).toMatchObject({ enabled: true, graph_format: 1, limits: { nodes: 500 } })
    expect(json.node_types).toContain('converse')
    expect(json.functions).toContain('has')
  })
})

describe('where people stand in a storyline', () => {
  let env: Env
  let draft: { id: string; published_revision_id: string }
  let users: string[]
  beforeAll(async () => {
    env = (await parley.worker.getEnv()) as unknown as Env
    tenant = await seedTenant(parley)
    await seedAgent(tenant, 'desk')
    const { json } = await expectOk(tenant.call('POST', '/v1/storylines', ready('tour')))
    draft = (await expectOk(tenant.call('POST', `/v1/storylines/${json.id}/publish`))).json
    users = []
    for (const name of ['ada', 'bob', 'eve'])
      users.push((await expectOk(tenant.as(name, 'GET', '/me'))).json.user_id)
  })

  const AT = Date.parse('2026-11-01T10:00:00Z')
  const idOf = (n: number) => `01890a5d-ac96-774b-bcce-${String(n).padStart(12, '0')}`
  const report = (n: number, more: Partial<EnrollmentReport> = {}): EnrollmentReport => ({
    tenantId: tenant.id,
    id: idOf(n),
    storylineId: draft.id,
    revisionId: draft.published_revision_id,
    userId: users[n % 3] ?? '',
    spaceId: idOf(900),
    node: 'ask',
    status: 'active',
    enteredNodeAt: AT,
    lastTurnAt: AT,
    createdAt: AT,
    updatedAt: AT,
    n: 1,
    counts: [{ node: 'ask', kind: 'entered', name: '', n: 1 }],
    ...more,
  })
  const leaves: EnrollmentReport['counts'] = [
    { node: 'ask', kind: 'exit', name: 'go', n: 1 },
    { node: 'ask', kind: 'seconds', name: '60', n: 1 },
    { node: 'bye', kind: 'entered', name: '', n: 1 },
    { node: 'bye', kind: 'completed', name: '', n: 1 },
  ]
  const list = (query = '') => tenant.call('GET', `/v1/storylines/${draft.id}/enrollments${query}`)
  const funnel = async () =>
    (await expectOk(tenant.call('GET', `/v1/storylines/${draft.id}/funnel`))).json.nodes

  it('counts each report once, in order, whatever is delivered again', async () => {
    expect(await takeReport(env.DB, report(1, { n: 2 }))).toBe('early')
    expect(await takeReport(env.DB, report(1))).toBe('taken')
    expect(await takeReport(env.DB, report(1))).toBe('known')
    expect(await takeReport(env.DB, report(1, { n: 3 }))).toBe('early')
    const last = report(1, { n: 2, node: 'bye', status: 'completed', counts: leaves })
    const twice = await Promise.all([takeReport(env.DB, last), takeReport(env.DB, last)])
    expect(twice.toSorted()).toEqual(['known', 'taken'])
    expect(await takeReport(env.DB, report(1))).toBe('known')
    expect(await funnel()).toEqual({
      ask: {
        title: null,
        type: 'collect',
        milestone: false,
        retired: false,
        entered: 1,
        active: 0,
        completed: 0,
        exited: 0,
        failed: 0,
        stalled: 0,
        median_seconds: expect.any(Number),
        exits: { go: 1 },
      },
      bye: expect.objectContaining({ entered: 1, completed: 1, median_seconds: null, exits: {} }),
    })
    expect((await funnel()).ask.median_seconds).toBeGreaterThan(15)
    expect((await funnel()).ask.median_seconds).toBeLessThanOrEqual(60)
  })

  it('keeps nothing of who or what is gone', async () => {
    const gone = { storylineId: idOf(901) }
    expect(await takeReport(env.DB, report(50, gone))).toBe('gone')
    expect(await takeReport(env.DB, report(50, { ...gone, n: 2 }))).toBe('gone')
    expect(await takeReport(env.DB, report(51, { userId: idOf(902) }))).toBe('gone')
    const other = await seedTenant(parley)
    expect(await takeReport(env.DB, report(52, { tenantId: other.id }))).toBe('gone')
    expect((await list()).json).toHaveLength(1)
  })

  it('lists them page by page, each page with the address of the next', async () => {
    for (let n = 2; n <= 6; n++) await takeReport(env.DB, report(n, { lastTurnAt: Date.now() }))
    const seen: string[] = []
    let at: string | null = `/v1/storylines/${draft.id}/enrollments?limit=4`
    while (at !== null) {
      const answer = await expectOk(tenant.call('GET', at))
      seen.push(...answer.json.map(({ id }: { id: string }) => id))
      at = /^<(.+)>; rel="next"$/.exec(answer.headers.get('link') ?? '')?.[1] ?? null
    }
    expect(seen).toEqual([6, 5, 4, 3, 2, 1].map(idOf))
    expect((await list('?status=completed')).json).toEqual([
      {
        id: idOf(1),
        user_id: users[1],
        current_node_key: 'bye',
        status: 'completed',
        entered_node_at: '2026-11-01T10:00:00.000Z',
        updated_at: '2026-11-01T10:00:00.000Z',
      },
    ])
    expect((await list('?node=ask&status=active')).json).toHaveLength(5)
    const foreign = await list('?limit=4&cursor=abc')
    expect([foreign.status, foreign.json.detail[0].loc]).toEqual([422, ['query', 'cursor']])
  })

  it('tells who stopped on the way from who goes on', async () => {
    await takeReport(env.DB, report(7, { lastTurnAt: Date.now() - 15 * 24 * 3600 * 1000 }))
    expect((await funnel()).ask).toMatchObject({ entered: 7, active: 6, stalled: 1 })
  })

  it('pauses who is on the way while it is not published', async () => {
    await expectOk(tenant.call('POST', `/v1/storylines/${draft.id}/unpublish`))
    expect((await list('?status=active')).json).toEqual([])
    expect((await list('?status=paused')).json).toHaveLength(6)
    await expectOk(tenant.call('POST', `/v1/storylines/${draft.id}/publish`))
    await expectOk(tenant.call('PATCH', '/v1/agents/desk', { published: false }))
    expect((await list('?status=paused')).json).toHaveLength(6)
    await expectOk(tenant.call('PATCH', '/v1/agents/desk', { published: true }))
    expect((await list('?status=active')).json).toHaveLength(6)
  })

  it('holds fast to the agent and the key while somebody is enrolled', async () => {
    const { status, json } = await tenant.call('PUT', `/v1/storylines/${draft.id}`, ready('new'))
    expect([status, json.code]).toEqual([409, 'has_enrollments'])
  })
})

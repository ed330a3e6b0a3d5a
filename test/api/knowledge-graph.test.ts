import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Parley, sharedParley } from '../support/harness'
import { expectOk, type SeededTenant, seedAgent, seedTenant, waitFor } from '../support/seed'
import { readSse } from '../support/sse-reader'
import { model, parley, withModel } from '../support/with-model'

interface Node {
  id: string
  source: string
  label: string | null
  kind: string
  x: number
  y: number
  z: number
  weight: number
  cluster: number
  match: boolean
}

const NOTES = [
  '# Boats\n\nThe ferry to Oslo leaves on Friday at nine and takes the whole night.',
  '# Bread\n\nRye bread needs a sourdough starter and eighteen hours of patience.',
]

describe('knowledge graph', () => {
  let parley: Parley
  let tenant: SeededTenant
  let uid: string
  let spaceId: string

  beforeAll(async () => {
    parley = await sharedParley()
    tenant = await seedTenant(parley)
    await seedAgent(tenant, 'desk')
    for (const message of [
      'My name is Ada Lovelace.',
      'I live in Lima.',
      'I am allergic to peanuts.',
      'I like rye bread.',
    ]) {
      await expectOk(tenant.as('ada', 'POST', '/v1/chat', { message, agent: 'desk' }))
    }
    const me = (await expectOk(tenant.as('ada', 'GET', '/me'))).json
    uid = me.user_id
    spaceId = me.space_id
    for (const [n, text] of NOTES.entries()) {
      await expectOk(
        tenant.as('ada', 'POST', `/me/spaces/${spaceId}/documents`, { title: `note-${n}`, text }),
      )
    }
    await waitFor(async () => {
      const { json } = await graph()
      return json.nodes?.length === 6 ? true : null
    })
  })
  afterAll(() => parley.close())

  const path = (query = '') => `/v1/manage/users/${uid}/knowledge-graph${query}`
  const graph = (query = '') => expectOk(tenant.call('GET', path(query)))
  const item = (id: string, query = '') =>
    tenant.call('GET', `/v1/manage/users/${uid}/knowledge-graph/items/${id}${query}`)

  it('places memories and passages, the same every time', async () => {
    const { json } = await graph()
    expect(json).toMatchObject({ total: 6, truncated: false })
    const kinds = json.nodes.map((node: Node) => `${node.source} ${node.kind}`).sort()
    expect(kinds.filter((kind: string) => kind === 'knowledge chunk')).toHaveLength(2)
    expect(kinds.filter((kind: string) => kind.startsWith('memory '))).toHaveLength(4)
    for (const node of json.nodes as Node[]) {
      for (const value of [node.x, node.y, node.z]) expect(Math.abs(value)).toBeLessThanOrEqual(1)
      expect(node.weight).toBeGreaterThan(0)
      expect(node.match).toBe(false)
      expect(node.label).toBeTruthy()
    }
    expect(new Set(json.nodes.map((node: Node) => `${node.x} ${node.y} ${node.z}`)).size).toBe(6)
    const again = (await graph('?refresh=true')).json
    expect(again.nodes).toEqual(json.nodes)
    expect(again.edges).toEqual(json.edges)
    expect(Date.parse(again.computed_at)).toBeGreaterThan(Date.parse(json.computed_at))
    expect((await graph()).json.computed_at).toBe(again.computed_at)
    const ids = new Set(json.nodes.map((node: Node) => node.id))
    for (const edge of json.edges) {
      expect(ids.has(edge.a) && ids.has(edge.b) && edge.a !== edge.b).toBe(true)
      expect(edge.weight).toBeGreaterThanOrEqual(0.2)
    }
  })

  it('chooses by source and space, finds in any form, and cuts to the limit with what matches', async () => {
    const sources = async (query: string) =>
      (await graph(query)).json.nodes.map((node: Node) => node.source)
    expect(new Set(await sources('?source=memory'))).toEqual(new Set(['memory']))
    expect(await sources('?source=knowledge')).toEqual(['knowledge', 'knowledge'])
    expect(await sources(`?space_id=${spaceId}`)).toHaveLength(6)
    const { json } = await graph('?q=BREADS rye')
    const matched = json.nodes.filter((node: Node) => node.match)
    expect(matched.map((node: Node) => node.source).sort()).toEqual(['knowledge', 'memory'])
    const cut = (await graph('?q=ferry&limit=1')).json
    expect(cut).toMatchObject({ total: 6, truncated: true })
    expect(cut.nodes).toMatchObject([{ source: 'knowledge', match: true }])
  })

  it('opens one item with its neighbours', async () => {
    const { nodes } = (await graph('?q=rye bread')).json
    const memory = nodes.find((node: Node) => node.match && node.source === 'memory')
    const passage = nodes.find((node: Node) => node.match && node.source === 'knowledge')
    const one = await expectOk(item(memory.id))
    expect(one.json).toMatchObject({
      id: memory.id,
      source: 'memory',
      text: memory.label,
      meta: { kind: memory.kind, agent_name: 'desk', space_id: spaceId },
    })
    expect(one.json.neighbors[0].id).toBe(passage.id)
    expect(one.json.neighbors.map((near: { id: string }) => near.id)).not.toContain(memory.id)
    const other = await expectOk(item(passage.id, '?source=knowledge'))
    expect(other.json.text).toContain('eighteen hours')
    expect(other.json.meta).toMatchObject({ kind: 'chunk', document_name: 'note-1.txt', n: 0 })
    expect((await item(memory.id, '?source=knowledge')).status).toBe(404)
    expect((await item(passage.id.replace(/\.0$/, '.7'))).json).toEqual({
      detail: 'Item not found',
    })
    expect((await item('not-an-id')).status).toBe(422)
  })

  it('streams its progress and ends with the whole answer', async () => {
    const response = await fetch(new URL(path('?stream=true&refresh=true'), parley.url), {
      headers: { 'x-api-key': tenant.key },
    })
    expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
    const frames = await readSse(response)
    const stages = frames
      .filter((frame) => frame.event === 'progress')
      .map((frame) => frame.data.stage)
    expect([...new Set(stages)]).toEqual(['collecting', 'projecting', 'connecting'])
    const last = frames.at(-1)
    expect(last?.event).toBe('done')
    const plain = (await graph()).json
    expect(last?.data.nodes).toEqual(plain.nodes)
  })

  it('refuses what is not the user’s, and bad queries', async () => {
    const other = await seedTenant(parley)
    expect((await other.call('GET', path())).json).toEqual({ detail: 'User not found' })
    expect((await other.call('GET', path('?stream=true'))).status).toBe(404)
    await expectOk(tenant.as('bob', 'GET', '/me'))
    const bob = (await tenant.as('bob', 'GET', '/me')).json
    expect((await tenant.call('GET', path(`?space_id=${bob.space_id}`))).json).toEqual({
      detail: 'Space not found',
    })
    const { nodes } = (await graph('?source=memory')).json
    const stolen = `/v1/manage/users/${bob.user_id}/knowledge-graph/items/${nodes[0].id}`
    expect((await tenant.call('GET', stolen)).json).toEqual({ detail: 'Item not found' })
    for (const query of ['?source=web', '?limit=0', '?limit=2001', '?refresh=maybe', '?space_id=x'])
      expect((await tenant.call('GET', path(query))).status).toBe(422)
    const empty = await expectOk(
      tenant.call('GET', `/v1/manage/users/${bob.user_id}/knowledge-graph`),
    )
    expect(empty.json).toMatchObject({ nodes: [], edges: [], total: 0, truncated: false })
  })

  it('shows what is forgotten no longer', async () => {
    await expectOk(tenant.as('ada', 'DELETE', '/me/remembered/desk'))
    expect((await graph()).json).toMatchObject({ total: 2 })
  })

  it('shows no content in privacy mode, and cannot be searched', async () => {
    await expectOk(tenant.call('PUT', '/v1/tenant/privacy', { privacy_mode: true }))
    const { json } = await graph('?q=ferry')
    expect(json.total).toBe(2)
    for (const node of json.nodes as Node[]) expect([node.label, node.match]).toEqual([null, false])
    const one = await expectOk(item(json.nodes[0].id))
    expect(one.json).toMatchObject({
      text: null,
      meta: { document_name: null, heading: null },
    })
    expect(one.text).not.toMatch(/ferry|bread|note-/i)
  })
})

describe('knowledge graph with a trained embedder', () => {
  let tenant: SeededTenant

  withModel({ EMBEDDING_MODEL: 'test-embedder' })
  beforeAll(async () => {
    tenant = await seedTenant(parley)
    await seedAgent(tenant, 'desk')
    const facts = ['I live in Lima.', 'I like mate tea.', 'I work as a nurse.']
    const learnt = facts.map((content) => ({ kind: 'fact', topic: 'me', importance: 6, content }))
    model.script = (call) =>
      JSON.stringify(call.messages[0]).includes('long-term memory')
        ? { text: JSON.stringify({ memories: learnt, profile: null }) }
        : { text: 'I see.' }
    await expectOk(
      tenant.as('ada', 'POST', '/v1/chat', { message: facts.join(' '), agent: 'desk' }),
    )
  })

  it('places memories by their vectors', async () => {
    const uid = (await expectOk(tenant.as('ada', 'GET', '/me'))).json.user_id
    const path = `/v1/manage/users/${uid}/knowledge-graph`
    const { json } = await waitFor(async () => {
      const answer = await expectOk(tenant.call('GET', `${path}?source=memory`))
      return answer.json.total === 3 ? answer : null
    })
    // The other sources compare letters, so the same memories lie elsewhere.
    const all = (await expectOk(tenant.call('GET', path))).json
    expect(all.nodes.map((node: Node) => node.id)).toEqual(json.nodes.map((node: Node) => node.id))
    expect(all.nodes.map((node: Node) => node.x)).not.toEqual(
      json.nodes.map((node: Node) => node.x),
    )
  })
})

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Parley, sharedParley } from '../support/harness'
import {
  expectOk,
  type SeededTenant,
  seedAgent,
  seedBase,
  seedTenant,
  waitFor,
  waitForBase,
} from '../support/seed'

const section = (title: string, sentences: string[]) => `## ${title}\n\n${sentences.join(' ')}\n`
/** Long enough that every section is a passage of its own. */
const filler = (what: string) =>
  Array.from({ length: 30 }, (_, n) => `Point ${n} of ${what} is kept in drawer ${n} of the hall.`)
const HANDBOOK = [
  '# Handbook',
  section('Parcels', filler('parcels')),
  section('Refunds', ['Refunds are paid within five working days.', ...filler('refunds')]),
  section('Complaints', filler('complaints')),
].join('\n')
const QUESTION = 'Within how many working days are refunds paid?'

describe('sources of an answer', () => {
  let parley: Parley
  let tenant: SeededTenant
  beforeAll(async () => {
    parley = await sharedParley()
    tenant = await seedTenant(parley)
    await seedBase(tenant, 'guide', {})
    await upload(tenant, 'guide', 'handbook.md', HANDBOOK)
    await seedAgent(tenant, 'desk', { knowledge_bases: ['guide'], public_sources: true })
  })
  afterAll(() => parley.close())

  async function upload(of: SeededTenant, base: string, name: string, text: string) {
    const form = new FormData()
    form.set('file', new File([text], name, { type: 'text/markdown' }))
    const path = `/v1/knowledge-bases/${base}/documents/upload`
    const { json } = await expectOk(of.call('POST', path, form))
    await waitForBase(of, base)
    return json.documents[0].id as string
  }
  const ask = async (message: string, agent = 'desk', user = 'ada') =>
    (await expectOk(tenant.as(user, 'POST', '/v1/chat', { message, agent }))).json
  const read = (message: string, n: number | string = 1, rest = '', user = 'ada') =>
    tenant.as(user, 'GET', `/v1/messages/${message}/sources/${n}${rest}`)
  const visitor = async (agent: string, message: string) => {
    const body = { tenant_id: tenant.id }
    const { json } = await expectOk(parley.call('POST', '/auth/anonymous', { body }))
    const headers = { authorization: `Bearer ${json.access_token}` }
    const told = await expectOk(
      parley.call('POST', '/v1/chat', { headers, body: { message, agent } }),
    )
    return (rest: string) =>
      parley.call('GET', `/v1/messages/${told.json.message_id}/sources/1${rest}`, { headers })
  }

  it('gives the passage with the quoted place, between its neighbours', async () => {
    const answer = await ask(QUESTION)
    const [cited] = answer.sources
    for (const prefix of ['/v1', '/me', '/v1/me']) {
      const path = `${prefix}/messages/${answer.message_id}/sources/1`
      const { json } = await expectOk(tenant.as('ada', 'GET', path))
      expect(json).toMatchObject({
        n: 1,
        document_id: cited.document_id,
        chunk_id: cited.chunk_id,
        title: 'Handbook',
        heading: cited.heading,
        page: null,
        url: null,
        downloadable: false,
      })
      const { quotes, text } = json
      expect(quotes.map(({ start, end }: never) => text.slice(start, end))).toEqual(
        cited.quotes.map(({ quote }: { quote: string }) => quote),
      )
      expect(quotes[0].quote).toBe('Refunds are paid within five working days.')
      expect(json.previous.text).toContain('of parcels')
      expect(json.next.text).toContain('of complaints')
      expect(json.next.chunk_id).not.toBe(json.chunk_id)
    }
  })

  it('says which words of the answer rest on it', async () => {
    const { reply, sources } = await ask(QUESTION)
    const told = sources[0].quotes[0].sentences[0]
    expect(reply.slice(told.start, told.end)).toBe(reply)
  })

  it('says of an edited answer only which of its words still stand', async () => {
    const { session_id: sid, message_id: id, reply, sources } = await ask(QUESTION)
    const path = `/v1/me/sessions/${sid}/messages/${id}`
    const edit = async (content: string) =>
      (await expectOk(tenant.as('ada', 'PATCH', path, { content }))).json.sources
    expect(await edit(`${reply} Ask at the desk.`)).toEqual(sources)
    const [source, ...more] = sources
    const [quote, ...others] = source.quotes
    expect([more, others]).toEqual([[], []])
    const kept = [{ ...source, quotes: [{ ...quote, sentences: [] }] }]
    expect(await edit('Within a working week.')).toEqual(kept)
    expect(await edit(reply)).toEqual(kept)
    expect((await expectOk(read(id))).json.quotes[0].quote).toBe(quote.quote)
  })

  it('has no neighbour before the first passage and behind the last', async () => {
    await seedBase(tenant, 'short', { Note: 'The boiler is serviced by Kowalczyk every October.' })
    await seedAgent(tenant, 'short', { knowledge_bases: ['short'], public_sources: true })
    const { message_id } = await ask('Who services the boiler?', 'short')
    const { json } = await expectOk(read(message_id))
    expect([json.previous, json.next]).toEqual([null, null])
  })

  it('tells an end user what the agent’s setting allows today, and a tenant’s key all', async () => {
    const asVisitor = await visitor('desk', QUESTION)
    expect((await asVisitor('')).json.title).toBe('Handbook')
    await expectOk(tenant.call('PATCH', '/v1/agents/desk', { public_sources: false }))
    const hidden = await Promise.all([asVisitor(''), asVisitor('/original')])
    expect(hidden.map(({ status, json }) => [status, json.code])).toEqual([
      [403, 'sources_hidden'],
      [403, 'sources_hidden'],
    ])
    const { message_id } = await ask(QUESTION)
    expect((await read(message_id)).status).toBe(200)
    await expectOk(tenant.call('PATCH', '/v1/agents/desk', { public_sources: true }))
  })

  it('gives the file where its base says so', async () => {
    const { message_id } = await ask(QUESTION)
    const refused = await read(message_id, 1, '/original')
    expect([refused.status, refused.json.code]).toEqual([403, 'downloads_off'])
    const base = '/v1/knowledge-bases/guide'
    const changed = await expectOk(tenant.call('PATCH', base, { downloads: true }))
    expect(changed.json.downloads).toBe(true)
    expect((await read(message_id)).json.downloadable).toBe(true)
    const file = await expectOk(read(message_id, 1, '/original'))
    expect(file.text).toBe(HANDBOOK)
    expect(file.headers.get('content-type')).toBe('application/octet-stream')
    expect(file.headers.get('content-disposition')).toBe("attachment; filename*=UTF-8''handbook.md")
    const { json: trail } = await tenant.call('GET', '/v1/tenant/audit?entity=knowledge_base')
    expect(trail.items[0]).toMatchObject({
      action: 'update',
      before: { downloads: false },
      after: { downloads: true },
    })
    await expectOk(tenant.call('PATCH', base, { downloads: null }))
    expect((await read(message_id, 1, '/original')).status).toBe(403)
  })

  it('takes `downloads` when a base is made', async () => {
    const body = { name: 'open files', downloads: true }
    const { json } = await expectOk(tenant.call('POST', '/v1/knowledge-bases', body))
    expect(json.downloads).toBe(true)
  })

  it('says that a document is gone once it was changed or deleted, and shows no other text', async () => {
    const base = 'moving'
    await seedBase(tenant, base, {})
    const id = await upload(tenant, base, 'rules.md', 'Permits cost twelve euros a year.')
    await expectOk(tenant.call('PATCH', `/v1/knowledge-bases/${base}`, { downloads: true }))
    await seedAgent(tenant, 'moving', { knowledge_bases: [base], public_sources: true })
    const first = await ask('How much do permits cost?', 'moving')
    expect((await read(first.message_id)).json.text).toContain('twelve')
    expect(await upload(tenant, base, 'rules.md', 'Permits cost forty euros a year.')).toBe(id)
    const changed = await waitFor(async () => {
      const answer = await read(first.message_id)
      return answer.status === 200 ? null : answer
    })
    const gone = {
      detail: 'The document was changed or deleted since this answer was given',
      code: 'source_gone',
    }
    expect([changed.status, changed.json]).toEqual([410, gone])
    expect((await read(first.message_id, 1, '/original')).json).toEqual(gone)
    const second = await ask('How much do permits cost?', 'moving')
    expect((await read(second.message_id)).json.text).toContain('forty')
    await expectOk(tenant.call('DELETE', `/v1/knowledge-bases/${base}/documents/${id}`))
    const deleted = await Promise.all([
      read(second.message_id),
      read(second.message_id, 1, '/original'),
    ])
    expect(deleted.map(({ status, json }) => [status, json])).toEqual([
      [410, gone],
      [410, gone],
    ])
  })

  it('reads a user’s own documents, and hands them out to their owner', async () => {
    const note = { title: 'Boiler', text: 'The boiler is serviced by Kowalczyk every October.' }
    const home = (await tenant.as('carla', 'GET', '/me')).json.space_id
    const path = `/me/spaces/${home}/documents`
    const { json: made } = await expectOk(tenant.as('carla', 'POST', path, note))
    await waitFor(async () => {
      const { json } = await tenant.as('carla', 'GET', path)
      return json.items[0].status === 'ready' ? json : null
    })
    const { message_id, sources } = await ask('Who services the boiler?', 'desk', 'carla')
    const { json } = await expectOk(read(message_id, 1, '', 'carla'))
    expect(json).toMatchObject({
      document_id: made.id,
      chunk_id: sources[0].chunk_id,
      title: 'Boiler',
      text: note.text,
      quotes: [{ quote: note.text, start: 0, end: note.text.length }],
      previous: null,
      next: null,
      downloadable: true,
    })
    const file = await expectOk(read(message_id, 1, '/original', 'carla'))
    expect(file.text).toBe(note.text)
    expect((await read(message_id)).json).toEqual({ detail: 'Message not found' })
    await expectOk(tenant.as('carla', 'DELETE', `${path}/${made.id}`))
    expect((await read(message_id, 1, '', 'carla')).json.code).toBe('source_gone')
  })

  it('refuses numbers that are none, and knows only those that the answer has', async () => {
    const { message_id } = await ask(QUESTION)
    const odd = await Promise.all(
      ['x', '0', '1.5', '1e9'].map(async (n) => (await read(message_id, n)).status),
    )
    expect(odd).toEqual([422, 422, 422, 422])
    const absent = await read(message_id, 99)
    expect([absent.status, absent.json]).toEqual([404, { detail: 'Source not found' }])
  })
})

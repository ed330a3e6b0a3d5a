import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { LIMITS } from '../../src/config/limits'
import { ROOT } from '../support/build-once'
import type { Parley } from '../support/harness'
import { countJobs } from '../support/jobs-done'
import { type Killable, startKillable } from '../support/killable'
import {
  expectOk,
  type SeededTenant,
  seedAgent,
  seedBase,
  seedTenant,
  waitFor,
} from '../support/seed'

const NOTE = {
  title: 'Boiler',
  text: 'The boiler of the holiday cottage is serviced by Kowalczyk every October. Its pressure should be 1.5 bar.',
}

describe('documents of a space', () => {
  let server: Killable
  let tenant: SeededTenant
  beforeAll(async () => {
    server = await startKillable()
    tenant = await seedTenant(server.parley as Parley)
    await seedBase(tenant, 'guide', { Refunds: 'Refunds are paid within five working days.' })
    await seedAgent(tenant, 'desk', { knowledge_bases: ['guide'] })
    await seedAgent(tenant, 'strict', { grounding_required: true })
  }, 90_000)
  afterAll(() => server.dispose())

  const homeOf = async (user: string): Promise<string> =>
    (await expectOk(tenant.as(user, 'GET', '/me'))).json.space_id
  const list = async (user: string, space: string) =>
    (await expectOk(tenant.as(user, 'GET', `/me/spaces/${space}/documents`))).json.items
  const untilSettled = (user: string, space: string, id: string) =>
    waitFor(async () => {
      const found = (await list(user, space)).find((item: { id: string }) => item.id === id)
      return found && ['ready', 'failed'].includes(found.status) ? found : null
    })
  const add = async (user: string, space: string, body: unknown = NOTE) =>
    (await expectOk(tenant.as(user, 'POST', `/me/spaces/${space}/documents`, body))).json
  const upload = (
    user: string,
    space: string,
    name: string,
    bytes: Uint8Array<ArrayBuffer> | string,
  ) => {
    const form = new FormData()
    form.set('file', new Blob([bytes]), name)
    return tenant.as(user, 'POST', `/me/spaces/${space}/documents`, form)
  }
  const ask = async (
    user: string,
    message: string,
    fields: Record<string, unknown> = {},
    headers = {},
  ) =>
    (
      await expectOk(
        tenant.as(user, 'POST', '/v1/chat', { message, agent: 'desk', ...fields }, headers),
      )
    ).json

  it('takes a text, reads it in the background and answers from it beside the agent’s bases', async () => {
    const home = await homeOf('ada')
    const made = await tenant.as('ada', 'POST', `/me/spaces/${home}/documents`, NOTE)
    expect(made.status).toBe(201)
    expect(made.json).toMatchObject({
      name: 'Boiler.txt',
      mime: 'text/plain',
      status: 'queued',
      space_id: home,
      kb_name: null,
      source_url: null,
    })
    expect(await untilSettled('ada', home, made.json.id)).toMatchObject({
      status: 'ready',
      progress: 100,
      attempts: 1,
      chunk_count: 1,
      error: null,
    })
    const own = await ask('ada', 'Who services the boiler of the cottage?')
    expect(own.reply).toContain('Kowalczyk')
    expect(own.sources[0]).toMatchObject({ document_id: made.json.id, title: 'Boiler' })
    expect((await ask('ada', 'When are refunds paid?')).reply).toContain('five working days')
    const spaces = (await tenant.as('ada', 'GET', '/me/spaces')).json
    expect(spaces[0].document_count).toBe(1)
  })

  it('lets a grounded agent without a base answer from them', async () => {
    const home = await homeOf('bert')
    const before = await ask('bert', 'Who services the boiler?', { agent: 'strict' })
    expect(before.finish_reason).toBe('no_match')
    await untilSettled('bert', home, (await add('bert', home)).id)
    const after = await ask('bert', 'Who services the boiler?', { agent: 'strict' })
    expect(after.reply).toContain('Kowalczyk')
    expect(
      (await ask('bert', 'What is the capital of Peru?', { agent: 'strict' })).finish_reason,
    ).toBe('no_match')
  })

  it('takes files of the known kinds', async () => {
    const home = await homeOf('carl')
    const bytes = readFileSync(join(ROOT, 'test/fixtures/documents/handbook.docx'))
    const made = await upload('carl', home, 'files/handbook.docx', new Uint8Array(bytes))
    expect(made.status).toBe(201)
    expect(made.json).toMatchObject({ name: 'handbook.docx', size_bytes: bytes.length })
    expect(await untilSettled('carl', home, made.json.id)).toMatchObject({ status: 'ready' })
    const broken = await upload('carl', home, 'empty.csv', ' \n ')
    expect(broken.status).toBe(201)
    const failed = await untilSettled('carl', home, broken.json.id)
    expect(failed).toMatchObject({ status: 'failed', error: expect.stringMatching(/\w/) })
    const image = await upload(
      'carl',
      home,
      'x.png',
      new Uint8Array([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10]),
    )
    expect(image.status).toBe(415)
  })

  it('refuses bad input with a clear error', async () => {
    const home = await homeOf('dora')
    const path = `/me/spaces/${home}/documents`
    expect((await tenant.as('dora', 'POST', path, {})).json.detail).toEqual([
      { type: 'missing', loc: ['body', 'title'], msg: 'Field required' },
      { type: 'missing', loc: ['body', 'text'], msg: 'Field required' },
    ])
    for (const title of [' ', '//'])
      expect(
        (await tenant.as('dora', 'POST', path, { title, text: 'x' })).json.detail[0],
      ).toMatchObject({ loc: ['body', 'title'] })
    expect((await tenant.as('dora', 'POST', path, '{')).status).toBe(422)
    const form = new FormData()
    form.set('other', 'x')
    expect((await tenant.as('dora', 'POST', path, form)).json.detail[0].loc).toEqual([
      'body',
      'file',
    ])
    expect((await tenant.as('dora', 'GET', `${path}?limit=0`)).status).toBe(422)
    expect((await tenant.as('dora', 'DELETE', `${path}/nothing`)).status).toBe(422)
    expect((await tenant.call('GET', path)).status).toBe(401)
    expect(await list('dora', home)).toEqual([])
  })

  it('crosses neither users nor spaces', async () => {
    const home = await homeOf('emil')
    const { id } = await add('emil', home)
    await untilSettled('emil', home, id)
    for (const [method, path, body] of [
      ['GET', `/me/spaces/${home}/documents`],
      ['POST', `/me/spaces/${home}/documents`, NOTE],
      ['DELETE', `/me/spaces/${home}/documents/${id}`],
    ] as const) {
      const answer = await tenant.as('fina', method, path, body)
      expect([answer.status, answer.json.detail]).toEqual([404, 'Space not found'])
    }
    const other = await homeOf('fina')
    expect((await tenant.as('fina', 'DELETE', `/me/spaces/${other}/documents/${id}`)).json).toEqual(
      {
        detail: 'Document not found',
      },
    )
    expect((await ask('fina', 'Who services the boiler of the cottage?')).reply).not.toContain(
      'Kowalczyk',
    )
    const work = (await expectOk(tenant.as('emil', 'POST', '/me/spaces', { name: 'Work' }))).json.id
    await expectOk(tenant.as('emil', 'POST', `/me/spaces/${work}/agents`, { name: 'desk' }))
    const there = await ask(
      'emil',
      'Who services the boiler of the cottage?',
      {},
      { 'x-space-id': work },
    )
    expect(there.reply).not.toContain('Kowalczyk')
  })

  it('is gone from the search at once when it is deleted', async () => {
    const home = await homeOf('gina')
    const { id } = await add('gina', home)
    await untilSettled('gina', home, id)
    expect((await ask('gina', 'Who services the boiler?')).reply).toContain('Kowalczyk')
    expect(
      (await tenant.as('gina', 'DELETE', `/v1/me/spaces/${home}/documents/${id}`)).status,
    ).toBe(204)
    expect((await ask('gina', 'Who services the boiler?')).reply).not.toContain('Kowalczyk')
    expect(await list('gina', home)).toEqual([])
    expect((await tenant.as('gina', 'DELETE', `/me/spaces/${home}/documents/${id}`)).status).toBe(
      404,
    )
  })

  it('takes what is sent again under the same name as what it is', async () => {
    const home = await homeOf('lena')
    const first = await add('lena', home)
    await untilSettled('lena', home, first.id)
    expect((await add('lena', home)).id).toBe(first.id)
    const changed = { ...NOTE, text: NOTE.text.replace('Kowalczyk', 'Lindqvist') }
    const second = await add('lena', home, changed)
    expect(second.id).not.toBe(first.id)
    await untilSettled('lena', home, second.id)
    const reply = (await ask('lena', 'Who services the boiler of the cottage?')).reply
    expect(reply).toContain('Lindqvist')
    expect(reply).not.toContain('Kowalczyk')
    expect((await list('lena', home)).map((item: { id: string }) => item.id)).toEqual([second.id])
    expect((await add('lena', home, { ...changed, title: 'Heating' })).id).not.toBe(second.id)
    expect(await list('lena', home)).toHaveLength(2)
  })

  it('pages', async () => {
    const home = await homeOf('hugo')
    const ids: string[] = []
    for (const n of [1, 2, 3])
      ids.unshift((await add('hugo', home, { title: `Note ${n}`, text: `Line ${n}.` })).id)
    const path = `/me/spaces/${home}/documents?limit=2`
    const first = (await tenant.as('hugo', 'GET', path)).json
    const second = (await tenant.as('hugo', 'GET', `${path}&cursor=${first.next_cursor}`)).json
    expect([...first.items, ...second.items].map((item: { id: string }) => item.id)).toEqual(ids)
    expect(second.next_cursor).toBeNull()
  })

  it('refuses what would make the space larger than it may be', async () => {
    const home = await homeOf('iris')
    const text = Array.from(
      { length: 2100 },
      (_, n) => `# Part ${n}\n\n${`Sentence ${n} of a long book. `.repeat(9)}`,
    ).join('\n\n')
    const made = await upload('iris', home, 'book.md', text)
    const failed = await untilSettled('iris', home, made.json.id)
    expect(failed).toMatchObject({ status: 'failed', chunk_count: 0 })
    expect(failed.error).toContain('2000 passages')
  })

  it('holds no more of them than it may, however many are sent at once or failed', async () => {
    const home = await homeOf('mona')
    const broken = async (junk: string) => {
      const { json } = await expectOk(upload('mona', home, 'scan.pdf', `%PDF-1.7 ${junk}`))
      expect((await untilSettled('mona', home, json.id)).status).toBe('failed')
    }
    await broken('one')
    const sent = await Promise.all(
      Array.from({ length: LIMITS.spaceDocuments + 20 }, (_, n) =>
        upload('mona', home, `Note ${n}.txt`, `Line ${n}.`),
      ),
    )
    const statuses = sent.map(({ status }) => status)
    expect(statuses.filter((status) => status === 201)).toHaveLength(LIMITS.spaceDocuments - 1)
    expect(statuses.filter((status) => status === 409)).toHaveLength(21)
    await broken('two')
    await broken('three')
    const path = `/me/spaces/${home}/documents?limit=200`
    const { items } = (await expectOk(tenant.as('mona', 'GET', path))).json
    expect(items).toHaveLength(LIMITS.spaceDocuments)
  }, 60_000)

  it('has no word of them on disk, and finds them after a kill', async () => {
    const home = await homeOf('jan')
    const ingested = countJobs(server, 'space-document.ingest')
    const { id } = await add('jan', home, {
      title: 'Zanzibarite',
      text: 'The quokka sanctuary of Wooloomooloo opens at nine. Tickets are sold by Fjällbacka.',
    })
    await untilSettled('jan', home, id)
    await ingested()
    await server.kill()
    const stored = server.stored()
    expect(stored.includes('space_documents')).toBe(true)
    for (const word of [
      'Zanzibarite',
      'quokka',
      'Wooloomooloo',
      'wooloomooloo',
      'Kowalczyk',
      'boiler',
    ])
      expect(stored.includes(word)).toBe(false)
    await server.start()
    expect((await ask('jan', 'When does the quokka sanctuary open?')).reply).toContain('nine')
  }, 60_000)
})

import { unzipSync } from 'fflate'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Parley, startParley } from '../support/harness'
import { PIXEL, PIXEL_BASE64 } from '../support/image-bytes'
import { openLive } from '../support/live-stream'
import { type MailServer, plainText, startMailServer, subjectOf } from '../support/mail-server'
import {
  expectOk,
  type SeededTenant,
  seedAgent,
  seedBase,
  seedTenant,
  waitFor,
} from '../support/seed'
import { addSpaceOf } from '../support/space-content'

const OFTEN = '*/5 * * * *'
/** Rule FE2: how a sealed value looks. */
const ENVELOPE = /v1\.[\w-]{1,64}\.[\w-]{20,}/

describe('an export of all that a user has', { timeout: 60_000 }, () => {
  let parley: Parley
  let mail: MailServer
  let tenant: SeededTenant
  beforeAll(async () => {
    mail = await startMailServer('none')
    parley = await startParley({ EGRESS_ALLOW: mail.pair })
    tenant = await seedTenant(parley)
    await seedBase(tenant, 'shop', { refunds: 'Refunds are paid within 14 days.' })
    await seedAgent(tenant, 'desk', {
      knowledge_bases: ['shop'],
      tools: ['handoff'],
      display_name: 'Iris',
    })
    const [host, port] = mail.pair.split(':')
    const smtp = { host, port: Number(port), user: '', from_addr: 'a@shop.example', starttls: true }
    await expectOk(tenant.call('PUT', '/v1/tenant/settings/smtp', smtp))
  }, 60_000)
  afterAll(async () => {
    await parley.close()
    await mail.close()
  })

  const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
  const as = (user: string) => ({ 'x-api-key': tenant.key, 'x-end-user': user })
  const begin = async (headers: Record<string, string>) => {
    const answer = await expectOk(parley.call('POST', '/me/exports', { headers }))
    expect(answer.status).toBe(202)
    return answer.json
  }
  const made = (headers: Record<string, string>, id: string) =>
    waitFor(async () => {
      const { json } = await expectOk(parley.call('GET', `/me/exports/${id}`, { headers }))
      return json.status === 'running' ? null : json
    })
  const fetchFile = (headers: Record<string, string>, id: string) =>
    fetch(new URL(`/me/exports/${id}/file`, parley.url), { headers })
  async function filesOf(headers: Record<string, string>, id: string) {
    const answer = await fetchFile(headers, id)
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/zip'])
    const archive = new Uint8Array(await answer.arrayBuffer())
    return { archive, files: unzipSync(archive), headers: answer.headers }
  }
  const textOf = (bytes: Uint8Array | undefined) => new TextDecoder().decode(bytes)
  const run = async (sql: string, ...values: unknown[]) =>
    (await parley.worker.getEnv()).DB.prepare(sql)
      .bind(...values)
      .run()
  const stored = async (userId: string) => {
    const { FILES } = await parley.worker.getEnv()
    return (await FILES.list({ prefix: `users/${tenant.id}/${userId}/exports/` })).objects
  }
  async function account(email: string) {
    const body = { tenant_id: tenant.id, email, password: 'correct horse battery' }
    const { json } = await expectOk(parley.call('POST', '/auth/register', { body }))
    return { token: json.access_token as string, userId: json.user_id as string }
  }

  it('holds what was said, sent, remembered and planned, in every space', async () => {
    const call = (method: string, path: string, body?: unknown, more = {}) =>
      expectOk(parley.call(method, path, { body, headers: { ...as('ada'), ...more } }))
    await call('PATCH', '/me/profile', { pref_name: 'Ada', contact_email: 'ada@home.example' })
    const image = PIXEL
    const asked = { message: 'When are refunds paid?', agent: 'desk', images: [image] }
    const { json: turn } = await call('POST', '/v1/chat', asked)
    await call('POST', `/v1/messages/${turn.message_id}/feedback`, {
      value: 'down',
      comment: 'Too short for me.',
      reasons: ['unclear'],
    })
    await call('POST', '/me/reminders', { text: 'Call the shop', due_at: 'PT1H' })
    const other = await addSpaceOf(tenant, 'ada', 'desk')
    const note = { title: 'List', text: 'Milk and figs.' }
    const { json: document } = await call('POST', `/me/spaces/${other}/documents`, note)
    const there = { 'x-space-id': other }
    await call('POST', '/v1/chat', { message: 'My name is Ada Lovelace.', agent: 'desk' }, there)
    await call('POST', '/v1/chat', { message: 'Can I talk to a human?', agent: 'desk' }, there)
    await waitFor(async () => {
      const { json } = await call('GET', '/me/remembered', undefined, there)
      return json.length > 0 ? true : null
    })

    const { id } = await begin(as('ada'))
    const done = await made(as('ada'), id)
    expect(done).toMatchObject({ id, status: 'ready', error: null })
    const { archive, files, headers } = await filesOf(as('ada'), id)
    expect(done.size_bytes).toBe(archive.length)
    expect(headers.get('content-disposition')).toMatch(
      /^attachment; filename="export-[\d-]+\.zip"$/,
    )
    expect(headers.get('cache-control')).toBe('private, no-store')

    const { json: me } = await call('GET', '/me')
    const home = me.space_id
    const read = (name: string) => JSON.parse(textOf(files[name]))
    expect(read('account.json')).toMatchObject({
      id: me.user_id,
      external_user_id: 'ada',
      pref_name: 'Ada',
      contact_email: 'ada@home.example',
      spaces: [
        { id: home, is_default: true },
        { id: other, name: 'Other', agents: ['desk'], agent_display_names: ['Iris'] },
      ],
    })
    const [question, reply] = read(`spaces/${home}/messages-1.json`)
    expect(question).toMatchObject({ role: 'user', content: 'When are refunds paid?' })
    expect(reply).toMatchObject({
      id: turn.message_id,
      content: turn.reply,
      feedback: 'down',
      comment: 'Too short for me.',
      feedback_reasons: ['unclear'],
      in_history: true,
    })
    expect(reply.sources[0].document_id).toBe(turn.sources[0].document_id)
    expect(read(`spaces/${home}/sessions-1.json`)[0]).toMatchObject({
      id: turn.session_id,
      agent_name: 'desk',
      agent_display_name: 'Iris',
    })
    expect(read(`spaces/${home}/reminders-1.json`)[0]).toMatchObject({
      text: 'Call the shop',
      status: 'pending',
    })
    const [picture] = read(`spaces/${home}/attachments-1.json`)
    const pictures = Object.keys(files).filter((name) => name.includes(picture.id))
    expect(pictures).toHaveLength(1)
    const pixel = Buffer.from(files[pictures[0] ?? ''] ?? new Uint8Array())
    expect(pixel.toString('base64')).toBe(PIXEL_BASE64)

    expect(read(`spaces/${other}/documents-1.json`)[0]).toMatchObject({
      id: document.id,
      name: 'List.txt',
    })
    expect(textOf(files[`spaces/${other}/files/${document.id}-List.txt`])).toBe('Milk and figs.')
    expect(JSON.stringify(read(`spaces/${other}/memories-1.json`))).toContain('Ada Lovelace')
    expect(read(`spaces/${other}/handoffs-1.json`)[0]).toMatchObject({ status: 'requested' })

    const all = Object.values(files).map(textOf).join('\n')
    expect(all).not.toMatch(ENVELOPE)
    expect(all).not.toMatch(/wrapped|vector|password/i)
    const kept = await stored(me.user_id)
    expect(kept.length).toBeGreaterThan(1)
    const { FILES } = await parley.worker.getEnv()
    for (const { key } of kept) {
      const bytes = Buffer.from((await (await FILES.get(key))?.arrayBuffer()) ?? new ArrayBuffer())
      expect(bytes.includes('account.json') || bytes.includes('messages-1')).toBe(false)
    }
  })

  it('is made once at a time and a few times a day', async () => {
    const [one, same] = await Promise.all([begin(as('bob')), begin(as('bob'))])
    expect(same.id).toBe(one.id)
    let last = one
    for (let n = 1; n < 5; n++) {
      await made(as('bob'), last.id)
      last = await begin(as('bob'))
      expect(last.id).not.toBe(one.id)
    }
    await made(as('bob'), last.id)
    const more = await parley.call('POST', '/me/exports', { headers: as('bob') })
    expect(more.status).toBe(429)
    expect(Number(more.headers.get('retry-after'))).toBeGreaterThan(80_000)
  })

  it('is not there for anybody else, nor in anybody else’s tenant', async () => {
    const { id } = await begin(as('carol'))
    await made(as('carol'), id)
    const elsewhere = await seedTenant(parley)
    const others = [as('dave'), { 'x-api-key': elsewhere.key, 'x-end-user': 'carol' }]
    for (const headers of others) {
      for (const path of [`/me/exports/${id}`, `/me/exports/${id}/file`]) {
        const { status, json } = await parley.call('GET', path, { headers })
        expect([status, json]).toEqual([404, { detail: 'Export not found' }])
      }
    }
  })

  it('cannot be fetched before it is ready, or once it failed', async () => {
    const { id } = await begin(as('erin'))
    await made(as('erin'), id)
    for (const status of ['running', 'failed']) {
      await run('UPDATE exports SET status = ? WHERE id = ?', status, id)
      const early = await parley.call('GET', `/me/exports/${id}/file`, { headers: as('erin') })
      expect([early.status, early.json.code]).toEqual([409, 'export_not_ready'])
    }
  })

  it('is told of on the stream, and by mail to an address that is confirmed', async () => {
    const { token, userId } = await account('frank@people.example')
    await run('UPDATE accounts SET email_verified = 1 WHERE user_id = ?', userId)
    const live = await openLive(parley.url, bearer(token))
    await live.next(({ event }) => event === 'hello')
    const { id } = await begin(bearer(token))
    const told = await live.next(({ event }) => event === 'export')
    expect(told.data).toEqual({ id, status: 'ready' })
    live.leave()
    const ready = (address: string) =>
      mail.mails.find(
        (one) => one.to[0] === address && /^Your data from .+ is ready$/.test(subjectOf(one)),
      )
    const sent = await waitFor(async () => ready('frank@people.example') ?? null)
    expect(plainText(sent)).toContain('7 days')

    const quiet = await account('grace@people.example')
    const unsaid = await begin(bearer(quiet.token))
    await waitFor(async () => {
      const { results } = await run('SELECT told_at FROM exports WHERE id = ?', unsaid.id)
      return results[0]?.told_at ? true : null
    })
    expect(ready('grace@people.example')).toBeUndefined()
  })

  it('is gone after a week, with its files', async () => {
    const { json: me } = await expectOk(parley.call('GET', '/me', { headers: as('heidi') }))
    const { id } = await begin(as('heidi'))
    await made(as('heidi'), id)
    expect(await stored(me.user_id)).not.toEqual([])
    await run('UPDATE exports SET expires_at = 1 WHERE id = ?', id)
    for (const path of [`/me/exports/${id}`, `/me/exports/${id}/file`])
      expect((await parley.call('GET', path, { headers: as('heidi') })).status).toBe(404)
    await parley.worker.scheduled({ cron: OFTEN })
    expect(await stored(me.user_id)).toEqual([])
    expect((await run('SELECT id FROM exports WHERE id = ?', id)).results).toEqual([])
  })

  it('goes with its user', async () => {
    const { json: me } = await expectOk(parley.call('GET', '/me', { headers: as('ivan') }))
    const { id } = await begin(as('ivan'))
    await made(as('ivan'), id)
    await expectOk(tenant.call('DELETE', `/v1/manage/users/${me.user_id}`))
    await waitFor(async () => ((await stored(me.user_id)).length === 0 ? true : null))
    await waitFor(async () => {
      const { results } = await run('SELECT id FROM exports WHERE id = ?', id)
      return results.length === 0 ? true : null
    })
  })
})

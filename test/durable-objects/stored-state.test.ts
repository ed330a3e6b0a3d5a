import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Parley } from '../support/harness'
import { makePng } from '../support/image-bytes'
import { countJobs } from '../support/jobs-done'
import { type Killable, startKillable } from '../support/killable'
import { type OpenAiServer, startOpenAi } from '../support/openai-server'
import { expectOk, type SeededTenant, seedAgent, seedTenant, waitFor } from '../support/seed'

const PASSWORD = 'battery horse staple nine'
const isExtraction = (call: { messages: { content: unknown }[] }) =>
  JSON.stringify(call.messages[0]).includes('long-term memory')
const isTitle = (call: { messages: { content: unknown }[] }) =>
  JSON.stringify(call.messages[0]).includes('Write a title')

/** Everything that is written is given a word that occurs nowhere else, and then the disk is read. */
describe('what is on disk', { timeout: 120_000 }, () => {
  let server: Killable
  let model: OpenAiServer
  let tenant: SeededTenant

  beforeAll(async () => {
    model = await startOpenAi()
    model.script = (call) => ({
      text: isTitle(call)
        ? 'Xtitle walrusberry'
        : isExtraction(call)
          ? JSON.stringify({
              memories: [{ content: 'I keep quokkas.' }],
              profile: 'Keeps quokkas.',
            })
          : 'Xreply marzipanic',
    })
    server = await startKillable({
      EGRESS_ALLOW: new URL(model.baseUrl).host,
      DOH_URL: 'http://127.0.0.1:9/dns-query',
      ...model.vars,
      EMBEDDING_MODEL: 'test-embedder',
    })
    tenant = await seedTenant(server.parley as Parley)
    await seedAgent(tenant, 'desk')
  }, 90_000)
  afterAll(async () => {
    await server.dispose()
    await model.close()
  })

  it('holds no word that a user wrote and no secret of a tenant in the clear', async () => {
    const secrets: string[] = [tenant.key.slice(8, 40)]
    const put = (path: string, body: unknown) => expectOk(tenant.call('PUT', path, body))
    await put('/v1/tenant/privacy', {
      privacy_mode: false,
      byok_config: {
        provider: 'openai-compatible',
        base_url: `${model.baseUrl}/xaddress-hidden`,
        api_key: 'xkey-own-model',
        model: 'own-model',
      },
    })
    await put('/v1/tenant/oauth/google', {
      client_id: 'client',
      client_secret: 'xsecret-of-provider',
    })
    const hook = await expectOk(
      tenant.call('POST', '/v1/tenant/webhooks', {
        url: `${new URL(model.baseUrl).origin}/hook`,
        events: ['user.deleted'],
      }),
    )
    secrets.push(hook.json.secret.slice(6))

    const email = 'xmail.bandicoot@people.example'
    const account = await expectOk(
      server.parley.call('POST', '/auth/register', {
        body: { tenant_id: tenant.id, email, password: PASSWORD, pref_name: 'Xname Numbat' },
      }),
    )
    const headers = { authorization: `Bearer ${account.json.access_token}` }
    secrets.push(account.json.access_token.split('.')[2])
    const me = (method: string, path: string, body?: unknown) =>
      expectOk(server.parley.call(method, path, { body, headers }))
    const followed = countJobs(server, 'turn.after')
    const relearnt = countJobs(server, 'message.relearn')
    const reviewed = countJobs(server, 'message.review')
    const image = makePng(16, 16)
    const turn = await me('POST', '/v1/chat', {
      message: 'Xquestion: I keep quokkas, may I?',
      images: [`data:image/png;base64,${Buffer.from(image).toString('base64')}`],
    })
    const { session_id, message_id } = turn.json
    await waitFor(async () => {
      const { json } = await me('GET', '/me/remembered')
      return JSON.stringify(json).includes('quokkas') ? true : null
    })
    const space = (await me('GET', '/me')).json.space_id
    await waitFor(async () => {
      const { json } = await me('GET', `/me/spaces/${space}/sessions`)
      return json.items[0].title === 'Xtitle walrusberry' ? true : null
    })
    await me('PATCH', '/me/profile', {
      contact_email: 'xcontact.potoroo@people.example',
      contact_phone: '+4915112345678',
    })
    await me('POST', '/me/reminders', { text: 'Xreminder feed the wombat', due_at: 'PT2H' })
    await me('POST', `/v1/messages/${message_id}/feedback`, {
      value: 'down',
      comment: 'Xcomment dissatisfied bilby',
    })
    const other = await me('POST', '/v1/chat', { message: 'Xsecond echidnas' })
    await me('PATCH', `/me/sessions/${other.json.session_id}`, { title: 'Xrenamed cassowary' })
    const { json: messages } = await me('GET', `/me/sessions/${session_id}/messages`)
    await me('PATCH', `/me/sessions/${session_id}/messages/${messages[0].id}`, {
      content: 'Xedited: I keep numbats.',
    })
    await followed(2)
    await relearnt()
    await reviewed()
    await server.kill()

    const stored = server.stored()
    // The walk itself finds what is there to be found.
    for (const present of ['desk', tenant.alias, session_id]) {
      expect(stored.includes(present), present).toBe(true)
    }
    for (const hidden of [
      ...['Xquestion', 'quokkas', 'Xreply', 'marzipanic', 'Xtitle', 'walrusberry'],
      ...['xmail.bandicoot', 'Xname', 'Numbat', 'xcontact.potoroo', '15112345678'],
      ...[
        'Xreminder',
        'wombat',
        'Xcomment',
        'bilby',
        'echidnas',
        'Xrenamed',
        'cassowary',
        'Xedited',
      ],
      ...['xkey-own-model', 'xaddress-hidden', 'xsecret-of-provider', PASSWORD],
      ...secrets,
    ]) {
      expect(stored.includes(hidden), hidden).toBe(false)
    }
    expect(stored.includes(Buffer.from(image))).toBe(false)
  })
})

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Parley, startParley } from '../support/harness'
import { makePng } from '../support/image-bytes'
import { countJobs } from '../support/jobs-done'
import { type OpenAiServer, startOpenAi } from '../support/openai-server'
import {
  expectOk,
  type SeededTenant,
  seedAgent,
  seedTenant,
  waitFor,
  waitForBase,
} from '../support/seed'
import { publishedStoryline, storylineFile } from '../support/storylines'
import {
  type Bot,
  makeUpdate,
  startTelegram,
  type TelegramServer,
} from '../support/telegram-server'

const CODE = /^[0-9A-Z]{4}(?:-[0-9A-Z]{4}){3}$/
const AUDITED = '/v1/tenant/audit?entity=channel'
let chats = 5_000_000

describe('a messaging channel', () => {
  let parley: Parley
  let telegram: TelegramServer
  let openai: OpenAiServer
  let tenant: SeededTenant
  let bot: Bot
  beforeAll(async () => {
    telegram = await startTelegram()
    openai = await startOpenAi()
    parley = await startParley({
      TELEGRAM_URL: telegram.url,
      EGRESS_ALLOW: `${telegram.pair}`,
      LIMITS_BIND_TRIES: '',
      ...openai.vars,
      OPENAI_API_KEY: 'test',
      CHAT_MODEL: 'vision-test',
      STT_MODEL: 'ears-test',
      LIMITS_REMINDER_LEAD_S: '0',
      LIMITS_CLAIM_S: '2',
    })
    tenant = await seedTenant(parley)
    await expectOk(tenant.call('POST', '/v1/knowledge-bases', { name: 'guide' }))
    await expectOk(
      tenant.call('POST', '/v1/knowledge-bases/guide/documents/text', {
        title: 'Refunds',
        text: 'Refunds are paid within five working days.',
        source_url: 'https://shop.example/refunds',
      }),
    )
    await waitForBase(tenant, 'guide')
    openai.script = ({ messages }) => {
      const asked = JSON.stringify(messages.at(-1)?.content ?? '')
      const text =
        'Refunds are paid within **five** working days [1|Refunds are paid within five working days].'
      return { text: asked.includes('When are refunds') ? text : 'Hello.' }
    }
    await seedAgent(tenant, 'desk')
    await seedAgent(tenant, 'library', {
      knowledge_bases: ['guide'],
      public_sources: true,
      grounding_required: true,
    })
    await seedAgent(tenant, 'plain')
    await seedAgent(tenant, 'named', {
      display_name: 'Front desk',
      translations: { es: { display_name: 'Recepción' } },
    })
    bot = await connect(tenant)
  }, 60_000)
  afterAll(async () => {
    await parley.close()
    await Promise.all([telegram.close(), openai.close()])
  })

  const channelPath = '/v1/tenant/channels/telegram'
  async function connect(of: SeededTenant): Promise<Bot> {
    const made = telegram.addBot()
    await expectOk(of.call('PUT', channelPath, { token: made.token }))
    return made
  }
  const codeFor = async (user: string, agent = 'desk', of = tenant): Promise<string> =>
    (await expectOk(of.as(user, 'POST', `/me/chatapp/bind-code?agent=${agent}`))).json.code
  /** A chat that is linked to a user. */
  async function linked(user: string, agent = 'desk', lang = 'en'): Promise<number> {
    const chat = ++chats
    await telegram.say(bot, chat, { text: `/start ${await codeFor(user, agent)}` }, lang)
    expect(telegram.sentTo(chat)).toHaveLength(1)
    return chat
  }
  const replies = (chat: number, count: number) =>
    waitFor(async () => (telegram.sentTo(chat).length >= count ? telegram.sentTo(chat) : null))
  const isLinked = async (user: string) =>
    (await tenant.as(user, 'GET', '/me/channels')).json[0].linked as boolean
  const inbox = async () =>
    (await (await parley.worker.getEnv()).DB.prepare('SELECT * FROM channel_inbox').all()).results

  describe('the tenant’s bot', () => {
    it('is tried, told where to call, stored sealed, and never shown', async () => {
      const own = await seedTenant(parley)
      const path = channelPath
      const before = (await own.call('GET', path)).json
      expect(before).toEqual({
        channel: 'telegram',
        configured: false,
        bot_id: null,
        bot_name: null,
        bot_username: null,
        url: null,
        webhook_url: `${parley.url.origin}/v1/channels/telegram/${own.id}`,
        linked_users: 0,
        created_at: null,
        updated_at: null,
      })
      const made = telegram.addBot()
      const put = await own.call('PUT', path, { token: made.token })
      expect(put.status).toBe(200)
      expect(put.json).toMatchObject({
        configured: true,
        bot_id: String(made.id),
        bot_name: 'Help desk',
        bot_username: made.username,
        url: `https://t.me/${made.username}`,
      })
      expect(made.webhook?.url).toBe(put.json.webhook_url)
      expect(made.webhook?.secret).toMatch(/^[\w-]{43}$/)
      const list = await own.call('GET', '/v1/tenant/channels')
      expect(list.json).toEqual([put.json])
      const audit = await own.call('GET', AUDITED)
      expect(audit.json.items[0]).toMatchObject({
        action: 'create',
        entity_name: 'telegram',
        before: null,
        after: { bot_id: String(made.id), token: { set: true } },
      })
      const { DB } = await parley.worker.getEnv()
      const stored = JSON.stringify(
        (await DB.prepare('SELECT * FROM tenant_channels').all()).results,
      )
      for (const text of [put.text, list.text, audit.text, stored]) {
        expect(text).not.toContain(made.token.split(':')[1])
        expect(text).not.toContain(made.webhook?.secret)
      }

      expect((await own.call('DELETE', path)).status).toBe(204)
      expect(made.webhook).toBeNull()
      expect((await own.call('GET', path)).json).toEqual(before)
      expect((await own.call('DELETE', path)).status).toBe(404)
      expect(
        (await own.call('GET', AUDITED)).json.items.map((e: { action: string }) => e.action),
      ).toEqual(['delete', 'create'])
    })

    it('is not stored when the channel does not know the token or does not answer', async () => {
      const own = await seedTenant(parley)
      const unknown = `12345:${'x'.repeat(35)}`
      for (const token of [unknown, 'no-token', `1:${'é'.repeat(35)}`]) {
        const { status, json, text } = await own.call('PUT', channelPath, { token })
        expect(status).toBe(422)
        expect(json.detail[0]).toMatchObject({ type: 'value_error', loc: ['body', 'token'] })
        expect(text).not.toContain(token)
      }
      expect((await own.call('PUT', channelPath, {})).json.detail[0].type).toBe('missing')
      const made = telegram.addBot()
      for (const method of ['getMe', 'setWebhook']) {
        telegram.failNext(method, { status: 502, body: { ok: false, description: made.token } })
        const failed = await own.call('PUT', channelPath, { token: made.token })
        expect(failed.status).toBe(502)
        expect(failed.json).toEqual({
          detail: 'The messaging channel could not be reached',
          code: 'channel_failed',
        })
      }
      expect((await own.call('GET', channelPath)).json.configured).toBe(false)
      expect((await own.call('GET', AUDITED)).json.items).toEqual([])
      expect((await own.call('GET', '/v1/tenant/channels/fax')).status).toBe(422)
    })

    it('belongs to one tenant; another bot ends the links to the first', async () => {
      const own = await seedTenant(parley)
      const taken = await own.call('PUT', channelPath, { token: bot.token })
      expect([taken.status, taken.json.code]).toEqual([409, 'channel_taken'])
      expect(bot.webhook?.url).toContain(tenant.id)
      await seedAgent(own, 'desk')
      const first = await connect(own)
      const chat = ++chats
      await telegram.say(first, chat, { text: `/start ${await codeFor('ada', 'desk', own)}` })
      expect((await own.call('GET', channelPath)).json.linked_users).toBe(1)
      await expectOk(own.call('PUT', channelPath, { token: first.token }))
      expect((await own.call('GET', channelPath)).json.linked_users).toBe(1)
      const second = await connect(own)
      expect((await own.call('GET', channelPath)).json).toMatchObject({
        linked_users: 0,
        bot_id: String(second.id),
      })
    })
  })

  describe('linking', () => {
    it('gives a code, a deep link and a QR code for it, which links once', async () => {
      const { status, json } = await tenant.as('ada', 'POST', '/me/chatapp/bind-code?agent=desk')
      expect(status).toBe(200)
      expect(json).toEqual({
        code: expect.stringMatching(CODE),
        deep_link: `https://t.me/${bot.username}?start=${json.code}`,
        qr: expect.stringMatching(/^data:image\/svg\+xml,/),
        expires_at: expect.stringMatching(/Z$/),
      })
      const wait = Date.parse(json.expires_at) - Date.now()
      expect(wait).toBeGreaterThan(9 * 60_000)
      expect(wait).toBeLessThanOrEqual(10 * 60_000)
      expect(decodeURIComponent(json.qr)).toContain('<svg xmlns="http://www.w3.org/2000/svg"')
      expect((await tenant.as('ada', 'POST', '/v1/me/telegram/bind-code?agent=desk')).status).toBe(
        200,
      )

      // The second code has ended the first.
      const chat = ++chats
      await telegram.say(bot, chat, { text: `/start ${json.code}` })
      expect(telegram.sentTo(chat)[0]).toContain('not valid')
      const code = await codeFor('ada')
      await telegram.say(bot, chat, { text: `/start ${code}` })
      expect(telegram.sentTo(chat)[1]).toBe(
        'This chat is linked. You are talking to desk. Just write your question. /new starts a new chat, /stop ends the link.',
      )
      expect((await tenant.as('ada', 'GET', '/me/channels')).json).toEqual([
        {
          channel: 'telegram',
          bot_name: 'Help desk',
          bot_username: bot.username,
          linked: true,
          agent_name: 'desk',
          agent_display_name: 'desk',
          linked_at: expect.stringMatching(/Z$/),
        },
      ])
      // Said again by the same chat, it links nothing new; by another, it is used up.
      await telegram.say(bot, chat, { text: `/start ${code}` })
      expect(telegram.sentTo(chat)[2]).toContain('is linked')
      const thief = ++chats
      await telegram.say(bot, thief, { text: `/start ${code}` })
      expect(telegram.sentTo(thief)[0]).toContain('not valid')
      expect(await isLinked('ada')).toBe(true)
    })

    it('names the agent as people of that language know it (#8.25)', async () => {
      const chat = await linked('nadia', 'named', 'es')
      expect(telegram.sentTo(chat)[0]).toContain('Hablas con Recepción.')
      await telegram.say(bot, chat, { text: '/help' }, 'fr')
      expect(telegram.sentTo(chat)[1]).toContain('Front desk')
      await telegram.say(bot, chat, { text: '/start' }, 'es')
      expect(telegram.sentTo(chat)[2]).toContain('Hablas con Recepción.')
      for (const [lang, name] of [
        ['es', 'Recepción'],
        ['fr', 'Front desk'],
      ] as const) {
        const headers = { 'accept-language': lang }
        const { json } = await tenant.as('nadia', 'GET', '/me/channels', undefined, headers)
        expect(json).toMatchObject([{ agent_name: 'named', agent_display_name: name }])
      }
    })

    it('takes a code that was typed, and tells in the person’s language what to do', async () => {
      const chat = ++chats
      await telegram.say(bot, chat, { text: 'Hola' }, 'es-AR')
      expect(telegram.sentTo(chat)[0]).toMatch(
        /^Este chat aún no está vinculado\. Inicia sesión en Tenant t/,
      )
      const code = (await codeFor('typed')).toLowerCase().replaceAll('-', ' ')
      await telegram.say(bot, chat, { text: code }, 'zh-hant')
      expect(telegram.sentTo(chat)[1]).toContain('此聊天已綁定')
      expect(await isLinked('typed')).toBe(true)
    })

    it('runs out after ten minutes, and belongs to its tenant', async () => {
      const code = await codeFor('late')
      const { DB } = await parley.worker.getEnv()
      await DB.prepare('UPDATE channel_codes SET expires_at = ? WHERE used_by IS NULL')
        .bind(Date.now() - 1)
        .run()
      const chat = ++chats
      await telegram.say(bot, chat, { text: `/start ${code}` })
      expect(telegram.sentTo(chat)[0]).toContain('not valid')

      const other = await seedTenant(parley)
      await seedAgent(other, 'desk')
      const otherBot = await connect(other)
      await telegram.say(otherBot, chat, { text: `/start ${await codeFor('late')}` })
      expect(telegram.sentTo(chat)[1]).toContain('not valid')
      expect(await isLinked('late')).toBe(false)
    })

    it('can be tried five times by a chat, and then not even the right one counts (AU6)', async () => {
      const [guesser, code] = [++chats, await codeFor('guessed')]
      for (let wrong = 0; wrong < 5; wrong++)
        await telegram.say(bot, guesser, { text: `/start ${'0'.repeat(15)}${wrong}` })
      expect(telegram.sentTo(guesser).every((text) => text.includes('not valid'))).toBe(true)
      await telegram.say(bot, guesser, { text: `/start ${code}` })
      expect(telegram.sentTo(guesser)).toHaveLength(6)
      expect(telegram.sentTo(guesser)[5]).toContain('Too many attempts')
      expect(await isLinked('guessed')).toBe(false)
      await telegram.say(bot, ++chats, { text: `/start ${code}` })
      expect(await isLinked('guessed')).toBe(true)
    })

    it('ends by /stop, from the account, and when the person shuts the bot out', async () => {
      const chat = await linked('stopper')
      await telegram.say(bot, chat, { text: '/stop' })
      expect(telegram.sentTo(chat).at(-1)).toContain('The link has ended')
      expect(await isLinked('stopper')).toBe(false)

      await linked('stopper')
      expect((await tenant.as('stopper', 'DELETE', '/me/channels/telegram')).status).toBe(204)
      expect((await tenant.as('stopper', 'DELETE', '/me/channels/telegram')).status).toBe(404)
      expect(await isLinked('stopper')).toBe(false)

      const third = await linked('stopper')
      bot.updates += 1
      await telegram.deliver(bot, {
        update_id: bot.updates,
        my_chat_member: {
          chat: { id: third, type: 'private' },
          new_chat_member: { status: 'kicked' },
        },
      })
      expect(await isLinked('stopper')).toBe(false)
    })

    it('ends with everything else that was signed in (AU6, AU11)', async () => {
      const password = 'correct horse battery'
      const changes = {
        own: (bearer: object) =>
          parley.call('POST', '/me/password', {
            body: { current_password: password, new_password: 'another one' },
            headers: { ...bearer },
          }),
        everywhere: (bearer: object) =>
          parley.call('POST', '/me/sign-out-everywhere', { headers: { ...bearer } }),
        tenant: (_: object, id: string) =>
          tenant.call('POST', `/v1/manage/users/${id}/password`, { new_password: 'another one' }),
      }
      for (const [name, change] of Object.entries(changes)) {
        const body = { tenant_id: tenant.id, email: `${name}@people.example`, password }
        const { json } = await expectOk(parley.call('POST', '/auth/register', { body }))
        const headers = { authorization: `Bearer ${json.access_token}` }
        const code = async () => {
          const at = '/me/chatapp/bind-code?agent=desk'
          return (await expectOk(parley.call('POST', at, { headers }))).json.code
        }
        const [chat, later] = [++chats, ++chats]
        await telegram.say(bot, chat, { text: `/start ${await code()}` })
        expect(telegram.sentTo(chat)[0], name).toContain('is linked')
        const unused = await code()
        await expectOk(change(headers, json.user_id))
        await telegram.say(bot, chat, { text: 'Who am I?' })
        expect(telegram.sentTo(chat)[1], name).toContain('not linked')
        await telegram.say(bot, later, { text: `/start ${unused}` })
        expect(telegram.sentTo(later)[0], name).toContain('not valid')
      }
    })

    it('is for channels and agents that exist', async () => {
      expect((await tenant.as('ada', 'POST', '/me/chatapp/bind-code')).json.detail[0].loc).toEqual([
        'query',
        'agent',
      ])
      expect((await tenant.as('ada', 'POST', '/me/chatapp/bind-code?agent=nobody')).status).toBe(
        404,
      )
      expect((await tenant.as('ada', 'POST', '/me/fax/bind-code?agent=desk')).status).toBe(404)
      const bare = await seedTenant(parley)
      await seedAgent(bare, 'desk')
      const none = await bare.as('ada', 'POST', '/me/chatapp/bind-code?agent=desk')
      expect([none.status, none.json]).toEqual([404, { detail: 'Channel not found' }])
      expect((await bare.as('ada', 'GET', '/me/channels')).json).toEqual([])
    })

    it('keeps no chat id, code or message in plain text', async () => {
      const chat = await linked('private')
      const { DB } = await parley.worker.getEnv()
      const tables = await Promise.all(
        ['channel_links', 'channel_codes', 'channel_inbox'].map(
          async (name) => (await DB.prepare(`SELECT * FROM ${name}`).all()).results,
        ),
      )
      const stored = JSON.stringify(tables)
      expect(stored).not.toContain(String(chat))
      expect(stored).not.toContain(await codeFor('private'))
    })
  })

  describe('the webhook', () => {
    const url = () => `${parley.url.origin}/v1/channels/telegram/${tenant.id}`

    it('takes nothing without the secret of its own tenant', async () => {
      const chat = ++chats
      const hook = bot.webhook
      for (const secret of ['wrong', `${hook?.secret}x`, hook?.secret.slice(1) ?? '']) {
        const refused = await telegram.deliver(bot, makeUpdate(bot, chat, { text: 'hi' }), {
          secret,
        })
        expect(refused.status).toBe(401)
        expect(await refused.json()).toEqual({ detail: 'Invalid webhook secret' })
      }
      const none = await telegram.deliver(bot, makeUpdate(bot, chat, { text: 'hi' }), {
        secret: null,
      })
      expect([none.status, await none.json()]).toEqual([401, { detail: 'Invalid webhook secret' }])
      const elsewhere = url().replace(tenant.id, '01890a5d-ac96-774b-bcce-b302099a8057')
      const absent = await telegram.deliver(bot, makeUpdate(bot, chat, { text: 'hi' }), {
        url: elsewhere,
      })
      expect([absent.status, await absent.json()]).toEqual([
        401,
        { detail: 'Invalid webhook secret' },
      ])
      expect(telegram.sentTo(chat)).toEqual([])
    })

    it('shows what may be answered as buttons, and asks a form one question at a time (#12.5)', async () => {
      await seedAgent(tenant, 'front-desk')
      await publishedStoryline(parley, tenant, storylineFile('customer-intake'))
      const chat = await linked('guided', 'front-desk')
      const answer = async (text: string, count: number) => {
        await telegram.say(bot, chat, { text })
        return (await replies(chat, count)).at(-1)
      }
      expect(await answer('Hello', 2)).toMatch(/What brings you here today\?$/)
      const { body } = telegram.calls.findLast(({ method }) => method === 'sendMessage') ?? {}
      expect(body.reply_markup).toEqual({
        keyboard: [
          [{ text: 'Buy or upgrade' }],
          [{ text: 'Get help' }],
          [{ text: 'Something else' }],
        ],
        one_time_keyboard: true,
        resize_keyboard: true,
      })
      expect(await answer('Something else', 3)).toBe('E-mail?')
      expect(await answer('ann@example.com', 4)).toBe('Your request in one sentence?')
      expect(await answer('Call me back', 5)).toMatch(/^Thank you/)
    })

    it('checks the secret before it reads the body', async () => {
      const send = (secret: string, body: string) =>
        fetch(url(), {
          method: 'POST',
          headers: { 'x-telegram-bot-api-secret-token': secret },
          body,
        })
      expect((await send('wrong', '{nonsense')).status).toBe(401)
      expect((await send(bot.webhook?.secret ?? '', '{nonsense')).status).toBe(422)
      for (const body of ['null', '[]', '"x"', '{}', '{"update_id":1}']) {
        expect((await send(bot.webhook?.secret ?? '', body)).status).toBe(200)
      }
    })
  })

  describe('a conversation', () => {
    it('is answered by the agent, in one session, with its sources as links', async () => {
      const chat = await linked('talker', 'library')
      await telegram.say(bot, chat, { text: 'When are refunds paid?' })
      const [, answer = ''] = await replies(chat, 2)
      expect(answer).toBe(
        'Refunds are paid within <b>five</b> working days [1].\n\n<b>Sources</b>\n[1] <a href="https://shop.example/refunds">Refunds</a>',
      )
      const { json } = await tenant.as(
        'talker',
        'GET',
        `/me/spaces/${await spaceOf('talker')}/sessions`,
      )
      expect(json.items).toHaveLength(1)
      expect(json.items[0]).toMatchObject({ agent_name: 'library', message_count: 2 })
      const asked = telegram.calls.find(
        ({ method, body }) => method === 'sendChatAction' && body.chat_id === chat,
      )
      expect(asked?.body.action).toBe('typing')

      await telegram.say(bot, chat, { text: 'And for shoes?' })
      await replies(chat, 3)
      const again = await tenant.as(
        'talker',
        'GET',
        `/me/spaces/${await spaceOf('talker')}/sessions`,
      )
      expect(again.json.items.map((s: { message_count: number }) => s.message_count)).toEqual([4])

      await telegram.say(bot, chat, { text: '/new' })
      await telegram.say(bot, chat, { text: 'Hello again' })
      await replies(chat, 5)
      const third = await tenant.as(
        'talker',
        'GET',
        `/me/spaces/${await spaceOf('talker')}/sessions`,
      )
      expect(third.json.items).toHaveLength(2)
      await waitFor(async () => ((await inbox()).every((row) => row.body === null) ? true : null))
    })

    it('answers the same update once, however often it comes', async () => {
      const chat = await linked('again')
      const update = makeUpdate(bot, chat, { text: 'How long do refunds take?' })
      const answers = await Promise.all([1, 2, 3].map(() => telegram.deliver(bot, update)))
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
      await replies(chat, 2)
      await telegram.deliver(bot, update)
      // One message after the other is answered: what comes last shows what did not come before.
      await telegram.say(bot, chat, { text: 'How long does delivery take?' })
      await replies(chat, 3)
      expect(telegram.sentTo(chat)).toHaveLength(3)
      const { json } = await tenant.as(
        'again',
        'GET',
        `/me/spaces/${await spaceOf('again')}/sessions`,
      )
      expect(json.items.map((s: { message_count: number }) => s.message_count)).toEqual([4])
    })

    it('keeps the order of messages that come at once', async () => {
      const chat = await linked('hasty')
      for (const n of [1, 2, 3]) await telegram.say(bot, chat, { text: `Question number ${n}?` })
      await replies(chat, 4)
      const { json } = await tenant.as(
        'hasty',
        'GET',
        `/me/spaces/${await spaceOf('hasty')}/sessions`,
      )
      const messages = await tenant.as('hasty', 'GET', `/me/sessions/${json.items[0].id}/messages`)
      expect(
        messages.json
          .filter((m: { role: string }) => m.role === 'user')
          .map((m: { content: string }) => m.content),
      ).toEqual(['Question number 1?', 'Question number 2?', 'Question number 3?'])
      expect(messages.json.map((m: { role: string }) => m.role)).toEqual([
        'user',
        'assistant',
        'user',
        'assistant',
        'user',
        'assistant',
      ])
    })

    it('takes a picture as an attachment', async () => {
      const chat = await linked('painter', 'plain')
      const bytes = makePng(64, 48)
      telegram.addFile('photo-1', bytes)
      await telegram.say(bot, chat, {
        caption: 'What is this?',
        photo: [
          { file_id: 'photo-0', file_size: 10 },
          { file_id: 'photo-1', file_size: bytes.length },
        ],
      })
      await replies(chat, 2)
      const { json } = await tenant.as(
        'painter',
        'GET',
        `/me/spaces/${await spaceOf('painter')}/sessions`,
      )
      const path = `/me/sessions/${json.items[0].id}/attachments`
      const attachments = (await tenant.as('painter', 'GET', path)).json
      expect(attachments).toMatchObject([{ mime: 'image/png', size_bytes: bytes.length }])
    })

    it('hears what was said to it', async () => {
      const chat = await linked('speaker', 'library')
      telegram.addFile('voice-1', new TextEncoder().encode('OggS'.padEnd(60, '\0')))
      await telegram.say(bot, chat, { voice: { file_id: 'voice-1', duration: 2 } })
      expect((await replies(chat, 2)).at(-1)).toContain('<b>five</b> working days')
      await telegram.say(bot, chat, { voice: { file_id: 'voice-1' }, caption: 'Quickly:' })
      await replies(chat, 3)
      const { json } = await tenant.as(
        'speaker',
        'GET',
        `/me/spaces/${await spaceOf('speaker')}/sessions`,
      )
      const path = `/me/sessions/${json.items[0].id}/messages`
      const said = (await tenant.as('speaker', 'GET', path)).json
      expect(
        said
          .filter((m: { role: string }) => m.role === 'user')
          .map((m: { content: string }) => m.content),
      ).toEqual(['When are refunds paid?', 'Quickly:\nWhen are refunds paid?'])
      await telegram.say(bot, chat, { voice: { file_id: 'voice-1', file_size: 11 * 1024 * 1024 } })
      expect((await replies(chat, 4)).at(-1)).toContain('I can read text and pictures')
      await telegram.say(bot, chat, { voice: { file_id: 'gone' } })
      expect((await replies(chat, 5)).at(-1)).toContain('I can read text and pictures')
    })

    it('says so when it cannot read what came', async () => {
      const chat = await linked('stickers', 'plain')
      await telegram.say(bot, chat, { sticker: { file_id: 's' } })
      expect(telegram.sentTo(chat).at(-1)).toContain('I can read text and pictures')
      telegram.addFile('huge', new Uint8Array(16))
      await telegram.say(bot, chat, { photo: [{ file_id: 'huge', file_size: 6 * 1024 * 1024 }] })
      expect((await replies(chat, 3)).at(-1)).toContain('cannot be read')
      telegram.addFile('text', new TextEncoder().encode('<html>no picture</html>'))
      await telegram.say(bot, chat, { photo: [{ file_id: 'text' }] })
      expect((await replies(chat, 4)).at(-1)).toContain('cannot be read')
      await telegram.say(bot, chat, { photo: [{ file_id: 'absent' }] })
      expect((await replies(chat, 5)).at(-1)).toContain('cannot be read')
    })

    it('waits as long as the channel asks, and unlinks who has shut the bot out', async () => {
      const chat = await linked('patient', 'plain')
      const wait = { status: 429, body: { ok: false, parameters: { retry_after: 2 } } }
      telegram.failNext('sendMessage', wait)
      const start = Date.now()
      await telegram.say(bot, chat, { text: 'Hello?' })
      // The refused attempt is a call too.
      await replies(chat, 3)
      expect(Date.now() - start).toBeGreaterThanOrEqual(2000)
      const texts = telegram.sentTo(chat)
      expect(texts.slice(1)).toEqual([texts[1], texts[1]])

      telegram.failNext('sendMessage', {
        status: 403,
        body: { ok: false, description: 'Forbidden: bot was blocked by the user' },
      })
      await telegram.say(bot, chat, { text: 'Still there?' })
      await waitFor(async () => ((await isLinked('patient')) ? null : true))
    })

    it('sends plainly what the channel does not take as markup', async () => {
      const chat = await linked('plainly', 'plain')
      telegram.failNext('sendMessage', {
        status: 400,
        body: { ok: false, description: "Bad Request: can't parse entities" },
      })
      await telegram.say(bot, chat, { text: 'Hello!' })
      await replies(chat, 3)
      const calls = telegram.calls.filter(
        ({ method, body }) => method === 'sendMessage' && body.chat_id === chat,
      )
      expect(calls.slice(1).map(({ body }) => body.parse_mode)).toEqual(['HTML', undefined])
    })

    it('keeps to the limits of every other turn', async () => {
      const small = await seedTenant(parley, { monthly_token_ceiling: 10 })
      await seedAgent(small, 'desk')
      const own = await connect(small)
      const chat = ++chats
      await telegram.say(own, chat, { text: `/start ${await codeFor('ada', 'desk', small)}` }, 'fr')
      await telegram.say(own, chat, { text: 'Bonjour' }, 'fr')
      expect((await replies(chat, 2))[1]).toContain('Aucune réponse ne peut être donnée')
      const put = (status: string) =>
        expectOk(parley.admin('PATCH', `/v1/admin/tenants/${small.id}`, { status }))
      await put('suspended')
      expect((await telegram.say(own, chat, { text: 'Bonjour ?' }, 'fr')).status).toBe(200)
      // What answers the next message would answer this one as well.
      await put('active')
      const answered = countJobs(parley, 'channel.turn')
      await telegram.say(own, chat, { text: 'Bonjour !' }, 'fr')
      await answered()
      expect(telegram.sentTo(chat)).toHaveLength(3)
    })

    it('sends a long reply in parts, cut between sentences', async () => {
      const chat = await linked('reader', 'plain')
      const long = Array.from({ length: 150 }, (_, n) => `Sentence ${n} of a long story.`).join(' ')
      const { script } = openai
      openai.script = () => ({ text: long })
      await telegram.say(bot, chat, { text: 'Tell me a long story' })
      const [, first = '', second = ''] = await replies(chat, 3)
      openai.script = script
      expect(first.length).toBeLessThanOrEqual(4096)
      expect(first.endsWith('.')).toBe(true)
      expect(`${first} ${second}`).toBe(long)
    })

    it('goes on where its space was merged to, in the same session', async () => {
      const create = tenant.as('mover', 'POST', '/me/spaces', { name: 'Work' })
      const work = (await expectOk(create)).json.id
      const target = await spaceOf('mover')
      const chat = ++chats
      const path = '/me/spaces'
      await expectOk(tenant.as('mover', 'POST', `${path}/${work}/agents`, { name: 'plain' }))
      const { json } = await expectOk(
        tenant.as('mover', 'POST', '/me/chatapp/bind-code?agent=plain', undefined, {
          'x-space-id': work,
        }),
      )
      await telegram.say(bot, chat, { text: `/start ${json.code}` })
      await telegram.say(bot, chat, { text: 'Before' })
      await replies(chat, 2)
      await expectOk(
        tenant.as('mover', 'POST', `${path}/${work}/merge`, { target_space_id: target }),
      )
      await telegram.say(bot, chat, { text: 'After' })
      await replies(chat, 3)
      const sessions = await tenant.as('mover', 'GET', `${path}/${target}/sessions`)
      expect(sessions.json.items.map((s: { message_count: number }) => s.message_count)).toEqual([
        4,
      ])
    })

    it('asks to be told again what its space was deleted over', async () => {
      const { id } = (await expectOk(tenant.as('mover', 'POST', '/me/spaces', { name: 'Away' })))
        .json
      const inSpace = { 'x-space-id': id }
      await expectOk(tenant.as('mover', 'POST', `/me/spaces/${id}/agents`, { name: 'plain' }))
      const bindCode = '/me/chatapp/bind-code?agent=plain'
      const { code } = (await expectOk(tenant.as('mover', 'POST', bindCode, undefined, inSpace)))
        .json
      const chat = ++chats
      await telegram.say(bot, chat, { text: `/start ${code}` })
      const [begun, deleted] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
      const { script } = openai
      openai.script = () => {
        begun.resolve()
        return { text: 'Too late.', until: deleted.promise }
      }
      await telegram.say(bot, chat, { text: 'Hello?' })
      await begun.promise
      expect((await tenant.as('mover', 'DELETE', `/me/spaces/${id}`)).status).toBe(204)
      deleted.resolve()
      openai.script = script
      expect((await replies(chat, 2))[1]).toMatch(/could not be answered.*again/)
      await telegram.say(bot, chat, { text: 'Hello again' })
      expect((await replies(chat, 3))[2]).toBe('Hello.')
    })

    it('ends with the user', async () => {
      const chat = await linked('leaver', 'plain')
      await telegram.say(bot, chat, { text: 'Remember me' })
      await replies(chat, 2)
      const { user_id } = (await tenant.as('leaver', 'GET', '/me')).json
      expect((await tenant.call('DELETE', `/v1/manage/users/${user_id}`)).status).toBe(204)
      const { DB } = await parley.worker.getEnv()
      await waitFor(async () => {
        const left = await Promise.all(
          ['channel_links', 'channel_codes', 'channel_inbox'].map((table) =>
            DB.prepare(`SELECT 1 FROM ${table} WHERE user_id = ?`).bind(user_id).all(),
          ),
        )
        return left.every(({ results }) => results.length === 0) ? true : null
      })
      await telegram.say(bot, chat, { text: 'Who am I?' })
      expect((await replies(chat, 3))[2]).toContain('This chat is not linked yet')
    })

    it('ends with the agent', async () => {
      await seedAgent(tenant, 'short-lived')
      const chat = await linked('loyal', 'short-lived')
      await expectOk(tenant.call('DELETE', '/v1/agents/short-lived'))
      await telegram.say(bot, chat, { text: 'Hello?' })
      expect((await replies(chat, 2))[1]).toContain('no longer available')
    })
  })

  describe('reminders', () => {
    it('are told in the linked chat, once, with their text as it is', async () => {
      const chat = await linked('reminded')
      const body = {
        text: 'Call *Ada* & <b>Bob</b>',
        due_at: new Date(Date.now() + 500).toISOString(),
      }
      const delivered = countJobs(parley, 'reminder.deliver')
      const { json } = await tenant.as('reminded', 'POST', '/me/reminders', body)
      const sent = await replies(chat, 2)
      expect(sent[1]).toBe('<b>Reminder</b>\nCall *Ada* &amp; &lt;b&gt;Bob&lt;/b&gt;')
      await delivered()
      expect(telegram.sentTo(chat)).toHaveLength(2)
      const [item] = (await tenant.as('reminded', 'GET', '/me/reminders')).json.items
      expect(item).toMatchObject({ id: json.id, status: 'sent' })
    })

    it('and follow-ups of a session that was begun there are told there', async () => {
      await seedAgent(tenant, 'caring', { tools: ['schedule_reminder'] })
      const chat = await linked('followed', 'caring')
      const { script } = openai
      openai.script = ({ messages }, n) =>
        n >= 0 && messages.at(-1)?.role !== 'tool'
          ? {
              toolCalls: [
                {
                  name: 'schedule_followup',
                  arguments: JSON.stringify({ text: 'How did it *go*?', due_at: 'PT1S' }),
                },
              ],
            }
          : { text: 'I will ask again.' }
      await telegram.say(bot, chat, { text: 'I have an exam today.' })
      const [, reply, followup] = await replies(chat, 3)
      openai.script = script
      expect([reply, followup]).toEqual(['I will ask again.', 'How did it <i>go</i>?'])
    })

    it('fail honestly when nobody listened and the channel refuses', async () => {
      const chat = await linked('unlucky')
      telegram.failNext('sendMessage', {
        status: 403,
        body: { ok: false, description: 'Forbidden: bot was blocked by the user' },
      })
      const body = { text: 'Lost', due_at: new Date(Date.now() + 200).toISOString() }
      await expectOk(tenant.as('unlucky', 'POST', '/me/reminders', body))
      const item = await waitFor(async () => {
        const [first] = (await tenant.as('unlucky', 'GET', '/me/reminders')).json.items
        return first.status === 'failed' ? first : null
      })
      expect(item.delivered_at).toBeNull()
      expect(telegram.sentTo(chat)).toHaveLength(2)
      expect(await isLinked('unlucky')).toBe(false)
    })
  })

  async function spaceOf(user: string): Promise<string> {
    return (await tenant.as(user, 'GET', '/me')).json.space_id
  }
})

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Parley } from '../support/harness'
import { type Killable, startKillable } from '../support/killable'
import { expectOk, type SeededTenant, seedAgent, seedTenant, waitFor } from '../support/seed'
import { type Bot, startTelegram, type TelegramServer } from '../support/telegram-server'

const COUNT = 6
const chats = { next: 7_000_000 }

describe('kill -9 around a messaging channel', { timeout: 180_000 }, () => {
  let server: Killable
  let telegram: TelegramServer
  let tenant: SeededTenant
  let bot: Bot
  beforeAll(async () => {
    telegram = await startTelegram()
    server = await startKillable({
      TELEGRAM_URL: telegram.url,
      PUBLIC_BASE: 'http://parley.test',
      LIMITS_REMINDER_LEAD_S: '0',
      LIMITS_CLAIM_S: '1',
    })
    tenant = await seedTenant(server.parley as Parley)
    await seedAgent(tenant, 'desk', { tools: ['current_time'] })
    bot = telegram.addBot()
    await expectOk(tenant.call('PUT', '/v1/tenant/channels/telegram', { token: bot.token }))
  }, 90_000)
  afterAll(async () => {
    await server.dispose()
    await telegram.close()
  })

  const webhook = () => new URL(`/v1/channels/telegram/${tenant.id}`, server.parley.url).href
  const say = (chat: number, text: string) => telegram.say(bot, chat, { text }, 'en', webhook())

  async function linked(user: string): Promise<number> {
    chats.next += 1
    const { json } = await expectOk(tenant.as(user, 'POST', '/me/chatapp/bind-code?agent=desk'))
    await say(chats.next, `/start ${json.code}`)
    expect(telegram.sentTo(chats.next)).toHaveLength(1)
    return chats.next
  }
  const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

  it.each([0, 15, 60, 200])(
    'killed %i ms after messages were taken: each is answered, by one turn',
    async (delayMs) => {
      const user = `talker${delayMs}`
      const chat = await linked(user)
      for (let n = 0; n < COUNT; n++) expect((await say(chat, `Question ${n}?`)).status).toBe(200)
      await pause(delayMs)
      await server.kill()
      await server.start()
      await pause(1200)
      await server.watch(5000)
      await waitFor(async () => (telegram.sentTo(chat).length > COUNT ? true : null))
      await pause(1500)
      // One more than sent when the process died between the channel's answer and the note of it.
      expect(telegram.sentTo(chat).length).toBeLessThanOrEqual(COUNT + 2)
      const me = await tenant.as(user, 'GET', '/me')
      const sessions = await tenant.as(user, 'GET', `/me/spaces/${me.json.space_id}/sessions`)
      const messages = (
        await Promise.all(
          sessions.json.items.map(({ id }: { id: string }) =>
            tenant.as(user, 'GET', `/me/sessions/${id}/messages`),
          ),
        )
      ).flatMap(({ json }) => json)
      const asked = messages.filter(({ role }) => role === 'user').map(({ content }) => content)
      expect(asked.toSorted()).toEqual(Array.from({ length: COUNT }, (_, n) => `Question ${n}?`))
    },
  )

  it.each([-200, 20, 150, 600])(
    'killed %i ms after reminders fell due: each reaches the chat',
    async (delayMs) => {
      const user = `reminded${delayMs}`
      const chat = await linked(user)
      const start = Date.now() + 1500
      const due_at = new Date(start).toISOString()
      const texts = Array.from({ length: COUNT }, (_, n) => `number ${n}`)
      await Promise.all(
        texts.map((text) => expectOk(tenant.as(user, 'POST', '/me/reminders', { text, due_at }))),
      )
      await pause(start + delayMs - Date.now())
      await server.kill()
      await server.start()
      const told = () =>
        telegram
          .sentTo(chat)
          .slice(1)
          .map((text) => text.split('\n')[1])
      // Any call wakes the object, which finds what its jobs had not reported.
      await waitFor(async () => {
        await tenant.as(user, 'GET', '/me/reminders')
        return new Set(told()).size === COUNT ? true : null
      })
      await pause(3000)
      expect([...new Set(told())].toSorted()).toEqual(texts)
      // A batch of jobs goes at once: what was sent, and not noted when the process died, is sent once more.
      for (const text of texts) {
        const times = told().filter((one) => one === text).length
        expect({ text, times }).toEqual({ text, times: expect.toSatisfy((n) => n <= 2) })
      }
      const { json } = await tenant.as(user, 'GET', '/me/reminders')
      expect(json.items.map(({ status }: { status: string }) => status)).toEqual(
        Array(COUNT).fill('sent'),
      )
    },
  )

  it('keeps no token, secret, chat id or text on disk in plain', async () => {
    const chat = await linked('hidden')
    await say(chat, 'A very private question?')
    await waitFor(async () => (telegram.sentTo(chat).length > 1 ? true : null))
    await server.kill()
    const stored = server.stored().toString('latin1')
    await server.start()
    for (const text of [
      bot.token.split(':')[1],
      bot.webhook?.secret,
      String(chat),
      'very private question',
    ]) {
      expect(stored).not.toContain(text)
    }
  })
})

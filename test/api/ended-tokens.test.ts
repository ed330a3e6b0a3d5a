import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Parley, startParley } from '../support/harness'
import { type Loopback, startLoopback } from '../support/loopback'
import { bodyOf, exampleOf, keyOf, pathOf, ROUTES, refusalBody } from '../support/route-contract'
import { expectOk, waitFor } from '../support/seed'
import { startTelegram, type TelegramServer } from '../support/telegram-server'
import { freshName, makeWorld, type Person, type World } from '../support/world'

const REFUSED = [401, { detail: 'Invalid or expired token' }]
const PASSWORD = 'correct horse battery'
const CRON = '*/5 * * * *'

/** Every route that takes an end user's token. */
const TOKEN_ROUTES = ROUTES.filter(
  ({ layer, keyOnly }) => (layer === 'user' || layer === 'app') && !keyOnly,
)

const TURN_ROUTES = TOKEN_ROUTES.filter(({ beginsTurn }) => beginsTurn)

describe('a token that a password reset ended', () => {
  let parley: Parley
  let page: Loopback
  let telegram: TelegramServer
  let world: World
  let db: D1Database
  let ada: Awaited<ReturnType<typeof register>>
  let fresh: string
  beforeAll(async () => {
    telegram = await startTelegram()
    page = await startLoopback((_request, response) => response.writeHead(200).end('A page.'))
    parley = await startParley({ EGRESS_ALLOW: page.pair, TELEGRAM_URL: telegram.url })
    world = await makeWorld(parley, page.origin, telegram)
    db = (await parley.worker.getEnv()).DB
    ada = await register()
    await reset(ada.userId)
    fresh = await logIn(ada.body)
  })
  afterAll(async () => {
    await parley.close()
    await page.close()
    await telegram.close()
  })

  const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
  const addSpace = async (token: string): Promise<string> => {
    const headers = bearer(token)
    const body = { name: freshName('space') }
    const { id } = (await expectOk(parley.call('POST', '/me/spaces', { body, headers }))).json
    const agent = { name: world.own.agent }
    await expectOk(parley.call('POST', `/me/spaces/${id}/agents`, { body: agent, headers }))
    return id
  }
  const say = (token: string, spaceId?: string) =>
    parley.call('POST', '/v1/chat', {
      body: { message: 'When are refunds paid?' },
      headers: { ...bearer(token), ...(spaceId ? { 'x-space-id': spaceId } : {}) },
    })

  /** Somebody with a password, a conversation in the default space and one more space. */
  async function register() {
    const body = {
      tenant_id: world.own.tenant.id,
      email: `${freshName('ada')}@example.org`,
      password: PASSWORD,
    }
    const { json } = await expectOk(parley.call('POST', '/auth/register', { body }))
    const token: string = json.access_token
    const me = (await expectOk(parley.call('GET', '/me', { headers: bearer(token) }))).json
    const talk = (await expectOk(say(token))).json
    const before = await addSpace(token)
    const person: Person = {
      headers: bearer(token),
      userId: json.user_id,
      spaceId: me.space_id,
      otherSpaceId: before,
      sessionId: talk.session_id,
      messageId: talk.message_id,
    }
    return { ...person, token, before, body }
  }
  const reset = (userId: string) =>
    expectOk(
      world.own.tenant.call('POST', `/v1/manage/users/${userId}/password`, {
        new_password: PASSWORD,
      }),
    )
  const logIn = async (body: Record<string, string>): Promise<string> =>
    (await expectOk(parley.call('POST', '/auth/login', { body }))).json.access_token

  it.each(TOKEN_ROUTES.map((route) => [keyOf(route), route] as const))(
    '%s refuses it in the default space, in one made before, and in one made after',
    async (_name, route) => {
      const after = await addSpace(fresh)
      const filled = await exampleOf(route).fill(world, { ...ada, headers: bearer(fresh) })
      for (const space of [null, ada.before, after]) {
        // A session of another space than the one that is named would be absent, whatever the token.
        const { session_id: _, ...body } = filled.body ?? {}
        const sent = space !== null && route.beginsTurn ? { ...filled, body } : filled
        const answer = await parley.call(route.method, pathOf(route.path, sent), {
          ...bodyOf(sent),
          headers: { ...bearer(ada.token), ...(space === null ? {} : { 'x-space-id': space }) },
        })
        expect([space, answer.status, refusalBody(route, answer)]).toEqual([space, ...REFUSED])
      }
      const left = await parley.call('DELETE', `/me/spaces/${after}`, { headers: bearer(fresh) })
      expect(left.status).toBe(204)
    },
  )

  it.each(TURN_ROUTES.map((route) => [keyOf(route), route] as const))(
    '%s refuses it before it says anything else',
    async (_name, route) => {
      const filled = await exampleOf(route).fill(world, { ...ada, headers: bearer(fresh) })
      const absent = '01890a5d-ac96-774b-bcce-b302099a8057'
      const named = { agent: 'nobody', model: 'nobody' }
      const wrong: Record<string, object> = {
        'a body that is not valid': {},
        'an agent that is not there': { ...filled.body, ...named },
        'a session that is not there': {
          ...filled.body,
          session_id: absent,
          id: absent,
          metadata: { session_id: absent },
        },
      }
      for (const [what, body] of Object.entries(wrong)) {
        const ask = (token: string) =>
          parley.call(route.method, pathOf(route.path, filled), { body, headers: bearer(token) })
        const good = await ask(fresh)
        expect([what, good.status >= 400 && good.status !== 401]).toEqual([what, true])
        const answer = await ask(ada.token)
        expect([what, answer.status, refusalBody(route, answer)]).toEqual([what, ...REFUSED])
      }
    },
  )

  it('its successor is served in all of them', async () => {
    for (const space of [undefined, ada.before, await addSpace(fresh)]) {
      expect((await say(fresh, space)).status).toBe(200)
    }
  })

  it('is refused where the process died before it told anybody', async () => {
    const bob = await register()
    await expectOk(say(bob.token, bob.before))
    // What the write leaves behind.
    await db
      .prepare('UPDATE users SET token_version = token_version + 1 WHERE id = ?')
      .bind(bob.userId)
      .run()
    await parley.worker.scheduled({ cron: CRON, scheduledTime: new Date() })
    await waitFor(async () => ((await say(bob.token)).status === 401 ? true : null))
    await waitFor(async () => ((await say(bob.token, bob.before)).status === 401 ? true : null))
    const untold = () =>
      db
        .prepare('SELECT count(*) AS n FROM users WHERE told_version < token_version AND id = ?')
        .bind(bob.userId)
        .first('n')
    await waitFor(async () => ((await untold()) === 0 ? true : null))
  })
})

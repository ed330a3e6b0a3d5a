import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Parley } from '../support/harness'
import { type Killable, startKillable } from '../support/killable'
import { type ChatCall, type OpenAiServer, startOpenAi } from '../support/openai-server'
import { expectOk, type SeededTenant, seedAgent, seedBase, seedTenant } from '../support/seed'

const FEES = {
  Parcels: 'The fee for a parcel is five euros.',
  Letters: 'The fee for a letter is one euro.',
  Lockers: 'The fee for a locker is nine euros.',
}
const ANSWER = 'The fee for a parcel is five euros [1].'
const WRITTEN = 'Welcome to the counter.'
const FIXED = 'Good day.'
/** Until a reservation that nobody settles is dropped by itself, at the latest. */
const SIDE_CALL_MS = 2 * 60_000

const orders =
  (pattern: RegExp) =>
  ({ messages }: ChatCall) =>
    pattern.test(messages[0]?.content)
const isSuggesting = orders(/what the user may ask next/u)
const isInviting = orders(/call to action/u)
const isChoosing = orders(/has to be asked back/u)
const isGreeting = orders(/the first words that a chat agent says/u)

describe('kill -9 in a call that a switch makes beside a turn', { timeout: 180_000 }, () => {
  let server: Killable
  let model: OpenAiServer
  let tenant: SeededTenant

  beforeAll(async () => {
    model = await startOpenAi()
    server = await startKillable(model.vars)
    tenant = await seedTenant(server.parley as Parley)
    await seedBase(tenant, 'fees', FEES)
    const desk = { knowledge_bases: ['fees'], grounding_required: true }
    await seedAgent(tenant, 'suggests', { ...desk, auto_suggest: true, suggest_prompt: 'Of fees.' })
    const cta_prompt = 'Invite to [our trial](https://shop.example/trial).'
    await seedAgent(tenant, 'invites', { ...desk, proactive_cta: true, cta_prompt })
    await seedAgent(tenant, 'asks-back', { ...desk, ambiguity_check: true })
    await seedAgent(tenant, 'greets', { greeting: FIXED, auto_greeting: true, task: 'Fees.' })
  }, 90_000)
  afterAll(async () => {
    await server.dispose()
    await model.close()
  })

  /** Every call is answered as it should be, but one that `isHeld`: it never is. @returns when that one has come */
  const play = (isHeld: (call: ChatCall) => boolean): Promise<void> => {
    const reached = Promise.withResolvers<void>()
    model.script = (call) => {
      const held = isHeld(call) ? { until: new Promise<void>(() => {}) } : {}
      if (isHeld(call)) reached.resolve()
      if (isSuggesting(call)) return { text: '["What is the fee for a letter?"]', ...held }
      if (isChoosing(call)) return { text: '[1, 2, 3]', ...held }
      if (isGreeting(call)) return { text: WRITTEN, ...held }
      if (isInviting(call)) return { text: 'null', ...held }
      return call.stream ? { text: ANSWER } : { text: 'A title' }
    }
    return reached.promise
  }
  const playOn = () => void play(() => false)
  const nothingStaysReserved = async (killedAt: number) => {
    await server.kill()
    let seen = 0
    server.databases((database) => {
      const has = database.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'reservations'").get()
      if (!has) return
      seen += 1
      const left = database
        .prepare('SELECT expires_at FROM reservations WHERE settled = 0')
        .all() as { expires_at: number }[]
      for (const { expires_at } of left)
        expect(expires_at).toBeLessThanOrEqual(killedAt + SIDE_CALL_MS)
    })
    expect(seen).toBeGreaterThan(0)
    await server.start()
  }

  it.each([
    ['suggests', 'What is the fee for a parcel?', isSuggesting, 'suggestions'],
    ['invites', 'What is the fee for a parcel?', isInviting, null],
    ['asks-back', 'fee', isChoosing, 'clarify'],
  ] as const)(
    '%s: the turn is there whole or not at all, and the next one is as if nothing had been',
    async (agent, message, isHeld, field) => {
      const user = `user-${agent}`
      playOn()
      const thanks = { message: 'Thank you!', agent }
      const { json: begun } = await expectOk(tenant.as(user, 'POST', '/v1/chat', thanks))
      const body = { message, agent, session_id: begun.session_id }
      const reached = play(isHeld)
      const cut = tenant.as(user, 'POST', '/v1/chat', body).catch(() => null)
      await reached
      await server.kill()
      await cut
      const killedAt = Date.now()
      await server.start()

      playOn()
      const path = `/me/sessions/${begun.session_id}/messages`
      const stored = (await expectOk(tenant.as(user, 'GET', path))).json
      const said = stored.map(({ content }: { content: string }) => content)
      expect(said.slice(0, 2)).toEqual([thanks.message, begun.reply])
      expect([[], [message], [message, ANSWER]]).toContainEqual(said.slice(2))
      const { json } = await expectOk(tenant.as(user, 'POST', '/v1/chat', body))
      expect(['stop', 'clarify']).toContain(json.finish_reason)
      if (field !== null) expect(json).toHaveProperty(field)
      await nothingStaysReserved(killedAt)
    },
  )

  it('greets: what was being written is written anew for the next visitor', async () => {
    const reached = play(isGreeting)
    const path = `/v1/agents/greets/opening?tenant_id=${tenant.id}&lang=en`
    const opening = () => server.parley.call('GET', path)
    const cut = opening().catch(() => null)
    await reached
    await server.kill()
    await cut
    const killedAt = Date.now()
    await server.start()
    playOn()
    expect((await expectOk(opening())).json.greeting).toBe(WRITTEN)
    await nothingStaysReserved(killedAt)
  })
})

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Parley } from '../support/harness'
import { type Killable, startKillable } from '../support/killable'
import { type ChatCall, type OpenAiServer, startOpenAi } from '../support/openai-server'
import {
  expectOk,
  type SeededTenant,
  seedAgent,
  seedBase,
  seedTenant,
  waitFor,
} from '../support/seed'

const REFUNDS = 'Refunds are paid within 14 days of the return.'
const PARCELS = 'A parcel to the warehouse weighs at most 20 kg.'
const PARTS = [
  'When are refunds paid?',
  'How heavy may a parcel be?',
  'Who won the war of the roses?',
]
const QUESTION = PARTS.join(' ')
const SIDE_CALL_MS = 2 * 60_000

const isPlan = ({ messages }: ChatCall) => /is looked up in/u.test(messages[0]?.content)
const isRewording = ({ messages }: ChatCall) => /other\s+wording/u.test(messages[0]?.content)
const isSecondPart = ({ stream, messages }: ChatCall) =>
  stream === true && JSON.stringify(messages.at(-1)).includes('How heavy')

describe('kill -9 in a deep research', { timeout: 180_000 }, () => {
  let server: Killable
  let model: OpenAiServer
  let tenant: SeededTenant

  beforeAll(async () => {
    model = await startOpenAi()
    server = await startKillable(model.vars)
    tenant = await seedTenant(server.parley as Parley)
    await seedBase(tenant, 'guide', { Refunds: REFUNDS, Parcels: PARCELS })
    const desk = { knowledge_bases: ['guide'], grounding_required: true }
    await seedAgent(tenant, 'desk', { ...desk, deep_research: true })
  }, 90_000)
  afterAll(async () => {
    await server.dispose()
    await model.close()
  })

  /** @param isHeld which call is never answered; called with it. */
  const play = (isHeld: (call: ChatCall) => boolean, onHeld: () => void) => {
    model.script = (call) => {
      const held = isHeld(call) ? { until: new Promise<void>(() => {}) } : {}
      if (isHeld(call)) onHeld()
      if (isPlan(call)) return { text: JSON.stringify(PARTS), ...held }
      if (isRewording(call)) return { text: '', ...held }
      if (!call.stream) return { text: 'A title' }
      const text = isSecondPart(call) ? PARCELS : REFUNDS
      const part = JSON.stringify(call.messages.at(-1)?.content)
      const n = /\[(\d+)\]/u.exec(part.slice(0, part.indexOf(text)).split('<<DATA').at(-1) ?? '')
      return { text: `${text.slice(0, -1)} [${n?.[1]}].`, ...held }
    }
  }
  const rowsOf = async () =>
    (await expectOk(tenant.call('GET', '/v1/manage/usage?group=kind'))).json.rows
  const callsOf = async (kind: string): Promise<number> =>
    (await rowsOf()).find(({ key }: { key: string }) => key === kind)?.requests ?? 0

  it.each([
    ['is planned', isPlan, 0],
    ['looks for other words', isRewording, 1],
    ['answers its second part', isSecondPart, 2],
  ])(
    'while it %s: it ends as failed, what was settled stays booked, and nothing stays reserved',
    async (name, isHeld, settled) => {
      play(
        () => false,
        () => {},
      )
      const first = { message: 'When are refunds paid?', agent: 'desk' }
      const named = await callsOf('title')
      const { json: begun } = await expectOk(tenant.as(name, 'POST', '/v1/chat', first))
      const { session_id } = begun
      // What names the session is a call beside the turn, and would be cut off with it.
      await waitFor(async () => ((await callsOf('title')) > named ? true : null))
      const before = await callsOf('research')

      const reached = Promise.withResolvers<void>()
      play(isHeld, reached.resolve)
      const body = { message: QUESTION, agent: 'desk', session_id }
      const cut = tenant.as(name, 'POST', '/v1/chat', body).catch(() => null)
      await reached.promise
      await server.kill()
      await cut
      const killedAt = Date.now()
      await server.start()

      play(
        () => false,
        () => {},
      )
      const path = `/me/sessions/${session_id}/messages`
      const said = (await expectOk(tenant.as(name, 'GET', path))).json
      expect(said.map(({ content }: { content: string }) => content)).toEqual([
        first.message,
        begun.reply,
        QUESTION,
      ])
      const again = (await expectOk(tenant.as(name, 'POST', '/v1/chat', body))).json
      expect(again.finish_reason).toBe('stop')
      expect(again.reply).toContain(`**${PARTS[1]}**`)
      expect(again.reply).toContain(`- ${PARTS[2]}`)
      // The answer that was not cut off booked its calls, too: the plan, two rewordings and the answers.
      expect((await callsOf('research')) - before).toBeGreaterThanOrEqual(settled + 2)

      await server.kill()
      let seen = 0
      server.databases((database) => {
        const has = database
          .prepare("SELECT 1 FROM sqlite_schema WHERE name = 'reservations'")
          .get()
        if (!has) return
        seen += 1
        const left = database
          .prepare('SELECT id, expires_at FROM reservations WHERE settled = 0')
          .all() as { id: string; expires_at: number }[]
        // A call beside the turn that nobody will settle is dropped by itself.
        expect(left.filter(({ id }) => !id.includes(':research:'))).toEqual([])
        for (const { expires_at } of left)
          expect(expires_at).toBeLessThanOrEqual(killedAt + SIDE_CALL_MS)
      })
      expect(seen).toBeGreaterThan(0)
      await server.start()
    },
  )
})

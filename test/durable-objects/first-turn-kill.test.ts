import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Parley } from '../support/harness'
import { type Killable, startKillable } from '../support/killable'
import { type OpenAiServer, startOpenAi } from '../support/openai-server'
import { type SeededTenant, seedAgent, seedTenant } from '../support/seed'

interface Stored {
  facts: Record<string, unknown>
  messages: number
}

describe('a user’s first turn', { timeout: 180_000 }, () => {
  let server: Killable
  let model: OpenAiServer
  let tenant: SeededTenant

  beforeAll(async () => {
    model = await startOpenAi()
    server = await startKillable(model.vars)
    tenant = await seedTenant(server.parley as Parley)
    await seedAgent(tenant, 'desk')
  }, 90_000)
  afterAll(async () => {
    await server.dispose()
    await model.close()
  })

  /** What the objects of users hold, each with its schema. */
  const storedByUsers = (): Stored[] => {
    const found: Stored[] = []
    server.databases((database) => {
      const has = (table: string) =>
        database.prepare('SELECT 1 FROM sqlite_master WHERE name = ?').get(table) !== undefined
      if (!has('turn_slots')) return
      const facts = database.prepare('SELECT name, value FROM facts').all()
      found.push({
        facts: Object.fromEntries(facts.map(({ name, value }) => [String(name), value])),
        messages: database.prepare('SELECT 1 FROM messages').all().length,
      })
    })
    return found
  }

  it.each([1, 2, 3, 5, 7, 9])(
    'killed at write %i of it: nothing is stored by nobody, and the next message is answered',
    async (n) => {
      model.script = () => ({ text: 'The answer.', pieceDelayMs: 5, pieceChars: 4 })
      const user = `user-${n}`
      const first = tenant.as(user, 'POST', '/v1/chat', { message: 'Hello' }).catch(() => null)
      await server.killAtWrite(n, first)
      await first
      const owned = storedByUsers().filter(({ messages }) => messages > 0)
      expect(
        owned.filter(({ facts }) => !facts.address || !facts.tag || !facts.tenant_key),
      ).toEqual([])
      await server.start()
      const again = await tenant.as(user, 'POST', '/v1/chat', { message: 'Are you there?' })
      expect([again.status, again.json.reply]).toEqual([200, 'The answer.'])
    },
  )

  it('that is refused leaves whose the space is', async () => {
    const small = await seedTenant(server.parley as Parley, { monthly_token_ceiling: 10 })
    await seedAgent(small, 'desk')
    const refused = await small.as('ann', 'POST', '/v1/chat', { message: 'Hello' })
    expect(refused.status).toBe(429)
    await server.kill()
    const mine = storedByUsers()
      .map(({ facts }) => facts)
      .filter(({ address }) => String(address).includes(small.id))
    await server.start()
    expect(mine.map(({ ceiling }) => ceiling)).toEqual(['10'])
  })
})

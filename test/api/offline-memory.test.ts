import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Parley, sharedParley } from '../support/harness'
import {
  expectOk,
  type SeededTenant,
  seedAgent,
  seedBase,
  seedTenant,
  waitFor,
} from '../support/seed'

describe('what is remembered, without a language model', () => {
  let parley: Parley
  let tenant: SeededTenant

  beforeAll(async () => {
    parley = await sharedParley()
    tenant = await seedTenant(parley)
    await seedBase(tenant, 'guide', { Names: 'The name of the ferry is Aurora.' })
    await seedAgent(tenant, 'desk', { knowledge_bases: ['guide'] })
    await seedAgent(tenant, 'bare')
  })
  afterAll(() => parley.close())

  const say = async (user: string, message: string, agent = 'desk') =>
    (await expectOk(tenant.as(user, 'POST', '/v1/chat', { message, agent }))).json

  it('is told to its user when asked, in a new session, and to nobody else', async () => {
    await say('ada', 'My name is Ada Quispe.')
    await say('ada', 'I live in Lima.')
    await waitFor(async () => {
      const { json } = await expectOk(tenant.as('ada', 'GET', '/me/remembered'))
      return json[0]?.points?.length === 2 ? true : null
    })
    for (const agent of ['desk', 'bare']) {
      const turn = await say('ada', 'What is my name?', agent)
      expect(turn.reply).toContain('Ada Quispe')
      expect(turn.reply).toMatch(/^You told me: /)
      expect(turn.usage.model).toBe('offline-extractive')
    }
    const all = await say('ada', 'What do you know about me?')
    expect(all.reply).toContain('Lima')
    expect(all.reply).toContain('Quispe')
    expect((await say('bob', 'What is my name?')).reply).not.toContain('Quispe')
    // A question about something else is answered from the base.
    expect((await say('ada', 'What is the name of the ferry?')).reply).toContain('Aurora')
  })
})

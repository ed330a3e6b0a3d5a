import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Parley, sharedParley } from '../support/harness'
import { type SeededTenant, seedAgent, seedTenant, waitFor } from '../support/seed'
import { publishedStoryline, storylineFile } from '../support/storylines'

describe('storylines in a chat, with the offline model', () => {
  let parley: Parley
  beforeAll(async () => {
    parley = await sharedParley()
  })
  afterAll(() => parley.close())

  /** A talk of one user with one agent: each line gives what came. */
  const talk = (tenant: SeededTenant, agent: string, user = 'ann', headers = {}) => {
    let session: string | undefined
    return async (message: string) => {
      const body = { message, agent, ...(session ? { session_id: session } : {}) }
      const { status, json, text } = await tenant.as(user, 'POST', '/v1/chat', body, headers)
      if (status !== 200) console.log(JSON.stringify(parley.server.getLogs().slice(-4)))
      expect(status, text).toBe(200)
      session = json.session_id
      return json
    }
  }
  const directory = async (id: string) => {
    const { DB } = await parley.worker.getEnv()
    const { results } = await DB.prepare(
      'SELECT status, node_key, reports FROM storyline_enrollments WHERE storyline_id = ?',
    )
      .bind(id)
      .all()
    return results
  }

  it('the intake runs by rule from the first contact to the handoff, and tells the directory', async () => {
    const tenant = await seedTenant(parley)
    await seedAgent(tenant, 'front-desk')
    const { id } = await publishedStoryline(parley, tenant, storylineFile('customer-intake'))
    const say = talk(tenant, 'front-desk')

    const first = await say('Hello')
    expect(first.reply).toBe(
      'Welcome! A few quick questions and I will point you to the right place.\n\nWhat brings you here today?',
    )
    expect(first).toMatchObject({
      finish_reason: 'clarify',
      clarify: {
        question: 'What brings you here today?',
        options: [{ title: 'Buy or upgrade' }, { title: 'Get help' }, { title: 'Something else' }],
      },
      storyline: { name: 'Getting started', status: 'active', node: null, leave: 'Leave' },
    })
    const size = await say('Buy or upgrade')
    expect(size.reply).toBe('Roughly how many people work at your company?')
    const contact = await say('12 people')
    expect(contact).toMatchObject({
      finish_reason: 'form',
      form: {
        fields: [
          { name: 'email', type: 'email', label: 'E-mail' },
          { name: 'summary', type: 'text' },
        ],
      },
    })
    const last = await say('E-mail: ann@example.com\nYour request in one sentence: Call me back')
    expect(last.reply).toBe('Thank you. A colleague will write to you within one working day.')
    expect(last).toMatchObject({ finish_reason: 'handoff', storyline: { status: 'completed' } })
    expect(last.storyline.noted).toContainEqual({
      name: 'company_size',
      label: 'People in your company',
      value: '12',
    })
    const rows = await waitFor(async () => {
      const found = await directory(id)
      return found[0]?.status === 'completed' ? found : null
    })
    expect(rows).toEqual([{ status: 'completed', node_key: 'booked', reports: 4 }])
    // A first contact is one once: afterwards the agent answers as ever.
    expect((await say('Hello')).storyline).toBeUndefined()
  })
})

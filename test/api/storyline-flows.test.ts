import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Parley, startParley } from '../support/harness'
import { expectOk, type SeededTenant, seedAgent, seedTenant, waitFor } from '../support/seed'
import { startWebhookReceiver, type WebhookReceiver } from '../support/webhook-receiver'

/** What decides how storylines begin, end and stand beside each other, through the API. */
describe('flows of storylines', () => {
  let parley: Parley
  let receiver: WebhookReceiver
  beforeAll(async () => {
    receiver = await startWebhookReceiver()
    parley = await startParley({ EGRESS_ALLOW: receiver.pair, LIMITS_REMINDER_LEAD_S: '0' })
  }, 60_000)
  afterAll(async () => {
    await parley.close()
    await receiver.close()
  })

  async function desk(): Promise<SeededTenant> {
    const tenant = await seedTenant(parley)
    await seedAgent(tenant, 'desk', { model: 'offline' })
    return tenant
  }
  /** A live storyline that asks for one of two colours of its own. */
  async function publish(
    tenant: SeededTenant,
    name: string,
    colours: [string, string],
    more: Record<string, unknown> = {},
  ): Promise<string> {
    const key = name.toLowerCase()
    const slot = `${key}_colour`
    const { json } = await expectOk(
      tenant.call('POST', '/v1/storylines', {
        agent_name: 'desk',
        key,
        name,
        display_name: name,
        profile_schema: {
          type: 'object',
          properties: { [slot]: { type: 'string', enum: colours } },
        },
        graph: {
          schema: 1,
          start: 'ask',
          nodes: {
            ask: {
              type: 'collect',
              slots: [{ slot, ask: `${name}: which colour?` }],
              exits: [{ id: 'got', to: 'over', on: 'done' }],
            },
            over: { type: 'end', outcome: 'over', say: `${name} ends with {{profile.${slot}}}.` },
          },
        },
        ...more,
      }),
    )
    await expectOk(tenant.call('POST', `/v1/storylines/${json.id}/publish`))
    return json.id
  }
  const talk = (tenant: SeededTenant, user = 'ann') => {
    let session: string | undefined
    return async (message: string) => {
      const body = { message, agent: 'desk', ...(session ? { session_id: session } : {}) }
      const { json } = await expectOk(tenant.as(user, 'POST', '/v1/chat', body))
      session = json.session_id
      return json
    }
  }

  it('new_chat begins with the first message of each chat until it is completed', async () => {
    const tenant = await desk()
    await publish(tenant, 'Tour', ['Red', 'Blue'], { entry: 'auto', enroll_trigger: 'new_chat' })
    const first = talk(tenant)
    expect((await first('Hello')).reply).toBe('Tour: which colour?')
    expect((await first('Red')).reply).toBe('Tour ends with Red.')
    expect((await first('Hello')).storyline).toBeUndefined()
    expect((await talk(tenant)('Hello')).storyline).toBeUndefined()
    const late = talk(tenant, 'bob')
    await late('Hello')
    await late('Leave')
    // Who left is not asked again for a while.
    expect((await talk(tenant, 'bob')('Hello')).storyline).toBeUndefined()
  })

  it('new_chat and first_contact begin behind a greeting', async () => {
    const tenant = await desk()
    await seedAgent(tenant, 'desk', { model: 'offline', greeting: 'Welcome!' })
    await publish(tenant, 'Tour', ['Red', 'Blue'], { entry: 'auto', enroll_trigger: 'new_chat' })
    const greet = async (user: string) => {
      const opening = `/v1/agents/desk/opening?tenant_id=${tenant.id}`
      const { greeting_id } = (await expectOk(tenant.as(user, 'GET', opening))).json
      const body = { message: 'Hello', agent: 'desk', greeting_id }
      return (await expectOk(tenant.as(user, 'POST', '/v1/chat', body))).json.reply
    }
    expect(await greet('ann')).toBe('Tour: which colour?')
    const more = { entry: 'auto', enroll_trigger: 'first_contact', is_default: true }
    await publish(tenant, 'Intake', ['Green', 'Black'], more)
    expect(await greet('bob')).toBe('Intake: which colour?')
  })

  it('first_contact begins with the first message of all, and with no later one', async () => {
    const tenant = await desk()
    const say = talk(tenant)
    await say('Hello')
    const more = { entry: 'auto', enroll_trigger: 'first_contact' }
    await publish(tenant, 'Intake', ['Green', 'Black'], more)
    expect((await say('Hello again')).storyline).toBeUndefined()
    expect((await talk(tenant, 'bob')('Hello')).reply).toBe('Intake: which colour?')
  })

  it('a name, an address or a form changes no language, a sentence does', async () => {
    const tenant = await desk()
    const text = { type: 'string' }
    await publish(tenant, 'Intake', ['red', 'blue'], {
      entry: 'auto',
      enroll_trigger: 'new_chat',
      profile_schema: {
        type: 'object',
        properties: {
          who: text,
          street: text,
          city: { ...text, title: 'City' },
          lang: { ...text, title: 'Language' },
          trouble: text,
          fine: { type: 'boolean' },
        },
      },
      graph: {
        schema: 1,
        start: 'ask',
        nodes: {
          ask: {
            type: 'collect',
            slots: [
              { slot: 'who', ask: 'Your name?' },
              { slot: 'street', ask: 'Your street?' },
            ],
            exits: [{ id: 'got', to: 'form', on: 'done' }],
          },
          form: {
            type: 'collect',
            form: true,
            slots: [{ slot: 'city' }, { slot: 'lang' }],
            exits: [{ id: 'got', to: 'more', on: 'done' }],
          },
          more: {
            type: 'collect',
            slots: [
              { slot: 'trouble', ask: 'What is wrong?' },
              { slot: 'fine', ask: 'Call you?' },
            ],
            exits: [{ id: 'got', to: 'over', on: 'done' }],
          },
          over: { type: 'end' },
        },
      },
    })
    const say = talk(tenant)
    await say('Hello there, can you help me?')
    expect(await say('María de la Cruz')).toMatchObject({ reply: 'Your street?' })
    expect((await say('5 rue de la Paix')).reply).toBe('Please fill in:')
    await say('City: La Paz\nLanguage: de')
    await say('No puedo entrar en mi cuenta')
    expect((await say('hm')).reply).toBe(
      'Perdona, no he encontrado ahí una respuesta.\n\nCall you?',
    )
  })

  it('an offer is answered in the chat that it was made in', async () => {
    const tenant = await desk()
    const offer = (enroll_trigger: string) => ({ entry: 'offer', enroll_trigger })
    await publish(tenant, 'Shoes', ['Red', 'Blue'], { ...offer('first_contact'), is_default: true })
    await publish(tenant, 'Hats', ['Green', 'Black'], offer('new_chat'))
    const first = talk(tenant)
    const second = talk(tenant)
    expect((await first('Hello')).clarify.offer).toBe('Shoes')
    expect((await second('Hello')).clarify.offer).toBe('Hats')
    expect((await first('Start')).reply).toBe('Shoes: which colour?')
    // Nothing starts beside one that is exclusive, however late the offer of it is accepted.
    expect((await second('Start')).reply).toContain('Shoes: which colour?')
    expect((await first('Red')).reply).toBe('Shoes ends with Red.')
    expect((await second('Start')).reply).toBe('Hats: which colour?')
  })

  it('on_complete restart: it begins again in the next chat', async () => {
    const tenant = await desk()
    const more = { entry: 'auto', enroll_trigger: 'new_chat', on_complete: 'restart' }
    await publish(tenant, 'Tour', ['Red', 'Blue'], more)
    for (const colour of ['Red', 'Blue']) {
      const say = talk(tenant)
      expect((await say('Hello')).reply).toBe('Tour: which colour?')
      expect((await say(colour)).reply).toBe(`Tour ends with ${colour}.`)
    }
  })

  it('parallel ones run side by side, and a message goes to the one that it answers', async () => {
    const tenant = await desk()
    await publish(tenant, 'Shoes', ['Red', 'Blue'], { concurrency: 'parallel' })
    await publish(tenant, 'Hats', ['Green', 'Black'], { concurrency: 'parallel' })
    const say = talk(tenant)
    await say('Shoes')
    expect((await say('Hats')).reply).toBe('Hats: which colour?')
    expect((await say('Blue')).reply).toBe('Shoes ends with Blue.')
    expect((await say('Black')).reply).toBe('Hats ends with Black.')
  })

  it('one that is parallel begins with a chat while another one runs', async () => {
    const tenant = await desk()
    const more = { entry: 'auto', enroll_trigger: 'new_chat', concurrency: 'parallel' }
    await publish(tenant, 'Hats', ['Green', 'Black'], more)
    await publish(tenant, 'Shoes', ['Red', 'Blue'], { concurrency: 'parallel' })
    await talk(tenant)('Shoes')
    const say = talk(tenant)
    expect((await say('Hello')).reply).toBe('Hats: which colour?')
    expect((await say('Blue')).reply).toBe('Shoes ends with Blue.')
    expect((await say('Black')).reply).toBe('Hats ends with Black.')
  })

  it('unpublishing rests those on the way, and publishing again wakes them where they were', async () => {
    const tenant = await desk()
    const id = await publish(tenant, 'Tour', ['Red', 'Blue'])
    const say = talk(tenant)
    await say('Tour')
    await expectOk(tenant.call('POST', `/v1/storylines/${id}/unpublish`))
    const people = () =>
      waitFor(async () => {
        const { json } = await expectOk(tenant.call('GET', `/v1/storylines/${id}/enrollments`))
        return json.length === 1 ? json[0].status : null
      })
    expect(await people()).toBe('paused')
    expect((await say('Red')).storyline).toBeUndefined()
    await expectOk(tenant.call('POST', `/v1/storylines/${id}/publish`))
    expect(await people()).toBe('active')
    expect((await say('Red')).reply).toBe('Tour ends with Red.')
  })

  it('a wait that is over while the storyline or its agent is not published says so once it is again', async () => {
    const tenant = await desk()
    const begin = {
      type: 'wait',
      until: 'now + duration("4s")',
      say: 'Back again.',
      exits: [{ id: 'due', to: 'ask', on: 'due' }],
    }
    const over = { type: 'end', say: 'Well.' }
    const slots = [{ slot: 'later_colour' }]
    const ask = { type: 'collect', slots, exits: [{ id: 'got', to: 'over', on: 'done' }] }
    const graph = { schema: 1, start: 'begin', nodes: { begin, ask, over } }
    const id = await publish(tenant, 'Later', ['Red', 'Blue'], { graph })
    const rests = {
      storyline: [`/v1/storylines/${id}/unpublish`, `/v1/storylines/${id}/publish`],
      agent: ['/v1/agents/desk', '/v1/agents/desk'],
    } as const
    for (const [what, [rest, goOn]] of Object.entries(rests)) {
      const turnTo = (path: string, published: boolean) =>
        expectOk(
          what === 'agent' ? tenant.call('PATCH', path, { published }) : tenant.call('POST', path),
        )
      const { session_id } = await talk(tenant, what)('Later')
      await turnTo(rest, false)
      const told = async () => {
        const { json } = await tenant.as(what, 'GET', `/me/sessions/${session_id}/messages`)
        return json.length > 2 ? json.at(-1).content : null
      }
      // What falls due after it in the same space shows that it fell due.
      await expectOk(tenant.as(what, 'POST', '/me/reminders', { text: 'Then', due_at: 'PT4S' }))
      await waitFor(async () => {
        const { json } = await tenant.as(what, 'GET', '/me/reminders')
        return json.items[0].status === 'sent' ? true : null
      })
      expect(await told(), what).toBeNull()
      await turnTo(goOn, true)
      expect(await waitFor(told)).toContain('Back again.')
    }
  })

  /** Waits until a moment, says that it is time, and ends. */
  const waiting = (until: string) => {
    const exits = [{ id: 'due', to: 'over', on: 'due' }]
    const begin = { type: 'wait', until, say: 'It is time.', exits }
    return { schema: 1, start: 'begin', nodes: { begin, over: { type: 'end' } } }
  }
  /** What came behind the first exchange of a session, null as long as nothing did. */
  const thirdSaid = async (tenant: SeededTenant, sessionId: string) => {
    const { json } = await tenant.as('ann', 'GET', `/me/sessions/${sessionId}/messages`)
    return json.length > 2 ? json.at(-1).content : null
  }

  it('a wait until a day before 1970 is over at once, as any that is past', async () => {
    const tenant = await desk()
    await publish(tenant, 'Later', ['Red', 'Blue'], {
      graph: waiting('timestamp("1960-05-01T09:00:00Z")'),
    })
    const { session_id } = await talk(tenant)('Later')
    expect(await waitFor(() => thirdSaid(tenant, session_id))).toBe('It is time.')
  })

  it('a wait whose session was deleted speaks in the last one with its agent', async () => {
    const tenant = await desk()
    await publish(tenant, 'Later', ['Red', 'Blue'], { graph: waiting('now + duration("3s")') })
    const { session_id } = await talk(tenant)('Hello')
    const gone = await talk(tenant)('Later')
    expect(gone.session_id).not.toBe(session_id)
    await expectOk(tenant.as('ann', 'DELETE', `/me/sessions/${gone.session_id}`))
    expect(await waitFor(() => thirdSaid(tenant, session_id))).toBe('It is time.')
  })

  it('a wait whose sessions were all deleted speaks in a new one', async () => {
    const tenant = await desk()
    await publish(tenant, 'Later', ['Red', 'Blue'], { graph: waiting('now + duration("3s")') })
    const { session_id, agent } = await talk(tenant)('Later')
    await expectOk(tenant.as('ann', 'DELETE', `/me/sessions/${session_id}`))
    const { space_id } = (await expectOk(tenant.as('ann', 'GET', '/me'))).json
    const sessions = `/me/spaces/${space_id}/sessions`
    const begun = async () => (await tenant.as('ann', 'GET', sessions)).json.items[0] ?? null
    const session = await waitFor(begun)
    expect(session.agent_name).toBe(agent)
    const { json } = await tenant.as('ann', 'GET', `/me/sessions/${session.id}/messages`)
    expect(json.at(-1)).toMatchObject({ role: 'assistant', content: 'It is time.' })
  })

  it('what one interrupted waits for the one that follows it too', async () => {
    const tenant = await desk()
    await publish(tenant, 'Long', ['Red', 'Blue'], { concurrency: 'parallel' })
    const last = await publish(tenant, 'Last', ['Gold', 'Silver'], { entry: 'closed' })
    await publish(tenant, 'Short', ['Green', 'Black'], {
      concurrency: 'interrupt',
      on_complete: 'next',
      next_storyline_id: last,
    })
    const say = talk(tenant)
    await say('Long')
    await say('Short')
    expect((await say('Green')).reply).toBe('Short ends with Green.\n\nLast: which colour?')
    expect((await say('Gold')).reply).toBe('Last ends with Gold.\n\nLong: which colour?')
    expect((await say('Red')).reply).toBe('Long ends with Red.')
  })

  it('what one interrupted that a merge ends waits for the one of the target', async () => {
    const tenant = await desk()
    const tour = await publish(tenant, 'Tour', ['Red', 'Blue'], { concurrency: 'parallel' })
    const pause = await publish(tenant, 'Break', ['Green', 'Black'], { concurrency: 'interrupt' })
    const me = async (method: string, path: string, body?: object, headers = {}) =>
      (await expectOk(tenant.as('ann', method, path, body, headers))).json
    const [home] = await me('GET', '/me/spaces')
    const other = await me('POST', '/me/spaces', { name: 'Other' })
    await me('POST', `/me/spaces/${other.id}/agents`, { name: 'desk' })
    const sessions = new Map<string, string>()
    const say = async (space: string, message: string) => {
      const session_id = sessions.get(space)
      const body = { message, agent: 'desk', ...(session_id ? { session_id } : {}) }
      const told = await me('POST', '/v1/chat', body, { 'x-space-id': space })
      sessions.set(space, told.session_id)
      return told.reply
    }
    await say(home.id, 'Break')
    await say(other.id, 'Tour')
    expect(await say(other.id, 'Break')).toBe('Break: which colour?')
    await me('POST', `/me/spaces/${other.id}/merge`, { target_space_id: home.id })
    const people = async (id: string) =>
      (await expectOk(tenant.call('GET', `/v1/storylines/${id}/enrollments`))).json.map(
        ({ status }: { status: string }) => status,
      )
    await waitFor(async () => ((await people(pause)).includes('exited') ? true : null))
    expect(await say(home.id, 'Green')).toBe('Break ends with Green.\n\nTour: which colour?')
    expect(await say(home.id, 'Red')).toBe('Tour ends with Red.')
    await waitFor(async () => ((await people(tour))[0] === 'completed' ? true : null))
  })

  it('what a storyline interrupted goes on when that is deleted', async () => {
    const tenant = await desk()
    const tour = await publish(tenant, 'Tour', ['Red', 'Blue'], { concurrency: 'parallel' })
    const pause = await publish(tenant, 'Break', ['Green', 'Black'], { concurrency: 'interrupt' })
    const say = talk(tenant)
    await say('Tour')
    await say('Break')
    const stands = (status: string) =>
      waitFor(async () => {
        const { json } = await tenant.call('GET', `/v1/storylines/${tour}/enrollments`)
        return json[0]?.status === status ? true : null
      })
    await stands('paused')
    await expectOk(tenant.call('DELETE', `/v1/storylines/${pause}`))
    await stands('active')
    expect((await say('Red')).reply).toBe('Tour ends with Red.')
  })

  it('one that the clock ends is followed by the next, which speaks by itself', async () => {
    const tenant = await desk()
    const last = await publish(tenant, 'Last', ['Gold', 'Silver'], { entry: 'closed' })
    const nodes = {
      rest: {
        type: 'wait',
        until: 'now + duration("1s")',
        say: 'Back again.',
        exits: [{ id: 'due', to: 'over', on: 'due' }],
      },
      over: { type: 'end', outcome: 'over' },
    }
    await publish(tenant, 'Pause', ['Red', 'Blue'], {
      graph: { schema: 1, start: 'rest', nodes },
      on_complete: 'next',
      next_storyline_id: last,
    })
    const say = talk(tenant)
    const { session_id } = await say('Pause')
    const told = await waitFor(async () => {
      const path = `/me/sessions/${session_id}/messages`
      const { json } = await expectOk(tenant.as('ann', 'GET', path))
      return json.length > 3 ? json : null
    })
    expect(told.slice(2).map(({ content }: { content: string }) => content)).toEqual([
      'Back again.',
      'Last: which colour?\n\n- Gold\n- Silver',
    ])
    expect((await say('Gold')).reply).toBe('Last ends with Gold.')
  })

  it('storyline.completed is told once, with ids alone', async () => {
    const tenant = await desk()
    const id = await publish(tenant, 'Tour', ['Red', 'Blue'])
    const url = receiver.url('/completed')
    await expectOk(
      tenant.call('POST', '/v1/tenant/webhooks', { url, events: ['storyline.completed'] }),
    )
    const say = talk(tenant)
    await say('Tour')
    await say('Red')
    const told = await waitFor(async () => receiver.to('/completed')[0] ?? null)
    const { type, data } = JSON.parse(told.body)
    expect([type, data.storyline_id, data.node]).toEqual(['storyline.completed', id, 'over'])
    expect(told.body).not.toContain('Red')
    const other = talk(tenant, 'bob')
    await other('Tour')
    await other('Leave')
    await other('Tour')
    await other('Blue')
    const both = await waitFor(async () => {
      const calls = receiver.to('/completed')
      return calls.length > 1 ? calls : null
    })
    const enrollments = both.map(({ body }) => JSON.parse(body).data.enrollment_id)
    expect(new Set(enrollments).size).toBe(2)
    expect(both).toHaveLength(2)
  })
})

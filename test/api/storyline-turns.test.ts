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
import { publishedStoryline, storylineFile } from '../support/storylines'

/** A tenant with the course of the café, and the base that its lesson answers from. */
async function seedCourse(parley: Parley) {
  const tenant = await seedTenant(parley)
  await seedBase(tenant, 'spanish-a1', {
    Phrases:
      'Teach the five café phrases one by one: un café con leche, por favor. The learner repeats each phrase in a sentence.',
  })
  await seedAgent(tenant, 'lola')
  const { id } = await publishedStoryline(parley, tenant, storylineFile('spanish-cafe'))
  return { tenant, id }
}

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
        options: [{ label: 'Buy or upgrade' }, { label: 'Get help' }, { label: 'Something else' }],
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
    // What has no title is not for the user's eyes.
    const noted = last.storyline.noted.map(({ name }: { name: string }) => name)
    expect(noted).not.toContain('tier')
    const rows = await waitFor(async () => {
      const found = await directory(id)
      return found[0]?.status === 'completed' ? found : null
    })
    expect(rows).toEqual([{ status: 'completed', node_key: 'booked', reports: 4 }])
    // A first contact is one once: afterwards the agent answers as ever.
    expect((await say('Hello')).storyline).toBeUndefined()
  })

  it('trouble is met by an offer, a tool that is not there, options, a yes and a no', async () => {
    const tenant = await seedTenant(parley)
    await seedAgent(tenant, 'helpdesk')
    await publishedStoryline(parley, tenant, storylineFile('no-internet'))
    const say = talk(tenant, 'helpdesk')
    const offered = await say('My wifi is dead')
    expect(offered.reply).toMatch(/\n\nShall we go through “Fix my connection” together\?$/)
    expect(offered.clarify.offer).toBe('Fix my connection')
    expect(offered.clarify.options.map(({ value }: { value: string }) => value)).toEqual([
      'Start',
      'Not now',
    ])
    // Hidden: the user sees no name and no Leave.
    expect(offered.storyline).toBeUndefined()
    const begun = await say('Start')
    expect(begun.reply).toBe('What is your customer number? It is on your bill.')
    const light = await say('AB123456')
    expect(light.reply).toBe('Which colour is the light on the router?')
    expect((await say('Off')).reply).toBe(
      'Please check the power plug and switch the router on.\n\nDoes your connection work now?',
    )
    expect((await say('No, it does not')).reply).toBe('Which colour is the light on the router?')
    await say('off')
    expect((await say('yes')).reply).toBe('Great, glad it works again.')
    const { json } = await tenant.as('ann', 'POST', '/v1/chat', {
      message: 'my wifi is dead',
      agent: 'helpdesk',
    })
    expect(json.clarify).toBeUndefined()
  })

  it('an offer that is declined is not made again, and one that is ignored stays', async () => {
    const tenant = await seedTenant(parley)
    await seedAgent(tenant, 'helpdesk')
    await publishedStoryline(parley, tenant, storylineFile('no-internet'))
    const say = talk(tenant, 'helpdesk')
    await say('my wifi is dead')
    expect((await say('What time is it?')).clarify).toBeUndefined()
    expect((await say('Not now')).reply).toBe('All right. Just ask when you need something.')
    expect((await say('my wifi is dead')).clarify).toBeUndefined()
  })

  it('the course is picked by its name, answers from the knowledge of its node, shows progress, and is left', async () => {
    const { tenant, id } = await seedCourse(parley)
    const say = talk(tenant, 'lola')
    expect((await say('Hello')).storyline).toBeUndefined()
    const begun = await say('at the café')
    expect(begun).toMatchObject({
      reply: 'How much Spanish do you know?',
      storyline: { name: 'At the café', node: 'Placement', progress: { done: 1, total: 5 } },
    })
    const lesson = await say('beginner')
    expect(lesson.reply).toContain('un café con leche')
    expect(lesson.sources).toHaveLength(1)
    expect(lesson.storyline).toMatchObject({ node: 'Lesson', progress: { done: 2, total: 5 } })
    expect((await say('What do I say for a coffee?')).storyline.status).toBe('active')
    const left = await say('Leave')
    expect(left).toMatchObject({
      reply: 'All right, “At the café” ends here.',
      storyline: { status: 'exited', leave: null },
    })
    await waitFor(async () => ((await directory(id))[0]?.status === 'exited' ? true : null))
    const { DB } = await parley.worker.getEnv()
    const { results } = await DB.prepare(
      'SELECT node_key, kind, name, n FROM storyline_counts WHERE storyline_id = ? AND kind <> ? ORDER BY node_key, kind, name',
    )
      .bind(id, 'seconds')
      .all()
    expect(results).toEqual([
      { node_key: 'lesson', kind: 'entered', name: '', n: 1 },
      { node_key: 'lesson', kind: 'exit', name: 'user_exit', n: 1 },
      { node_key: 'lesson', kind: 'exited', name: '', n: 1 },
      { node_key: 'placement', kind: 'entered', name: '', n: 1 },
      { node_key: 'placement', kind: 'exit', name: 'begin', n: 1 },
    ])
  })

  it('goes on with a base that was renamed, in running and new storylines and in the working copy', async () => {
    const { tenant, id } = await seedCourse(parley)
    const teach = async (user: string) => {
      const say = talk(tenant, 'lola', user)
      await say('Hello')
      await say('at the café')
      return { lesson: await say('beginner'), say }
    }
    const before = await teach('ann')
    expect(before.lesson.sources).toHaveLength(1)
    const rename = (from: string, name: string) =>
      expectOk(tenant.call('PATCH', `/v1/knowledge-bases/${from}`, { name }))
    await rename('spanish-a1', 'spanish-a2')
    await rename('spanish-a2', 'spanish "b1"')
    expect((await teach('bob')).lesson.sources).toHaveLength(1)
    const again = await before.say('Teach me the café phrases one by one')
    expect(again.storyline).toMatchObject({ node: 'Lesson', status: 'active' })
    expect(again.sources).toHaveLength(1)
    const { json } = await expectOk(tenant.call('GET', `/v1/storylines/${id}`))
    const named = Object.values(json.graph.nodes).flatMap(
      (node) => (node as { knowledge_bases?: string[] }).knowledge_bases ?? [],
    )
    expect(new Set(named)).toEqual(new Set(['spanish "b1"']))
    const checked = await expectOk(tenant.call('POST', `/v1/storylines/${id}/validate`))
    expect(JSON.stringify(checked.json)).not.toContain('unknown_knowledge_base')
    // Each is a change of the working copy, which a save of before must not undo.
    expect(json.version).toBe(3)
  })

  it('what was published keeps to its base when another one takes the name; gone, the name counts', async () => {
    const { tenant, id } = await seedCourse(parley)
    const publish = async () =>
      (await expectOk(tenant.call('POST', `/v1/storylines/${id}/publish`))).json
        .published_revision_id
    const published = await publish()
    await expectOk(tenant.call('PATCH', '/v1/knowledge-bases/spanish-a1', { name: 'spanish "b1"' }))
    await seedBase(tenant, 'spanish-a1', {
      Other: 'Teach the five café phrases one by one: this one is of another course.',
    })
    const teach = async (user: string) => {
      const say = talk(tenant, 'lola', user)
      await say('Hello')
      await say('at the café')
      return (await say('beginner')).sources.map((one: unknown) => JSON.stringify(one))
    }
    expect(await teach('ann')).toEqual([expect.stringContaining('un café con leche')])
    const { json } = await expectOk(tenant.call('GET', `/v1/storylines/${id}`))
    const { graph } = storylineFile('spanish-cafe')
    const record = { agent_name: json.agent_name, key: json.key, graph }
    await expectOk(tenant.call('PUT', `/v1/storylines/${id}`, record))
    expect(await publish()).not.toBe(published)
    expect(await teach('bob')).toEqual([expect.stringContaining('of another course')])
    const same = await publish()
    expect(await publish()).toBe(same)
    await tenant.call('DELETE', '/v1/knowledge-bases/spanish-a1')
    await seedBase(tenant, 'spanish-a1', {
      New: 'Teach the five café phrases one by one: this one is made anew.',
    })
    expect(await teach('eve')).toEqual([expect.stringContaining('made anew')])
    expect(await publish()).not.toBe(same)
  })

  it('a question in between is answered, and what was open is asked again', async () => {
    const tenant = await seedTenant(parley)
    await seedBase(tenant, 'guide', { Hours: 'The office is open from nine to five on weekdays.' })
    await seedAgent(tenant, 'front-desk', { knowledge_bases: ['guide'] })
    await publishedStoryline(parley, tenant, storylineFile('customer-intake'))
    const say = talk(tenant, 'front-desk')
    await say('Hello')
    const aside = await say('When is the office open?')
    expect(aside.reply).toMatch(/nine to five.*\n\nWhat brings you here today\?$/s)
    expect(aside.sources).toHaveLength(1)
    expect(aside).toMatchObject({
      finish_reason: 'clarify',
      clarify: { options: expect.any(Array) },
    })
    expect((await say('bananas')).reply).toBe(
      'Sorry, I could not read an answer in that.\n\nWhat brings you here today?',
    )
  })

  it('every door tells it: frames, data parts, and text with its options', async () => {
    const tenant = await seedTenant(parley)
    await seedAgent(tenant, 'front-desk')
    await publishedStoryline(parley, tenant, storylineFile('customer-intake'))
    const body = { message: 'Hello', agent: 'front-desk' }
    const { text } = await tenant.as('streamed', 'POST', '/v1/chat/stream', body)
    expect([...text.matchAll(/^event: (\w+)$/gm)].map(([, event]) => event)).toEqual([
      'session',
      'token',
      'clarify',
      'storyline',
      'sources',
      'done',
    ])
    const ui = {
      id: 'one',
      agent: 'front-desk',
      messages: [{ role: 'user', parts: [{ type: 'text', text: 'Hello' }] }],
    }
    const parts = await tenant.as('ui', 'POST', '/v1/chat/stream?protocol=ui-message', ui)
    expect(parts.text).toContain('"type":"data-clarify"')
    expect(parts.text).toContain('"type":"data-storyline"')
    const completion = { model: 'front-desk', messages: [{ role: 'user', content: 'Hello' }] }
    const { json } = await tenant.as('openai', 'POST', '/v1/chat/completions', completion)
    expect(json.choices[0].message.content).toMatch(
      /What brings you here today\?\n\n- Buy or upgrade\n- Get help\n- Something else$/,
    )
  })

  it('a repeated request is told the same, and moves nothing', async () => {
    const tenant = await seedTenant(parley)
    await seedAgent(tenant, 'front-desk')
    const { id } = await publishedStoryline(parley, tenant, storylineFile('customer-intake'))
    const once = () =>
      tenant.as('ann', 'POST', '/v1/chat', { message: 'Hello' }, { 'idempotency-key': 'k1' })
    const first = await once()
    expect((await once()).json).toEqual(first.json)
    await waitFor(async () => ((await directory(id))[0]?.reports === 1 ? true : null))
  })

  it('two users are in storylines of their own', async () => {
    const tenant = await seedTenant(parley)
    await seedAgent(tenant, 'front-desk')
    const { id } = await publishedStoryline(parley, tenant, storylineFile('customer-intake'))
    const [ann, bob] = [talk(tenant, 'front-desk', 'ann'), talk(tenant, 'front-desk', 'bob')]
    await ann('Hello')
    await ann('Buy or upgrade')
    expect((await bob('Hello')).clarify.options).toHaveLength(3)
    const rows = await waitFor(async () => {
      const found = await directory(id)
      return found.some(({ reports }) => reports === 2) && found.length === 2 ? found : null
    })
    expect(rows.map(({ node_key }) => node_key).sort()).toEqual(['need', 'size'])
  })

  /** Notes the colour Red where the clock is the agent's tool. */
  const lookAtClock = {
    type: 'tool',
    tool: 'current_time',
    save: { a: 'tool.data.timezone == "UTC" ? "Red" : "Blue"' },
    exits: [
      { id: 'seen', to: 'over', on: 'done' },
      { id: 'blind', to: 'ask', on: 'error' },
    ],
  }

  /** A storyline of the menu that asks for one colour after what `first` does. */
  const asking = (key: string, name: string, slot: string, first: object = {}) => ({
    key,
    name,
    display_name: name,
    description: '',
    agent_name: 'desk',
    user_visibility: 'title',
    entry: 'menu',
    enroll_trigger: 'manual',
    on_complete: 'return',
    allow_exit: true,
    show_profile: false,
    profile_schema: { properties: { [slot]: { type: 'string', enum: ['Red', 'Blue'] } } },
    graph: {
      schema: 1,
      start: 'begin',
      nodes: {
        begin: { type: 'message', say: `${name} begins.`, exits: [{ id: 'go', to: 'ask' }] },
        ask: {
          type: 'collect',
          slots: [{ slot, ask: `${name}: which colour?` }],
          exits: [{ id: 'got', to: 'over', on: 'done' }],
        },
        over: { type: 'end', outcome: 'over', say: `${name} ends with {{profile.${slot}}}.` },
        ...first,
      },
    },
  })

  it('a wait that is over says so in its session by itself, and the answer goes on from there', async () => {
    const tenant = await seedTenant(parley)
    await seedAgent(tenant, 'desk')
    const begin = {
      type: 'wait',
      until: 'now + duration("1s")',
      say: 'Back again.',
      exits: [{ id: 'due', to: 'ask', on: 'due' }],
    }
    const { id } = await publishedStoryline(
      parley,
      tenant,
      asking('later', 'Later', 'colour', { begin }),
    )
    const say = talk(tenant, 'desk')
    const { session_id } = await say('Later')
    const told = await waitFor(async () => {
      const { json } = await tenant.as('ann', 'GET', `/me/sessions/${session_id}/messages`)
      return json.length > 2 ? json.at(-1) : null
    })
    expect(told).toMatchObject({
      role: 'assistant',
      content: 'Back again.\n\nLater: which colour?\n\n- Red\n- Blue',
    })
    expect((await say('Blue')).reply).toBe('Later ends with Blue.')
    await waitFor(async () => ((await directory(id))[0]?.status === 'completed' ? true : null))
    expect(await directory(id)).toEqual([{ status: 'completed', node_key: 'over', reports: 3 }])
  })

  it('a wait that is over while a person has the conversation says so when it is handed back', async () => {
    const tenant = await seedTenant(parley)
    await seedAgent(tenant, 'desk')
    await seedAgent(tenant, 'bell')
    const wait = (seconds: number) => ({
      type: 'wait',
      until: `now + duration("${seconds}s")`,
      say: 'Back again.',
      exits: [{ id: 'due', to: 'ask', on: 'due' }],
    })
    const begin = { type: 'handoff', exits: [{ id: 'sent', to: 'rest' }] }
    const held = asking('held', 'Held', 'a', { begin, rest: wait(1) })
    await publishedStoryline(parley, tenant, held)
    const bell = asking('bell', 'Bell', 'b', { begin: wait(2) })
    await publishedStoryline(parley, tenant, { ...bell, agent_name: 'bell' })
    const say = talk(tenant, 'desk')
    const { session_id } = await say('Held')
    const other = await talk(tenant, 'bell')('Bell')
    const said = async (session: string) => {
      const { json } = await tenant.as('ann', 'GET', `/me/sessions/${session}/messages`)
      return json.map(({ content }: { content: string }) => content.split('\n')[0])
    }
    const hears = (session: string) =>
      waitFor(async () => ((await said(session)).includes('Back again.') ? true : null))
    await hears(other.session_id)
    expect(await said(session_id)).not.toContain('Back again.')

    await expectOk(tenant.call('POST', `/v1/manage/sessions/${session_id}/resume`))
    await hears(session_id)
    expect((await say('Blue')).reply).toBe('Held ends with Blue.')
  })

  it('a tool that the clock comes to is called, once', async () => {
    const tenant = await seedTenant(parley)
    await seedAgent(tenant, 'desk')
    const wait = { type: 'wait', until: 'now + duration("1s")', exits: [{ id: 'due', to: 'look' }] }
    const first = { begin: wait, look: lookAtClock }
    const { id } = await publishedStoryline(parley, tenant, asking('later', 'Later', 'a', first))
    const { session_id } = await talk(tenant, 'desk')('Later')
    const told = await waitFor(async () => {
      const { json } = await tenant.as('ann', 'GET', `/me/sessions/${session_id}/messages`)
      return json.length > 2 ? json.at(-1).content : null
    })
    expect(told).toBe('Later ends with Red.')
    await waitFor(async () => ((await directory(id))[0]?.status === 'completed' ? true : null))
  })

  it.each([
    ['date', '12 марта 2031 года', '2031-03-12'],
    ['time', 'a las tres y media de la tarde', '15:30'],
  ])('reads a %s in words without a model: %s', async (format, said, noted) => {
    const tenant = await seedTenant(parley)
    await seedAgent(tenant, 'desk')
    const line = asking('visit', 'Visit', 'at')
    const profile_schema = { properties: { at: { type: 'string', format } } }
    await publishedStoryline(parley, tenant, { ...line, profile_schema })
    const say = talk(tenant, 'desk')
    await say('Visit')
    expect((await say('3')).reply).not.toContain('ends')
    expect((await say(said)).reply).toBe(`Visit ends with ${noted}.`)
  })

  it('a tool that was taken from the agent since fails', async () => {
    const tenant = await seedTenant(parley)
    await seedAgent(tenant, 'desk')
    await publishedStoryline(parley, tenant, asking('lost', 'Lost', 'a', { begin: lookAtClock }))
    const begins = async (user: string) => (await talk(tenant, 'desk', user)('Lost')).reply
    expect(await begins('ann')).toBe('Lost ends with Red.')
    await expectOk(tenant.call('PATCH', '/v1/agents/desk', { tools: ['weather'] }))
    expect(await begins('bea')).not.toContain('ends')
  })

  it('says what was noted as safely as a reply, in its turn and at the clock (PI4)', async () => {
    const tenant = await seedTenant(parley)
    await seedAgent(tenant, 'desk')
    const { graph, ...rest } = asking('echo', 'Echo', 'a')
    await publishedStoryline(parley, tenant, {
      ...rest,
      profile_schema: { properties: { a: { type: 'string' } } },
      graph: {
        ...graph,
        nodes: {
          ...graph.nodes,
          over: {
            type: 'message',
            say: 'Noted: {{profile.a}}',
            exits: [{ id: 'go', to: 'wait' }],
          },
          wait: {
            type: 'wait',
            until: 'now + duration("1s")',
            exits: [{ id: 'due', to: 'end' }],
          },
          end: { type: 'end', outcome: 'over', say: 'Again: {{profile.a}}' },
        },
      },
    })
    const say = talk(tenant, 'desk')
    await say('Echo')
    const noted = '![x](https://evil.example/a.png) [here](javascript:alert(1)) <img src=x>'
    const shown = 'x `https://evil.example/a.png` here \\<img src=x>'
    const { reply, session_id } = await say(noted)
    expect(reply).toBe(`Noted: ${shown}`)
    const told = await waitFor(async () => {
      const { json } = await tenant.as('ann', 'GET', `/me/sessions/${session_id}/messages`)
      const { content } = json.at(-1)
      return content.startsWith('Again') ? content : null
    })
    expect(told).toBe(`Again: ${shown}`)
  })

  it('who writes while a storyline waits for the clock is answered by the agent', async () => {
    const tenant = await seedTenant(parley)
    await seedAgent(tenant, 'desk')
    const begin = { type: 'wait', minutes: 60, exits: [{ id: 'due', to: 'ask', on: 'due' }] }
    await publishedStoryline(parley, tenant, asking('later', 'Later', 'a', { begin }))
    const say = talk(tenant, 'desk')
    await say('Later')
    const answer = await say('What do you sell?')
    expect(answer).toMatchObject({ storyline: { name: 'Later', status: 'active' } })
    expect(answer.reply).not.toBe('')
  })

  it('what an enrollment interrupted goes on when it is left from outside', async () => {
    const tenant = await seedTenant(parley)
    await seedAgent(tenant, 'desk')
    await publishedStoryline(parley, tenant, asking('long', 'Long', 'a'), {
      concurrency: 'parallel',
    })
    const { id } = await publishedStoryline(parley, tenant, asking('short', 'Short', 'b'), {
      concurrency: 'interrupt',
    })
    const say = talk(tenant, 'desk')
    await say('Long')
    await say('Short')
    await waitFor(async () => ((await directory(id)).length === 1 ? true : null))
    await expectOk(
      tenant.call('POST', `/v1/storylines/${id}/enrollments/migrate`, { action: 'exit' }),
    )
    expect((await say('Blue')).reply).toBe('Long ends with Blue.')
  })

  it('one that interrupts comes first, and what it interrupted is asked again', async () => {
    const tenant = await seedTenant(parley)
    await seedAgent(tenant, 'desk')
    await publishedStoryline(parley, tenant, asking('long', 'Long', 'a'), {
      concurrency: 'parallel',
    })
    await publishedStoryline(parley, tenant, asking('short', 'Short', 'b'), {
      concurrency: 'interrupt',
    })
    const say = talk(tenant, 'desk')
    await say('Long')
    expect((await say('Short')).reply).toBe('Short begins.\n\nShort: which colour?')
    const back = await say('Red')
    expect(back.reply).toBe('Short ends with Red.\n\nLong: which colour?')
    expect(back).toMatchObject({ finish_reason: 'clarify', storyline: { name: 'Long' } })
    expect((await say('Blue')).reply).toBe('Long ends with Blue.')
  })

  it('nothing starts beside one that is exclusive', async () => {
    const tenant = await seedTenant(parley)
    await seedAgent(tenant, 'desk')
    await publishedStoryline(parley, tenant, asking('long', 'Long', 'a'))
    await publishedStoryline(parley, tenant, asking('short', 'Short', 'b'), {
      concurrency: 'interrupt',
    })
    const say = talk(tenant, 'desk')
    await say('Long')
    expect((await say('Short')).reply).toBe(
      'Sorry, I could not read an answer in that.\n\nLong: which colour?',
    )
  })

  it('the next one follows, and knows what has the same name', async () => {
    const tenant = await seedTenant(parley)
    await seedAgent(tenant, 'desk')
    const { id } = await publishedStoryline(parley, tenant, asking('two', 'Two', 'a'))
    await publishedStoryline(parley, tenant, asking('one', 'One', 'a'), {
      onComplete: 'next',
      nextStorylineId: id,
    })
    const say = talk(tenant, 'desk')
    await say('One')
    expect((await say('Red')).reply).toBe('One ends with Red.\n\nTwo begins.\n\nTwo ends with Red.')
  })
})

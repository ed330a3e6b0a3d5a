import { beforeAll, describe, expect, it } from 'vitest'
import { type Parley, sharedParley } from '../support/harness'
import { expectOk, type SeededTenant, seedAgent, seedTenant } from '../support/seed'
import { storylineFile } from '../support/storylines'

let parley: Parley
let tenant: SeededTenant
beforeAll(async () => {
  parley = await sharedParley()
  tenant = await seedTenant(parley)
  await seedAgent(tenant, 'front-desk', { tools: ['handoff'] })
})

const imported = async (name: string): Promise<string> =>
  (
    await expectOk(
      tenant.call('POST', '/v1/storylines/import', {
        ...storylineFile(name),
        override_agent_name: 'front-desk',
      }),
    )
  ).json.id
const at = (id: string, rest: string) => `/v1/storylines/${id}${rest}`
const simulate = async (id: string, body: Record<string, unknown>) =>
  (await expectOk(tenant.call('POST', at(id, '/simulate'), body))).json
const rowsOf = async (table: string) => {
  const { DB } = await parley.worker.getEnv()
  const count = await DB.prepare(`SELECT count(*) AS n FROM ${table} WHERE tenant_id = ?`)
    .bind(tenant.id)
    .first<{ n: number }>()
  return count?.n
}

describe('a simulation', () => {
  it('leads the intake through as a chat does, and tells what it did at each turn', async () => {
    const id = await imported('customer-intake')
    const { model, turns } = await simulate(id, {
      messages: [
        'Hello',
        'bananas',
        'Buy or upgrade',
        '12',
        { form: { email: 'ann@example.com', summary: 'Call me' } },
      ],
    })
    expect(model).toBeNull()
    expect(
      turns.map(({ node, status }: { node: string; status: string }) => [node, status]),
    ).toEqual([
      ['need', 'active'],
      ['need', 'active'],
      ['size', 'active'],
      ['contact', 'active'],
      ['booked', 'completed'],
    ])
    expect(turns[0]).toMatchObject({
      turn: 1,
      message: 'Hello',
      said: ['Welcome! A few quick questions and I will point you to the right place.'],
      question: 'What brings you here today?',
      moves: [{ from: 'hello', exit: 'go', to: 'need' }],
      slots: {},
    })
    expect(turns[0].clarify.options).toHaveLength(3)
    expect(turns[1].said).toEqual(['Sorry, I could not read an answer in that.'])
    // Nobody judges: a statement stays closed, and that is said.
    expect(turns[1].judged).toEqual([
      { exit: 'global:human', answer: null, by: null, quote: null, proven: false },
    ])
    expect(turns[1].tried).toEqual([
      { node: 'need', exit: 'global:human', held: false, why: 'judge' },
      { node: 'need', exit: 'sales', held: false, why: 'event' },
      { node: 'need', exit: 'support', held: false, why: 'event' },
      { node: 'need', exit: 'other', held: false, why: 'default' },
    ])
    expect(turns[3].form.fields.map(({ name }: { name: string }) => name)).toEqual([
      'email',
      'summary',
    ])
    expect(turns[4]).toMatchObject({
      handoff: true,
      slots: { need: 'sales', company_size: 12, tier: 'self_serve', email: 'ann@example.com' },
    })
  })

  it('takes verdicts and results of tools from the request, and says what had none', async () => {
    const id = await imported('customer-intake')
    const { turns } = await simulate(id, {
      messages: ['Hello', 'I want a human'],
      judge: { 'need.global:human': 'yes' },
    })
    expect(turns[1]).toMatchObject({ node: 'contact' })
    expect(turns[1].judged).toEqual([
      { exit: 'global:human', answer: 'yes', by: 'given', quote: null, proven: true },
    ])
    const internet = await imported('no-internet')
    const messages = ['Fix my connection', '1234567']
    const known = await simulate(internet, {
      messages,
      tools: { 'mcp:network/line_status': { data: { outage: true } } },
    })
    expect(known.turns[1]).toMatchObject({
      node: 'known',
      calls: [
        {
          node: 'check',
          tool: 'mcp:network/line_status',
          args: { line: '1234567' },
          result: 'simulated',
          ok: true,
        },
      ],
    })
    const without = await simulate(internet, { messages })
    expect(without.turns[1]).toMatchObject({
      node: 'light',
      calls: [{ result: 'not_simulated', ok: false }],
    })
    const intake = await simulate(id, {
      messages: ['Hello', 'Something else', { form: { email: 'a@b.example', summary: 'x' } }],
      tools: { handoff: { ok: false } },
    })
    expect(intake.turns[2]).toMatchObject({ node: 'left', status: 'exited' })
  })

  it('lets time pass: what is due meanwhile happens', async () => {
    const { json } = await expectOk(
      tenant.call('POST', '/v1/storylines', {
        agent_name: 'front-desk',
        key: 'later',
        graph: {
          schema: 1,
          start: 'rest',
          nodes: {
            rest: {
              type: 'wait',
              minutes: 60,
              say: 'Ready?',
              exits: [{ id: 'due', to: 'again', on: 'due' }],
            },
            again: { type: 'wait', minutes: 30, exits: [{ id: 'due', to: 'bye', on: 'due' }] },
            bye: { type: 'end', say: 'Bye.' },
          },
        },
      }),
    )
    const short = { wait_minutes: 40 }
    const { turns } = await simulate(json.id, { messages: ['Hello', short, short, short] })
    const told = turns.map((turn: Record<string, unknown>) => [turn.node, turn.said, turn.due_at])
    const due = (turn: number) => Date.parse(turns[turn].due_at) - Date.parse(turns[0].due_at)
    expect(told).toEqual([
      ['rest', [], expect.any(String)],
      ['rest', [], turns[0].due_at],
      ['again', ['Ready?'], expect.any(String)],
      ['bye', ['Bye.'], null],
    ])
    expect(due(2)).toBe(30 * 60_000)
    const whole = await simulate(json.id, { messages: ['Hello', { wait_minutes: 600 }] })
    expect(whole.turns[1]).toMatchObject({ node: 'bye', said: ['Ready?', 'Bye.'] })
  })

  it('says what a slot held when its node was entered, whatever becomes of it in the same turn', async () => {
    const { json } = await expectOk(
      tenant.call('POST', '/v1/storylines', {
        agent_name: 'front-desk',
        key: 'rounds',
        profile_schema: {
          type: 'object',
          properties: {
            score: { type: 'integer', title: 'Score' },
            round: { type: 'integer', default: 0, 'x-computed': true },
          },
        },
        graph: {
          schema: 1,
          start: 'begin',
          nodes: {
            begin: {
              type: 'message',
              say: 'Round {{profile.round}}.',
              set: { round: 'profile.round + 1' },
              exits: [{ id: 'on', to: 'ask' }],
            },
            ask: {
              type: 'collect',
              clear: ['score'],
              slots: [{ slot: 'score', ask: 'Your score?' }],
              exits: [{ id: 'got', to: 'tell', on: 'done' }],
            },
            tell: {
              type: 'message',
              say: 'You have {{profile.score}}.',
              exits: [
                { id: 'more', to: 'begin', when: 'profile.round < 2' },
                { id: 'over', to: 'bye' },
              ],
            },
            bye: { type: 'end', clear: ['score'], say: 'Bye{{profile.score}}.' },
          },
        },
      }),
    )
    const { turns } = await simulate(json.id, { messages: ['Hello', '7', '9'] })
    expect(turns.map(({ said }: { said: string[] }) => said)).toEqual([
      ['Round 1.'],
      ['You have 7.', 'Round 2.'],
      ['You have 9.', 'Bye.'],
    ])
  })

  it('fails where it waits until a moment that no calendar has', async () => {
    const { json } = await expectOk(
      tenant.call('POST', '/v1/storylines', {
        agent_name: 'front-desk',
        key: 'beyond',
        name: 'Beyond',
        graph: {
          schema: 1,
          start: 'rest',
          nodes: {
            rest: { type: 'wait', until: 'now + duration("9000000000000s")', exits: [] },
          },
        },
      }),
    )
    const { turns } = await simulate(json.id, { messages: ['Hello'] })
    expect(turns).toMatchObject([{ node: 'rest', status: 'failed', due_at: null }])
  })

  it('stores, calls, sends and counts nothing, and runs a graph that cannot be published', async () => {
    const tables = ['audit', 'storyline_enrollments', 'storyline_counts', 'storyline_revisions']
    const id = await imported('customer-intake')
    const before = await Promise.all(tables.map(rowsOf))
    await simulate(id, { messages: ['Hello', 'Get help'] })
    expect(await Promise.all(tables.map(rowsOf))).toEqual(before)
    const { json: broken } = await expectOk(
      tenant.call('POST', '/v1/storylines', {
        agent_name: 'front-desk',
        key: 'half',
        graph: { schema: 1, start: 'a', nodes: { a: { type: 'message', exits: [] } } },
      }),
    )
    const { turns } = await simulate(broken.id, { messages: ['Hello', 'And now?'] })
    expect(turns.map(({ status }: { status: string }) => status)).toEqual(['failed', 'failed'])
  })

  it('refuses what is no graph, with what is wrong with it', async () => {
    const { json } = await expectOk(
      tenant.call('POST', '/v1/storylines', {
        agent_name: 'front-desk',
        key: 'none',
        graph: {
          schema: 1,
          start: 'a',
          nodes: { a: { type: 'dance' }, b: { type: 'end', say: {} } },
        },
      }),
    )
    const answer = await tenant.call('POST', at(json.id, '/simulate'), { messages: ['Hi'] })
    expect(answer.status).toBe(422)
    expect(answer.json.detail[0]).toMatchObject({ type: 'schema' })
    expect((await tenant.call('POST', at(json.id, '/scenarios/run'))).status).toBe(422)
  })

  it('refuses a profile that the slots refuse', async () => {
    const id = await imported('customer-intake')
    for (const profile of [{ company_size: 0 }, { nobody: 'x' }]) {
      const answer = await tenant.call('POST', at(id, '/simulate'), { messages: ['Hi'], profile })
      expect(answer.status).toBe(422)
      expect(answer.json.detail[0].loc).toEqual(['body', 'profile', Object.keys(profile)[0]])
    }
  })

  it('refuses a verdict of an exit that there is not', async () => {
    const id = await imported('customer-intake')
    const run = (name: string) =>
      tenant.call('POST', at(id, '/simulate'), { messages: ['Hi'], judge: { [name]: 'yes' } })
    for (const name of ['humna', 'human', 'need.humna', 'nowhere.global:human']) {
      const answer = await run(name)
      expect([name, answer.status, answer.json.detail[0]?.loc]).toEqual([
        name,
        422,
        ['body', 'judge', name],
      ])
    }
    for (const name of ['global:human', 'need.global:human'])
      expect((await run(name)).status).toBe(200)
  })
})

describe('scenarios', () => {
  const scenario = {
    messages: ['Hello', 'Get help'],
    expect: [
      { turn: 1, node: 'need', says: 'What brings you here' },
      { turn: 2, node: 'helped', status: 'completed', slots: { need: 'support' } },
    ],
  }

  it('are written, read, listed, replaced and deleted; their words are sealed and not in the trail', async () => {
    const id = await imported('customer-intake')
    const path = at(id, '/scenarios/Get help')
    const { json } = await expectOk(tenant.call('PUT', path, scenario))
    expect(json).toEqual({ name: 'Get help', ...scenario, updated_at: expect.any(String) })
    expect((await expectOk(tenant.call('GET', path))).json).toEqual(json)
    const changed = { ...scenario, messages: ['Bonjour', 'Get help'] }
    await expectOk(tenant.call('PUT', path, changed))
    const { json: list } = await expectOk(tenant.call('GET', at(id, '/scenarios')))
    expect(list).toEqual([{ name: 'Get help', ...changed, updated_at: expect.any(String) }])
    const { DB } = await parley.worker.getEnv()
    const { results } = await DB.prepare(
      "SELECT body FROM storyline_scenarios WHERE storyline_id = ?1 UNION ALL SELECT coalesce(after, '') FROM audit WHERE tenant_id = ?2 AND entity = 'storyline_scenario'",
    )
      .bind(id, tenant.id)
      .all<{ body: string }>()
    expect(results.length).toBe(3)
    for (const { body } of results) expect(body).not.toContain('Bonjour')
    expect((await tenant.call('DELETE', path)).status).toBe(204)
    expect((await tenant.call('GET', path)).status).toBe(404)
    expect((await tenant.call('DELETE', path)).status).toBe(404)
  })

  it('are run, and keep what fails from being published where that is wanted', async () => {
    const id = await imported('customer-intake')
    await expectOk(tenant.call('PUT', at(id, '/scenarios/good'), scenario))
    const bad = {
      ...scenario,
      expect: [{ turn: 2, node: 'size', status: 'active', slots: { need: 'sales' } }],
    }
    await expectOk(tenant.call('PUT', at(id, '/scenarios/bad'), bad))
    const failed = {
      name: 'bad',
      turn: 2,
      expected: { node: 'size', status: 'active', slots: { need: 'sales' } },
      got: { node: 'helped', status: 'completed', slots: { need: 'support' } },
    }
    const { json } = await expectOk(tenant.call('POST', at(id, '/scenarios/run')))
    expect(json).toEqual({ ok: false, scenarios: [failed] })
    const gated = await tenant.call('POST', at(id, '/publish?gate=scenarios'))
    expect([gated.status, gated.json.code, gated.json.scenarios]).toEqual([
      422,
      'scenarios_failed',
      [failed],
    ])
    expect(gated.json.detail[0]).toMatchObject({ type: 'scenarios_failed', loc: ['query', 'gate'] })
    expect((await expectOk(tenant.call('GET', at(id, '')))).json.status).toBe('draft')
    expect((await tenant.call('POST', at(id, '/publish?gate=all'))).status).toBe(422)
    await expectOk(tenant.call('DELETE', at(id, '/scenarios/bad')))
    const live = await expectOk(tenant.call('POST', at(id, '/publish?gate=scenarios')))
    expect(live.json.status).toBe('published')
  })

  it('are fifty at most, and go with their storyline', async () => {
    const id = await imported('customer-intake')
    for (let n = 0; n < 50; n += 10)
      await Promise.all(
        Array.from({ length: 10 }, (_, i) =>
          expectOk(tenant.call('PUT', at(id, `/scenarios/number ${n + i}`), scenario)),
        ),
      )
    expect((await tenant.call('PUT', at(id, '/scenarios/one more'), scenario)).status).toBe(409)
    await expectOk(tenant.call('PUT', at(id, '/scenarios/number 7'), scenario))
    const before = await rowsOf('storyline_scenarios')
    expect((await tenant.call('DELETE', at(id, ''))).status).toBe(204)
    expect(await rowsOf('storyline_scenarios')).toBe((before ?? 0) - 50)
  })
})

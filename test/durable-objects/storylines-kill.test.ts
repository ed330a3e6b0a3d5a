import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type HostileMcp, startHostileMcp, toolOf } from '../support/hostile-mcp'
import { type Killable, startKillable } from '../support/killable'
import { mcpTenant } from '../support/mcp-tenant'
import { expectOk, type SeededTenant, seedAgent, seedTenant, waitFor } from '../support/seed'

/** Each is the number of a write on disk at which two turns, a publish and a migration are cut off at once. */
const WRITES = Array.from({ length: 28 }, (_, n) => n + 1)
/** The same for what the clock does to three people; the first ones are of what their turn leaves behind. */
const CLOCK_WRITES = [1, 2, 3, 4, 5, 6, 8, 10, 11, 12, 13, 14]
const STEPS = WRITES.length * 2 + 2
/** A report whose job a kill took along is sent again a minute later. */
const REPORTED_MS = 90_000

const step = (n: number) => `n${String(n).padStart(2, '0')}`
const calling = (name: string, to: string) => ({
  type: 'tool',
  tool: 'mcp:desk/note',
  args: { who: 'profile.who', step: JSON.stringify(name) },
  exits: [
    { id: 'done', to, on: 'done' },
    { id: 'failed', to, on: 'error' },
  ],
})
const asking = (slot: string, ask: string, to: string) => ({
  type: 'collect',
  slots: [{ slot, ask }],
  exits: [{ id: 'go', to, on: 'done' }],
})
const END = { type: 'end', outcome: 'over', say: 'Over.' }
const all = Array.from({ length: STEPS }, (_, n) => n)

/** After each answer a tool is called: where somebody stands says how many were answered. */
const FLOW = {
  key: 'steps',
  display_name: 'Many steps',
  show_profile: true,
  profile_schema: {
    properties: {
      who: { type: 'string', title: 'Who' },
      ...Object.fromEntries(
        all.map((n) => [step(n), { type: 'string', title: `Step ${n}`, enum: ['on'] }]),
      ),
    },
  },
  graph: {
    schema: 1,
    start: 'who',
    nodes: {
      who: asking('who', 'Who?', step(0)),
      ...Object.fromEntries(
        all.flatMap((n) => [
          [step(n), asking(step(n), `Step ${n}?`, `call${n}`)],
          [`call${n}`, calling(step(n), n + 1 < STEPS ? step(n + 1) : 'over')],
        ]),
      ),
      over: END,
    },
  },
}
const LATER = {
  key: 'later',
  display_name: 'Later',
  profile_schema: { properties: { who: { type: 'string' }, town: { type: 'string' } } },
  graph: {
    schema: 1,
    start: 'who',
    nodes: {
      who: asking('who', 'Who?', 'rest'),
      rest: {
        type: 'wait',
        until: 'now + duration("1s")',
        say: 'Back.',
        exits: [{ id: 'due', to: 'call', on: 'due' }],
      },
      call: calling('later', 'town'),
      town: asking('town', 'Which town?', 'over'),
      over: END,
    },
  },
}
const WALK = {
  key: 'walk',
  display_name: 'A walk',
  profile_schema: { properties: { a: { type: 'string' }, b: { type: 'string' } } },
  graph: {
    schema: 1,
    start: 'first',
    nodes: {
      first: asking('a', 'First?', 'second'),
      second: asking('b', 'Second?', 'over'),
      over: END,
    },
  },
}
const WALKERS = ['eva', 'fay', 'gus']

describe('kill -9 in what storylines do', { timeout: 240_000 }, () => {
  let server: Killable
  let peer: HostileMcp
  let tenant: SeededTenant

  beforeAll(async () => {
    peer = await startHostileMcp('http://127.0.0.1:9')
    peer.tools = [toolOf('note')]
    peer.result = { content: [{ type: 'text', text: '{"ok":true}' }] }
    server = await startKillable({ EGRESS_ALLOW: peer.pair })
    // What may have been under way at a kill is held for ten minutes: forty kills within them hold more than a tenant's month has.
    tenant = await seedTenant(server.parley, { monthly_token_ceiling: 1_000_000_000 })
    await mcpTenant(tenant).addChecked(peer.urlOf('/tools'), { name: 'desk' })
    await seedAgent(tenant, 'desk', { tools: ['mcp:desk'], model: 'offline' })
  }, 90_000)
  afterAll(async () => {
    await server.dispose()
    await peer.close()
  })

  const onMenu = (file: Record<string, unknown>) => ({ ...file, agent_name: 'desk', entry: 'menu' })
  /** A live storyline of the menu. @returns its path. */
  async function publish(file: Record<string, unknown>): Promise<string> {
    const { json } = await expectOk(tenant.call('POST', '/v1/storylines', onMenu(file)))
    await expectOk(tenant.call('POST', `/v1/storylines/${json.id}/publish`))
    return `/v1/storylines/${json.id}`
  }
  const ask = (who: string, message: string, session_id?: string) =>
    tenant.as(who, 'POST', '/v1/chat', { message, agent: 'desk', session_id })
  /** The user picks it and says who they are, so that the peer sees whose call it is. */
  async function begin(who: string, name: string): Promise<string> {
    const { json } = await expectOk(ask(who, name))
    await expectOk(ask(who, who, json.session_id))
    return json.session_id
  }
  const said = async (
    who: string,
    session: string,
  ): Promise<{ role: string; content: string }[]> => {
    const path = `/me/sessions/${session}/messages?limit=500`
    const { json } = await expectOk(tenant.as(who, 'GET', path))
    return json.filter(({ status }: { status: string }) => status === 'complete')
  }
  const repliesIn = async (who: string, session: string): Promise<string[]> =>
    (await said(who, session)).flatMap(({ role, content }) =>
      role === 'assistant' ? [content] : [],
    )
  const funnel = async (path: string) =>
    (await expectOk(tenant.call('GET', `${path}/funnel`))).json.nodes
  /** Each call that reached the peer, by its person and step. */
  const calls = (): string[] =>
    peer.calls.flatMap(({ call }) =>
      call.method === 'tools/call' ? [JSON.stringify(call.params?.arguments)] : [],
    )

  it('moves nobody twice, loses no answer and calls no tool again: turns, publishing and orders', async () => {
    const steps = await publish(FLOW)
    const walk = await publish(WALK)
    const sessions = new Map<string, string>()
    for (const who of ['ann', 'bob']) sessions.set(who, await begin(who, 'Many steps'))
    for (const who of WALKERS) await expectOk(ask(who, 'A walk'))
    const standing = async (node: string): Promise<unknown[]> =>
      (await expectOk(tenant.call('GET', `${walk}/enrollments?node=${node}`))).json
    await waitFor(async () => ((await standing('first')).length === WALKERS.length ? true : null))

    const nodes = ['first', 'second']
    for (const [round, write] of WRITES.entries()) {
      const [from_node, to_node] = round % 2 === 0 ? nodes : nodes.toReversed()
      const order = { action: 'move', from_node, to_node }
      const move = () => tenant.call('POST', `${walk}/enrollments/migrate`, order)
      const edited = { ...onMenu(WALK), description: `Round ${round}` }
      await expectOk(tenant.call('PUT', walk, edited))
      const begun = Promise.allSettled([
        ...[...sessions].map(([who, session]) => ask(who, 'on', session)),
        tenant.call('POST', `${walk}/publish`),
        move(),
      ])
      await server.killAtWrite(write, begun)
      await begun
      await server.start()

      for (const [who, session] of sessions) {
        const { json } = await expectOk(ask(who, 'on', session))
        const replies = await repliesIn(who, session)
        // The first reply asked who it is; each one after it noted one answer more.
        expect([who, write, json.storyline.noted.length]).toEqual([who, write, replies.length - 1])
        expect(json.reply).toBe(`Step ${replies.length - 2}?`)
        expect(new Set(replies).size).toBe(replies.length)
      }
      await expectOk(tenant.call('POST', `${walk}/publish`))
      const { json: revisions } = await expectOk(tenant.call('GET', `${walk}/revisions`))
      expect(revisions).toHaveLength(round + 2)
      await waitFor(async () => {
        await expectOk(move())
        return (await standing(String(to_node))).length === WALKERS.length ? true : null
      })
    }

    expect(calls().length).toBeGreaterThan(0)
    expect(new Set(calls()).size).toBe(calls().length)
    const each = WRITES.length / 2
    const walked = await funnel(walk)
    const moved = { migrate: each * WALKERS.length }
    expect([walked.first.exits, walked.second.exits]).toEqual([moved, moved])
    expect([walked.first.entered, walked.second.entered]).toEqual([WALKERS.length, WALKERS.length])
    const answered = await Promise.all(
      [...sessions].map(async ([who, session]) => (await repliesIn(who, session)).length - 2),
    )
    // What was counted is what was answered, wherever it was cut off.
    const passed = await waitFor(async () => {
      const found = await funnel(steps)
      const counted = all.map((n) => found[step(n)].exits.go ?? 0)
      const sum = counted.reduce((total, n) => total + n, 0)
      return sum === answered.reduce((total, n) => total + n, 0) ? counted : null
    }, REPORTED_MS)
    expect(passed).toEqual(all.map((n) => answered.filter((count) => count > n).length))
  })

  it('what the clock does is done once', async () => {
    const later = await publish(LATER)
    const told: string[] = []
    for (const [round, write] of CLOCK_WRITES.entries()) {
      const people = ['ann', 'bob', 'cyd'].map((name) => `${name}-${round}`)
      const sessions = await Promise.all(people.map((who) => begin(who, 'Later')))
      const isTold = (at: number) => async () => {
        const replies = await repliesIn(people[at] ?? '', sessions[at] ?? '')
        return replies.some((text) => text.includes('Which town?')) ? replies : null
      }
      const over = Promise.allSettled(people.map((_, at) => waitFor(isTold(at))))
      await server.killAtWrite(write, over)
      await server.start()
      for (const [at, who] of people.entries()) {
        const replies = await waitFor(isTold(at))
        expect([write, replies.filter((text) => text.includes('Back.'))]).toEqual([
          write,
          ['Back.\n\nWhich town?'],
        ])
        expect((await expectOk(ask(who, 'Rome', sessions[at]))).json.reply).toBe('Over.')
        told.push(who)
      }
    }
    const own = calls().filter((args) => args.includes('later'))
    expect(new Set(own).size).toBe(own.length)
    const counted = await waitFor(async () => {
      const nodes = await funnel(later)
      return nodes.over.completed === told.length ? nodes : null
    }, REPORTED_MS)
    expect(counted.town).toMatchObject({ entered: told.length, active: 0 })
    expect(counted.rest.exits).toEqual({ due: told.length })
  })
})

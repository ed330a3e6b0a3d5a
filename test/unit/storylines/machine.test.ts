import { describe, expect, it } from 'vitest'
import { conditionsFor } from '../../../src/storylines/conditions'
import type { StoryNode } from '../../../src/storylines/graph'
import { judgementsOf, newState, run } from '../../../src/storylines/machine'
import { readGraph, withUsedSlots } from '../../../src/storylines/read-graph'
import { readSlots } from '../../../src/storylines/slots'
import type {
  Effect,
  Person,
  Said,
  Story,
  StoryEvent,
  StoryState,
} from '../../../src/storylines/story-state'
import { validate } from '../../../src/storylines/validate'
import intake from '../../fixtures/storylines/customer-intake.json'
import noInternet from '../../fixtures/storylines/no-internet.json'
import cafe from '../../fixtures/storylines/spanish-cafe.json'
import { breakStorylines, walkStorylines } from '../../support/storyline-fuzz'

const NOW = Date.parse('2026-11-22T12:00:00Z')
/** Beyond what a date holds. */
const NEVER = 'now + duration("9000000000000s")'
const ANN: Person = { registered: true, lang: 'en', timezone: 'Europe/Paris', city: 'Paris' }
const SAID: Said = {
  text: 'hello',
  lang: 'en',
  images: 0,
  audio: false,
  values: {},
  judged: [],
  digression: false,
  leave: false,
  confirmed: null,
}

function storyOf(graph: unknown, profile: unknown, allowExit = true): Story {
  const declared = readSlots(profile).slots
  const read = readGraph(graph, declared)
  const slots = read.foreign ? withUsedSlots(declared, read.graph) : declared
  return { graph: read.graph, slots, conditions: conditionsFor(slots), allowExit }
}

/** Plays a storyline: each line is told as the node afterwards and what was done. */
class Play {
  state: StoryState
  effects: readonly Effect[] = []
  now = NOW

  constructor(readonly story: Story) {
    this.state = newState(story, NOW)
  }

  take(event: StoryEvent): this {
    const ran = run(this.story, this.state, event, ANN, this.now)
    this.state = ran.state
    this.effects = ran.effects
    return this
  }

  start = (said: Said | null = null) => this.take({ type: 'start', said })
  say = (said: Partial<Said>) => this.take({ type: 'said', ...SAID, ...said })
  fill = (values: Said['values']) => this.say({ values })
  judge = (...judged: string[]) => this.say({ judged })

  get at(): string {
    return this.state.status === 'active'
      ? this.state.node
      : `${this.state.node}!${this.state.status}`
  }

  get did(): string[] {
    return this.effects.map((effect) => {
      if (effect.type === 'moved') return `${effect.from}-${effect.exit}->${effect.to}`
      return 'node' in effect ? `${effect.type} ${effect.node}` : effect
    })
  }
}

describe('customer intake', () => {
  const play = () => new Play(storyOf(intake.graph, intake.profile_schema)).start()

  it('greets, asks, computes the tier and hands over', () => {
    const one = play()
    expect(one.did).toEqual([
      'entered hello',
      'say hello',
      'hello-go->need',
      'entered need',
      'ask need',
    ])
    expect(one.fill({ need: 'sales' }).at).toBe('size')
    expect(one.fill({ company_size: 12 }).at).toBe('contact')
    expect(one.state.profile.tier).toBe('self_serve')
    expect(one.effects.at(-1)).toMatchObject({ type: 'ask', form: true })
    expect(one.fill({ email: 'ann@example.com' }).at).toBe('contact')
    expect(one.fill({ summary: 'A call back' }).did).toEqual([
      'contact-done->to_person',
      'entered to_person',
      'say to_person',
      'handoff to_person',
    ])
    expect(one.take({ type: 'handoff', ok: true }).at).toBe('booked!completed')
    expect(one.effects.at(-1)).toMatchObject({ type: 'ended', outcome: 'qualified' })
  })

  it('leaves when the handoff could not be stored', () => {
    const one = play().fill({ need: 'other' }).fill({ email: 'a@b.example', summary: 'x' })
    expect(one.take({ type: 'handoff', ok: false }).at).toBe('left!exited')
  })

  it('does not ask again for what the first message said', () => {
    const one = new Play(storyOf(intake.graph, intake.profile_schema))
    one.start({ ...SAID, values: { need: 'sales', company_size: 50 } })
    expect(one.at).toBe('contact')
    expect(one.state.profile.tier).toBe('assisted')
  })

  it('gives up after three messages that do not answer, of which digressions are none', () => {
    const one = play()
    one.say({ digression: true }).say({}).say({ digression: true }).say({})
    expect([one.at, one.state.attempts]).toEqual(['need', 2])
    expect(one.say({}).at).toBe('contact')
  })

  it('goes to a person by the global exit, from anywhere but there', () => {
    const one = play()
    const asked = judgementsOf(one.story, one.state, SAID, ANN, NOW)
    expect(asked.map(({ id }) => id)).toEqual(['global:human'])
    expect(one.judge('global:human').at).toBe('contact')
    expect(judgementsOf(one.story, one.state, SAID, ANN, NOW)).toEqual([])
  })

  it('asks for a statement that counts once the slots are filled with those slots', () => {
    const exits = [
      { id: 'angry', to: 'end', on: 'done', judge: 'The user is angry.' },
      { id: 'many', to: 'end', when: 'profile.days > 3', judge: 'The user is ill.' },
      { id: 'over', to: 'end', on: 'failed', judge: 'The user gives up.' },
      { id: 'go', to: 'end' },
    ]
    const ask = { type: 'collect', slots: [{ slot: 'why' }, { slot: 'days' }], exits }
    const properties = { why: { type: 'string' }, days: { type: 'integer' } }
    const graph = { schema: 1, start: 'ask', nodes: { ask, end: { type: 'end' } } }
    const { story, state } = new Play(storyOf(graph, { properties })).start()
    const asked = (open: string[], values = {}) =>
      judgementsOf(story, state, { ...SAID, values }, ANN, NOW, open).map(({ id }) => id)
    expect(asked(['why', 'days'])).toEqual(['angry', 'many'])
    expect(asked(['why'])).toEqual([])
    expect(asked(['why'], { days: 2 })).toEqual(['angry'])
    expect(asked([], { why: 'flu', days: 4 })).toEqual(['angry', 'many'])
  })

  it('takes no value that the schema refuses, and none for a computed slot', () => {
    const one = play().fill({ need: 'everything', tier: 'assisted' })
    expect([one.at, one.state.profile, one.state.attempts]).toEqual(['need', {}, 1])
  })

  it('corrects what was noted before, and counts that as no attempt', () => {
    const one = play().fill({ need: 'sales' }).fill({ need: 'other' })
    expect([one.at, one.state.profile.need, one.state.attempts]).toEqual(['size', 'other', 0])
  })

  it('notes a timestamp as the format of its slot has it', () => {
    const dated = (format: string) => {
      const set = { at: 'timestamp("2026-03-05T10:20:30Z")' }
      const nodes = { go: { type: 'end', set } }
      const properties = { at: { type: 'string', format } }
      const story = storyOf({ schema: 1, start: 'go', nodes }, { properties })
      return new Play(story).start().state.profile.at
    }
    expect(['date', 'time', 'date-time'].map(dated)).toEqual([
      '2026-03-05',
      '10:20:30',
      '2026-03-05T10:20:30.000Z',
    ])
  })

  it('lets the user leave, unless the storyline says not', () => {
    expect(play().say({ leave: true }).at).toBe('need!exited')
    const stays = new Play(storyOf(intake.graph, intake.profile_schema, false)).start()
    expect(stays.say({ leave: true }).did).toEqual(['leave_refused need', 'ask need'])
  })
})

describe('language course', () => {
  const play = () => new Play(storyOf(cafe.graph, cafe.profile_schema)).start()

  it('teaches, plays, tests, waits a day and passes', () => {
    const one = play().fill({ level: 'beginner' })
    expect(one.did.at(-1)).toBe('converse lesson')
    one.judge('ready').judge('ready')
    expect(one.at).toBe('lesson')
    expect(one.judge('ready').at).toBe('role_play')
    expect(one.judge('paid').at).toBe('quiz')
    expect(one.state.profile.tries).toBe(1)
    expect(one.fill({ score: 2, mistakes: ['cuenta'] }).at).toBe('rest')
    expect(one.effects.at(-1)).toEqual({ type: 'timer', node: 'rest', dueAt: NOW + 86_400_000 })
    one.now += 86_400_000
    expect(one.take({ type: 'due' }).did).toEqual([
      'say rest',
      'rest-due->lesson',
      'entered lesson',
      'converse lesson',
    ])
    one.judge().judge().judge('ready')
    one.judge('paid')
    expect(one.state.profile).toMatchObject({ tries: 2, mistakes: ['cuenta'] })
    expect(one.state.profile.score).toBeUndefined()
    expect(one.fill({ score: 5 }).at).toBe('done!completed')
  })

  it('skips ahead, runs out of turns and stops', () => {
    const one = play().fill({ level: 'confident' })
    expect(one.at).toBe('quiz')
    for (let turn = 0; turn < 11; turn++) one.say({})
    expect(one.at).toBe('quiz')
    expect(one.say({}).at).toBe('left!exited')
  })

  it('writes no moment into a slot that no calendar has', () => {
    const profile = { type: 'object', properties: { at: { type: 'string' } } }
    const over = { type: 'end', set: { at: NEVER } }
    const one = new Play(storyOf({ schema: 1, start: 'over', nodes: { over } }, profile)).start()
    expect([one.at, one.state.profile]).toEqual(['over!completed', {}])
  })

  it('waits for no time that has passed, nor for one that no clock can be set for', () => {
    const dueAfter = (until: string) => {
      const graph = {
        schema: 1,
        start: 'rest',
        nodes: {
          rest: { type: 'wait', until, exits: [{ id: 'due', to: 'over' }] },
          over: { type: 'end' },
        },
      }
      const timer = new Play(storyOf(graph, {})).start().effects.at(-1)
      return timer?.type === 'timer' ? timer.dueAt - NOW : null
    }
    expect(dueAfter('now + duration("90m")')).toBe(90 * 60_000)
    for (const past of ['1960-05-01T09:00:00Z', '2026-11-22T11:59:59Z'])
      expect(dueAfter(`timestamp("${past}")`)).toBe(0)
    expect(dueAfter('timestamp("9999-12-31T00:00:00Z")')).toBe(100 * 365 * 86_400_000)
    expect(dueAfter(NEVER)).toBeNull()
  })

  it('answers early when the user writes before the time', () => {
    const one = play().fill({ level: 'confident' }).fill({ score: 1 })
    expect(one.say({}).at).toBe('lesson')
  })

  it('goes back to the lesson at most twice', () => {
    const one = play().fill({ level: 'zero' })
    const places: string[] = []
    for (let turn = 0; turn < 100 && one.at !== 'quiz'; turn++) {
      one.say({})
      if (places.at(-1) !== one.at) places.push(one.at)
    }
    expect(places).toEqual([
      'lesson',
      'role_play',
      'lesson',
      'role_play',
      'lesson',
      'role_play',
      'quiz',
    ])
  })
})

describe('troubleshooting', () => {
  const play = () => new Play(storyOf(noInternet.graph, noInternet.profile_schema)).start()

  it('asks the tool and tells of an outage', () => {
    const one = play().fill({ line_id: '1234567' })
    expect(one.effects.at(-1)).toEqual({
      type: 'tool',
      node: 'check',
      step: 2,
      tool: 'mcp:network/line_status',
      args: { line: '1234567' },
      timeoutS: 10,
    })
    expect(one.take({ type: 'tool', ok: true, status: 200, data: { outage: true } }).at).toBe(
      'known!completed',
    )
  })

  it('goes on by hand when the tool fails, and opens a ticket in the end', () => {
    const one = play().fill({ line_id: '1234567' })
    expect(one.take({ type: 'tool', ok: false, status: 502, data: null }).at).toBe('light')
    expect(one.fill({ light: 'off' }).at).toBe('verify')
    expect(one.fill({ fixed: false }).at).toBe('light')
    expect(one.fill({ light: 'red' }).at).toBe('restart')
    expect(one.judge('restarted').at).toBe('verify')
    expect(one.fill({ fixed: false }).effects.find(({ type }) => type === 'handoff')).toEqual({
      type: 'handoff',
      node: 'ticket',
      notify: ['noc@example.com'],
    })
    expect(one.take({ type: 'handoff', ok: true }).at).toBe('escalated!completed')
  })

  it('heeds no result that it did not ask for', () => {
    const one = play()
    const before = one.state
    one.take({ type: 'tool', ok: true, status: 200, data: {} }).take({ type: 'handoff', ok: true })
    expect(one.take({ type: 'due' }).state).toEqual({ ...before, moves: 0 })
  })
})

describe('values that are read back', () => {
  const graph = {
    schema: 1,
    start: 'ask',
    nodes: {
      ask: {
        type: 'collect',
        slots: [{ slot: 'name' }, { slot: 'age', required: false }],
        confirm: true,
        exits: [
          { id: 'ok', to: 'end', on: 'done' },
          { id: 'no', to: 'end', on: 'failed' },
        ],
      },
      end: { type: 'end', outcome: 'done' },
    },
  }
  const profile = { properties: { name: { type: 'string' }, age: { type: 'integer' } } }
  const play = () => new Play(storyOf(graph, profile)).start()

  it('is done on yes', () => {
    const one = play().fill({ name: 'Ann' })
    expect(one.did).toEqual(['confirm ask'])
    expect(one.say({ confirmed: true }).at).toBe('end!completed')
  })

  it('asks again on no, and reads a correction back', () => {
    const one = play().fill({ name: 'Ann' }).say({ confirmed: false })
    expect([one.did, one.state.profile]).toEqual([['ask ask'], {}])
    one.fill({ name: 'Anna' })
    expect(one.say({ confirmed: false, values: { name: 'Anne' } }).did).toEqual(['confirm ask'])
    expect(one.say({ confirmed: true }).state.profile).toEqual({ name: 'Anne' })
  })
})

describe('graphs of other shapes', () => {
  const around = {
    agentExists: true,
    tools: new Set(['current_time']),
    knowledgeBases: new Set<string>(),
    next: null,
  }
  const record = {
    profile_schema: {},
    entry: 'menu',
    enroll_trigger: 'manual',
    user_visibility: 'title',
    on_complete: 'return',
    concurrency: 'exclusive',
    allow_agent_enroll: false,
    is_default: false,
  }
  const cases: [string, unknown][] = [
    [
      'a list of nodes with next',
      {
        nodes: [
          { id: 'hi', type: 'message', text: 'Hello', next: 'name' },
          { id: 'name', type: 'question', text: 'Who are you?', next: 'bye' },
          { id: 'bye', type: 'finish', text: 'Bye' },
        ],
      },
    ],
    [
      'nodes and edges',
      {
        nodes: [
          { id: '1', type: 'start' },
          { id: '2', type: 'llm', data: {}, prompt: 'Talk about the product' },
          { id: '3', type: 'end' },
        ],
        edges: [
          { source: '1', target: '2' },
          { source: '2', target: '3', condition: 'The user has no more questions' },
        ],
      },
    ],
    [
      'a map with a branch map',
      {
        entry: 'Ask Age',
        nodes: {
          'Ask Age': {
            type: 'question',
            slots: [{ name: 'age', question: 'How old?' }],
            next: 'Which',
          },
          Which: { type: 'if', branches: { 'profile.age == "20"': 'Yes', else: 'No' } },
          Yes: { type: 'end' },
          No: { type: 'end' },
        },
      },
    ],
    ['steps without types', { steps: [{ name: 'a', text: 'Hi', next: 'b' }, { name: 'b' }] }],
    [
      'a timer and a person',
      {
        nodes: {
          a: { type: 'delay', hours: 2, next: 'b' },
          b: { type: 'human', exits: [{ to: 'c' }] },
          c: { type: 'stop' },
        },
      },
    ],
  ]
  it.each(cases)('reads %s, and runs it to its end', (_name, graph) => {
    const found = validate({ ...record, graph }, around)
    expect(found.errors.filter(({ severity }) => severity === 'error')).toEqual([])
    const one = new Play(storyOf(graph, {})).start()
    for (let turn = 0; turn < 6 && one.state.status === 'active'; turn++) {
      const waiting = one.story.graph.nodes[one.state.node]
      if (waiting?.type === 'wait') one.take({ type: 'due' })
      else if (waiting?.type === 'handoff') one.take({ type: 'handoff', ok: true })
      else {
        const values = Object.fromEntries([...one.story.slots.keys()].map((key) => [key, '20']))
        const judged = (waiting?.exits ?? []).map(({ id }) => id)
        one.say({ values, judged })
      }
    }
    expect(one.state.status).toBe('completed')
  })

  it('gives one turn to a converse node that only leads on', () => {
    const { graph } = readGraph(
      { nodes: [{ id: 'a', prompt: 'Greet them', next: 'b' }, { id: 'b' }] },
      new Map(),
    )
    expect(graph.nodes.a).toMatchObject({ type: 'converse', max_turns: 1 })
  })

  it.each([intake, cafe, noInternet])('reads $key without its schema as with it', (example) => {
    const { schema: _, ...graph } = example.graph
    const { slots } = readSlots(example.profile_schema)
    expect(readGraph(graph, slots).graph).toEqual({ ...example.graph, nodes: expect.anything() })
    for (const [key, { outcome = 'done', ...node }] of Object.entries<StoryNode>(
      example.graph.nodes as never,
    ))
      expect(readGraph(graph, slots).graph.nodes[key]).toEqual(
        node.type === 'end' ? { ...node, outcome } : node,
      )
  })

  it('leaves out what stands where format 1 has something else', () => {
    const nodes = [
      { id: 'a', text: 'Hi', set: { x: 1 }, milestone: 'yes', tools: 'all', next: 'b' },
      { id: 'b', type: 'end', result: 'fine', until: 'now' },
    ]
    const read = readGraph({ nodes, settings: 5, trigger: { when: '' } }, new Map()).graph
    expect(read).toEqual({
      schema: 1,
      start: 'a',
      nodes: {
        a: { type: 'message', say: 'Hi', exits: [{ id: 'exit_1', to: 'b' }] },
        b: { type: 'end', outcome: 'fine' },
      },
    })
  })

  it('infers the type of a node whose own is a word that every object has', () => {
    const graph = { nodes: [{ id: 'a', type: 'constructor', text: 'Hi', next: 'b' }, { id: 'b' }] }
    expect(validate({ ...record, graph }, around).errors).toEqual([])
    expect(readGraph(graph, new Map()).graph.nodes.a?.type).toBe('message')
  })

  it('gives two names that become one key two keys', () => {
    const { graph } = readGraph({ nodes: [{ id: 'A b', next: 'a-b' }, { id: 'a-b' }] }, new Map())
    expect(Object.keys(graph.nodes)).toEqual(['a_b', 'a_b_2'])
    expect(graph.nodes.a_b?.exits?.[0]?.to).toBe('a_b_2')
  })
})

describe('a form', () => {
  const graph = {
    schema: 1,
    start: 'ask',
    nodes: {
      ask: {
        type: 'collect',
        form: true,
        slots: [{ slot: 'name' }, { slot: 'mail' }],
        exits: [
          { id: 'got', to: 'end', on: 'done' },
          { id: 'gave_up', to: 'left', on: 'failed' },
        ],
      },
      end: { type: 'end' },
      left: { type: 'end', result: 'exited' },
    },
  }
  const slots = { properties: { name: { type: 'string' }, mail: { type: 'string' } } }

  it('that comes with nothing new is an attempt', () => {
    const one = new Play(storyOf(graph, slots)).start().fill({ name: 'Ann' })
    expect(one.state.attempts).toBe(0)
    one.fill({ name: 'Ann' }).fill({ name: 'Anna' }).fill({ name: 'Anna' })
    expect([one.at, one.state.attempts]).toEqual(['ask', 2])
    expect(one.fill({ name: 'Anna' }).at).toBe('left!exited')
  })
})

describe('moves of one turn', () => {
  const chain = (moves: number) => {
    const key = (at: number) => (at === moves ? 'end' : `at_${at}`)
    const steps = Array.from({ length: moves }, (_, at) => [
      key(at),
      { type: 'branch', exits: [{ id: 'on', to: key(at + 1) }] },
    ])
    return { ...Object.fromEntries(steps), end: { type: 'end' } }
  }
  const held = { type: 'wait', minutes: 60, exits: [{ id: 'reply', to: 'at_0', on: 'reply' }] }

  it.each([
    [16, 'end!completed'],
    [17, 'at_16!failed'],
  ])('%i from the start end at %s', (moves, place) => {
    const graph = { schema: 1, start: 'at_0', nodes: chain(moves) }
    expect(new Play(storyOf(graph, {})).start().at).toBe(place)
  })

  it.each([
    [15, 'end!completed'],
    [16, 'at_15!failed'],
  ])('a reply and %i end at %s', (moves, place) => {
    const graph = { schema: 1, start: 'held', nodes: { held, ...chain(moves) } }
    expect(new Play(storyOf(graph, {})).start().say({}).at).toBe(place)
  })
})

describe('random storylines', () => {
  const STEPS = 100_000

  it(`end or wait, and move by their exits alone, for ${STEPS} steps over valid graphs`, () => {
    const { finds, ended } = walkStorylines(STEPS, 20_261_122)
    expect(finds).toEqual([])
    expect(ended).toBeGreaterThan(STEPS / 100)
    // Bounded by its steps, however slow the machine is.
  }, 600_000)

  it('never throw where they are broken, and fail nowhere that validate passes', () => {
    const { finds, refused } = breakStorylines(3000, 7)
    expect(finds).toEqual([])
    expect(refused).toBeGreaterThan(300)
  }, 600_000)
})

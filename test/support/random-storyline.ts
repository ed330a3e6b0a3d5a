import { EXIT_EVENTS, type Exit, type ExitEvent, type StoryNode } from '../../src/storylines/graph'

/** A seeded generator of numbers from 0 to 1 (mulberry32). */
export function randomFrom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

export const RANDOM_PROFILE = {
  type: 'object',
  properties: {
    name: { type: 'string' },
    age: { type: 'integer', minimum: 0 },
    rating: { type: 'number' },
    agrees: { type: 'boolean' },
    plan: { type: 'string', enum: ['free', 'pro'] },
    tags: { type: 'array', items: { type: 'string' } },
    total: { type: 'integer', 'x-computed': true, default: 0 },
  },
}
const ASKED = ['name', 'age', 'rating', 'agrees', 'plan'] as const
const CONDITIONS = [
  'profile.age > 10',
  'has(profile.name)',
  'profile.agrees',
  'profile.plan == "pro"',
  'node.visits > 1',
  'turn.count > 3 && !has(profile.age)',
  'tool.ok && tool.data.n > 2',
  'profile.total + 1 < 5',
]
const EVENTS_OF: Record<string, readonly ExitEvent[]> = {
  collect: ['done', 'failed'],
  converse: ['limit'],
  tool: ['done', 'error'],
  handoff: ['done', 'error'],
  wait: ['due', 'reply'],
}

/** A random graph in format 1, of at most 12 nodes; most are valid, many are not. */
export function randomGraph(random: () => number): Record<string, unknown> {
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T
  const size = 2 + Math.floor(random() * 10)
  const keys = Array.from({ length: size }, (_, n) => `n${n}`)
  // A way on leads mostly forward, so that most graphs can end.
  const target = (from: number) =>
    random() < 0.8 ? (keys[from + 1 + Math.floor(random() * 3)] ?? 'end') : pick([...keys, 'end'])
  const nodes: Record<string, unknown> = { end: { type: 'end', outcome: 'done' } }
  for (const [n, key] of keys.entries()) nodes[key] = randomNode(n)
  const exits =
    random() < 0.3 ? { exits: [{ id: 'out', to: pick([...keys, 'end']), ...guard() }] } : {}
  return { schema: 1, start: 'n0', nodes, ...exits }

  function guard(): Partial<Exit> {
    return random() < 0.5
      ? { when: pick(CONDITIONS) }
      : { judge: 'The user asks for something else.' }
  }

  function randomNode(n: number): StoryNode {
    const type = pick([
      'message',
      'collect',
      'converse',
      'branch',
      'tool',
      'wait',
      'handoff',
    ] as const)
    const events = EVENTS_OF[type] ?? []
    const exits: Exit[] = Array.from({ length: Math.floor(random() * 3) }, (_, index) => ({
      id: `e${index}`,
      to: target(n),
      ...(events.length > 0 && random() < 0.4 ? { on: pick(events) } : {}),
      ...(random() < 0.6 ? { when: pick(CONDITIONS) } : {}),
      ...(random() < 0.3 && ['collect', 'converse'].includes(type)
        ? { judge: 'The user is content.' }
        : {}),
      ...(random() < 0.3 ? { set: { total: 'profile.total + 1' } } : {}),
    })).filter((exit) => exit.on ?? exit.when ?? exit.judge)
    if (random() < 0.95) exits.push({ id: 'default', to: target(n) })
    const shared = { type, exits, ...(random() < 0.2 ? { clear: [pick(ASKED)] } : {}) }
    switch (type) {
      case 'message':
        return { ...shared, say: 'Hello {{profile.name}}' }
      case 'collect':
        return {
          ...shared,
          slots: [{ slot: pick(ASKED) }, { slot: 'age', required: random() < 0.5 }],
          confirm: random() < 0.3,
          form: random() < 0.3,
          max_attempts: 1 + Math.floor(random() * 4),
        }
      case 'converse':
        return {
          ...shared,
          goal: 'Talk about it',
          min_turns: pick([0, 1]),
          max_turns: pick([1, 3]),
        }
      case 'tool':
        return { ...shared, tool: 'current_time', save: { total: 'int(tool.data.n)' } }
      case 'wait':
        return random() < 0.7
          ? { ...shared, minutes: 5 }
          : { ...shared, until: 'now + duration("1h")' }
      default:
        return shared
    }
  }
}

/** Breaks a graph somewhere, as editors, models and attackers do. */
export function breakGraph(graph: Record<string, unknown>, random: () => number): unknown {
  const copy = structuredClone(graph)
  const places: [Record<string, unknown> | unknown[], string | number][] = []
  const walk = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return
    for (const key of Object.keys(value)) {
      places.push([value as Record<string, unknown>, key])
      walk((value as Record<string, unknown>)[key])
    }
  }
  walk(copy)
  for (let n = 0; n < 1 + random() * 3; n++) {
    const [holder, key] = places[Math.floor(random() * places.length)] ?? [copy, 'schema']
    const junk: unknown[] = [
      null,
      0,
      '',
      'n1',
      'x'.repeat(600),
      [],
      {},
      { toString: 1 },
      true,
      EXIT_EVENTS,
    ]
    if (random() < 0.3) delete (holder as Record<string, unknown>)[key]
    else (holder as Record<string, unknown>)[key] = junk[Math.floor(random() * junk.length)]
  }
  // As it would arrive: without holes.
  return JSON.parse(JSON.stringify(copy))
}

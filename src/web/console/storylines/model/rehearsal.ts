import type { ScenarioBody, Simulation, Turn } from '../types'

/** What is tried out: what the person does, and what is made up around it. */
export interface Rehearsal {
  messages: ScenarioBody['messages']
  profile: Record<string, unknown>
  tools: Record<string, { ok: boolean; status: number; data: unknown }>
  judge: Record<string, 'yes' | 'no'>
}

export const FRESH: Rehearsal = { messages: [], profile: {}, tools: {}, judge: {} }

/** As the API takes it: what is empty is left out. */
export function bodyOf({ messages, profile, tools, judge }: Rehearsal) {
  const filled = Object.entries({ profile, tools, judge }).filter(
    ([, value]) => Object.keys(value).length > 0,
  )
  return { messages, ...Object.fromEntries(filled) } as Omit<ScenarioBody, 'expect'>
}

/** What the person did, as a line. */
export function saidOf(message: ScenarioBody['messages'][number]): string {
  if (typeof message === 'string') return message
  if ('wait_minutes' in message) return `⏱ ${message.wait_minutes}`
  return Object.entries(message.form)
    .map(([name, value]) => `${name}: ${Array.isArray(value) ? value.join(', ') : value}`)
    .join('\n')
}

/** A scenario expects what was seen: where each turn ended and in which state, and of the last one what was noted. */
export function expectationsOf({ turns }: Pick<Simulation, 'turns'>): ScenarioBody['expect'] {
  return turns.map(({ turn, node, status, slots }, at) => ({
    turn,
    node,
    status,
    ...(at === turns.length - 1 && Object.keys(slots).length > 0
      ? { slots: slots as Record<string, string> }
      : {}),
  }))
}

/** The exits of a turn as they were tried, without those of nodes that nobody was held at twice. */
export const triedOf = (turn: Turn) =>
  turn.tried.filter(
    (one, at) =>
      turn.tried.findIndex((other) => other.node === one.node && other.exit === one.exit) === at,
  )

import { run } from './machine'
import type { Effect, Person, Ran, Story, StoryEvent, StoryState, Tried } from './story-state'

type EffectOf<T extends Effect['type']> = Extract<Effect, { type: T }>

/** What came of a tool's call. */
export interface ToolResult {
  ok: boolean
  status: number
  data: unknown
}

/** Carries out what the machine asks for and waits for. Neither rejects. */
export interface Carrier {
  callTool(call: EffectOf<'tool'>): Promise<ToolResult>
  /** @returns whether it was stored. */
  handOff(handoff: EffectOf<'handoff'>): Promise<boolean>
}

/** One event and all that follows from it until the storyline waits for its user or the clock, or ends. */
export async function play(
  story: Story,
  from: StoryState,
  event: StoryEvent,
  person: Person,
  now: number,
  carrier: Carrier,
): Promise<Ran> {
  const effects: Effect[] = []
  const tried: Tried[] = []
  let state = from
  for (let next: StoryEvent | null = event; next !== null; ) {
    const ran = run(story, state, next, person, now)
    state = ran.state
    effects.push(...ran.effects)
    tried.push(...ran.tried)
    next = await resultOf(ran.effects.at(-1), carrier)
  }
  return { state, effects, tried }
}

/** The milestone that a run came to last. */
export function milestoneOf({ graph }: Story, { effects }: Pick<Ran, 'effects'>): string | null {
  const reached = effects.findLast(
    (effect) => effect.type === 'entered' && graph.nodes[effect.node]?.milestone === true,
  )
  return reached?.type === 'entered' ? reached.node : null
}

/** A tool or a handoff is the last thing the machine asks for before it knows what came of it. */
async function resultOf(last: Effect | undefined, carrier: Carrier): Promise<StoryEvent | null> {
  if (last?.type === 'tool') return { type: 'tool', ...(await carrier.callTool(last)) }
  if (last?.type === 'handoff') return { type: 'handoff', ok: await carrier.handOff(last) }
  return null
}

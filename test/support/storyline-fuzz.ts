import { conditionsFor } from '../../src/storylines/conditions'
import { GRAPH_LIMITS, type Graph, NODE_RULES } from '../../src/storylines/graph'
import { newState, run } from '../../src/storylines/machine'
import { pathProblems } from '../../src/storylines/paths'
import { readGraph, withUsedSlots } from '../../src/storylines/read-graph'
import { shapeFaults } from '../../src/storylines/shape-faults'
import { readSlots } from '../../src/storylines/slots'
import type { Person, Ran, Story, StoryEvent, StoryState } from '../../src/storylines/story-state'
import { validate } from '../../src/storylines/validate'
import { breakGraph, RANDOM_PROFILE, randomFrom, randomGraph } from './random-storyline'

const NOW = Date.parse('2026-11-22T12:00:00Z')
const ANN: Person = { registered: true, lang: 'en', timezone: 'Europe/Paris', city: 'Paris' }
const TURNS = 40
/** To find a valid graph costs more than to walk it, and each walk goes other ways. */
const WALKS = 3
const BROKEN_TURNS = 10
const AROUND = {
  agentExists: true,
  tools: new Set(['current_time']),
  knowledgeBases: new Set<string>(),
  next: null,
}
const RECORD = {
  profile_schema: RANDOM_PROFILE,
  entry: 'menu',
  enroll_trigger: 'manual',
  user_visibility: 'title',
  on_complete: 'return',
  concurrency: 'exclusive',
  allow_agent_enroll: false,
  is_default: false,
}

/** What a step did that no step may do, with the graph that it happened in. */
export interface StorylineFind {
  what: string
  graph: unknown
}

const isValid = (graph: unknown) => validate({ ...RECORD, graph }, AROUND).ok
/** What most random graphs are invalid for: to see this alone costs a tenth of the whole validation. */
const hasBadPaths = (graph: unknown) =>
  pathProblems(readGraph(graph, DECLARED).graph).some(({ warning }) => !warning)

/** Walks random valid graphs for so many steps: each ends or waits, moves by exits of the graph alone, and is bounded. */
export function walkStorylines(steps: number, seed: number, report?: (done: number) => void) {
  const random = randomFrom(seed)
  const finds: StorylineFind[] = []
  let done = 0
  let ended = 0
  while (done < steps) {
    const graph = randomGraph(random)
    if (hasBadPaths(graph) || !isValid(graph)) continue
    for (let n = 0; n < WALKS; n++) {
      const walked = walk(graph, TURNS, random)
      done += walked.steps
      if (walked.ended) ended++
      finds.push(...walked.finds)
    }
    report?.(done)
  }
  return { steps: done, ended, finds }
}

/** Broken graphs never throw, and what passes the check runs as a whole one does. */
export function breakStorylines(cases: number, seed: number) {
  const random = randomFrom(seed)
  const finds: StorylineFind[] = []
  let refused = 0
  for (let n = 0; n < cases; n++) {
    const graph = breakGraph(randomGraph(random), random)
    try {
      if (isValid(graph)) finds.push(...walk(graph, BROKEN_TURNS, random).finds)
      else {
        refused++
        // A draft is simulated whatever else is wrong with it.
        if (shapeFaults({ ...RECORD, graph }).length === 0) walk(graph, BROKEN_TURNS, random)
      }
    } catch (error) {
      finds.push({ what: `threw ${error}`, graph })
    }
  }
  return { refused, finds }
}

function walk(graph: unknown, turns: number, random: () => number) {
  const story = storyOf(graph)
  const finds: StorylineFind[] = []
  let steps = 0
  let state = newState(story, NOW)
  for (let turn = 0; turn <= turns && state.status === 'active'; turn++) {
    const event: StoryEvent =
      turn === 0 ? { type: 'start', said: null } : randomEvent(story, state, random)
    const ran = run(story, state, event, ANN, NOW)
    steps++
    for (const what of faultsOf(story.graph, ran, state)) finds.push({ what, graph })
    state = ran.state
  }
  return { steps, ended: state.status !== 'active', finds }
}

const DECLARED = readSlots(RANDOM_PROFILE).slots
const CONDITIONS = conditionsFor(DECLARED)

function storyOf(graph: unknown): Story {
  const read = readGraph(graph, DECLARED)
  const slots = read.foreign ? withUsedSlots(DECLARED, read.graph) : DECLARED
  const conditions = read.foreign ? conditionsFor(slots) : CONDITIONS
  return { graph: read.graph, slots, conditions, allowExit: true }
}

function randomEvent(
  story: Story,
  { pending, node }: StoryState,
  random: () => number,
): StoryEvent {
  if (pending === 'tool') {
    const data = { n: Math.floor(random() * 5) }
    return { type: 'tool', ok: random() < 0.7, status: 200, data }
  }
  if (pending === 'handoff') return { type: 'handoff', ok: random() < 0.8 }
  if (story.graph.nodes[node]?.type === 'wait' && random() < 0.6) return { type: 'due' }
  const exits = (story.graph.nodes[node]?.exits ?? []).map(({ id }) => id)
  return {
    type: 'said',
    text: 'hello',
    lang: 'en',
    images: 0,
    audio: false,
    values: {
      ...(random() < 0.4 ? { name: 'Ann' } : {}),
      ...(random() < 0.4 ? { age: Math.floor(random() * 30) } : {}),
      ...(random() < 0.3 ? { rating: random(), agrees: random() < 0.5, plan: 'pro' } : {}),
    },
    judged: [...exits, 'global:out'].filter(() => random() < 0.3),
    digression: random() < 0.1,
    leave: false,
    confirmed: random() < 0.5 ? random() < 0.7 : null,
  }
}

function faultsOf(graph: Graph, { state, effects }: Ran, before: StoryState): string[] {
  const faults: string[] = []
  for (const effect of effects) {
    if (effect.type === 'moved') {
      const exits = effect.exit.startsWith('global:')
        ? (graph.exits ?? []).map(({ id, to }) => ({ id: `global:${id}`, to }))
        : (graph.nodes[effect.from]?.exits ?? [])
      if (!exits.some(({ id, to }) => id === effect.exit && to === effect.to))
        faults.push(`no exit ${effect.exit} leads from ${effect.from} to ${effect.to}`)
    }
    // Filled slots let collect nodes through at once, so a loop over them can use up the moves of a turn.
    if (effect.type === 'ended' && effect.status === 'failed')
      if (effect.why !== 'too_many_moves' && effect.why !== 'no_due_time')
        faults.push(`failed at ${effect.node}: ${effect.why}`)
  }
  const node = graph.nodes[state.node]
  const isHeld = state.pending === 'tool' || state.pending === 'handoff'
  if (state.status === 'active' && !isHeld && !(node && NODE_RULES[node.type].waits))
    faults.push(`neither ended nor waits at ${state.node}`)
  if (state.step < before.step) faults.push('went back in its steps')
  if (state.moves > GRAPH_LIMITS.movesPerTurn) faults.push(`${state.moves} moves in one turn`)
  return faults
}

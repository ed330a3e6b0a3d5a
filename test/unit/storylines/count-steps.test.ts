import { describe, expect, it } from 'vitest'
import { conditionsFor } from '../../../src/storylines/conditions'
import { countSteps } from '../../../src/storylines/count-steps'
import { durationClass, medianSeconds } from '../../../src/storylines/durations'
import type { Graph } from '../../../src/storylines/graph'
import { newState, run } from '../../../src/storylines/machine'

const DAY_MS = 86_400_000

describe('what a turn adds to the counts of its storyline', () => {
  it('is no time at a node that somebody was offered long before they entered it', () => {
    const graph: Graph = {
      schema: 1,
      start: 'hello',
      nodes: {
        hello: { type: 'message', say: 'Hello', exits: [{ id: 'go', to: 'bye' }] },
        bye: { type: 'end' },
      },
    }
    const slots = new Map()
    const story = { graph, slots, conditions: conditionsFor(slots), allowExit: true }
    const offered = newState(story, 0)
    const person = { registered: true, lang: 'en', timezone: '', city: '' }
    const { effects } = run(story, offered, { type: 'start', said: null }, person, DAY_MS)
    expect(countSteps(offered, effects, DAY_MS)).toEqual([
      { node: 'hello', kind: 'entered', name: '', n: 1 },
      { node: 'hello', kind: 'exit', name: 'go', n: 1 },
      { node: 'hello', kind: 'seconds', name: durationClass(0), n: 1 },
      { node: 'bye', kind: 'entered', name: '', n: 1 },
      { node: 'bye', kind: 'completed', name: '', n: 1 },
    ])
  })
})

describe('how long people stay, of whom only classes are known', () => {
  const DAYS = 604_800
  it.each<[number, string]>([
    [0, '1'],
    [1, '1'],
    [2, '5'],
    [900, '900'],
    [DAYS, String(DAYS)],
    [DAYS + 1, 'more'],
  ])('%i seconds are of the class %s', (seconds, name) => expect(durationClass(seconds)).toBe(name))

  it.each<[Record<string, number>, number | null]>([
    [{}, null],
    [{ 60: 2 }, 38],
    [{ 1: 1, 60: 3 }, 30],
    [{ 5: 1, 3600: 1 }, 5],
    [{ 60: 1, more: 3 }, DAYS],
  ])('half of %j stay shorter than %s', (counts, median) =>
    expect(medianSeconds(new Map(Object.entries(counts)))).toBe(median),
  )
})

import { describe, expect, it } from 'vitest'
import { conditionsFor } from '../../../src/storylines/conditions'
import { countSteps } from '../../../src/storylines/count-steps'
import { durationClass } from '../../../src/storylines/durations'
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

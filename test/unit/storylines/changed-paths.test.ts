import { describe, expect, it } from 'vitest'
import type { StorylineRow } from '../../../src/db/tables/storylines'
import { changedPaths } from '../../../src/storylines/changed-paths'
import { auditStoryline } from '../../../src/storylines/present-storyline'

const node = (say: string) => ({ type: 'message', say, exits: [{ id: 'go', to: 'end' }] })

describe('where a graph changed', () => {
  it('is told down to the fields of its nodes', () => {
    const before = { schema: 1, start: 'a', nodes: { a: node('Hi'), b: node('Bye') } }
    const after = { schema: 1, start: 'b', nodes: { b: node('See you'), c: node('New') } }
    expect(changedPaths(before, after)).toEqual(['/start', '/nodes/a', '/nodes/b/say', '/nodes/c'])
    expect(changedPaths(before, structuredClone(before))).toEqual([])
    expect(changedPaths({ exits: [1] }, { exits: [1, 2] })).toEqual(['/exits/1'])
    expect(changedPaths({ 'a/b~c': 1 }, {})).toEqual(['/a~1b~0c'])
  })

  it('is all that the trail keeps of it, however large both are', () => {
    const many = (say: string) => ({
      nodes: Object.fromEntries(Array.from({ length: 500 }, (_, n) => [`n${n}`, node(say)])),
    })
    const row = (graph: Record<string, unknown>) =>
      ({ graph, profileSchema: {}, createdAt: 0, updatedAt: 0 }) as StorylineRow
    const [before, after] = [row(many('x'.repeat(400))), row(many('y'.repeat(400)))]
    const entry = { before: auditStoryline(before), after: auditStoryline(after, before) }
    expect(JSON.stringify(entry).length).toBeLessThan(10_000)
    expect(entry.after.graph).toMatchObject({ changed_in_all: 500 })
    expect(JSON.stringify(entry)).not.toContain('yyyy')
  })
})

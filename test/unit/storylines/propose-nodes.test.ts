import { describe, expect, it } from 'vitest'
import type { Graph, StoryNode } from '../../../src/storylines/graph'
import { proposeNodes } from '../../../src/storylines/propose-nodes'

const to = (...keys: string[]) => keys.map((key, n) => ({ id: `e${n}`, to: key }))
const say = (title: string, ...keys: string[]): StoryNode => ({
  type: 'message',
  ...(title === '' ? {} : { title }),
  say: 'Hello',
  exits: to(...keys),
})
const end: StoryNode = { type: 'end' }
const graph = (nodes: Record<string, StoryNode>): Graph => ({ schema: 1, start: 'a', nodes })

describe('nodes of an older revision', () => {
  it('stay where their key is still there', () => {
    const one = graph({ a: say('A', 'z'), z: end })
    expect(proposeNodes(one, one, ['a', 'z'])).toEqual([
      { from: 'a', to: 'a', by: 'key' },
      { from: 'z', to: 'z', by: 'key' },
    ])
  })

  it('are found by their title, whatever its case, and of the same type alone', () => {
    const before = graph({
      a: say('Hello', 'b'),
      b: say('Your Need', 'c'),
      c: say('Bye', 'z'),
      z: end,
    })
    const live = graph({
      a: say('Hello', 'need'),
      need: say('your need', 'last'),
      last: { type: 'branch', title: 'Bye', exits: to('z') },
      z: end,
    })
    expect(proposeNodes(before, live, ['b', 'c'])).toEqual([
      { from: 'b', to: 'need', by: 'title' },
      { from: 'c', to: null, by: null },
    ])
  })

  it('are found by their neighbours, those with new names among them', () => {
    const before = graph({ a: say('A', 'b'), b: say('', 'c'), c: say('C', 'z'), z: end })
    const live = graph({ a: say('A', 'b2'), b2: say('', 'c2'), c2: say('C', 'z'), z: end })
    expect(proposeNodes(before, live, ['b', 'c'])).toEqual([
      { from: 'b', to: 'b2', by: 'neighbours' },
      { from: 'c', to: 'c2', by: 'title' },
    ])
  })

  it('are left to a person where two could be meant, or nothing is alike', () => {
    const before = graph({ a: say('A', 'b'), b: say('Ask', 'z'), z: end })
    const twins = graph({ a: say('A', 'x', 'y'), x: say('Ask', 'z'), y: say('Ask', 'z'), z: end })
    expect(proposeNodes(before, twins, ['b'])).toEqual([{ from: 'b', to: null, by: null }])
    const other = graph({ a: say('A', 'z'), z: end, q: say('Other', 'q') })
    expect(proposeNodes(before, other, ['b'])).toEqual([{ from: 'b', to: null, by: null }])
  })

  it('are never looked up in what every object has', () => {
    const before = graph({ a: say('A', 'z'), z: end })
    expect(proposeNodes(before, before, ['constructor', '__proto__'])).toEqual([
      { from: '__proto__', to: null, by: null },
      { from: 'constructor', to: null, by: null },
    ])
  })
})

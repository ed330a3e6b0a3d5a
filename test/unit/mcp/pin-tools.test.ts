import { describe, expect, it } from 'vitest'
import { describePins, pinTools, usableTools } from '../../../src/mcp/pin-tools'
import type { ToolDefinition } from '../../../src/mcp/types'

const tool = (name: string, hash = 'one'): ToolDefinition => ({
  name,
  description: `${name} ${hash}`,
  notes: '',
  schema: { type: 'object' },
  hash,
})
const fresh = { tools: null, pending: [] }
const first = pinTools(fresh, [tool('a'), tool('b')], false)
const states = (pins: ReturnType<typeof pinTools>) =>
  pins.tools.map(({ name, state, hash }) => `${name} ${state} ${hash}`)
const waiting = (pins: ReturnType<typeof pinTools>) =>
  pins.pending.map(({ name, change, hash }) => `${name} ${change} ${hash}`)

describe('pinTools', () => {
  it('takes the first list as it is', () => {
    expect(states(first)).toEqual(['a ready one', 'b ready one'])
    expect(first.pending).toEqual([])
  })

  it('keeps what is the same, in whatever order', () => {
    const again = pinTools(first, [tool('b'), tool('a')], false)
    expect(states(again)).toEqual(['b ready one', 'a ready one'])
    expect(again.pending).toEqual([])
  })

  it('a changed tool keeps its old definition, unused, and waits with the new one', () => {
    const changed = pinTools(first, [tool('a', 'two'), tool('b')], false)
    expect(states(changed)).toEqual(['a changed one', 'b ready one'])
    expect(waiting(changed)).toEqual(['a changed two'])
    expect(usableTools(changed.tools).map(({ name }) => name)).toEqual(['b'])
  })

  it('a changed tool that changes back is in use again', () => {
    const changed = pinTools(first, [tool('a', 'two'), tool('b')], false)
    const back = pinTools(changed, [tool('a'), tool('b')], false)
    expect(states(back)).toEqual(['a ready one', 'b ready one'])
    expect(back.pending).toEqual([])
  })

  it('a new tool waits; a tool that is gone is kept, unused, until it is back or its end accepted', () => {
    const moved = pinTools(first, [tool('b'), tool('c')], false)
    expect(states(moved)).toEqual(['b ready one', 'a gone one'])
    expect(waiting(moved)).toEqual(['c new one'])
    expect(states(pinTools(moved, [tool('a'), tool('b')], false))).toEqual([
      'a ready one',
      'b ready one',
    ])
    expect(states(pinTools(moved, [tool('b'), tool('c')], true))).toEqual([
      'b ready one',
      'c ready one',
    ])
  })

  it('accepts what was shown, and what nothing was shown of', () => {
    const shown = pinTools(first, [tool('a', 'two'), tool('b')], false)
    const accepted = pinTools(shown, [tool('a', 'two'), tool('b', 'two')], true)
    expect(states(accepted)).toEqual(['a ready two', 'b ready two'])
    expect(accepted.pending).toEqual([])
  })

  it('does not accept what changed again since it was shown', () => {
    const shown = pinTools(first, [tool('a', 'two'), tool('b')], false)
    const again = pinTools(shown, [tool('a', 'three'), tool('b')], true)
    expect(states(again)).toEqual(['a changed one', 'b ready one'])
    expect(waiting(again)).toEqual(['a changed three'])
    expect(states(pinTools(again, [tool('a', 'three'), tool('b')], true))).toEqual([
      'a ready three',
      'b ready one',
    ])
  })

  it('a server that announces nothing leaves nothing in use', () => {
    const empty = pinTools(first, [], false)
    expect(usableTools(empty.tools)).toEqual([])
    expect(pinTools(fresh, [], false).tools).toEqual([])
  })
})

describe('describePins', () => {
  it('says nothing when all is well', () => {
    expect(describePins(first, [])).toBeNull()
  })

  it('names at most ten tools', () => {
    const found = Array.from({ length: 12 }, (_, n) => tool(`t${n}`))
    const text = describePins(pinTools(first, found, false), ['odd'])
    expect(text).toContain('New and not used until accepted: t0, t1,')
    expect(text).toContain('t9 and 2 more.')
    expect(text).toContain('No longer announced: a, b.')
    expect(text).toContain('1 announced tool is not usable (odd)')
  })
})

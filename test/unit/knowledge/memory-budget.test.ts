import { describe, expect, it } from 'vitest'
import { MemoryBudget } from '../../../durable-objects/knowledge-base/memory-budget'

describe('the vectors that bases keep in memory', () => {
  const bases = () => {
    const memory = new MemoryBudget(10)
    const held = new Set<string>()
    const owners: Record<string, object> = {}
    const hold = (name: string, bytes: number) => {
      owners[name] ??= {}
      const isHeld = memory.hold(owners[name], bytes, () => held.delete(name))
      if (isHeld) held.add(name)
      return isHeld
    }
    return {
      hold,
      touch: (name: string) => memory.touch(owners[name] ?? {}),
      release: (name: string) => {
        memory.release(owners[name] ?? {})
        held.delete(name)
      },
      held: () => [...held].sort().join(' '),
    }
  }

  it('stay within their bound together: the base that was idle longest goes first', () => {
    const { hold, touch, held } = bases()
    for (const name of ['a', 'b', 'c']) hold(name, 3)
    expect(held()).toBe('a b c')
    touch('a')
    hold('d', 3)
    expect(held()).toBe('a c d')
    hold('e', 7)
    expect(held()).toBe('d e')
  })

  it('of a base that is larger than all the room are not kept, and push nobody out', () => {
    const { hold, held } = bases()
    hold('a', 9)
    expect(hold('b', 11)).toBe(false)
    expect(held()).toBe('a')
    hold('a', 10)
    expect(held()).toBe('a')
  })

  it('give their room back when they change', () => {
    const { hold, release, held } = bases()
    hold('a', 8)
    release('a')
    hold('b', 8)
    hold('c', 2)
    expect(held()).toBe('b c')
  })
})

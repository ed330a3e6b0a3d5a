import { describe, expect, it } from 'vitest'
import { goneWith } from '../../../src/sessions/variants.lazy'

const row = (id: string, left_with: string | null = null, variant_of: string | null = null) => ({
  id,
  left_with,
  variant_of,
})
const goneIds = (id: string, left: ReturnType<typeof row>[], shown = [row('5', null, '1')]) => {
  const message = [...shown, ...left].find((one) => one.id === id) ?? row(id)
  return goneWith(left, message).sort()
}

describe('what goes with a message', () => {
  /** 5 stands for 1, after which 2 and 4 were said; 4 had stood for 3, after which came 3b. */
  const LEFT = [
    row('1', '1'),
    row('2', '1'),
    row('3', '3'),
    row('3b', '3'),
    row('4', '1', '3'),
    row('6', '6', '1'),
  ]

  it('its other variants go, with what was said after them, however deep', () => {
    expect(goneIds('5', LEFT)).toEqual(['1', '2', '3', '3b', '4', '6'])
  })

  it('a variant that is not shown takes what was said after it, and no other variant', () => {
    expect(goneIds('1', LEFT)).toEqual(['2', '3', '3b', '4'])
    expect(goneIds('6', LEFT)).toEqual([])
    expect(goneIds('3', LEFT)).toEqual(['3b'])
  })

  it('what came after a variant takes its own other variants alone', () => {
    expect(goneIds('4', LEFT)).toEqual(['3', '3b'])
    expect(goneIds('2', LEFT)).toEqual([])
  })

  it('a message without variants goes alone', () => {
    expect(goneIds('9', LEFT, [row('9')])).toEqual([])
  })
})

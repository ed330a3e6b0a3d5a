import { describe, expect, it } from 'vitest'
import { MEMORY } from '../../../src/config/limits'
import { joinSummaries, type Settleable, settleMemories } from '../../../src/memory/settle-memories'

const memory = (id: string, content: string, updatedAt: number, slot: string | null = null) =>
  ({ id, content, updatedAt, slot }) satisfies Settleable

describe('memories of two spaces', () => {
  it('stand side by side when they say different things', () => {
    expect(
      settleMemories([memory('a', 'I like tea.', 1)], [memory('b', 'I have a dog.', 2)]),
    ).toEqual([])
  })

  it('count once when they say the same, and the newer is kept', () => {
    const older = memory('a', 'I like tea.', 1)
    const newer = memory('b', 'i like  tea!', 2)
    expect(settleMemories([older], [newer])).toEqual([{ id: 'a', by: 'b' }])
    expect(settleMemories([newer], [older])).toEqual([{ id: 'a', by: 'b' }])
  })

  it('let the newer win where only one can be true', () => {
    const lima = memory('a', 'I live in Lima.', 5, 'home')
    const oslo = memory('b', 'I live in Oslo.', 4, 'home')
    expect(settleMemories([lima], [oslo])).toEqual([{ id: 'b', by: 'a' }])
    expect(settleMemories([oslo], [lima])).toEqual([{ id: 'b', by: 'a' }])
  })

  it('keep this space’s own at the same moment', () => {
    expect(
      settleMemories([memory('a', 'I ski.', 3, 'x')], [memory('b', 'I surf.', 3, 'x')]),
    ).toEqual([{ id: 'b', by: 'a' }])
  })
})

describe('summaries of two spaces', () => {
  it('become one, without a repeat', () => {
    expect(joinSummaries('Lives in Lima. Has a dog.', 'Has a dog.')).toBe(
      'Lives in Lima. Has a dog.',
    )
    expect(joinSummaries('Has a dog.', 'Lives in Lima. Has a dog.')).toBe(
      'Lives in Lima. Has a dog.',
    )
    expect(joinSummaries('New. ', ' Old.')).toBe('New. Old.')
  })

  it('give way to the points when they would be too long', () => {
    const half = 'x'.repeat(MEMORY.profileLength / 2)
    expect(joinSummaries(half, 'y'.repeat(MEMORY.profileLength / 2))).toBeNull()
    expect(joinSummaries(half, 'y'.repeat(MEMORY.profileLength / 2 - 1))).toHaveLength(
      MEMORY.profileLength,
    )
  })
})

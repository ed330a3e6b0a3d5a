import { describe, expect, it } from 'vitest'
import { createGate } from '../../../src/platform/gate'

describe('createGate', () => {
  it('lets at most its number in, and everybody in the end', async () => {
    const gate = createGate(3)
    let inside = 0
    let most = 0
    const work = async () => {
      const leave = await gate.enter()
      inside += 1
      most = Math.max(most, inside)
      await new Promise((resolve) => setTimeout(resolve, 1))
      inside -= 1
      leave()
      leave()
    }
    await Promise.all(Array.from({ length: 20 }, work))
    expect(most).toBe(3)
    expect(inside).toBe(0)
  })
})

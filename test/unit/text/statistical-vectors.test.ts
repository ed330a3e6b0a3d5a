import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { describe, expect, it } from 'vitest'
import { MIB } from '../../../src/config/limits'
import { embedOffline, OFFLINE_EMBEDDER } from '../../../src/text/statistical-vectors'

const cosine = (one: string, other: string) => {
  const b = embedOffline(other)
  return embedOffline(one).reduce((sum, value, i) => sum + value * (b[i] ?? 0), 0)
}

describe('embedOffline', () => {
  it('is named offline and gives the same unit vector every time', () => {
    expect(OFFLINE_EMBEDDER).toMatch(/^offline-/)
    const vector = embedOffline('How do I get a refund?')
    expect(vector).toEqual(embedOffline('How do I get a refund?'))
    expect(Math.hypot(...vector)).toBeCloseTo(1)
  })

  it('puts texts that share words or parts of words nearer', () => {
    const question = 'refunds of card payments'
    expect(cosine(question, 'A refund goes to the card you paid with.')).toBeGreaterThan(
      cosine(question, 'The river flows through ten countries.') + 0.2,
    )
    expect(cosine('退款到账', '退款在五天内到账。')).toBeGreaterThan(
      cosine('退款到账', '河流经十个国家。') + 0.2,
    )
  })

  it('of a text without letters is zero', () => {
    expect(Math.hypot(...embedOffline('?! …'))).toBe(0)
  })

  it('forgets words as it does what they are made of, of however few letters they are', () => {
    setFlagsFromString('--expose-gc')
    const collect: () => void = runInNewContext('gc')
    const held = () => {
      collect()
      const { heapUsed, arrayBuffers } = process.memoryUsage()
      return heapUsed + arrayBuffers
    }
    const embed = (from: number, count: number) => {
      for (let n = from; n < from + count; n += 200) {
        const words = Array.from({ length: 200 }, (_, i) => (n + i).toString(2))
        embedOffline(words.join(' ').replaceAll('0', 'a').replaceAll('1', 'b'))
      }
    }
    embed(2 ** 20, 1000)
    const before = held()
    embed(2 ** 21, 200_000)
    expect(held() - before).toBeLessThan(40 * MIB)
  })
})

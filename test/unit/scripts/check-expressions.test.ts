import { describe, expect, it } from 'vitest'
import { slowExpressions, strayExpressions } from '../../../scripts/check-expressions.mjs'

describe('expressions that take the square of their text', () => {
  it.each([
    String.raw`/[\s.!?…]+$/u`,
    String.raw`/\s*[,;]\s*/`,
    String.raw`/^ {0,3}(#{1,6})(?:[ \t]+(.*?))?(?:[ \t]+#+)?[ \t]*$/`,
    String.raw`/^[^\s@]+@[^\s@]+\.[^\s@]+$/`,
  ])('are told: %s', (source) => {
    expect(slowExpressions(`const text: string = x.replace(${source}, '')`)).toEqual([source])
  })

  it.each([
    String.raw`/(?<![\s.!?…])[\s.!?…]+$/u`,
    String.raw`/[\s.]{0,9}$/u`,
    String.raw`/^\s+/u`,
  ])('are none that begin where a run does, or are bounded: %s', (source) => {
    expect(slowExpressions(`x.replace(${source}, '')`)).toEqual([])
  })

  it('are reported where the list does not say just so', () => {
    const source = { file: 'src/x.ts', slow: ['/a+$/'] }
    expect(strayExpressions([source], new Map())).toEqual([
      expect.stringMatching(/^src\/x\.ts has 1 .* 0 are listed/),
    ])
    expect(strayExpressions([source], new Map([['src/x.ts', 1]]))).toEqual([])
    expect(strayExpressions([source], new Map([['src/x.ts', 2]]))).toHaveLength(1)
  })
})

import { describe, expect, it } from 'vitest'
import { isUuid, newId, newTag, newTaggedId, tagOf } from '../../../src/platform/ids'

const V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
const START = Date.UTC(2026, 10, 20)

const timeOf = (id: string): number => Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16)

describe('ids', () => {
  it('have the time, version and variant of a UUIDv7', () => {
    const id = newId(START + 5)
    expect(id).toMatch(V7)
    expect(timeOf(id)).toBe(START + 5)
    expect(isUuid(id)).toBe(true)
  })

  it('rise strictly, within a millisecond and across', () => {
    const ids: string[] = []
    for (let i = 0; i < 20_000; i++) ids.push(newTaggedId(7, START + 100 + Math.floor(i / 8000)))
    expect(ids.every((id) => V7.test(id))).toBe(true)
    expect(ids).toEqual([...ids].sort())
    expect(new Set(ids).size).toBe(ids.length)
  })

  it('keep rising when the clock steps back a little, and follow it when it steps back far', () => {
    const first = newId(START + 60_000)
    const second = newId(START + 55_000)
    expect(second > first).toBe(true)
    expect(timeOf(second)).toBe(START + 60_000)
    expect(timeOf(newId(START))).toBe(START)
  })

  it('carry the tag of their space', () => {
    for (const tag of [0, 1, 2 ** 40 - 1, newTag(), newTag()]) {
      const id = newTaggedId(tag, START + 200_000)
      expect(id).toMatch(V7)
      expect(tagOf(id)).toBe(tag)
      expect(tagOf(id.toUpperCase())).toBe(tag)
    }
  })

  it('refuse a tag of more than 40 bits, and a text without a tag', () => {
    for (const tag of [2 ** 40, -1, 1.5, Number.NaN]) {
      expect(() => newTaggedId(tag, START)).toThrow(RangeError)
    }
    expect(() => tagOf('nonsense')).toThrow(RangeError)
  })

  it('differ in all their random bits between milliseconds', () => {
    const sequences = new Set<string>()
    for (let i = 0; i < 2000; i++) {
      sequences.add(newTaggedId(1, START + 300_000 + i).slice(15, 26))
    }
    // Two of 2,000 draws of 32 bits are the same once in two thousand runs.
    expect(sequences.size).toBeGreaterThan(1997)
  })

  it('draw tags from the whole range', () => {
    const tags = Array.from({ length: 2000 }, newTag)
    expect(new Set(tags).size).toBe(2000)
    expect(tags.every((tag) => Number.isSafeInteger(tag) && tag > 0 && tag < 2 ** 40)).toBe(true)
    expect(Math.max(...tags)).toBeGreaterThan(2 ** 39)
    expect(Math.min(...tags)).toBeLessThan(2 ** 37)
  })
})

describe('isUuid', () => {
  it('takes the hyphenated form only', () => {
    expect(isUuid('0193478e-0000-7000-8000-000000000000')).toBe(true)
    for (const text of [
      '',
      '0193478e00007000800000000000000',
      '{0193478e-0000-7000-8000-000000000000}',
      '0193478e-0000-7000-8000-00000000000g',
      '0193478e-0000-7000-8000-000000000000\n',
    ]) {
      expect(isUuid(text)).toBe(false)
    }
  })
})

import { describe, expect, it } from 'vitest'
import {
  findObject,
  isObject,
  listIn,
  parseAnswer,
  parseJson,
  unfenced,
} from '../../../src/text/json'
import { growsLinearly } from '../../support/grows'

describe('JSON that somebody else wrote', () => {
  it('is null where it is none', () => {
    expect(parseJson('{"a":1}')).toEqual({ a: 1 })
    expect(parseJson('3')).toBe(3)
    for (const text of ['', '{"a":1', 'sure!', '{"a":1} {"b":2}'])
      expect(parseJson(text)).toBeNull()
  })

  it('is an object only where it is neither a list nor null', () => {
    expect(isObject({})).toBe(true)
    for (const value of [null, [], 'a', 1, undefined]) expect(isObject(value)).toBe(false)
  })

  it.each([
    '[1]',
    ' [1]\n',
    '```\n[1]\n```',
    '```json\n[1]\n```',
    '```JSON\n[1]```',
    '```json [1] ```',
  ])('is read from a fence: %j', (said) => {
    expect(parseAnswer(said)).toEqual([1])
  })

  it('leaves a fence inside alone', () => {
    expect(unfenced('a\n```\nb\n```\nc')).toBe('a\n```\nb\n```\nc')
  })

  it.each([' ', '\n', '`'])('is found in one pass, however many %j stand in it', async (sign) => {
    const read = (size: number) => {
      const said = `{"a":${sign.repeat(size)}x}`
      expect(unfenced(said)).toBe(said)
    }
    expect(await growsLinearly(64_000, read)).toBe(true)
  })

  it('is found between words, where it is one object', () => {
    expect(findObject('Here it is: {"a":{"b":1}}. Anything else?')).toEqual({ a: { b: 1 } })
    for (const said of ['', '}', '} {', '5}', '[1]', '{"a":1} or {"b":2}'])
      expect(findObject(said)).toBeNull()
  })

  it('has its list by itself, or under whatever name', () => {
    expect(listIn([1])).toEqual([1])
    expect(listIn({ n: 2, questions: [1], more: [2] })).toEqual([1])
    for (const value of [null, 'abc', { a: 1 }]) expect(listIn(value)).toBeUndefined()
  })
})

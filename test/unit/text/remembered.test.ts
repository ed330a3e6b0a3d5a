import { expect, test } from 'vitest'
import { remembered } from '../../../src/text/remembered'

test('a text is read once as long as it is among the last, whatever was told of it', () => {
  const read: string[] = []
  const tell = remembered(2, (text) => {
    read.push(text)
    return text === '' ? null : text.length
  })
  expect([tell('one'), tell(''), tell('one'), tell('')]).toEqual([3, null, 3, null])
  expect(read).toEqual(['one', ''])
  expect([tell('three'), tell('')]).toEqual([5, null])
  expect(read).toEqual(['one', '', 'three'])
  expect(tell('one')).toBe(3)
  expect(read).toHaveLength(4)
})

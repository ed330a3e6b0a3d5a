import { expect, it } from 'vitest'
import {
  begin,
  edited,
  redone,
  undone,
} from '../../../../../src/web/console/storylines/model/history'

it('undoes and redoes a hundred steps, and takes typing as one', () => {
  let history = begin('')
  history = edited(history, 'a', 'title', 1000)
  history = edited(history, 'ab', 'title', 1500)
  history = edited(history, 'ab!', 'other', 1600)
  expect(history.past).toEqual(['', 'ab'])
  history = undone(history)
  expect([history.present, history.future]).toEqual(['ab', ['ab!']])
  history = undone(history)
  expect(undone(history)).toBe(history)
  expect(redone(redone(history)).present).toBe('ab!')
  expect(edited(history, 'b', null, 2000).future).toEqual([])
  let numbers = begin(0)
  for (let n = 1; n <= 150; n++) numbers = edited(numbers, n, null, n)
  expect(numbers.past).toHaveLength(100)
  for (let n = 0; n < 100; n++) numbers = undone(numbers)
  expect(numbers.present).toBe(50)
})

it('begins a step of its own after a while', () => {
  const first = edited(begin(0), 1, 'x', 1000)
  expect(edited(first, 2, 'x', 3000).past).toEqual([0, 1])
})

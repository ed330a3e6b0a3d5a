import { expect, it } from 'vitest'
import { changesOf, keepWritten } from '../../../../src/web/console/parts/changes'

it('a draft says which of its fields differ', () => {
  expect(changesOf({ a: 1, list: ['x'] }, { a: 1, list: ['x'] })).toEqual({})
  expect(changesOf({ a: 1, list: ['x'] }, { a: 2, list: [] })).toEqual({ a: 2, list: [] })
})

it('what is written while a draft is being saved stays, and is unsaved', () => {
  const stored = { soul: 'Calm.', task: 'trimmed' }
  const draft = keepWritten(
    stored,
    { soul: 'Calm.', task: ' trimmed ' },
    { soul: 'Calm. And kind.', task: ' trimmed ' },
  )
  expect(draft).toEqual({ soul: 'Calm. And kind.', task: 'trimmed' })
  expect(changesOf(stored, draft)).toEqual({ soul: 'Calm. And kind.' })
})

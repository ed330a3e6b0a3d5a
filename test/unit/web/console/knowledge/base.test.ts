import { expect, it } from 'vitest'
import { type Document, isUnsettled, merge } from '../../../../../src/web/console/knowledge/base'

const document = (values: Partial<Document>) => values as Document

it('asks again for what is being read or gets its vectors, and for nothing else', () => {
  const states = [
    { status: 'queued', vectors: 'none' },
    { status: 'embedding', vectors: 'none' },
    { status: 'ready', vectors: 'pending' },
    { status: 'ready', vectors: 'none' },
    { status: 'ready', vectors: 'confirmed' },
    { status: 'failed', vectors: 'pending' },
  ] as const
  expect(states.map((state) => isUnsettled(document(state)))).toEqual([
    true,
    true,
    true,
    false,
    false,
    false,
  ])
})

it('puts what was read since in the place of each row, and adds none', () => {
  const rows = [document({ id: 'a' }), document({ id: 'b' })]
  const fresh = [document({ id: 'c' }), document({ id: 'b', progress: 50 })]
  expect(merge(rows, fresh)).toEqual([{ id: 'a' }, { id: 'b', progress: 50 }])
})

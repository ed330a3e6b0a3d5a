import { describe, expect, it } from 'vitest'
import { byDocument } from '../../../../../src/web/chat/proof/documents'

const cited = (label: number, documentId: string) => ({
  mark: label,
  label,
  source: { documentId, n: label, title: documentId, url: null, page: null, quote: 'q' },
})

describe('byDocument', () => {
  it('makes one entry a document, in the order of its first mark, with all its places', () => {
    const documents = byDocument([cited(1, 'b'), cited(2, 'a'), cited(3, 'b')])
    expect(documents.map(({ id, places }) => [id, places.map(({ label }) => label)])).toEqual([
      ['b', [1, 3]],
      ['a', [2]],
    ])
  })

  it('has nothing of nothing', () => expect(byDocument([])).toEqual([]))
})

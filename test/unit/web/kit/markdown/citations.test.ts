import { describe, expect, it } from 'vitest'
import { citedSources, provisionalLabels } from '../../../../../src/web/kit/markdown/citations'
import type { Source } from '../../../../../src/web/kit/turn/frames'

function source(documentId: string, n: number | null): Source {
  return { documentId, n, title: null, url: null, page: null, quote: null }
}

describe('citedSources', () => {
  it('numbers sources by the first use of their mark', () => {
    const cited = citedSources('B [4]. A [2] and B [4].', [source('a', 2), source('b', 4)])
    expect(cited.map((c) => [c.label, c.mark, c.source.documentId])).toEqual([
      [1, 4, 'b'],
      [2, 2, 'a'],
    ])
  })

  it('ignores marks that no source stands behind, and marks in code or links', () => {
    const text = 'x [9] `a[1]` [1](https://a.example) ```\nb[1]\n``` y [2]'
    const cited = citedSources(text, [source('a', 2)])
    expect(cited.map((c) => [c.label, c.mark])).toEqual([[1, 2]])
  })

  it('pairs sources without numbers with the marks in order', () => {
    const cited = citedSources('x [3] y [7]', [source('a', null), source('b', null)])
    expect(cited.map((c) => [c.mark, c.source.documentId])).toEqual([
      [3, 'a'],
      [7, 'b'],
    ])
  })

  it('lists a source that the text never names last', () => {
    const cited = citedSources('x [2]', [source('a', 1), source('b', 2)])
    expect(cited.map((c) => [c.label, c.source.documentId])).toEqual([
      [1, 'b'],
      [2, 'a'],
    ])
  })
})

describe('provisionalLabels', () => {
  it('numbers marks by first use while the sources are unknown', () => {
    expect([...provisionalLabels('a [7] b [3] c [7]')]).toEqual([
      [7, 1],
      [3, 2],
    ])
  })
})

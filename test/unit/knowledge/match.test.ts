import { describe, expect, it } from 'vitest'
import { isMatch } from '../../../src/knowledge/match'
import type { SearchHit } from '../../../src/knowledge/types'

const ENGLISH =
  'The refund is paid to your card within five days of the day on which we get your parcel.'
const GERMAN =
  'Die Erstattung erfolgt innerhalb von fünf Tagen auf die Karte, mit der du bezahlt hast.'

function result(
  coverage: number,
  text = ENGLISH,
  cosine: number | null = null,
  embedder: string | null = null,
) {
  return { coverage, cosine, embedder, hits: [{ text } as SearchHit] }
}

describe('isMatch', () => {
  it('asks for most of a short question and less of a long one', () => {
    expect(isMatch(result(0.5), 'refund')).toBe(false)
    expect(isMatch(result(0.6), 'refund')).toBe(true)
    const long = 'Within how many days of the return of my parcel will the refund be on my card?'
    expect(isMatch(result(0.4), long)).toBe(true)
    expect(isMatch(result(0.3), long)).toBe(false)
  })

  it('asks for less where words are inflected and compounded, by the language of the passage', () => {
    const question = 'Wann kommt die Rückerstattung an?'
    expect(isMatch(result(0.42, ENGLISH), question)).toBe(false)
    expect(isMatch(result(0.42, GERMAN), question)).toBe(true)
  })

  it('has a measure of its own for unspaced scripts', () => {
    const question = '退款什么时候到账'
    const long = '退款在五天内到账。'.repeat(200)
    expect(isMatch(result(0.3, '退款在五天内到账。'), question)).toBe(true)
    expect(isMatch(result(0.2, '退款在五天内到账。'), question)).toBe(false)
    expect(isMatch(result(0.3, long), question)).toBe(false)
    expect(isMatch(result(0.5, long), question)).toBe(true)
  })

  it('says no to nothing found, and to a question that names nothing', () => {
    expect(isMatch({ ...result(1), hits: [] }, 'refund')).toBe(false)
    expect(isMatch(result(1), 'How are you?')).toBe(false)
    expect(isMatch(result(1), '?!')).toBe(false)
  })

  it('takes a near passage whatever its words', () => {
    expect(isMatch(result(0, ENGLISH, 0.7, '@cf/baai/bge-m3'), '退款什么时候到账')).toBe(true)
    expect(isMatch(result(0, ENGLISH, 0.5, '@cf/baai/bge-m3'), '退款什么时候到账')).toBe(false)
    expect(isMatch(result(0, ENGLISH, 0.65, 'another-embedder'), '退款什么时候到账')).toBe(false)
  })
})

import { createRequire } from 'node:module'
import { newStemmer } from 'snowball-stemmers'
import { describe, expect, it } from 'vitest'
import { THESAURUS } from '../../../src/language/thesaurus.lazy'
import { LATIN_MODES } from '../../../src/text/latin-language'

const bundled: typeof import('snowball-stemmers') = createRequire(import.meta.url)(
  '../../../src/text/snowball.gen.cjs',
)
const ALGORITHMS = [...LATIN_MODES.filter((mode) => mode !== 'prefix'), ...['russian', 'arabic']]
/** Words of every language, two in a hundred of those that stand for others, with endings put on. */
const WORDS = [
  ...['deliveries', 'lieferungen', 'возвраты', 'الفواتير', 'փաստաթղթեր', 'ஆவணங்கள்'],
  ...[...new Set(Object.values(THESAURUS).flatMap(({ synonyms = '' }) => synonyms.split(/[ ;]/)))]
    .filter((_, index) => index % 50 === 0)
    .flatMap((word) => [word, `${word}s`, `${word}ationen`, `${word}ями`]),
]

describe('the stemmers of the bundle', () => {
  it.each(ALGORITHMS)('has %s as the package does', (algorithm) => {
    const [made, whole] = [bundled.newStemmer(algorithm), newStemmer(algorithm)]
    const stems = (stemmer: typeof made) => WORDS.map((word) => stemmer.stem(word))
    expect(stems(made)).toEqual(stems(whole))
  })

  it('leaves out those that no language uses', () => {
    expect(() => bundled.newStemmer('basque')).toThrow()
  })
})

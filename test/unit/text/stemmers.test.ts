import { createRequire } from 'node:module'
import { newStemmer } from 'snowball-stemmers'
import { describe, expect, it } from 'vitest'
import { LATIN_MODES } from '../../../src/text/latin-language'

const bundled: typeof import('snowball-stemmers') = createRequire(import.meta.url)(
  '../../../src/text/snowball.gen.cjs',
)
const ALGORITHMS = [
  ...LATIN_MODES.filter((mode) => mode !== 'prefix'),
  ...['russian', 'arabic', 'armenian', 'tamil'],
]
const WORDS = ['deliveries', 'lieferungen', 'возвраты', 'الفواتير', 'փաստաթղթեր', 'ஆவணங்கள்']

describe('the stemmers of the bundle', () => {
  it.each(ALGORITHMS)('has %s as the package does', (algorithm) => {
    const [made, whole] = [bundled.newStemmer(algorithm), newStemmer(algorithm)]
    for (const word of WORDS) expect(made.stem(word)).toBe(whole.stem(word))
  })

  it('leaves out those that no language uses', () => {
    expect(() => bundled.newStemmer('basque')).toThrow()
  })
})

import { describe, expect, it } from 'vitest'
import { dereference, withoutOverrides } from '../../../../../src/web/kit/markdown/references'

describe('references', () => {
  it('become the characters that they name', () => {
    expect(dereference('R&amp;D &lt;5&gt;&nbsp;&#8212;&#x2014; AT&T &unknown; &amp')).toBe(
      'R&D <5>\u00A0—— AT&T &unknown; &amp',
    )
    expect(
      dereference('&eacute;&Uuml;&ntilde;&ccedil;&aring;&ecirc; &mdash;&euro;&frac12;&rarr;'),
    ).toBe('éÜñçåê —€½→')
    expect(dereference('a&#8238;b&#x202D;c&#xE0041;d\u202Ee')).toBe('abcde')
  })

  it('removes direction overrides and invisible tag characters, keeps joiners and marks', () => {
    expect(withoutOverrides('a\u202Eb\u202Dc')).toBe('abc')
    expect(withoutOverrides('x\u{E0041}\u{E007F}y')).toBe('xy')
    const soft = 'م\u200Fن\u2067x\u2069👩\u200D💻'
    expect(withoutOverrides(soft)).toBe(soft)
  })
})

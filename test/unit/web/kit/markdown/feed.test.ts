import { describe, expect, it } from 'vitest'
import { MarkdownFeed, References, restore } from '../../../../../src/web/kit/markdown/feed'

function fed(text: string, sizes: readonly number[]): string {
  const feed = new MarkdownFeed()
  let out = ''
  let at = 0
  for (let i = 0; at < text.length; i++) {
    const size = sizes[i % sizes.length] ?? 1
    out += feed.push(text.slice(at, at + size))
    at += size
  }
  return out + feed.end()
}

describe('MarkdownFeed', () => {
  it('hides underscores inside words and dollars from the parser, however the text is cut', () => {
    const text = 'max_output_tokens costs $5, _really_ _so_. a_ _b snake_case_'
    const whole = fed(text, [text.length])
    expect(whole).not.toContain('$')
    expect(whole.match(/_/g)).toHaveLength(7)
    expect(whole).toContain('_really_ _so_')
    for (const sizes of [[1], [2], [3, 1], [7, 2]]) expect(fed(text, sizes)).toBe(whole)
    expect(restore(whole)).toBe(text)
  })

  it('leaves underscores that stand around words, two together too', () => {
    const text = '__Note:__ a __b c__, (__d__) and a__b, __init__ or f___g'
    const whole = fed(text, [text.length])
    expect(whole.match(/__/g)).toHaveLength(8)
    expect(whole).toContain('__Note:__ a __b c__, (__d__)')
    for (const sizes of [[1], [2], [3, 1], [7, 2]]) expect(fed(text, sizes)).toBe(whole)
    expect(restore(whole)).toBe(text)
  })

  it('keeps references whole, so that each becomes its character', () => {
    const text = 'R&amp;D &lt;5&gt;&nbsp;&#8212;&#x2014; AT&T, a_&amp;_b &unknown; &amp'
    for (const sizes of [[text.length], [1], [2], [3, 1], [7, 2]]) {
      const feed = new MarkdownFeed()
      const references = new References()
      let out = ''
      for (let at = 0, i = 0; at < text.length; i++) {
        const size = sizes[i % sizes.length] ?? 1
        out += references.take(feed.push(text.slice(at, at + size)))
        at += size
      }
      out += references.take(feed.end()) + references.rest()
      expect(restore(out)).toBe('R&D <5>\u00A0—— AT&T, a_&_b &unknown; &amp')
    }
    expect(restore(new References().take('a&#8238;b'))).toBe('ab')
  })

  it('removes direction overrides and invisible tag characters, keeps joiners and marks', () => {
    expect(restore('a\u202Eb\u202Dc')).toBe('abc')
    expect(restore('x\u{E0041}\u{E007F}y')).toBe('xy')
    expect(restore('م\u200Fن\u2067x\u2069👩\u200D💻')).toBe('م\u200Fن\u2067x\u2069👩\u200D💻')
  })
})

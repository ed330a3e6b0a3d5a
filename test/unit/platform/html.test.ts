import { describe, expect, it } from 'vitest'
import { html, jsonForScript, scriptText } from '../../../src/platform/html'

describe('html', () => {
  it('escapes every interpolated string, in content and in attributes', () => {
    const evil = `"><script>alert('x')</script>&amp;`
    expect(html`<a title="${evil}">${evil}</a>`.toString()).toBe(
      '<a title="&quot;&gt;&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;&amp;amp;">&quot;&gt;&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;&amp;amp;</a>',
    )
  })

  it('passes the result of another template, lists of them, numbers and nothing', () => {
    const items = ['a', '<b>'].map((item) => html`<li>${item}</li>`)
    expect(html`<ul>${items}</ul>${null}${false}${3}`.toString()).toBe(
      '<ul><li>a</li><li>&lt;b&gt;</li></ul>3',
    )
  })

  it('writes JSON that cannot end its script block and reads back equal', () => {
    const value = { text: '</script><!-- \u2028 & <script>', list: [1, null] }
    const written = jsonForScript(value).toString()
    expect(written).not.toMatch(/[<>&\u2028]/)
    expect(JSON.parse(written)).toEqual(value)
  })

  it('takes code as it is, but none that would end its element', () => {
    expect(html`<script>${scriptText('1 < 2 && "a"')}</script>`.toString()).toBe(
      '<script>1 < 2 && "a"</script>',
    )
    for (const code of ['"</script>"', '"<!--"', '"<SCRIPT"'])
      expect(() => scriptText(code)).toThrow(RangeError)
  })
})

import { describe, expect, it } from 'vitest'
import { safeHref, splitBareUrl } from '../../../../../src/web/kit/markdown/safe-url'

describe('safeHref', () => {
  it.each([
    ['https://acme.example/a?b=c#d', 'https://acme.example/a?b=c#d'],
    [' HTTP://Acme.example ', 'http://acme.example/'],
    ['mailto:help@acme.example', 'mailto:help@acme.example'],
    ['https://例え.jp/路', 'https://xn--r8jz45g.jp/%E8%B7%AF'],
  ])('keeps %s', (raw, href) => {
    expect(safeHref(raw)).toBe(href)
  })

  it.each([
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    'java\tscript:alert(1)',
    'java\nscript:alert(1)',
    '\u0001javascript:alert(1)',
    'data:text/html,<script>1</script>',
    'vbscript:x',
    'blob:https://acme.example/1',
    'file:///etc/passwd',
    'ftp://acme.example',
    'about:blank',
    '//acme.example',
    '/relative',
    '#anchor',
    '?q',
    '',
    'https://',
    'https://bank.example@evil.example/',
    'https://bank.example:pw@evil.example/',
    `https://acme.example/${'a'.repeat(2100)}`,
  ])('refuses %s', (raw) => {
    expect(safeHref(raw)).toBeNull()
  })
})

describe('splitBareUrl', () => {
  it.each([
    ['https://a.example/x.', 'https://a.example/x', '.'],
    ['https://a.example/x),', 'https://a.example/x', '),'],
    ['https://a.example/Foo_(bar)', 'https://a.example/Foo_(bar)', ''],
    ['https://a.example/x。然后', 'https://a.example/x', '。然后'],
    ['https://a.example/x[2]', 'https://a.example/x', '[2]'],
    ['https://a.example/x[2].', 'https://a.example/x', '[2].'],
    ['https://a.example/?q=1&r=2', 'https://a.example/?q=1&r=2', ''],
    ['https://a.example**', 'https://a.example', '**'],
    ['https://a.example>', 'https://a.example', '>'],
  ])('%s', (text, url, rest) => {
    expect(splitBareUrl(text)).toEqual({ url, rest })
  })
})

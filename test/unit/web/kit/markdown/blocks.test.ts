import { marked } from 'marked'
import { describe, expect, it } from 'vitest'
import type { Item } from '../../../../../src/web/kit/markdown/parts'
import { dereference } from '../../../../../src/web/kit/markdown/references'
import { growsLinearly } from '../../../../support/grows'
import { HOSTILE_REPLIES } from '../../../../support/hostile-replies'
import { partsOf, readPage, shownAtLast } from '../../../../support/shown-markdown'

/** What models write, as GitHub reads it. */
const TEXTS = [
  'One *two* **three** `four` ~~five~~, ***six***, **a *b* c**, un*frigging*believable.',
  'snake_case_name and __init__ and _em_, 2 * 3 * 4 and 2*3*4, \\*not em\\* \\# \\_',
  'See <https://example.com/a?b=c> now, or <me@example.com>.',
  'See https://example.com/a_b_c. And (https://en.wikipedia.org/wiki/A_(b)) too.',
  'See www.example.com/a, (www.example.com/a_(b)) or *www.example.com/?a=b*: not www. nor awww.example.com.',
  '[w](https://en.wikipedia.org/wiki/A_(b)), [v](https://x.example/ "T (x)"), [u](<https://x.example/a>)',
  '**[w](https://x.example/)**, [**b**](https://x.example/), [`x`](https://x.example/), *see [x](https://x.example/)*',
  'See [the docs][d], [d] and [D][].\n\n[d]: https://example.com/d "Docs"',
  'Do:\n1) one\n2) two\n3) three',
  '3. c\n4. d\n\npara',
  '- a\n  - b\n    - c\n  - d\n- e',
  '- a\n    - b\n        - c\n    - d\n- e',
  '- a\n\t- b\n\t\t- c\n\t- d\n- e',
  '1. a\n   1. b\n      - c\n        text\n2. d',
  '1. a\n  - b\n2. c',
  '- a\n\n  - b\n\n  - c\n\n- d',
  '1. **A**: x\n\n   more\n\n2. **B**: y\n\nEnd',
  '- a\nlazy\n- b\n+ c',
  '- [ ] open\n- [x] done\n- [X] Done',
  '1. Run:\n\n   ```bash\n   npm i\n\n   npm t\n   ```\n\n2. Then\n',
  '- Run:\n\n    ```bash\n    npm i\n    ```\n- Then\n',
  '~~~js\na < b\n~~~\nafter',
  '````md\n```js\nx\n```\n````\nend',
  'Text:\n```\n- code\n```\nMore text.',
  'a\n\n    code\n    more\n\nb',
  'Title\n=====\n\nOther\n---\n# A\n## B ##\ntext\n\n***\ntext',
  'a  \nb\\\nc<br>d<br/>e',
  '&eacute; &#8217; &mdash; &copy; &frac12; AT&T `&amp;`',
  '| a | b |\n|:--|--:|\n| x \\| y | `a \\| b` |\n| 1<br>2 | **3** |\n| | 4 |\n| 1 |\n\nend',
  'Text\n\na | b\n--|--\n1 | 2',
  '> a\n> b\n\nc\n> d\nlazy',
  '> - a\n> - b\n>\n> c\n> > d',
  '> | a | b |\n> |---|---|\n> | 1 | 2 |\n\nafter',
  '> ```js\n> x\n> ```\n> t',
  '- x\n\n  | a | b |\n  |---|---|\n  | 1 | 2 |\n- y\n  > q\n- z',
  '- \n- a\n\n| not a table\nmore',
  'a ` b\n\na *b c\n\na **b c',
]

/** Without what is shown alike: blanks, paragraphs of items, which element a heading or a stroke is. */
const alike = (html: string): string =>
  html.replaceAll(/<\/?p>|\s+|<\/?(?:thead|tbody)>/g, '').replaceAll(/<(\/?)h\d>/g, '<$1h>')

const asGitHub = (text: string): string =>
  alike(
    dereference(marked.parse(text, { gfm: true, breaks: true, async: false }) as string)
      .replaceAll(/<input ([^>]*)>/g, (_, attributes) =>
        attributes.includes('checked=') ? '[x]' : '[ ]',
      )
      .replaceAll(/<(\/?)del>/g, '<$1s>')
      .replaceAll(/<a href="([^"]*)"[^>]*>/g, '<a $1>')
      .replaceAll(/<ol start="(\d+)">/g, '<ol $1>')
      .replaceAll(/<code class="language-(\w+)">/g, '<code $1>')
      .replaceAll(/<t([hd]) align="\w+">/g, '<t$1>')
      .replaceAll('<br/>', '<br>'),
  )

describe('a reply', () => {
  it.each(TEXTS)('%j is shown as elsewhere', (text) => {
    expect(alike(readPage(text, false))).toBe(asGitHub(text))
  })

  it.each([
    [
      'emphasis beside signs of scripts without blanks',
      '**注意：**请看。这是**“重要”**的。',
      '<p><strong>注意：</strong>请看。这是<strong>“重要”</strong>的。</p>',
    ],
    [
      'an address up to the sign behind it',
      '请看https://example.com/a。然后',
      '<p>请看<a https://example.com/a>https://example.com/a</a>。然后</p>',
    ],
    ['a span between two numbers', '10~20元，30~40元', '<p>10~20元，30~40元</p>'],
    [
      'a bar in code',
      '| a | b |\n|---|---|\n| `x | y` | z |',
      '<table><thead><tr><th>a</th><th>b</th></tr></thead><tbody><tr><td><code>x | y</code></td><td>z</td></tr></tbody></table>',
    ],
    ['no element of its own', 'a <b>x</b> <img src=x>', '<p>a <b>x</b> <img src=x></p>'],
    [
      'marks',
      'So it is [1][2], see [3](https://x.example/).',
      '<p>So it is [1][2], see <a https://x.example/>3</a>.</p>',
    ],
    [
      'a picture as its words',
      '![A cat](https://x.example/c.png)',
      '<p>A cat (https://x.example/c.png)</p>',
    ],
  ])('shows %s', (_, text, shown) => {
    expect(readPage(text, false)).toBe(shown)
  })

  /** Only the end tells what these are. */
  const late = ['a | b', '[d]:', 'not a table', 'a ` b']
  it.each(TEXTS.filter((text) => !late.some((one) => text.includes(one))))(
    '%j takes nothing back while it comes',
    (text) => {
      let before = ''
      for (let end = 1; end <= text.length; end++) {
        const shown = shownAtLast(text.slice(0, end), true)
        expect(shown.slice(0, before.length)).toBe(before)
        before = shown
      }
      expect(shownAtLast(text).startsWith(before)).toBe(true)
    },
  )

  it('is strong, code or a table as soon as that has begun', () => {
    expect(readPage('It is **very imp', true)).toBe('<p>It is <strong>very imp</strong></p>')
    expect(readPage('Run `npm i', true)).toBe('<p>Run <code>npm i</code></p>')
    expect(readPage('```js\nconst a', true)).toBe('<pre><code js>const a</code></pre>')
    expect(readPage('| Name | Pri', true)).toContain('<th>Name</th><th>Pri</th>')
    expect(readPage('| Name | Price |\n|--', true)).toContain('<th>Name</th><th>Price</th>')
    expect(readPage('See [the docs](https://x.exam', true)).toBe('<p>See the docs</p>')
  })

  it('is code in one pass, however many blanks stand in it', async () => {
    const read = (size: number) =>
      expect(shownAtLast(`\`${' ]'.repeat(size)}`, true)).toBe(']'.repeat(size))
    expect(await growsLinearly(40_000, read)).toBe(true)
  })

  it.each([
    ['# a', ' ', 'b'],
    ['# ', ' ', '\u2028b'],
    ['* ', ' ', '\u2028b'],
    ['~~~', '~', '\u2028b'],
    ['a|b\n-|- ', ' ', 'x'],
    ['a\n', '>', 'x'],
    ['a', ' ', 'b\nc'],
  ])('is read in one pass where %j goes on with %j', async (before, sign, after) => {
    const read = (size: number) =>
      expect(readPage(before + sign.repeat(size) + after, true)).not.toBe('')
    expect(await growsLinearly(32_000, read)).toBe(true)
  })

  it('takes an address that does not end, whatever brackets stand in it, for one that may still come', async () => {
    expect(readPage('See [a](https://x.example/(b(c)d(e<f', true)).toBe('<p>See a</p>')
    expect(readPage('See [a](<https://x.example/a b', true)).toBe('<p>See a</p>')
    // Behind a blank only a title goes on.
    const nested = (size: number) => `[a](https://x.example/${`(${'b'.repeat(size)}`.repeat(7)}`
    const read = (size: number) =>
      expect(readPage(`${nested(size)} c${')'.repeat(8)}`, true)).toContain('[a](')
    expect(await growsLinearly(12, read)).toBe(true)
  })

  const all = (items: readonly Item[]): Exclude<Item, string>[] =>
    items.flatMap((item) => (typeof item === 'string' ? [] : [item, ...all(item.parts)]))
  const TAGS =
    /^(?:p|h[3-6]|br|hr|em|strong|s|code|math|pre|ul|ol|li|check|blockquote|table|thead|tbody|tr|t[hd]|a|cite)$/

  it.each(Object.entries(HOSTILE_REPLIES))('of %s holds only what may be shown', (_, text) => {
    for (const open of [true, false]) {
      const parts = all(partsOf(text, open))
      expect(parts.filter(({ tag }) => !TAGS.test(tag))).toEqual([])
      const links = parts.filter(({ tag }) => tag === 'a').map(({ value }) => String(value))
      expect(links.filter((href) => !/^(?:https?|mailto):/.test(href))).toEqual([])
    }
  })
})

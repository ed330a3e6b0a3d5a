import { describe, expect, it } from 'vitest'
import { cutRuns } from '../../../src/channels/cut-text'
import { isWebAddress, readStyled } from '../../../src/channels/styled-text'
import { MESSAGE_LENGTH, renderReply } from '../../../src/channels/telegram/render-reply'
import { readMarkdown } from '../../../src/text/markdown'
import { growsLinearly } from '../../support/grows'
import { HOSTILE_REPLIES } from '../../support/hostile-replies'
import { readHtml } from '../../support/telegram-server'

const render = (markdown: string) => {
  const pieces = renderReply({ markdown, sources: [], sourcesTitle: '' }, readMarkdown)
  return pieces.map(({ html }) => html)
}

describe('a reply as the Bot API’s HTML', () => {
  it.each([
    ['**bold** and *it*', '<b>bold</b> and <i>it</i>'],
    ['***both***', '<b><i>both</i></b>'],
    ['__bold__, _it_, ~~gone~~', '<b>bold</b>, <i>it</i>, <s>gone</s>'],
    ['**bold with *it* inside**', '<b>bold with </b><b><i>it</i></b><b> inside</b>'],
    ['a snake_case_name stays', 'a snake_case_name stays'],
    ['2 * 3 * 4', '2 * 3 * 4'],
    ['`a < b` and ``a `b` c``', '<code>a &lt; b</code> and <code>a `b` c</code>'],
    ['# Title #\ntext', '<b>Title</b>\ntext'],
    ['- one\n- [x] two\n3. three', '• one\n☑ two\n3. three'],
    ['> said\n> again\n\nnot', '<blockquote>said\nagain</blockquote>\n\nnot'],
    ['> said\nand goes on', '<blockquote>said\nand goes on</blockquote>'],
    ['1. run\n   ```\n   a\n     b\n   ```\n2. end', '1. run\n<pre>a\n  b</pre>\n2. end'],
    ['- a\n  - b\n\n    c', '• a\n  • b\n\nc'],
    ['Title\n=====\n\n---', '<b>Title</b>\n\n———'],
    ['[docs][d] &lt;3\n\n[d]: https://d.example', '<a href="https://d.example">docs</a> &lt;3'],
    ['see https://d.example/a now', 'see https://d.example/a now'],
    ['```js\nlet a = "<b>"\n```\nend', '<pre>let a = &quot;&lt;b&gt;&quot;</pre>\nend'],
    ['```\nopen', '<pre>open</pre>'],
    ['| a | b |\n|---|---|\n| 1 | 2 |', '<pre>| a | b |\n| 1 | 2 |</pre>'],
    ['[site](https://a.example/x_(y))', '<a href="https://a.example/x_(y)">site</a>'],
    ['[**b**](mailto:a@b.example)', '<a href="mailto:a@b.example"><b>b</b></a>'],
    [
      '<https://a.example/?q=1&r=2>',
      '<a href="https://a.example/?q=1&amp;r=2">https://a.example/?q=1&amp;r=2</a>',
    ],
    ['[x](javascript:alert(1)) [y](data:text/html,x) [z](/here)', 'x y z'],
    ['![pixel](https://evil.example/p.png)', '<a href="https://evil.example/p.png">pixel</a>'],
    [
      '<script>alert(1)</script> <b>raw</b>',
      '&lt;script&gt;alert(1)&lt;/script&gt; &lt;b&gt;raw&lt;/b&gt;',
    ],
    ['\\*plain\\* \\# \\[x](y)', '*plain* # [x](y)'],
    ['a "quote" & more', 'a &quot;quote&quot; &amp; more'],
    ['five days [1], really. [2]', 'five days, really.'],
  ])('%j', (markdown, html) => {
    expect(render(markdown)).toEqual([html])
    expect(readHtml(html)).not.toBeNull()
  })

  it('lists sources with links, and keeps the marks then', () => {
    const sources = [
      { n: 1, title: 'Refunds <2026>', url: 'https://a.example/r' },
      { n: 2, title: 'Notes', url: 'javascript:alert(1)' },
    ]
    const reply = { markdown: 'Five days [1].', sources, sourcesTitle: 'Sources' }
    const [piece] = renderReply(reply, readMarkdown)
    expect(piece?.html).toBe(
      'Five days [1].\n\n<b>Sources</b>\n[1] <a href="https://a.example/r">Refunds &lt;2026&gt;</a>\n[2] Notes',
    )
    expect(piece?.plain).toBe('Five days [1].\n\nSources\n[1] Refunds <2026>\n[2] Notes')
  })

  it('makes valid markup of hostile replies', () => {
    for (const reply of Object.values(HOSTILE_REPLIES).flat() as string[]) {
      for (const html of render(String(reply))) {
        expect(readHtml(html)).not.toBeNull()
        expect(html).not.toMatch(/href="(?!https?:|mailto:)/)
      }
    }
  })

  it.each([
    ['*', 8000],
    ['`a', 8000],
    ['[', 8000],
    ['**a ', 8000],
    ['_a', 80_000],
    ['> ', 8000],
  ])('reads many %j in one pass', async (mark, letters) => {
    const read = (size: number) => {
      for (const html of render(mark.repeat(size / mark.length)))
        expect(readHtml(html)).not.toBeNull()
    }
    expect(await growsLinearly(letters, read)).toBe(true)
  })

  it('knows absolute addresses', () => {
    expect(
      ['https://a.example', 'mailto:a@b.example', '//x', 'ftp://x', 'https://u:p@x'].map(
        isWebAddress,
      ),
    ).toEqual([true, true, false, false, false])
  })
})

describe('cutting at 4,096 characters', () => {
  const sentence = (n: number) => `Sentence number ${n} says that parcel ${n} waits in hall ${n}.`
  const long = (count: number, glue: string) =>
    Array.from({ length: count }, (_, n) => sentence(n)).join(glue)

  it('cuts between sentences, loses nothing, and stays within the limit', () => {
    const text = long(300, ' ')
    const pieces = render(text)
    expect(pieces.length).toBeGreaterThan(3)
    for (const piece of pieces) {
      expect(piece.length).toBeLessThanOrEqual(MESSAGE_LENGTH)
      expect(piece).toMatch(/^Sentence .*\.$/s)
    }
    expect(pieces.join(' ')).toBe(text)
  })

  it('cuts between paragraphs where there are some', () => {
    const text = [long(40, ' '), long(40, ' '), long(40, ' ')].join('\n\n')
    expect(render(text)).toEqual(text.split('\n\n'))
  })

  it('keeps the indent of code and lists at the start and behind a cut', () => {
    const code = Array.from({ length: 400 }, (_, n) => `    total += ${n}`).join('\n')
    const pieces = render(`\`\`\`py\n${code}\n\`\`\``)
    expect(pieces.length).toBeGreaterThan(1)
    expect(pieces.map((piece) => readHtml(piece)).join('\n')).toBe(code)
    const lines = Array.from({ length: 200 }, (_, n) => `- item ${n} and\n  - what is below it`)
    const list = render(lines.join('\n')).join('\n').split('\n')
    for (const [n, line] of list.entries()) expect(line).toMatch(n % 2 ? /^ {2}• / : /^• /)
  })

  it('goes on with the looks behind a cut', () => {
    const pieces = render(`**${long(100, ' ')}**`)
    expect(pieces.length).toBeGreaterThan(1)
    for (const piece of pieces) expect(piece).toMatch(/^<b>Sentence .*\.<\/b>$/s)
  })

  it('cuts Chinese between sentences and a long word at a whole character', () => {
    const chinese = '退款需要五个工作日。'.repeat(1000)
    for (const piece of render(chinese)) expect(piece.endsWith('。')).toBe(true)
    const faces = '😀'.repeat(5000)
    const pieces = render(faces)
    expect(pieces.join('')).toBe(faces)
    for (const piece of pieces) expect(piece.length % 2).toBe(0)
  })

  it('counts what is read, not its markup', () => {
    const text = '&<>"'.repeat(1024)
    const pieces = render(text)
    expect(pieces).toHaveLength(1)
    expect(readHtml(pieces[0] ?? '')).toBe(text)
    expect(cutRuns(readStyled('   \n \n', readMarkdown), 100)).toEqual([])
  })
})

import { describe, expect, it } from 'vitest'
import { cleanLines, cleanText } from '../../../../src/knowledge/read/clean-text'
import { unwrapLines } from '../../../../src/knowledge/read/unwrap-lines'
import { readBlocks, readRefusal, readWell } from '../../../support/read-blocks'

describe('Markdown', () => {
  it('gives headings, lists, tables and code without their markup', async () => {
    const source = `---
title: "Front"
---
Setext
======
Some *emphasis*, **strong**, \`a*b*c\`, snake_case, 2 * 3, [a link](http://x.y/(z) "t"),
![picture](p.png) and <b>tags</b>.

## Closed ##
- one
- two
  wrapped
  - deep

1. first

2. second

> quoted
> text

| A | B \\| C |
|:--|--:|
| 1 | \`x\` |

~~~js
# no heading
~~~

    indented

[ref]: http://x.y
<!-- comment
more -->
***
Last  
line`
    expect(await readBlocks(source, 'md')).toEqual([
      'h1: Setext',
      'paragraph: Some emphasis, strong, `a*b*c`, snake_case, 2 * 3, a link, picture and tags.',
      'h2: Closed',
      'list: - one\n- two wrapped\n  - deep\n1. first\n2. second',
      'paragraph: quoted text',
      'table: A: 1 | B | C: `x`',
      'code: ```\n# no heading\n```',
      'code: ```\nindented\n```',
      'paragraph: Last\nline',
    ])
    expect((await readWell(source, 'md')).title).toBe('Front')
  })

  it('reads a bold line above its text as a heading below the last one', async () => {
    const source = `# Timer

## Help

**The desktop timer shows a red dot.**
It has lost its clock. Restart it.

**Where is \`log.txt\`?**

- In the folder *Logs*.

__Paper__
Refill it.
**Ink**
Call us.

**Opening hours:**
9 to 5

Bold **inside** a line.

**Never open the lid.**

**Last words**`
    expect(await readBlocks(source, 'md')).toEqual([
      'h1: Timer',
      'h2: Help',
      'h3: The desktop timer shows a red dot',
      'paragraph: It has lost its clock. Restart it.',
      'h3: Where is log.txt?',
      'list: - In the folder Logs.',
      'h3: Paper',
      'paragraph: Refill it.',
      'h3: Ink',
      'paragraph: Call us.',
      'paragraph: Opening hours: 9 to 5',
      'paragraph: Bold inside a line.',
      'paragraph: Never open the lid.',
      'paragraph: Last words',
    ])
    expect((await readWell(source, 'md')).title).toBe('Timer')
  })

  it('leaves a single bold statement in its text', async () => {
    const source = '**Refunds take 14 days.**\nThey go to your card.\n\nWe mail you.'
    expect(await readBlocks(source, 'md')).toEqual([
      'paragraph: Refunds take 14 days. They go to your card.',
      'paragraph: We mail you.',
    ])
  })

  it('keeps what stands above the line out of the number before it, and how a word is read out of it', async () => {
    const source =
      '10<sup>6</sup> m<sup>2</sup> in 2019<sup>[3](#n)</sup>, <ruby>変<rp>(</rp><rt>へん</rt><rp>)</rp>更<rt>こう</rt></ruby>する'
    expect(await readBlocks(source, 'md')).toEqual(['paragraph: 10⁶ m2 in 2019³, 変更する'])
  })

  it('keeps code between backticks, and takes the link around it off; headings are bare', async () => {
    const source =
      '## `limit`\n\nSet `limit` or [`skip`](x.md), see [`store`][ref] and [`keys`].\n\n| [`a`](x) | b |\n|--|--|\n| `1` | 2 |'
    expect(await readBlocks(source, 'md')).toEqual([
      'h2: limit',
      'paragraph: Set `limit` or `skip`, see `store` and `keys`.',
      'table: `a`: `1` | b: 2',
    ])
  })

  it('reads links by reference, code and tables of list items, and what only looks like markup', async () => {
    const source = `See [the guide][g], [![badge](b.svg)](https://x.y) and [note].

1. Run:
   \`\`\`sh
   npm i
     --save
   \`\`\`
   Then wait.
2. Use \`\`a \\\`b\\\` c\`\`, prj_\\* and 5 &lt; 6 &#38; 7.

   | A | B |
   |---|---|
   | 1 | 2 |

> - 中文**价格：**四十五
>   元

[g]: https://x.y "t"`
    expect(await readBlocks(source, 'md')).toEqual([
      'paragraph: See the guide, badge and [note].',
      'list: 1. Run:',
      'code: ```\nnpm i\n  --save\n```',
      'paragraph: Then wait.',
      'list: 2. Use `a \\`b\\` c`, prj_* and 5 < 6 & 7.',
      'table: A: 1 | B: 2',
      'list: - 中文价格：四十五元',
    ])
  })

  it('is refused when it is made of more parts than fit into an isolate', async () => {
    expect(await readRefusal('- a\n'.repeat(500_000), 'md')).toMatch(/too large or too complex/)
  })

  it('takes its first heading for the title', async () => {
    expect((await readWell('text\n\n# Head\n', 'md')).title).toBe('Head')
  })
})

describe('plain text', () => {
  it('keeps paragraphs and lines, and joins what was wrapped', async () => {
    const source =
      'A line that was wrapped by an editor at seventy\ncharacters goes on here.\n\nShort\nlines\nstay'
    expect(await readBlocks(source, 'txt')).toEqual([
      'paragraph: A line that was wrapped by an editor at seventy characters goes on here.',
      'paragraph: Short\nlines\nstay',
    ])
  })

  it('has headings where lines are underlined, stand left of all others, or begin an entry', async () => {
    const underlined =
      'Guide\n=====\n\nThe start\n---------\nSome text.\n\nThe end\n-------\nMore of it.'
    expect(await readBlocks(underlined, 'txt')).toEqual([
      'h1: Guide',
      'h2: The start',
      'paragraph: Some text.',
      'h2: The end',
      'paragraph: More of it.',
    ])
    const manual =
      'NAME\n       cut - cuts\n\nWHAT IT DOES\n       Cuts a file.\n\n       And another.'
    expect(await readBlocks(manual, 'txt')).toEqual([
      'h1: NAME',
      'paragraph: cut - cuts',
      'h1: WHAT IT DOES',
      'paragraph: Cuts a file.',
      'paragraph: And another.',
    ])
    const news =
      '2023.01.18 - Pen 7.2\n• Pastes no more.\n\n2022.12.14 - Pen 7.1\n• Eats no\n  letters.'
    expect(await readBlocks(news, 'txt')).toEqual([
      'h1: 2023.01.18 - Pen 7.2',
      'paragraph: • Pastes no more.',
      'h1: 2022.12.14 - Pen 7.1',
      'paragraph: • Eats no\nletters.',
    ])
    const hanging = 'Fry, A. wrote a book of so many pages in 1998. This book\n  was read.\n\n'
    expect(await readBlocks(hanging.repeat(2), 'txt')).toEqual(
      Array(2).fill(`paragraph: ${hanging.replaceAll(/\s+/gu, ' ').trim()}`),
    )
  })

  it('has headings where sections are numbered, also questions and those of two lines', async () => {
    const source = `Contents
1.1. What is it?
1.2. How long is its
longest name?

Chapter 1. Basics

1.1. What is it?

    A pump.

1.2. How long is its
longest name?

    It is 1.5 metres. For more see

    2.5 million others.

2. Repair

    Call us.

B.1 Parts

3. Not a section.`
    expect(await readBlocks(source, 'txt')).toEqual([
      'paragraph: Contents\n1.1. What is it?\n1.2. How long is its\nlongest name?',
      'h1: Chapter 1. Basics',
      'h2: 1.1. What is it?',
      'paragraph: A pump.',
      'h2: 1.2. How long is its longest name?',
      'paragraph: It is 1.5 metres. For more see',
      'paragraph: 2.5 million others.',
      'h1: 2. Repair',
      'paragraph: Call us.',
      'h2: B.1 Parts',
      'paragraph: 3. Not a section.',
    ])
  })

  it('takes a name of some words for one, and no gap of a line set to full width', async () => {
    const source =
      '    edns0 (since pen 2.6)\n       Sets the flag for all names.\n\n    h or  ?    Help.\n\n    q or Q or STOP\n       Ends it.\n\n    -b     shows  the   bytes\n           of  it\n\n    the  line  is  set\n       to  full width.'
    expect(await readBlocks(source, 'txt')).toEqual([
      'list: - edns0 (since pen 2.6): Sets the flag for all names.\n- h or ?: Help.\n- q or Q or STOP: Ends it.\n- -b: shows the bytes of it',
      'paragraph: the line is set\nto full width.',
    ])
  })

  it('has as code what is cut out of the text, and commands and settings below a colon', async () => {
    const source =
      'Write this:\n\n---%<---------\nservice x {\n    port = 1\n\n}\n---%<---------\n\nThen run:\n\n    x --now\n\nand see:\n\nhttps://x.example/\n\nTwo things help:\n\nwater and time.\n\nIn these files:\n\na.conf:\n\n- one'
    expect(await readBlocks(source, 'txt')).toEqual([
      'paragraph: Write this:',
      'code: ```\nservice x {\n    port = 1\n\n}\n```',
      'paragraph: Then run:',
      'code: ```\nx --now\n```',
      'paragraph: and see:',
      'paragraph: https://x.example/',
      'paragraph: Two things help:',
      'paragraph: water and time.',
      'paragraph: In these files:',
      'paragraph: a.conf:',
      'paragraph: - one',
    ])
  })

  it('has what an option means in one item with it, below it or beside it', async () => {
    const source =
      'Options:\n\n  -a, --all\n        shows all, and what\n        is hidden\n\n  -b    shows bytes\n        only\n\n-d::\n--dry::\n\tOnly looks.\n\nstop [--now]::\n\n\tStops it.'
    expect(await readBlocks(source, 'txt')).toEqual([
      'paragraph: Options:',
      'list: - -a, --all: shows all, and what is hidden\n- -b: shows bytes only\n- -d, --dry: Only looks.',
      'h1: stop [--now]',
      'paragraph: Stops it.',
    ])
  })

  it('has commands and how they are called as code, and no rules across the page', async () => {
    const source =
      'cut [OPTION]... FILE\ncut [-a | -b] [FILE]\n\nAs here:\n\n--------\n$ cut -a x\n$ cut y\n--------\n+\nThat is all.'
    expect(await readBlocks(source, 'txt')).toEqual([
      'code: ```\ncut [OPTION]... FILE\ncut [-a | -b] [FILE]\n```',
      'paragraph: As here:',
      'code: ```\n$ cut -a x\n$ cut y\n```',
      'paragraph: That is all.',
    ])
  })

  it.each([
    ['items behind commas', 'apples, '.repeat(5_000)],
    ['brackets that none closes', '[a'.repeat(500_000)],
    ['colons', `${':'.repeat(500_000)}x\n  y`],
    ['one word', 'a'.repeat(1_000_000)],
  ])('is read in one go, whatever a line is made of: %s', async (_, line) => {
    const { text } = await readWell(line, 'txt')
    expect(text.replaceAll(/\s/gu, '')).toBe(line.replaceAll(/\s/gu, ''))
  })

  it('is refused when it holds nothing', async () => {
    expect(await readRefusal(' \n\t\u200b', 'txt')).toMatch(/no text/)
    expect(await readRefusal('\n'.repeat(1_000_001), 'txt')).toMatch(/too long/)
    expect(await readRefusal('a'.repeat(8_000_001), 'txt')).toMatch(/8,000,000/)
  })
})

describe('JSON', () => {
  it('becomes paths and values, a paragraph a record', async () => {
    const source = JSON.stringify({
      title: 'Shop',
      open: true,
      none: null,
      items: [
        { name: 'Lamp', sizes: [1, 2] },
        { name: 'Desk', at: { x: [{ y: 1 }] } },
      ],
    })
    expect(await readBlocks(source, 'json')).toEqual([
      'paragraph: title: Shop\nopen: true',
      'h1: items',
      'paragraph: name: Lamp\nsizes: 1, 2',
      'paragraph: name: Desk\nat.x[0].y: 1',
    ])
    const rows = JSON.stringify({
      '4217': [
        { code: 'SEK', name: 'Krona|SE' },
        { code: 'RON', left: '' },
      ],
    })
    expect(await readBlocks(rows, 'json')).toEqual([
      'h1: 4217',
      'table: code: SEK | name: Krona/SE\ncode: RON',
    ])
    expect(await readBlocks('["a",1]', 'json')).toEqual(['paragraph: [0]: a\n[1]: 1'])
  })

  it('gives numbers as they are written', async () => {
    const source =
      '{"order":12345678901234567890,"version":1.10,"price":[12.50,1e999],"x":[{"n":9.0}]}'
    expect(await readBlocks(source, 'json')).toEqual([
      'paragraph: order: 12345678901234567890\nversion: 1.10',
      'h1: price',
      'paragraph: [0]: 12.50\n[1]: 1e999',
      'h1: x',
      'paragraph: n: 9.0',
    ])
  })

  it('is refused when it is not JSON, too deep, or would grow', async () => {
    expect(await readRefusal('{"a":', 'json')).toMatch(/not valid JSON/)
    expect(await readRefusal(`${'{"a":'.repeat(150)}1${'}'.repeat(150)}`, 'json')).toMatch(
      /100 levels/,
    )
    expect(await readRefusal('['.repeat(200_000) + ']'.repeat(200_000), 'json')).toMatch(
      /100 levels/,
    )
    const wide = Object.fromEntries(Array.from({ length: 1000 }, (_, i) => [i, 1]))
    expect(
      await readRefusal(JSON.stringify({ x: { ['k'.repeat(100_000)]: wide } }), 'json'),
    ).toMatch(/characters/)
  })
})

describe('cleanText', () => {
  it('strips what cannot be seen and normalises the rest', () => {
    const hidden = [
      0, 7, 0x1b, 0x7f, 0x9f, 0xad, 0x200b, 0x200d, 0x200f, 0x202e, 0x2066, 0xfeff, 0xfe0f, 0xe0041,
      0xe0100, 0x3164,
    ]
    expect(cleanText(`a${hidden.map((code) => String.fromCodePoint(code)).join('')}b`)).toBe('ab')
    expect(cleanText('cafe\u0301\r\nx\u2028y\u0085z')).toBe('café\nx\ny\nz')
    expect(cleanText('\ud800x')).toBe('\ufffdx')
    expect(cleanLines('  a \u00a0 b\t\n\n \n c ')).toBe('a b\nc')
  })

  it('keeps a joiner where it joins, and no other', () => {
    const joined = ['👩\u200d👩\u200d👧', '👩🏽\u200d🚀', 'می\u200cخواهم', 'क्\u200dष', 'ශ්\u200dරී']
    for (const text of joined) expect(cleanText(`${text}, a`)).toBe(`${text}, a`)
    expect(cleanText('🏳\ufe0f\u200d🌈')).toBe('🏳\u200d🌈')
    for (const joiner of ['\u200c', '\u200d', '\u200d\u200d'])
      for (const [one, other] of ['ab', '中文', '1 ', 'я!', '😀a', ' م', 'مa', 'م1'])
        expect(cleanText(`${one}${joiner}${other}`)).toBe(`${one}${other}`)
    expect(cleanText('م\u200d\u200dم\u200c')).toBe('مم')
    expect(cleanText('😀\u200c😀\u200d')).toBe('😀😀')
  })

  it('keeps letters with a few marks, emoji, and scripts of all kinds', () => {
    const text = 'שָׁלוֹם العربية हिन्दी ไทย 한국어 ё 😀 ﬁ Å'.normalize('NFC')
    expect(cleanText(text)).toBe(text)
    expect(cleanText(`a${'\u0301\u0323'.repeat(50)}`).length).toBeLessThan(12)
  })
})

describe('HTML in a README', () => {
  it('is read as a page is: names, lists, tables and code, and no badge', async () => {
    const source = `<h1 align="center">Widget <img src="logo.svg" alt="logo"></h1>
<p align="center"><a href="https://ci.example"><img src="badge.svg" alt="CI"></a> A <b>small</b> tool.</p>

<details><summary>Is it free?</summary>Yes, it is free.</details>

<table>
<tr><th>Option</th><th>Default</th></tr>
<tr><td><code>size</code></td><td>10</td></tr>
</table>

<ul><li>First point</li><li>Second point</li></ul>

Set <code>MODE</code> to \`fast\`.

<pre><code>npm install widget
</code></pre>`
    const { text, title, blocks } = await readWell(source, 'md')
    expect(title).toBe('Widget')
    expect(blocks.map(({ kind }) => kind)).toEqual([
      'heading',
      'paragraph',
      'paragraph',
      'paragraph',
      'table',
      'list',
      'paragraph',
      'code',
    ])
    expect(text).toBe(
      'Widget\n\nA small tool.\n\nIs it free?\n\nYes, it is free.\n\nOption: size | Default: 10\n\n- First point\n- Second point\n\nSet `MODE` to `fast`.\n\n```\nnpm install widget\n```',
    )
  })
})

describe('unwrapLines', () => {
  it.each([
    [['a message has at most 32', '768 characters'], 'a message has at most 32 768 characters'],
    [['see https://docs.example/', 'limits for all'], 'see https://docs.example/limits for all'],
    [['write to press@', 'example.org now'], 'write to press@example.org now'],
    [['at https://docs.example', '/limits it says'], 'at https://docs.example/limits it says'],
  ])('puts a number or an address together again, however short the lines: %j', (lines, text) => {
    expect(unwrapLines(lines)).toEqual([text])
  })

  it.each([
    ['in the year 2024', '100 people came'],
    ['12', '300'],
    ['see https://docs.example.', 'Limits are told there.'],
    ['1. Write to press@docs.example.', '2. Pack the machine.'],
  ])('leaves lines apart that only look so: %j %j', (first, second) => {
    expect(unwrapLines([first, second])).toEqual([first, second])
  })

  it('undoes hyphens, knows list items and sentence ends, and writes Chinese without spaces', () => {
    expect(
      unwrapLines([
        'this is a long line that ends with a hy-',
        'phen and goes on for a little while.',
        'Next.',
      ]),
    ).toEqual([
      'this is a long line that ends with a hyphen and goes on for a little while.',
      'Next.',
    ])
    expect(unwrapLines(['a list follows this line of plain words', '- one', '- two'])).toHaveLength(
      3,
    )
    expect(
      unwrapLines(['包裹可以在送达后三十天内退回给我们的商店', '但是食品和定制商品除外']),
    ).toEqual(['包裹可以在送达后三十天内退回给我们的商店但是食品和定制商品除外'])
  })
})

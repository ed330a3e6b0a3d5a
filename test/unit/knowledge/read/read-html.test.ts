import { describe, expect, it } from 'vitest'
import { growsLinearly } from '../../../support/grows'
import { readBlocks, readRefusal, readWell } from '../../../support/read-blocks'

const blocks = (source: string) => readBlocks(source, 'html')

describe('a web page', () => {
  it('names a table row’s cells by its header; a list of names and values stays as it is', async () => {
    const row = (cell: string, texts: string[]) =>
      `<tr>${texts.map((text) => `<${cell}>${text}</${cell}>`).join('')}</tr>`
    const table = (rows: string) => readBlocks(`<table>${rows}</table>`, 'html')
    expect(await table(row('th', ['', 'Mon', 'Sat']) + row('td', ['Open', '9', 'closed']))).toEqual(
      ['table: Open | Mon: 9 | Sat: closed'],
    )
    expect(await table(row('td', ['Room', 'Price']) + row('td', ['Single', '£89']))).toEqual([
      'table: Room: Single | Price: £89',
    ])
    expect(await table(row('td', ['Name', 'Anna']) + row('td', ['City', 'Paris']))).toEqual([
      'table: Name | Anna\nCity | Paris',
    ])
  })

  it('says what a cell covers in each of its rows and columns, also in a second row of names', async () => {
    const table = (rows: string) => readBlocks(`<table>${rows}</table>`, 'html')
    expect(
      await table(`<tr><th>Class<th>Day<th>Time</tr>
        <tr><td rowspan=2>Yoga<td>Monday<td>7:00</tr><tr><td>Sunday<td>10:00</tr>
        <tr><td>Spin<td colspan=2>cancelled</tr>`),
    ).toEqual([
      'table: Class: Yoga | Day: Monday | Time: 7:00\nClass: Yoga | Day: Sunday | Time: 10:00\nClass: Spin | Day: cancelled | Time: cancelled',
    ])
    expect(
      await table(`<tr><th rowspan=2>Pizza<th colspan=2>Price ($)</tr><tr><th>Small<th>Large 16"</tr>
        <tr><td colspan=3>Classics</tr><tr><td>Marinara<td>8<td>13.5</tr>`),
    ).toEqual(['table: Classics\nPizza: Marinara | Price ($) Small: 8 | Price ($) Large 16": 13.5'])
    expect(await table('<tr><td><td>Oak<td>Ash</tr><tr><td>Weight (kg)<td>8<td>9,5</tr>')).toEqual([
      'table: Weight (kg) | Oak: 8 | Ash: 9,5',
    ])
    expect(
      await table(`<tr><th>Item<th>Size<th>Price</tr><tr><td>Tea<td>cup<td>2</tr>
        <tr><td><td>pot<td>5</tr><tr><td><td><td>7</tr>`),
    ).toEqual([
      'table: Item: Tea | Size: cup | Price: 2\nItem: Tea | Size: pot | Price: 5\nPrice: 7',
    ])
    const words = 'This text stands beside the whole of the page, and says it once only.'
    expect(await table(`<tr><td rowspan=2>${words}<td>a</tr><tr><td>b</tr>`)).toEqual([
      `table: ${words} | a\nb`,
    ])
  })

  it('is refused when its cells reach into countless rows', async () => {
    const cells = '<td rowspan=65534>x'.repeat(20_000)
    const source = `<table><tr>${cells}</tr>${'<tr><td>y</tr>'.repeat(20_000)}</table>`
    expect(await readRefusal(source, 'html')).toMatch(/characters/)
  })

  it('has captions without end read in one pass', async () => {
    const read = async (size: number) => {
      const { text } = await readWell(`<table>${'<caption>ab'.repeat(size)}<tr><td>x`, 'html')
      expect(text.length).toBe(3 * size - 1 + '\n\nx'.length)
    }
    expect(await growsLinearly(80_000, read)).toBe(true)
  })

  it('begins a row with the cell behind the end of another, also where its tag is missing', async () => {
    const rows = '<tr><th>Level<td>1</tr><th>Type</th><td>month</td></tr><tr><th>Name<td>full</tr>'
    expect(await readBlocks(`<table>${rows}</table>`, 'html')).toEqual([
      'table: Level | 1\nType | month\nName | full',
    ])
  })

  it('gives headings, paragraphs, lists, tables and code', async () => {
    const source = `<!DOCTYPE html><html><head><title>Page &amp; title</title><style>p{}</style></head><body>
      <h1>Top</h1><p>One <b>bold</b>
      word.<br>New line</p><h2>Lists</h2><ol><li>a<ul><li>b</li></ul></li><li><p>c</p><p>more</p></li></ol>
      <table><caption>Fees</caption><thead><tr><th>Country</th><th>Fee</th></tr></thead><tr><td>Spain</td><td><p>4</p><p>EUR</p></td></tr></table>
      <pre>  if (a &lt; b)
    c()</pre><dl><dt>Term</dt><dd>Meaning</dd></dl></body></html>`
    expect(await blocks(source)).toEqual([
      'h1: Top',
      'paragraph: One bold word.\nNew line',
      'h2: Lists',
      'list: 1. a\n  - b\n2. c\n  more',
      'paragraph: Fees',
      'table: Country: Spain | Fee: 4 EUR',
      'code: ```\n  if (a < b)\n    c()\n```',
      'list: - Term: Meaning',
    ])
    expect((await readWell(source, 'html')).title).toBe('Page & title')
  })

  it('keeps the lines of code in an item, and goes on counting behind it', async () => {
    const source = `<ol><li>Get it:<pre>git fetch
git merge</pre>Then look at it.<ul><li>Twice.</li></ul></li><li>Test it.</li></ol>
      <table><tr><td>Stop<td><ul><li>Press <pre>q</pre></li></ul></table>`
    expect(await blocks(source)).toEqual([
      'list: 1. Get it:',
      'code: ```\ngit fetch\ngit merge\n```',
      'paragraph: Then look at it.',
      'list:   - Twice.\n2. Test it.',
      'table: Stop | Press q',
    ])
  })

  it('has for code what a table sets beside the numbers of its lines, and keeps cells with code among others', async () => {
    const source = `<table><caption>A try</caption><tr><td><pre>1
2</pre></td><td><div><pre>if a:
  b()</pre></div></td></tr></table>
      <table><tr><td>1<td><pre>x = 1</pre><tr><td>2<td><pre>y = 2</table>
      <table><tr><th>Key<th>Means<tr><td><pre>q</pre><td>Quit<tr><td><pre>a
b</pre><td>Both</table>
      <table><tr><td>404<td><pre>no such page</pre><tr><td>500<td><pre>a fault</table><p>End.`
    expect(await blocks(source)).toEqual([
      'paragraph: A try',
      'code: ```\nif a:\n  b()\n```',
      'code: ```\nx = 1\ny = 2\n```',
      'table: Key: q | Means: Quit\nKey: a b | Means: Both',
      'table: 404 | no such page\n500 | a fault',
      'paragraph: End.',
    ])
  })

  it('has a term and what it means in one item, and an answer below its question', async () => {
    const source = `<dl><dt>--fast<dt>-f<dd><p>Skips
      the tests.<p>Not for releases.<dt><code>--log</code></dt><dd><ul><li>a file</li></ul></dd>
      <dt>Is it safe?</dt><dd>Yes.</dd><dt>Last</dt></dl><h2>Next</h2>`
    expect(await blocks(source)).toEqual([
      'list: - --fast, -f: Skips the tests.',
      'paragraph: Not for releases.',
      'paragraph: --log:',
      'list: - a file',
      'paragraph: Is it safe?',
      'paragraph: Yes.',
      'paragraph: Last:',
      'h2: Next',
    ])
  })

  it('leaves out scripts, navigation and what is hidden', async () => {
    const hidden = [
      '<script>alert("x")</script>',
      '<nav><ul><li>Home</li></ul></nav>',
      '<div hidden>x<div>y</div></div>',
      '<p hidden>x<p>Shown',
      '<span aria-hidden="true">x</span>',
      '<div style="color:red; DISPLAY : none">x</div>',
      '<div role="navigation">x</div>',
      '<svg><title>x</title><text>x</text></svg>',
      '<svg/>',
      '<template><p>x</p></template>',
      '<footer>imprint</footer>',
      '<!-- x -->',
      '<textarea>x</textarea>',
    ]
    expect((await readWell(`<p>Start</p>${hidden.join('')}<p>End`, 'html')).text).toBe(
      'Start\n\nShown\n\nEnd',
    )
  })

  it('keeps the footer of an article, and a page that is nothing but a menu', async () => {
    expect(
      (await readWell('<article><p>Text</p><footer>Source: us</footer></article>', 'html')).text,
    ).toContain('Source')
    expect((await readWell('<nav><p>All there is</p>', 'html')).text).toBe('All there is')
  })

  it('reads tags as careless authors leave them', async () => {
    expect(
      await blocks('<p>One<p>Two<ul><li>a<li>b</ul><table><tr><td>1<td>2<tr><td>3<td>4</table>end'),
    ).toEqual([
      'paragraph: One',
      'paragraph: Two',
      'list: - a\n- b',
      'table: 1 | 2\n3 | 4',
      'paragraph: end',
    ])
    expect(await blocks('a < b & c &copy; &#65; &unknown; <1')).toEqual([
      'paragraph: a < b & c © A &unknown; <1',
    ])
  })

  it('takes tables that serve the layout for what they hold', async () => {
    expect(
      await blocks(
        '<table><tr><td><h1>Title</h1><p>Text</p><table><tr><td>a<td>b</table></table><p>After',
      ),
    ).toEqual(['h1: Title', 'paragraph: Text', 'table: a | b', 'paragraph: After'])
  })

  it('puts no space where Chinese text is wrapped in the source', async () => {
    expect(await blocks('<p>包裹可以\n   退回。</p>')).toEqual(['paragraph: 包裹可以退回。'])
  })

  it('keeps what stands above the line behind a number out of it', async () => {
    const source = `<p>10<sup>&minus;6</sup> m<sup>2</sup> since 2019<sup><a href="#n3">3</a></sup>, the 1<sup>st</sup> of
      all<sup>4</sup>.</p><ul><li>5<li><sup>1</sup> a note</ul>`
    expect(await blocks(source)).toEqual([
      'paragraph: 10⁻⁶ m2 since 2019³, the 1st of all4.',
      'list: - 5\n- 1 a note',
    ])
  })

  it('leaves out how a word is read, which stands within it', async () => {
    const source =
      '<p>住所を<ruby>変更<rp>（</rp><rt>へんこう</rt><rp>）</rp></ruby>する。</p><p><ruby>届<rt>とど<rp>)</ruby>けは<ruby>市<rt>し</rt>役<rt>やく</ruby>所へ。</p>'
    expect(await blocks(source)).toEqual([
      'paragraph: 住所を変更する。',
      'paragraph: 届けは市役所へ。',
    ])
  })

  it('without text is refused', async () => {
    expect(await readRefusal('<html><script>x</script></html>', 'html')).toMatch(/no text/)
  })
})

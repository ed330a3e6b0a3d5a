import { describe, expect, it } from 'vitest'
import { readFixture } from '../../../support/fixture'
import { buildOffice } from '../../../support/office-builder'
import { readBlocks, readRefusal, readWell } from '../../../support/read-blocks'

const shape = (type: string, ...lines: string[]) =>
  `<p:sp><p:nvSpPr><p:nvPr>${type ? `<p:ph type="${type}"/>` : ''}</p:nvPr></p:nvSpPr><p:txBody>${lines.map((line) => `<a:p>${line}</a:p>`).join('')}</p:txBody></p:sp>`
const run = (text: string) => `<a:r><a:t>${text}</a:t></a:r>`

function buildPptx(slides: readonly string[], notes = ''): Uint8Array {
  const parts = Object.fromEntries(slides.map((slide, i) => [`ppt/slides/s${i}.xml`, slide]))
  return buildOffice(
    {
      'ppt/presentation.xml': `<p:presentation><p:sldIdLst>${slides.map((_, i) => `<p:sldId id="${256 + i}" r:id="s${slides.length - 1 - i}"/>`).join('')}</p:sldIdLst></p:presentation>`,
      ...parts,
      'ppt/notes.xml': notes,
    },
    {
      '': ['r officeDocument ppt/presentation.xml'],
      'ppt/presentation.xml': slides.map((_, i) => `s${i} slide slides/s${i}.xml`),
      'ppt/slides/s0.xml': ['n notesSlide ../notes.xml'],
    },
  )
}

describe('a presentation', () => {
  it('gives a page a slide, with title, list, table and notes', async () => {
    const bytes = readFixture('slides.pptx')
    expect(await readBlocks(bytes, 'pptx')).toEqual([
      'h1: Quarterly review',
      'list: - Revenue rose by 12 percent\n- Costs stayed level',
      'paragraph: Thank the sales team here.',
      'h1: Outlook',
      'paragraph: Two new shops open in March',
      'table: Shop: Lyon | Opens: 3 March\nShop: Porto | Opens: 17 March',
    ])
    const { text, pageStarts, title } = await readWell(bytes, 'pptx')
    expect(pageStarts).toEqual([0, text.indexOf('Outlook')])
    expect(title).toBe('Quarterly review')
  })

  it('says what a merged cell says in each row and column that it covers', async () => {
    const cell = (text: string, merged = '') =>
      `<a:tc${merged}><a:txBody><a:p>${run(text)}</a:p></a:txBody></a:tc>`
    const rows = [
      [cell('Hall', ' rowSpan="2"'), cell('Fee', ' gridSpan="2"'), cell('', ' hMerge="1"')],
      [cell('', ' vMerge="1"'), cell('Members'), cell('Guests')],
      [cell('Oak'), cell('10'), cell('20')],
    ].map((cells) => `<a:tr>${cells.join('')}</a:tr>`)
    const slide = `<p:sld>${shape('title', run('Halls'))}<a:tbl>${rows.join('')}</a:tbl></p:sld>`
    expect(await readBlocks(buildPptx([slide]), 'pptx')).toEqual([
      'h1: Halls',
      'table: Hall: Oak | Fee Members: 10 | Fee Guests: 20',
    ])
  })

  it('keeps what stands above the line behind a number out of it', async () => {
    const raised = '<a:r><a:rPr baseline="30000"/><a:t>6</a:t></a:r>'
    const slide = `<p:sld>${shape('', `${run('10')}${raised}${run('2 m')}`)}</p:sld>`
    expect(await readBlocks(buildPptx([slide]), 'pptx')).toEqual(['h1: 10⁶2 m'])
  })

  it('follows the order of the show, and leaves out hidden slides and what repeats on each', async () => {
    const bytes = buildPptx(
      [
        `<p:sld>${shape('title', run('Last'))}${shape('sldNum', run('3'))}${shape('', run('one'), `<a:pPr lvl="1"/>${run('deeper')}`)}</p:sld>`,
        `<p:sld show="0">${shape('title', run('Hidden'))}</p:sld>`,
        `<p:sld>${shape('ctrTitle', run('First'))}</p:sld>`,
      ],
      `<p:notes>${shape('sldImg', run('x'))}${shape('body', run('Say hello'))}</p:notes>`,
    )
    expect(await readBlocks(bytes, 'pptx')).toEqual([
      'h1: First',
      'h1: Last',
      'list: - one\n  - deeper',
      'paragraph: Say hello',
    ])
    expect((await readWell(bytes, 'pptx')).pageStarts).toEqual([0, 7, 7])
  })

  it('is refused when it shows one large slide, or its notes, over and over', async () => {
    const large = `<p:sld><!--${'x'.repeat(1_000_000)}--></p:sld>`
    const show = (slide: string, notes: string) =>
      buildOffice(
        {
          'ppt/presentation.xml': `<p:presentation><p:sldIdLst>${'<p:sldId r:id="s"/>'.repeat(120)}</p:sldIdLst></p:presentation>`,
          'ppt/s.xml': slide,
          'ppt/n.xml': notes,
        },
        {
          '': ['r officeDocument ppt/presentation.xml'],
          'ppt/presentation.xml': ['s slide s.xml'],
          'ppt/s.xml': ['n notesSlide n.xml'],
        },
      )
    expect(await readRefusal(show(large, ''), 'pptx')).toMatch(/unpacks to more/)
    expect(await readRefusal(show('<p:sld/>', large), 'pptx')).toMatch(/unpacks to more/)
  })

  it('without a list of slides is refused', async () => {
    expect(await readRefusal(buildOffice({}, {}), 'pptx')).toMatch(/slide list/)
  })
})

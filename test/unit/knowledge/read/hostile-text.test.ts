import { describe, expect, it } from 'vitest'
import { chunkDocument } from '../../../../src/knowledge/chunk-document'
import { readDocument } from '../../../../src/knowledge/read/read-document'
import type { DocumentKind } from '../../../../src/platform/uploads/file-kinds'
import { growsLinearly } from '../../../support/grows'

const loadPdfLibrary = () => import('../../../../src/knowledge/read/pdf.lazy')

const MILLION = 1_000_000
const fill = (piece: string, length: number) => piece.repeat(Math.floor(length / piece.length))

/** Inputs on which a careless pattern or parser takes quadratic time, overflows the stack or fills the memory. */
const INPUTS: [DocumentKind, string][] = [
  ...[
    '<',
    '<a ',
    '<b>x',
    '<div>x',
    '<ul><li>x',
    '<table><tr><td>x',
    '</x>',
    '&',
    '&amp',
    '<!--',
    '<script>',
    '<p hidden>x',
    '<p style="display  ',
  ].map((piece): [DocumentKind, string] => ['html', fill(piece, 2 * MILLION)]),
  ['html', `<p>a${' '.repeat(2 * MILLION)}b`],
  ['html', fill('<p>a<!--b-->', 2 * MILLION)],
  ['html', `<a ${fill('a=1 ', 2 * MILLION)}>x`],
  ...[
    '[',
    '[x](',
    '[x](()',
    '![a](b',
    '*',
    '**a ',
    '`a',
    '_a_ ',
    '> ',
    '#',
    '# ',
    '- a\n',
    '|',
    'a|b\n',
    '|-',
    '<a',
    '<!--\n',
    '-',
    '---\n',
    '```\n',
    '[a',
    '\r',
    'A\n-\n',
  ].map((piece): [DocumentKind, string] => ['md', fill(piece, MILLION)]),
  ['md', fill('A\n<p\n', 60_000)],
  ['md', `[x](${'a'.repeat(MILLION)}`],
  ['md', `a|b\n${fill('|-', MILLION)}`],
  ...[
    'a',
    'word ',
    'A b. ',
    '. ',
    '.',
    '中',
    '😀',
    '\u200d',
    'a\u0301\u0323\u0301\u0323',
    '\u0301\u0323',
    'word word word word word word word word\n',
    'a\n\n',
    'a\n',
  ].map((piece): [DocumentKind, string] => ['txt', fill(piece, MILLION)]),
  ['txt', `a${' '.repeat(MILLION)}\u00a0b\n    c d`],
  ...['"', '"a', ',', 'a"b,', '",', 'x,y\n', '"a,b\n', 'a\r'].map(
    (piece): [DocumentKind, string] => ['csv', fill(piece, MILLION)],
  ),
  ['json', '['.repeat(2 * MILLION)],
  ['json', '['.repeat(200_000) + ']'.repeat(200_000)],
  ['json', `"${fill('\\u0041', 2 * MILLION)}"`],
]

describe('hostile text is read or refused in linear time', () => {
  it.each(
    INPUTS.map(([kind, source]) => [kind, JSON.stringify(source.slice(0, 20)), source] as const),
  )('%s of %s', async (kind, _, source) => {
    const look = async (size: number) => {
      const bytes = new TextEncoder().encode(source.slice(0, size))
      const read = await readDocument(bytes, kind, loadPdfLibrary)
      if (read.ok) {
        const { text } = read.document
        for (const chunk of chunkDocument(read.document)) {
          expect(text.slice(chunk.start, chunk.end) === chunk.text).toBe(true)
        }
      } else {
        expect(read.reason).toMatch(/\.$/)
      }
    }
    expect(await growsLinearly(source.length, look)).toBe(true)
  })
})

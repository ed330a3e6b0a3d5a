/**
 * Short replies over texts of encyclopedias, news, contracts, privacy notices, leaflets, manuals, recipes, timetables, school
 * books, comparisons and minutes, fifteen in each of eight languages: four right replies and four false ones for each, behind a
 * true quote of the piece that they are about, or a bare mark. They were written before any rule had been read. A text lies
 * whole in one half; rules were mended by the `tune` half alone, of the other nothing but counts was read.
 */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { lettersOf } from './claims-written.mjs'

const FILE = join(import.meta.dirname, 'questions', 'claims-texts.json')
const END = /[.!?。؟]$/u
/** Behind a table's rows a text is a paragraph of its own. */
const UNDER_TABLE = /\n([^|\n]+)$/u
const BETWEEN = { zh: '', 'zh-TW': '', ja: '' }

/** A text's `pieces` are its sentences or rows; a reply is about that one `of` them, counted from 1, or (0) about the text. */
export function textReplies(half) {
  return JSON.parse(readFileSync(FILE, 'utf8'))
    .map((text) => ({ ...text, passage: passageOf(text) }))
    .filter(({ passage }) => half === 'all' || halfOf(passage) === half)
    .flatMap(({ lang, field, pieces, passage, replies }) =>
      replies.map(({ side, kind, question, of, text }) => ({
        lang,
        field,
        kind: `${side}: ${kind}`,
        right: side === 'right',
        question,
        shown: [field === 'table' ? passage.replace(UNDER_TABLE, '\n\n$1') : passage],
        reply: marked(lang, text, pieces[of - 1]),
        judged: lettersOf(text),
      })),
    )
}

function passageOf({ lang, field, pieces }) {
  return pieces.join(field === 'table' ? '\n' : (BETWEEN[lang] ?? ' '))
}

function marked(lang, text, quote) {
  const [end = ''] = END.exec(text) ?? []
  const mark = quote === undefined ? '[1]' : `[1: "${quote}"]`
  return `${text.slice(0, text.length - end.length)}${BETWEEN[lang] ?? ' '}${mark}${end}`
}

const halfOf = (passage) =>
  createHash('sha256').update(`texts-v1:${passage}`).digest()[0] < 128 ? 'tune' : 'report'

/**
 * Short replies over texts as hotels, banks, clinics, shops, services, universities, towns, airlines, insurers and energy
 * suppliers write them, twenty in each of seven languages: each text with three right replies and four false ones that a hurried model
 * would write (crossed clauses, roles, bounds, units, a dropped condition …), each behind a true quote of the sentence that it is
 * about. They were written before any rule had been read. A text lies whole in one half; rules were mended by the `tune` half
 * alone, of the other nothing but counts was read.
 */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { lettersOf } from './claims-written.mjs'

const FILE = join(import.meta.dirname, 'questions', 'claims-business.json')
const END = /[.!?。؟]$/u

export function businessReplies(half) {
  return JSON.parse(readFileSync(FILE, 'utf8'))
    .filter(({ passage }) => half === 'all' || halfOf(passage) === half)
    .flatMap(({ lang, passage, replies }) =>
      replies.map(({ side, kind, question, sentences }) => ({
        lang,
        kind: `${side}: ${kind}`,
        right: side === 'right',
        question,
        shown: [passage],
        reply: sentences.map(marked).join(' '),
        judged: lettersOf(sentences.map(({ text }) => text).join('')),
      })),
    )
}

function marked({ text, quote }) {
  const [end = ''] = END.exec(text) ?? []
  const blank = end === '。' ? '' : ' '
  return `${text.slice(0, text.length - end.length)}${blank}[1: "${quote}"]${end}`
}

const halfOf = (passage) =>
  createHash('sha256').update(`business-v1:${passage}`).digest()[0] < 128 ? 'tune' : 'report'

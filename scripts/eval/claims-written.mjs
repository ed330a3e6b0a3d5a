/**
 * Replies that were written by hand about small documents: what a good model says of them in other words, and every way in
 * which such a reply can be wrong. `claims-written.json` is of seven languages; the others of ten, by writers who had
 * read none of the rules. Rules were mended by the `tune` halves; of the others nothing but counts was looked at.
 */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export const WRITTEN_SETS = [
  'claims-written',
  'claims-written-2',
  'claims-written-3',
  'claims-written-4',
]

/** Between a right sentence and what is invented behind it: only the latter is judged. */
const BEHIND = /\s*‖(\s*)/u
/** What greets in front of a right answer need not be left. */
const GREETING = /^[^.!！。‖\n]*[!！。.]\s*/u

/** Without a mark, with marks of all passages, and behind a true quote of the first. */
const MARKS = {
  none: () => '',
  '[n]': (passages) => passages.map((_, i) => `[${i + 1}]`).join(''),
  '[n|quote]': ([first]) => `[1|${first.split(/(?<=[.。])/u)[0].trim()}]`,
}

/** @returns each reply in each style, with the letters (`judged`) that must all be left for it to count as kept. */
export function writtenReplies(set, half) {
  const file = join(import.meta.dirname, 'questions', `${set}.json`)
  const documents = JSON.parse(readFileSync(file, 'utf8'))
  return documents.flatMap(({ lang, passages, right, wrong }) =>
    Object.entries({ right, wrong }).flatMap(([side, kinds]) =>
      Object.entries(kinds).flatMap(([kind, replies]) =>
        replies
          .filter((reply) => half === 'all' || halfOf(reply) === half)
          .flatMap((reply) =>
            Object.entries(MARKS).map(([style, mark]) => ({
              lang,
              kind: `${side}: ${kind}`,
              right: side === 'right',
              style,
              sentence: passages.join(' '),
              shown: passages,
              reply: marked(reply, mark(passages)),
              judged: lettersOf(judgedPart(kind, reply)),
            })),
          ),
      ),
    ),
  )
}

/** @returns its letters alone, as what is left of a reply is compared: marks and spaces may have gone. */
export const lettersOf = (text) => text.replaceAll(/[^\p{L}]/gu, '')

function judgedPart(kind, reply) {
  if (kind === 'addition') return reply.split(BEHIND).at(-1)
  return kind === 'polite' ? reply.replace(GREETING, '') : reply
}

const halfOf = (reply) =>
  createHash('sha256').update(`written-v1:${reply}`).digest()[0] < 128 ? 'tune' : 'report'

/** Each sentence and each item of a list has its mark. */
function marked(reply, mark) {
  if (reply.includes('\n')) {
    const [lead, ...items] = reply.split('\n')
    return [lead, ...items.map((item) => withMark(item, mark))].join('\n')
  }
  const [, between = ''] = BEHIND.exec(reply) ?? []
  return reply
    .split(BEHIND)
    .filter((part) => part.trim() !== '')
    .map((part) => withMark(part, mark))
    .join(between)
}

function withMark(reply, mark) {
  if (mark === '') return reply
  const end = /[.!?。！？]$/u.exec(reply)?.[0] ?? ''
  return `${reply.slice(0, reply.length - end.length)}${/[。]$/u.test(reply) ? '' : ' '}${mark}${end}`
}

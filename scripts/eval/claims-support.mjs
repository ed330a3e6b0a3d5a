/**
 * Whole replies to customers as current models write them: paragraphs, steps, lists with bold words, tables, headings, a yes
 * or no first, a closing offer; each over three passages of one provider, three providers in each of eight languages. Of each
 * reply there are eight copies in which one sentence is false: another number or name, a negation, a condition or an exception
 * gone, two passages mixed up, an invented step, an invented link, address or command. Their writer had read `judge.ts` and none
 * of the rules that it asks. A provider lies whole in one half; rules were mended by the `tune` half alone, of the other nothing
 * but counts was read.
 */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readReply } from './claims-models.mjs'

const FILE = join(import.meta.dirname, 'questions', 'claims-support.json')
const RIGHT = '{r}'

/** @returns as `modelReplies` does; of a copy only its false sentence has a side. */
export function supportReplies(half) {
  return JSON.parse(readFileSync(FILE, 'utf8'))
    .filter(({ question }) => half === 'all' || halfOf(question) === half)
    .flatMap(({ reply, wrong, ...asked }) => [
      { ...asked, ...readReply(reply) },
      ...wrong.map((change) => ({ ...asked, ...readCopy(reply, change) })),
    ])
}

function readCopy(reply, { kind, said, instead }) {
  const at = reply.lastIndexOf(RIGHT, reply.indexOf(said))
  const rest = reply.slice(at + RIGHT.length).replace(said, () => instead)
  const { text, sentences } = readReply(`${reply.slice(0, at)}{f ${kind}}${rest}`)
  return {
    text,
    sentences: sentences.map((one) => (one.side === 'f' ? one : { ...one, side: '' })),
  }
}

const halfOf = (question) =>
  createHash('sha256').update(`support-v1:${question}`).digest()[0] < 128 ? 'tune' : 'report'

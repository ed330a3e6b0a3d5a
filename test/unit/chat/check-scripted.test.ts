import { describe, expect, it } from 'vitest'
import { type CheckResult, createChecker } from '../../../src/chat/check'
import { IDF } from '../../support/passages'
import { CORPUS, createRandom, holds, scriptReply } from '../../support/scripted-replies'

const REPLIES = 600

interface Checked extends CheckResult {
  text: string
}

function check(reply: string, grounded: boolean, cut: () => number): Checked {
  const checker = createChecker({ passages: CORPUS, idf: IDF, grounded })
  let text = ''
  for (let at = 0; at < reply.length; ) {
    const end = at + cut()
    for (const piece of checker.push(reply.slice(at, end))) text += piece.text
    at = end
  }
  const result = checker.end()
  return { ...result, text: text + result.pieces.map((piece) => piece.text).join('') }
}

/** Replies in one piece: what is said of them in several tests is of one check. */
const ofWhole = new Map<string, Checked>()
function checkWhole(reply: string, grounded: boolean): Checked {
  const key = `${grounded} ${reply}`
  const checked = ofWhole.get(key) ?? check(reply, grounded, () => reply.length)
  ofWhole.set(key, checked)
  return checked
}

/** The part of a checked reply that belongs to one sentence: from its name to the next one's. */
function around(text: string, sentinel: string): string | null {
  const at = text.indexOf(sentinel)
  if (at < 0) return null
  const rest = text.slice(at + sentinel.length)
  const next = rest.search(/Qx\d+y\d+z/u)
  return next < 0 ? rest : rest.slice(0, next)
}

// Bounded by its replies, however slow the machine is.
describe(`citations over ${REPLIES} scripted replies`, { timeout: 600_000 }, () => {
  const replies = Array.from({ length: REPLIES }, (_, seed) => scriptReply(seed + 1))

  it('script enough of every kind', () => {
    const kinds = replies.flatMap((reply) => reply.sentences.map((sentence) => sentence.kind))
    for (const kind of ['right', 'wrong', 'invented', 'misplaced'] as const)
      expect(kinds.filter((one) => one === kind).length).toBeGreaterThan(200)
  })

  it('when grounded: a sentence with a right quote stays with its mark, every other goes and is reported', () => {
    for (const reply of replies) {
      const checked = checkWhole(reply.text, true)
      for (const { sentinel, kind, n, quote } of reply.sentences) {
        const found = around(checked.text, sentinel)
        if (kind === 'right') {
          const mark = /\[(\d+)\]/u.exec(found ?? '')
          expect(mark, `${JSON.stringify(reply.text)} lost ${sentinel}`).not.toBeNull()
          const source = checked.cited.find((one) => one.n === Number(mark?.[1]))
          expect(source?.passage.n).toBe(n)
          const held = source?.spans.some((span) => holds(span.quote, trimmed(quote)))
          expect(held, `${sentinel}: ${JSON.stringify(quote)}`).toBe(true)
        } else {
          expect(found, `${kind} quote survived in ${JSON.stringify(checked.text)}`).toBeNull()
          const reported = checked.unsourced.some((sentence) => sentence.includes(sentinel))
          expect(reported, JSON.stringify([reply.text, checked])).toBe(true)
        }
      }
    }
  })

  it('when not grounded: the sentence stays, a wrong mark leaves no trace', () => {
    for (const reply of replies) {
      const checked = checkWhole(reply.text, false)
      for (const { sentinel, kind } of reply.sentences) {
        const found = around(checked.text, sentinel)
        expect(found).not.toBeNull()
        expect(/\[\d+\]/u.test(found ?? ''), JSON.stringify(reply.text)).toBe(kind === 'right')
      }
      expect(checked.text).not.toMatch(/[|｜][^\n]*[\]】]/u)
      expect(checked.unsourced).toEqual([])
    }
  })

  it('cites only what a passage holds, at its place in the document', () => {
    for (const reply of replies) {
      const checked = checkWhole(reply.text, false)
      expect(checked.cited.map((source) => source.n)).toEqual(checked.cited.map((_, i) => i + 1))
      for (const source of checked.cited) {
        expect(checked.text).toContain(`[${source.n}]`)
        for (const span of source.spans) {
          const from = span.start - source.passage.start
          expect(source.passage.text.slice(from, span.end - source.passage.start)).toBe(span.quote)
        }
        expect(source.quote).toBe(source.spans[0]?.quote)
      }
    }
  })

  it('gives the same however the stream is cut', () => {
    const random = createRandom(99)
    for (const reply of replies) {
      for (const grounded of [true, false]) {
        const expected = checkWhole(reply.text, grounded)
        const cuts = [
          () => 1,
          () => 1 + Math.floor(random() * 7),
          () => 1 + Math.floor(random() * 60),
        ]
        for (const cut of cuts) {
          const { pieces: _, ...other } = check(reply.text, grounded, cut)
          const { pieces: __, ...same } = expected
          expect(other).toEqual(same)
        }
      }
    }
  })
})

/** What the finder may leave out of a quote: quotation marks, ellipses and punctuation round it. */
function trimmed(quote: string): string {
  return quote.replaceAll(/^[^\p{L}\p{N}]+|[^\p{L}\p{M}\p{N}]+$/gu, '')
}

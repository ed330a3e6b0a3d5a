import { describe, expect, it } from 'vitest'
import { isRight, seenOf, shapedReplies } from '../../../scripts/eval/claims-shapes.mjs'
import { loadLocal } from '../../../scripts/eval/load-local.mjs'
import { IDF, passage } from '../../support/passages'

interface Source {
  name: string
  title: string
  text: string
}

const { replyLocally, scriptedModel }: typeof import('../../../scripts/eval/local-check') =
  await loadLocal('scripts/eval/local-check.ts')

/** Pieces that cut marks, tags and entities anywhere. */
const CUTS = [1, 7]

type Reply = ReturnType<typeof shapedReplies>[number]

/** What the user sees in the end, with a verifier that knows what is right. */
function reply({ passages, lang, question, text, parts, cut: atLimit }: Reply, cut: number) {
  return replyLocally({
    passages: passages.map(({ name, title, text }: Source, at: number) =>
      passage(at + 1, text, { documentName: name, title }),
    ),
    idf: IDF,
    lang,
    question,
    model: scriptedModel({ text, cut, atLimit }),
    verify: async (claims) => new Map(claims.map(({ id, claim }) => [id, isRight(claim, parts)])),
  })
}

// Bounded by its replies, however slow the machine is.
describe('replies in the shapes that models give them', { timeout: 600_000 }, () => {
  it('show what is right of them, nothing false, and the same however they are streamed', async () => {
    const right: boolean[] = []
    let asMeant = 0
    const replies = shapedReplies('tune')
    for (const one of replies) {
      const ended = await reply(one, one.text.length + 1)
      for (const cut of CUTS) expect((await reply(one, cut)).shown, one.text).toBe(ended.shown)
      const { seen, asMeant: isAsMeant } = seenOf(one.parts, ended)
      asMeant += Number(isAsMeant)
      for (const [at, { side, letters }] of one.parts.entries()) {
        if (letters === '') continue
        if (side === 'r') right.push(seen[at])
        else if (side === 'f') expect(seen[at], `${letters}: ${one.text}`).toBe(false)
      }
    }
    expect(right.filter(Boolean).length / right.length).toBeGreaterThan(0.95)
    expect(asMeant / replies.length).toBeGreaterThan(0.8)
  })
})

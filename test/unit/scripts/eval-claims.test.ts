import { describe, expect, it } from 'vitest'
import { KINDS, makeReplies } from '../../../scripts/eval/claims-replies.mjs'
import { createChecker } from '../../../src/chat/check'
import { IDF, passage } from '../../support/passages'
import { CORPUS } from '../../support/scripted-replies'

const SAMPLES: [string, string[]][] = [
  [
    'en',
    [
      'The tea house opens at 7:30 in Halford and closes at 19:00. Many guests, however, come to the large garden in May. A bowl of soup costs 6.50 dollars and feeds two hikers at most.',
      'The workshop repairs bicycles within 2 days in Marlow. The journey from Oxford takes 35 minutes by train. All parts are guaranteed for 24 months by Kestrel.',
    ],
  ],
  [
    'zh',
    [
      '茶馆每天早上7点开门，晚上19点关门，所有客人都可以使用花园。乌龙茶每壶45元，大约可供2人享用，付款可以使用现金。',
      '工坊会在2天内修好自行车，诊断费用是500元，通常不需要预约。从车站到工坊大约有3公里，乘坐公交需要15分钟。',
    ],
  ],
]

/** Wrong ones that the rules must see by themselves, whatever a verifier would say. */
const ALWAYS = new Set(['number', 'invented bare', 'invented as a gap', 'invented as a question'])

describe('replies made by rule', () => {
  for (const [lang, texts] of SAMPLES)
    it(`are told apart in ${lang}`, () => {
      const filler = CORPUS.map(({ text }) => text)
      const corpus = [...texts, ...filler].map((text, at) => ({ id: `p${at}`, text }))
      const kinds = new Set<string>()
      for (const made of makeReplies(lang, corpus, { most: 12 })) {
        if (!texts.some((text) => text.includes(made.sentence))) continue
        kinds.add(made.kind)
        const passages = made.shown.map((text: string, at: number) => passage(at + 1, text))
        const checker = createChecker({ passages, idf: IDF, grounded: true })
        const pieces = [...checker.push(made.reply), ...checker.close()]
        const asked = checker.open().length > 0
        const kept = [...pieces, ...checker.end().pieces].some(({ text }) => /\p{L}/u.test(text))
        if (made.right) expect(kept || asked, `${made.kind}: ${made.reply}`).toBe(true)
        else expect(kept, `${made.kind}: ${made.reply}`).toBe(false)
        if (ALWAYS.has(made.kind)) expect(asked, `${made.kind}: ${made.reply}`).toBe(false)
      }
      expect(kinds.size).toBeGreaterThan(Object.keys(KINDS).length / 2)
    })
})

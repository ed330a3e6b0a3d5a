import { describe, expect, it } from 'vitest'
import { TOPICS } from '../../../bench/workload'
import { createChecker } from '../../../src/chat/check'
import { loadOpposites } from '../../../src/language/opposites'
import { loadThesaurus } from '../../../src/language/thesaurus'
import { IDF, passage } from '../../support/passages'

/** What the bench times is the way of a turn whose first sentence is sure; one reply in eight has a sentence to ask about. */
describe('a reply of the bench', async () => {
  await Promise.all([loadThesaurus(), loadOpposites()])

  const check = ({ text, question }: (typeof TOPICS)[number], reply: string) => {
    const checker = createChecker({
      passages: [passage(1, text)],
      idf: IDF,
      grounded: true,
      question,
    })
    const said = [...checker.push(reply), ...checker.close()]
    return { open: checker.open().length, unsourced: checker.end().unsourced.length, said }
  }

  it.each(TOPICS.map((topic) => [topic.name, topic] as const))(
    'about %s begins surely',
    (_, topic) => {
      const { open, unsourced, said } = check(topic, `${topic.sentences[0]} `)
      expect({ open, unsourced }).toEqual({ open: 0, unsourced: 0 })
      expect(said.map(({ text }) => text).join('')).toContain('[1]')
    },
  )

  it('has a sentence that a model is asked about in one of eight topics', () => {
    const asked = TOPICS.filter((topic) => check(topic, topic.sentences.join(' ')).open > 0)
    expect(asked.map(({ name }) => name)).toEqual(['refund'])
  })
})

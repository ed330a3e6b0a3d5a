import { describe, expect, it } from 'vitest'
import { likeQuestions } from '../../../durable-objects/knowledge-base/like-questions'
import { withLikeness } from '../../../src/knowledge/fusion'
import { wordTokens } from '../../../src/text/analyze'

const chunks = (ways: Record<number, string[]>) => ({
  waysOf: (row: number) => (ways[row] ?? []).map((text) => new Set(wordTokens(text))),
})
const SILENT = ['bot is silent', 'bot does not reply']
const UNKNOWN = ['what does the bot answer', 'the bot knows no answer']

describe('likeQuestions', () => {
  it('tells what denies from what does not, by words that mean the same', () => {
    const alike = likeQuestions(
      chunks({ 1: UNKNOWN, 2: SILENT }),
      'The bot does not answer. What should I do?',
      [1, 2, 3],
    )
    expect(alike.get(2) ?? 0).toBeGreaterThan(alike.get(1) ?? 0)
    expect(alike.has(3)).toBe(false)
  })

  it('counts the small words that say what is asked', () => {
    const store = chunks({ 1: ['how many agents can i have'], 2: ['how do i create an agent'] })
    const alike = likeQuestions(store, 'How many agents can I create?', [1, 2])
    expect(alike.get(1)).toBeGreaterThan(alike.get(2) ?? 0)
  })

  it('says nothing of passages for which nobody wrote other ways to ask', () => {
    expect(likeQuestions(chunks({}), 'What is a key?', [1, 2]).size).toBe(0)
  })
})

describe('withLikeness', () => {
  it('moves a score toward 1 and never past it, and leaves what is not alike', () => {
    expect(withLikeness(0.4, 0)).toBe(0.4)
    expect(withLikeness(0.4, 0.8)).toBeGreaterThan(0.4)
    expect(withLikeness(1, 1)).toBe(1)
  })
})

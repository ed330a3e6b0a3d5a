import { describe, expect, it } from 'vitest'
import { extractByRules } from '../../../src/memory/extract-by-rules'
import { mergeMemories } from '../../../src/memory/merge-memories'
import type { Memory, MemoryDraft } from '../../../src/memory/types'

const draft = (text: string, replaces: string[] = []): MemoryDraft => {
  const [made] = extractByRules(text)
  if (!made) throw new Error(`No memory in: ${text}`)
  return { ...made, replaces }
}
const memory = (id: string, text: string): Memory => ({
  ...draft(text),
  id,
  agentName: 'desk',
  updatedAt: 0,
})

describe('mergeMemories', () => {
  it('stores what is new', () => {
    const plan = mergeMemories([memory('1', 'I like tea.')], [draft('I live in Lima.')])
    expect(plan.add).toMatchObject([{ draft: { content: 'I live in Lima.' }, supersedes: [] }])
  })

  it('does not store twice what is said again, whatever its case and punctuation', () => {
    const plan = mergeMemories([memory('1', 'I live in Lima.')], [draft('i live in LIMA')])
    expect(plan).toEqual({ add: [], confirm: ['1'] })
  })

  it('lets the newer of two win that cannot both be true', () => {
    const plan = mergeMemories(
      [memory('1', 'I live in Lima.'), memory('2', 'I like tea.')],
      [draft('I moved to Quito.')],
    )
    expect(plan.add).toMatchObject([{ supersedes: ['1'] }])
  })

  it('takes a taste back', () => {
    const plan = mergeMemories([memory('1', 'I love coffee.')], [draft("I don't like coffee.")])
    expect(plan.add).toMatchObject([{ supersedes: ['1'] }])
  })

  it('supersedes what a model says is no longer true', () => {
    const plan = mergeMemories([memory('1', 'I like tea.')], [draft('I live in Lima.', ['1'])])
    expect(plan.add).toMatchObject([{ supersedes: ['1'] }])
  })

  it('keeps the last of drafts that contradict or repeat each other', () => {
    const plan = mergeMemories(
      [],
      [
        draft('I live in Lima.'),
        draft('I like tea.'),
        draft('I like tea.'),
        draft('I live in Quito.'),
      ],
    )
    expect(plan.add.map(({ draft: { content } }) => content)).toEqual([
      'I like tea.',
      'I live in Quito.',
    ])
  })

  it('returns to an older truth when it is said again', () => {
    const plan = mergeMemories([memory('2', 'I live in Quito.')], [draft('I live in Lima.')])
    expect(plan.add).toMatchObject([{ supersedes: ['2'] }])
  })
})

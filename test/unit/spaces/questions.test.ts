import { describe, expect, it } from 'vitest'
import { Questions } from '../../../durable-objects/user-space/turns/questions'
import { createLog } from '../../../src/log'

const IDF = { common: { high: 2 }, rest: 4 }

/** A turn's questions to a base without an embedder, whose first `failures` answers fail. */
function openQuestions(failures = 0) {
  const asked: unknown[] = []
  const search = async (input: unknown) => {
    asked.push(input)
    if (asked.length <= failures) throw new Error('not now')
    const { knownIdf } = input as { knownIdf?: string }
    return { hits: [], idf: knownIdf === 'first' ? null : IDF, edition: 'first' }
  }
  const env = {
    MODEL_PROVIDER: 'offline',
    KNOWLEDGE_BASE: { idFromName: (name: string) => name, get: () => ({ search }) },
  } as unknown as Env
  return { questions: new Questions(env, 'tenant', createLog('turn')), asked }
}

describe('what a turn asks its bases', () => {
  it('is asked once: what was asked while it was admitted answers the step that searches', async () => {
    const { questions, asked } = openQuestions()
    const ahead = questions.search('one', 'How high?', 6)
    expect(await questions.search('one', 'How high?', 6)).toBe(await ahead)
    expect(asked).toEqual([{ tenantId: 'tenant', query: 'How high?', k: 6 }])
    await questions.search('one', 'How wide?', 6)
    await questions.search('one', 'How high?', 12)
    await questions.search('other', 'How high?', 6)
    expect(asked).toHaveLength(4)
  })

  it('is asked anew by whoever comes after it failed', async () => {
    const { questions, asked } = openQuestions(1)
    await expect(questions.search('base', 'How high?', 6)).rejects.toThrow('not now')
    expect(await questions.search('base', 'How high?', 6)).toEqual({ hits: [], idf: IDF })
    expect(asked).toHaveLength(2)
  })

  it('brings the weights of a base along once', async () => {
    const { questions, asked } = openQuestions()
    for (const query of ['How deep?', 'How far?'])
      expect(await questions.search('weighed', query, 6)).toEqual({ hits: [], idf: IDF })
    expect(asked).toEqual([
      { tenantId: 'tenant', query: 'How deep?', k: 6 },
      { tenantId: 'tenant', query: 'How far?', k: 6, knownIdf: 'first' },
    ])
  })
})

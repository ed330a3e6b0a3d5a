import type { LanguageModelV4StreamPart } from '@ai-sdk/provider'
import { describe, expect, it, vi } from 'vitest'
import { answerOf, batchesOf, partsOf } from '../../../src/models/part-batches'

type Part = LanguageModelV4StreamPart

const said = (delta: string): Part => ({ type: 'text-delta', id: 't', delta })
const ANSWER = [[said('a'), said('b')], [said('c')]]

/** Parts as our readers give them, and whether the call behind them was ended. */
function speak() {
  const rest = ANSWER.values()
  const call = { ended: false }
  const answer = answerOf({
    next: async () => rest.next().value ?? null,
    cancel: async () => {
      call.ended = true
    },
  })
  return { answer, call }
}

async function textOf(parts: AsyncIterable<Part>) {
  let text = ''
  for await (const part of parts) text += part.type === 'text-delta' ? part.delta : ''
  return text
}

describe('parts of an answer', () => {
  it('are the same as a stream, in batches and one by one', async () => {
    expect(await textOf(speak().answer.stream)).toBe('abc')
    expect(await textOf(partsOf(speak().answer))).toBe('abc')
    const batches = batchesOf(speak().answer)
    expect([await batches.next(), await batches.next(), await batches.next()]).toEqual([
      ...ANSWER,
      null,
    ])
    const foreign = new ReadableStream<Part>({
      start(controller) {
        for (const part of ANSWER.flat()) controller.enqueue(part)
        controller.close()
      },
    })
    expect(await textOf(partsOf({ stream: foreign }))).toBe('abc')
  })

  it('make no stream for who takes the batches', async () => {
    const made = vi.fn()
    vi.stubGlobal('ReadableStream', made)
    expect(await textOf(partsOf(speak().answer))).toBe('abc')
    expect(made).not.toHaveBeenCalled()
    vi.unstubAllGlobals()
  })

  it('are given once it is known that they are the last', async () => {
    const usage = { inputTokens: { total: 1 }, outputTokens: { total: 1 } }
    const finish = { type: 'finish', finishReason: { unified: 'stop' }, usage } as Part
    const rest = [[said('a')], [said('b'), finish]].values()
    const seen: string[] = []
    const answer = answerOf({ next: async () => rest.next().value ?? null, cancel: async () => {} })
    for await (const part of partsOf(answer, () => seen.push('last'))) seen.push(part.type)
    expect(seen).toEqual(['text-delta', 'last', 'text-delta', 'finish'])
  })

  it('are not waited for once nobody listens', async () => {
    const { answer, call } = speak()
    for await (const part of partsOf(answer)) {
      expect(part).toEqual(said('a'))
      break
    }
    expect(call.ended).toBe(true)
  })
})

/** A model that says what it is given to say, read as any that an endpoint serves. */

import type { LanguageModelV4, LanguageModelV4StreamPart } from '@ai-sdk/provider'
import type { ResolvedModel } from '../../src/models/chat-model'
import { withDeadlines } from '../../src/models/deadlines'
import { loneEndsOf } from '../../src/models/lone-ends'

export interface Said {
  text: string
  /** Characters in a piece of its stream. */
  cut: number
  /** Whether its limit ended it. */
  atLimit: boolean
}

const INFO: ResolvedModel['info'] = {
  id: 'scripted',
  provider: 'openai-compatible',
  reads: 'prompt',
  learns: true,
  vision: false,
  tools: true,
  thinking: 'unknown',
  price: null,
}

let models = 0

/** Asked once more it says nothing. */
export function scriptedModel(said: Said): ResolvedModel {
  let calls = 0
  const model: LanguageModelV4 = {
    specificationVersion: 'v4',
    provider: INFO.provider,
    modelId: INFO.id,
    supportedUrls: {},
    doGenerate: () => Promise.reject(new Error('it only streams')),
    doStream: async () => ({ stream: streamOf(calls++ === 0 ? said : { ...said, text: '' }) }),
  }
  // What one answer teaches of a model is none of the next one's.
  const ends = loneEndsOf(INFO, `scripted ${models++}`)
  return { name: INFO.id, model: withDeadlines(model, undefined, ends), info: INFO }
}

const streamOf = (said: Said) =>
  new ReadableStream<LanguageModelV4StreamPart>({
    start(controller) {
      for (const part of partsOf(said)) controller.enqueue(part)
      controller.close()
    },
  })

function* partsOf({ text, cut, atLimit }: Said): Generator<LanguageModelV4StreamPart> {
  yield { type: 'stream-start', warnings: [] }
  yield { type: 'text-start', id: 't' }
  for (let at = 0; at < text.length; at += cut)
    yield { type: 'text-delta', id: 't', delta: text.slice(at, at + cut) }
  yield { type: 'text-end', id: 't' }
  yield {
    type: 'finish',
    finishReason: { unified: atLimit ? 'length' : 'stop', raw: undefined },
    usage: {
      inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
      outputTokens: { total: 1, text: 1, reasoning: 0 },
    },
  }
}

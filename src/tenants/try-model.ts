import { ApiError } from '../errors'
import { EgressError } from '../platform/egress-fetch'
import type { ResolvedModel } from '../platform/models/chat-model'
import { causesOf, readFailure } from '../platform/models/model-failure'

export const TRY_MS = 20_000
const TRY_TOKENS = 16

/**
 * Asks a model for a word, streamed as a turn would be. What the endpoint says stays inside: the texts are fixed.
 * @throws invalid for an address that may not be called; ApiError 502 `byok_failed` for everything else.
 */
export async function tryModel({ model }: ResolvedModel): Promise<void> {
  try {
    const { stream } = await model.doStream({
      prompt: [{ role: 'user', content: [{ type: 'text', text: 'Answer with the word OK.' }] }],
      maxOutputTokens: TRY_TOKENS,
      reasoning: 'none',
      abortSignal: AbortSignal.timeout(TRY_MS),
    })
    let finished = false
    for await (const part of stream) {
      if (part.type === 'error') throw part.error
      if (part.type === 'finish') finished = part.finishReason.unified !== 'error'
    }
    if (!finished) throw new Error('The answer has no end')
  } catch (error) {
    throw explain(error)
  }
}

function explain(error: unknown): ApiError {
  if (causesOf(error).some((one) => one instanceof EgressError && one.code === 'url_not_allowed')) {
    return new ApiError('validation', [
      { type: 'value_error', loc: ['body', 'byok_config', 'base_url'], msg: 'URL is not allowed' },
    ])
  }
  return new ApiError('upstream', readFailure(error).message, {
    publicCode: 'byok_failed',
    cause: error,
  })
}

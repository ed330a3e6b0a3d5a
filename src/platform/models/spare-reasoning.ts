import {
  APICallError,
  type LanguageModelV4,
  type LanguageModelV4CallOptions,
} from '@ai-sdk/provider'
import { ExpiringMap } from '../expiring-map'

const REMEMBERED_MS = 60 * 60 * 1000
/** Endpoints that do not know the option, by name of the model. */
const refusers = new ExpiringMap<true>(REMEMBERED_MS)

/**
 * The same model, for calls that ask it not to reason (`reasoning: 'none'`). Not every endpoint knows the option: where a
 * call with it is refused as malformed and the same call without it is not, it is left out for an hour.
 * @param name what tells this model from every other.
 */
export function spareReasoning(model: LanguageModelV4, name: string): LanguageModelV4 {
  async function attempt<T>(
    options: LanguageModelV4CallOptions,
    call: (options: LanguageModelV4CallOptions) => PromiseLike<T>,
  ): Promise<T> {
    if (options.reasoning !== 'none') return call(options)
    const { reasoning: _, ...plain } = options
    if (refusers.get(name, Date.now())) return call(plain)
    try {
      return await call(options)
    } catch (error) {
      if (!isMalformed(error)) throw error
      const result = await call(plain)
      refusers.set(name, true, Date.now())
      return result
    }
  }
  return {
    specificationVersion: 'v4',
    provider: model.provider,
    modelId: model.modelId,
    supportedUrls: model.supportedUrls,
    doGenerate: (options) => attempt(options, (tried) => model.doGenerate(tried)),
    doStream: (options) => attempt(options, (tried) => model.doStream(tried)),
  }
}

function isMalformed(error: unknown): boolean {
  return APICallError.isInstance(error) && (error.statusCode === 400 || error.statusCode === 422)
}

import { APICallError, type LanguageModelV4CallOptions } from '@ai-sdk/provider'
import { isFiltered } from './filtered'

const REFUSED = new Set([400, 415, 422])
/** OpenRouter: "No endpoints found that support image input"; llama.cpp: "image input is not supported". */
const ODDLY_REFUSED = new Set([404, 500, 501])
const SPEAKS_OF_PICTURES = /image|vision|multi-?modal/iu
/** Of the model, not of this one picture, which may be broken or too large. */
const SPEAKS_OF_MODEL =
  /support|only text|text[- ]only|does not (?:accept|take)|not a (?:vision|multi)/iu
const SPEAKS_OF_ONE = /invalid|format|decod|size|large|corrupt|download|fetch|mime|media type/iu

export const hasPictures = ({ prompt }: LanguageModelV4CallOptions): boolean =>
  prompt.some(
    (message) => message.role === 'user' && message.content.some(({ type }) => type === 'file'),
  )

/** Of the request itself: some endpoints know only when asked that their model sees nothing, some break over it. */
export const mayRefusePictures = (error: unknown): error is APICallError =>
  APICallError.isInstance(error) &&
  !isFiltered(error) &&
  (REFUSED.has(error.statusCode ?? 0) ||
    (ODDLY_REFUSED.has(error.statusCode ?? 0) && SPEAKS_OF_PICTURES.test(error.responseBody ?? '')))

/** Whether an endpoint says that its model takes no pictures at all. */
export function refusesPictures(error: unknown): error is APICallError {
  if (!mayRefusePictures(error)) return false
  const said = error.responseBody ?? error.message
  return SPEAKS_OF_PICTURES.test(said) && SPEAKS_OF_MODEL.test(said) && !SPEAKS_OF_ONE.test(said)
}

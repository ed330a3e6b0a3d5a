import { Buffer } from 'node:buffer'
import {
  type EmbeddingModelV4CallOptions,
  type EmbeddingModelV4Result,
  InvalidResponseDataError,
} from '@ai-sdk/provider'
import { isObject } from '../text/json'
import { type OpenAiEndpoint, postJson } from './openai-endpoint'

const FLOAT_BYTES = 4

/**
 * The embedding call of an OpenAI-compatible endpoint. Vectors are asked for as bytes, which is what the protocol's own clients
 * do; an endpoint that knows only lists of numbers sends those.
 * @throws APICallError when the endpoint refuses, InvalidResponseDataError when it answers with something else.
 */
export async function embedOverHttp(
  endpoint: OpenAiEndpoint,
  model: string,
  options: EmbeddingModelV4CallOptions,
): Promise<EmbeddingModelV4Result> {
  const body = { model, input: options.values, encoding_format: 'base64' }
  const response = await postJson(endpoint, '/embeddings', body, options)
  const answer: unknown = await response.json()
  if (!isObject(answer) || !Array.isArray(answer.data)) throw odd(answer)
  const { prompt_tokens: tokens } = isObject(answer.usage) ? answer.usage : {}
  return {
    embeddings: answer.data.map(readVector),
    ...(typeof tokens === 'number' ? { usage: { tokens } } : {}),
    warnings: [],
  }
}

function readVector(item: unknown): number[] {
  const embedding = isObject(item) ? item.embedding : null
  if (typeof embedding === 'string') return readBytes(embedding)
  if (!Array.isArray(embedding) || !embedding.every(Number.isFinite)) throw odd(item)
  return embedding
}

/** Floats of 32 bits, little-endian. */
function readBytes(base64: string): number[] {
  const bytes = new Uint8Array(Buffer.from(base64, 'base64'))
  if (bytes.length % FLOAT_BYTES !== 0) throw odd(base64.length)
  const floats = new Float32Array(bytes.buffer)
  // Array.from asks an iterator for each: ten times as long.
  const values = new Array<number>(floats.length)
  for (let i = 0; i < floats.length; i++) values[i] = floats[i] ?? 0
  return values
}

const odd = (data: unknown) =>
  new InvalidResponseDataError({ data, message: 'The embedder answered with no vectors' })

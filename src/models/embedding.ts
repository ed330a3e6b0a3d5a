import type { EmbeddingModelV4 } from '@ai-sdk/provider'
import { EMBEDDING, MODEL_DEADLINES } from '../config/limits'
import { byteLength, EMBEDDER_LIMITS } from '../config/platform-limits'
import { loadAi } from '../lazy'
import { Deadline } from './deadlines'
import { isServed, type ModelEnv } from './model-env'
import { embedOverHttp } from './openai-embedding'
import { operatorEndpoint } from './openai-endpoint'
import { estimateTokens, reportedTokens } from './tokens'

export interface Embeddings {
  /** One vector a text, in order, all of one length. */
  vectors: number[][]
  /** The embedder's name: vectors of two names never mix. */
  model: string
  /** What it took, as reported or, where nothing is, `estimated`. */
  tokens: number
  estimated: boolean
}

/** The name of the embedder this deployment uses, or null where the base's own statistics stand in. */
export function embedderName(env: ModelEnv): string | null {
  if (!isServed(env)) return null
  if (env.MODEL_PROVIDER === 'openai-compatible')
    return env.OPENAI_BASE_URL && env.EMBEDDING_MODEL ? env.EMBEDDING_MODEL : null
  return env.AI === undefined ? null : EMBEDDING.workersAiModel
}

/**
 * Embeds texts in batches, a few calls at a time. Null without an embedder.
 * @throws TimeoutError after 20 s a batch, the provider's error, or Error when the answer has the wrong shape.
 */
export async function embed(
  texts: readonly string[],
  env: ModelEnv,
  signal?: AbortSignal,
): Promise<Embeddings | null> {
  const name = embedderName(env)
  if (name === null) return null
  const model = embedderOf(env, name)
  const batches = inBatches(
    texts.map(toInput),
    env.MODEL_PROVIDER === 'openai-compatible'
      ? Number.POSITIVE_INFINITY
      : EMBEDDER_LIMITS.callTokens,
  )
  const results = new Array<Batch>(batches.length)
  let next = 0
  const work = async () => {
    while (next < batches.length) {
      const index = next++
      results[index] = await embedBatch(model, batches[index] ?? [], signal)
    }
  }
  await Promise.all(Array.from({ length: EMBEDDING.concurrency }, work))
  const vectors = results.flatMap((batch) => batch.vectors)
  const length = vectors[0]?.length ?? 0
  if (vectors.length !== texts.length || vectors.some((vector) => vector.length !== length))
    throw new Error(`The embedder ${name} answered with vectors of the wrong number or length.`)
  const estimated = results.some((batch) => batch.tokens === 0)
  const tokens = estimated
    ? batches.flat().reduce((sum, text) => sum + estimateTokens(text), 0)
    : results.reduce((sum, batch) => sum + batch.tokens, 0)
  return { vectors, model: name, tokens, estimated }
}

interface Batch {
  vectors: number[][]
  /** 0: nothing reported. */
  tokens: number
}

/** What a model sets around a text, in tokens. */
const AROUND_TEXT = 3

/** A token is a byte or more, whatever the script. */
const mostTokens = (text: string) => byteLength(text) + AROUND_TEXT

const encoder = new TextEncoder()
const room = new Uint8Array(EMBEDDER_LIMITS.textTokens - AROUND_TEXT)

/** Longer texts are cut. Providers refuse empty ones; a space embeds to something that matches nothing well. */
const toInput = (text: string) => text.slice(0, encoder.encodeInto(text, room).read).trim() || ' '

/** Calls that the model takes: each text costs as many tokens as the longest of its call. */
function inBatches(texts: readonly string[], callTokens: number): string[][] {
  const batches: string[][] = []
  let longest = 0
  for (const text of texts) {
    const batch = batches.at(-1)
    longest = Math.max(longest, mostTokens(text))
    if (batch && batch.length < EMBEDDING.batch && (batch.length + 1) * longest <= callTokens)
      batch.push(text)
    else {
      batches.push([text])
      longest = mostTokens(text)
    }
  }
  return batches
}

async function embedBatch(
  model: EmbeddingModelV4,
  values: string[],
  signal: AbortSignal | undefined,
): Promise<Batch> {
  const call = new Deadline(signal)
  call.expect(MODEL_DEADLINES.embedMs, 'The embedder did not answer in time')
  try {
    const { embeddings, usage } = await call.race(
      model.doEmbed({ values, abortSignal: call.signal }),
    )
    return { vectors: embeddings, tokens: reportedTokens(usage?.tokens) }
  } finally {
    // A pending timer would keep the calling object awake.
    call.clear()
  }
}

/** Connected once per environment, as chat models are. */
const embedders = new WeakMap<ModelEnv, EmbeddingModelV4>()

function embedderOf(env: ModelEnv, name: string): EmbeddingModelV4 {
  const known = embedders.get(env)
  if (known !== undefined) return known
  const made = connect(env, name)
  embedders.set(env, made)
  return made
}

function connect(env: ModelEnv, name: string): EmbeddingModelV4 {
  const { AI: binding } = env
  if (env.MODEL_PROVIDER !== 'openai-compatible' && binding !== undefined)
    return {
      ...called('workersai.embedding', name),
      doEmbed: async (options) => {
        const { createWorkersAI } = await loadAi()
        return createWorkersAI({ binding }).embedding(name).doEmbed(options)
      },
    }
  const endpoint = operatorEndpoint(env)
  return {
    ...called('openai-compatible', name),
    doEmbed: (options) => embedOverHttp(endpoint, name, options),
  }
}

const called = (provider: string, modelId: string) =>
  ({
    specificationVersion: 'v4',
    provider,
    modelId,
    maxEmbeddingsPerCall: EMBEDDING.batch,
    supportsParallelCalls: true,
  }) as const

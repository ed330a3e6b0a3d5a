import * as z from 'zod'
import { RERANKING } from '../config/limits'
import { boundedFetch } from '../platform/egress-fetch'
import { isServed, type ModelEnv } from './model-env'
import { estimateTokens, MOST_CALL_TOKENS } from './tokens'

export interface Reranked {
  /** Positions of the texts, best first; each once. */
  order: number[]
  model: string
  /** What it took, as reported or, where nothing is, `estimated`. */
  tokens: number
  estimated: boolean
}

interface Score {
  index: number
  score: number
}

interface Scored {
  scores: Score[]
  tokens: number | null
}

/** The name of the reranker this deployment uses, or null. */
export function rerankerName(env: ModelEnv): string | null {
  if (env.RERANK_URL) return env.RERANK_MODEL || 'rerank'
  if (!isServed(env) || env.MODEL_PROVIDER === 'openai-compatible' || env.AI === undefined)
    return null
  return env.RERANK_MODEL || RERANKING.workersAiModel
}

/** What it takes at most to read a question with each of the texts. */
export const boundRerank = (query: string, texts: readonly string[]): number =>
  texts.reduce((sum, text) => sum + estimateTokens(query) + estimateTokens(text), 0)

/**
 * Puts texts in the order in which they answer a question. Null without a reranker.
 * @throws the provider's error, the signal's reason, or Error when the answer is of no use.
 */
export async function rerank(
  query: string,
  texts: readonly string[],
  env: ModelEnv,
  signal: AbortSignal,
): Promise<Reranked | null> {
  const model = rerankerName(env)
  if (model === null) return null
  const { scores, tokens } = env.RERANK_URL
    ? await rerankOverHttp(query, texts, env, signal)
    : await rerankOnWorkersAi(query, texts, env, model)
  return {
    order: orderOf(scores, texts.length),
    model,
    tokens: tokens ?? boundRerank(query, texts),
    estimated: tokens === null,
  }
}

/** The model's best first; what it leaves out follows as it was. */
function orderOf(scores: readonly Score[], count: number): number[] {
  const seen = new Set(scores.map(({ index }) => index))
  const isSound = scores.length > 0 && seen.size === scores.length
  if (!isSound || scores.some(({ index }) => index >= count))
    throw new Error('The reranker answered with scores of other texts.')
  const best = scores.toSorted((one, other) => other.score - one.score || one.index - other.index)
  const rest = Array.from({ length: count }, (_, index) => index).filter((i) => !seen.has(i))
  return [...best.map(({ index }) => index), ...rest]
}

const index = z.int().min(0)
const WorkersAiAnswer = z.object({ response: z.array(z.object({ id: index, score: z.number() })) })
const HttpAnswer = z.object({
  results: z.array(z.object({ index, relevance_score: z.number() })),
  usage: z
    .object({ total_tokens: z.int().min(1).max(MOST_CALL_TOKENS) })
    .nullable()
    .catch(null)
    .default(null),
})

async function rerankOnWorkersAi(
  query: string,
  texts: readonly string[],
  { AI }: ModelEnv,
  model: string,
): Promise<Scored> {
  const input = { query, contexts: texts.map((text) => ({ text })), top_k: texts.length }
  const answer = await AI?.run(model as typeof RERANKING.workersAiModel, input)
  const { response } = WorkersAiAnswer.parse(answer)
  return { scores: response.map(({ id, score }) => ({ index: id, score })), tokens: null }
}

async function rerankOverHttp(
  query: string,
  texts: readonly string[],
  { RERANK_URL = '', RERANK_API_KEY, RERANK_MODEL }: ModelEnv,
  signal: AbortSignal,
): Promise<Scored> {
  const body = {
    ...(RERANK_MODEL ? { model: RERANK_MODEL } : {}),
    query,
    documents: texts,
    top_n: texts.length,
    return_documents: false,
  }
  const headers: Record<string, string> = { 'Content-Type': 'application/json' }
  if (RERANK_API_KEY) headers.Authorization = `Bearer ${RERANK_API_KEY}`
  const { deadlineMs, maxAnswerBytes } = RERANKING
  const response = await boundedFetch(
    RERANK_URL,
    { method: 'POST', body: JSON.stringify(body), headers, signal },
    { maxBytes: maxAnswerBytes, connectMs: deadlineMs, totalMs: deadlineMs },
  )
  if (!response.ok) {
    await response.body?.cancel()
    throw new Error(`The reranker answered ${response.status}.`)
  }
  const { results, usage } = HttpAnswer.parse(await response.json())
  return {
    scores: results.map(({ index, relevance_score }) => ({ index, score: relevance_score })),
    tokens: usage?.total_tokens ?? null,
  }
}

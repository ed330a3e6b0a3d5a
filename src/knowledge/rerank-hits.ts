import { RERANKING } from '../config/limits'
import type { Log } from '../log'
import { within } from '../models/deadlines'
import { boundRerank, rerank, rerankerName } from '../models/rerank'
import { type MeteredCall, meterCall } from '../usage/meter-call'
import type { SearchHit, SearchResult } from './types'

/** Positions of the texts, best first; null keeps the order that there is. */
export type RankTexts = (query: string, texts: string[]) => Promise<number[] | null>

/**
 * A base's search whose best hits are put in the order of a model that reads question and passage together. Each place keeps
 * its score, so that bases with and without a reranker compare.
 */
export async function searchReranked(
  search: (k: number) => Promise<SearchResult>,
  query: string,
  k: number,
  rank: RankTexts,
): Promise<SearchResult> {
  const result = await search(RERANKING.candidates)
  const { hits } = result
  const order = hits.length > 1 ? await rank(query, hits.map(textOf)) : null
  return { ...result, hits: (order ? reorder(hits, order) : hits).slice(0, k) }
}

const textOf = ({ title, heading, text }: SearchHit): string =>
  [title, heading ?? '', text].filter(Boolean).join('\n').slice(0, RERANKING.maxChars)

function reorder(hits: readonly SearchHit[], order: readonly number[]): SearchHit[] {
  return order.flatMap((from, to) => {
    const [hit, there] = [hits[from], hits[to]]
    return hit && there ? [{ ...hit, score: there.score }] : []
  })
}

/**
 * Asks the deployment's reranker, metered. Without one, without quota, in time or a sound answer there is no order.
 * @param waitUntil of a Worker's request, which ends with its answer; an object lives on until the call is booked
 */
export function createRanker(
  env: Env,
  tenant: Parameters<typeof meterCall>[1],
  caller: Pick<MeteredCall, 'agentId' | 'userId' | 'spaceId'>,
  log: Log,
  waitUntil?: (work: Promise<unknown>) => void,
): RankTexts {
  return async (query, texts) => {
    if (rerankerName(env) === null) return null
    const metered = { ...caller, id: crypto.randomUUID(), kind: 'rerank' as const }
    const ask = (signal: AbortSignal) =>
      // The answer does not wait until it is booked.
      new Promise<number[]>((resolve, reject) => {
        const work = async () => {
          const reranked = await rerank(query, texts, env, signal)
          if (reranked === null) throw new Error('There is no reranker')
          const { order, model, tokens, estimated } = reranked
          resolve(order)
          const estimatedTokens = estimated ? tokens : 0
          return { value: null, model, inputTokens: tokens, outputTokens: 0, estimatedTokens }
        }
        const call = meterCall(env, tenant, metered, boundRerank(query, texts), work)
        const booked = call.catch(reject)
        waitUntil?.(booked)
      })
    try {
      return await within(RERANKING.deadlineMs, ask)
    } catch (error) {
      log.error('rerank_failed', error)
      return null
    }
  }
}

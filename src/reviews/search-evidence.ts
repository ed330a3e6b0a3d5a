import type { AgentFacts } from '../agents/resolve-agent'
import { type Retrieval, retrieve, type SearchBase } from '../chat/retrieve'
import { askBase } from '../knowledge/ask-base'
import type { SearchResult } from '../knowledge/types'
import { loadThesaurus } from '../language/thesaurus'
import { createLog } from '../log'
import { embed } from '../models/embedding'

/** The search that a turn makes. A failing embedder leaves the lexical lists. @throws where a base cannot be asked. */
export function searchAs(env: Env, tenantId: string) {
  const vectors = new Map<string, ReturnType<typeof embed>>()
  const embedOnce = (query: string) => {
    const known = vectors.get(query) ?? embed([query], env).catch(() => null)
    vectors.set(query, known)
    return known
  }
  return async (baseId: string, query: string, k: number): Promise<SearchResult> => {
    const [embedded] = await Promise.all([embedOnce(query), loadThesaurus()])
    const values = embedded?.vectors[0]
    return askBase(env, tenantId, baseId, {
      query,
      k,
      ...(embedded && values ? { vector: { embedder: embedded.model, values } } : {}),
    })
  }
}

/**
 * What the agent's bases hold on several queries: every passage once, the first query's first, numbered through. A base that
 * cannot be asked leaves the others.
 */
export async function searchEvidence(
  ask: ReturnType<typeof searchAs>,
  bases: AgentFacts['bases'],
  queries: readonly string[],
): Promise<Retrieval> {
  const search: SearchBase = (baseId, query, k) =>
    ask(baseId, query, k).catch((error: unknown) => {
      createLog('reviews').error('search_failed', error, { base_id: baseId })
      return null
    })
  const found = await Promise.all(
    queries.map((query) => retrieve(search, bases, query, null, null)),
  )
  const seen = new Set<string>()
  const passages = found
    .flatMap((one) => one.passages)
    .filter((passage) => !seen.has(passage.chunkId) && seen.add(passage.chunkId))
    .map((passage, index) => ({ ...passage, n: index + 1 }))
  return {
    passages,
    results: found.flatMap((one) => one.results),
    failed: found.some((one) => one.failed),
  }
}

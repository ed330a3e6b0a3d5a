import type { AgentFacts } from '../agents/resolve-agent'
import { LIMITS } from '../config/limits'
import type { Passage, SearchResult } from '../knowledge/types'
import type { PassageReading, PassageReadings } from '../text/passage-reading'
import { type InjectionHit, scanForInjection } from './guard'
import type { KnownMessage } from './known-message'
import type { TurnRequest } from './turn'

/** Searches one base; null when it cannot answer now. */
export type SearchBase = (baseId: string, query: string, k: number) => Promise<SearchResult | null>

export interface Retrieval {
  passages: Passage[]
  results: SearchResult[]
  /** A base could not be asked: where nothing fits, the turn says so instead of pretending that nothing does. */
  failed: boolean
}

/**
 * Asks every base of the agent at once and keeps the best `k` by score. Scores of bases compare because each list is fused
 * on the same scale; coverage breaks ties.
 */
export async function retrieve(
  search: SearchBase,
  bases: AgentFacts['bases'],
  query: string,
  k: number | null,
): Promise<Retrieval> {
  const wanted = k ?? LIMITS.searchK.default
  const answers = await Promise.all(
    bases.map(async (base) => ({ base, result: await search(base.id, query, wanted) })),
  )
  const found = answers.flatMap(({ base, result }) => (result ? [{ base, result }] : []))
  const ranked = found
    .flatMap(({ base, result }) => result.hits.map((hit) => ({ base: base.name, hit })))
    .sort((a, b) => b.hit.score - a.hit.score || b.hit.coverage - a.hit.coverage)
    .slice(0, wanted)
  return {
    passages: ranked.map(({ base, hit }, index) => ({ ...hit, base, n: index + 1 })),
    results: found.map(({ result }) => result),
    failed: found.length < bases.length,
  }
}

/** Of each reading the rule that its passage breaks, null for none. */
const scanned = new WeakMap<PassageReading, InjectionHit | null>()

/** What a turn's agent may be shown: without passages that give orders, where it guards against them. */
export async function retrieveSafely(
  ports: { search: SearchBase; onInjection(rule: string): void },
  { request: { agent, k }, readings }: { request: TurnRequest; readings: PassageReadings },
  query: string,
): Promise<Retrieval> {
  const found = await retrieve(ports.search, agent.bases, query, k)
  if (!agent.config.injection_guard) return found
  const passages = found.passages.filter((passage) => {
    const reading = readings.of(passage)
    let hit = scanned.get(reading)
    if (hit === undefined) {
      hit = scanForInjection(passage.text)
      scanned.set(reading, hit)
    }
    if (hit) ports.onInjection(hit.rule)
    return !hit
  })
  return { ...found, passages: passages.map((passage, index) => ({ ...passage, n: index + 1 })) }
}

interface AboutToAsk {
  agent: { bases: readonly unknown[]; config: { on_demand_context: boolean } }
}

/**
 * What a turn will search for, where that can be told before it begins: its vector is then made while the turn is being
 * admitted. Null for a message that leans on the talk before it, and where nothing is searched.
 */
export function searchedAhead({ agent }: AboutToAsk, known: KnownMessage): string | null {
  const { message } = known
  if (agent.bases.length === 0 || agent.config.on_demand_context || message.trim() === '')
    return null
  return known.smallTalk || known.context !== '' ? null : searchQuery(known, '')
}

/** A follow-up ("and on Sundays?") together with what it leans on. */
export const withContext = (message: string, context: string): string =>
  context === '' ? message.trim() : `${context}\n${message.trim()}`

/** What is searched for: a question without what is told around it ("I run a small bakery. …"), a follow-up with its context. */
export const searchQuery = (known: KnownMessage, context: string): string =>
  (context === '' && known.asked) || withContext(known.message, context)

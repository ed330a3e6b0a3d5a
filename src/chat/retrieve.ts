import type { AgentFacts } from '../agents/resolve-agent'
import { LIMITS } from '../config/limits'
import type { Language } from '../config/names'
import type { Passage, SearchResult } from '../knowledge/types'
import { proseLanguage, tellsNoLanguage } from '../text/detect-language'
import { foldText } from '../text/fold'
import type { PassageReading } from '../text/passage-reading'
import { namedInPlace } from '../text/question'
import { type InjectionHit, scanForInjection } from './guard'
import type { KnownMessage } from './known-message'
import type { Turn } from './steps/step'

/** For a message that tells no language, so many passages of a base are looked through for those in the dialogue's language… */
const LOOKED_THROUGH = 48
/** …which come first if they score at least this share of the best one. */
const NEAR_BEST = 0.8

/** Searches one base; null when it cannot answer now. */
export type SearchBase = (baseId: string, query: string, k: number) => Promise<SearchResult | null>

export interface Retrieval {
  passages: Passage[]
  results: SearchResult[]
  /** A base could not be asked: where nothing fits, the turn says so instead of pretending that nothing does. */
  failed: boolean
}

/** How many passages a base is asked for. */
export const searchWidth = (query: string, k: number | null): number =>
  tellsNoLanguage(query) ? LOOKED_THROUGH : (k ?? LIMITS.searchK.default)

/**
 * Asks every base of the agent at once and keeps the best `k` by score. Scores of bases compare because each list is fused
 * on the same scale; coverage breaks ties.
 * @param lang that of the dialogue, null for none: a query that tells no language ("webhook?") finds first what is written in it
 */
export async function retrieve(
  search: SearchBase,
  bases: AgentFacts['bases'],
  query: string,
  k: number | null,
  lang: Language | null,
  thing = '',
): Promise<Retrieval> {
  const wanted = k ?? LIMITS.searchK.default
  const width = lang === null ? wanted : thing ? LOOKED_THROUGH : searchWidth(query, k)
  const ask = async (id: string) => {
    const result = await search(id, query, width)
    if (result === null || lang === null || width === wanted) return result
    const hits = thing ? thingFirst(result.hits, thing, lang, wanted) : ownFirst(result.hits, lang)
    return { ...result, hits: hits.slice(0, wanted) }
  }
  const answers = await Promise.all(
    bases.map(async (base) => ({ base, result: await ask(base.id) })),
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

function ownFirst(hits: SearchResult['hits'], lang: Language): SearchResult['hits'] {
  const [best] = hits
  if (best === undefined) return hits
  const own = hits.filter(
    ({ coverage, score, text }) =>
      coverage >= best.coverage &&
      score >= NEAR_BEST * best.score &&
      proseLanguage(text, lang) === lang,
  )
  return [...own, ...hits.filter((hit) => !own.includes(hit))]
}

/** What speaks of the thing that a follow-up names must not be crowded out by what speaks of the rest, nor by other languages. */
function thingFirst(
  hits: SearchResult['hits'],
  thing: string,
  lang: Language,
  wanted: number,
): SearchResult['hits'] {
  const isOwn = ({ text }: { text: string }) => proseLanguage(text, lang) === lang
  const best = hits.find(
    (hit) => foldText(`${hit.heading ?? ''} ${hit.text}`).includes(thing) && isOwn(hit),
  )
  return best ? [...new Set([best, ...hits.slice(0, wanted).filter(isOwn), ...hits])] : hits
}

/** Of each reading the rule that its passage breaks, null for none. */
const scanned = new WeakMap<PassageReading, InjectionHit | null>()

type Asking = Pick<Turn, 'request' | 'readings' | 'lang' | 'question' | 'context'>

/** What a turn's agent may be shown: without passages that give orders, where it guards against them. */
export async function retrieveSafely(
  ports: { search: SearchBase; onInjection(rule: string): void },
  { request: { agent, k }, readings, lang, question, context }: Asking,
  query: string,
): Promise<Retrieval> {
  const thing = context && namedInPlace(question)
  const found = await retrieve(ports.search, agent.bases, query, k, lang, thing)
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
 * What a turn will search for, if that is known before the turn begins: bases and embedder are then asked while it is being
 * admitted. Null for a message that leans on the dialogue before it, and where nothing is searched.
 */
export function searchedAhead({ agent }: AboutToAsk, known: KnownMessage): string | null {
  const { message } = known
  if (agent.bases.length === 0 || agent.config.on_demand_context || message.trim() === '')
    return null
  const { about, smallTalk } = known
  return smallTalk || about.context !== '' ? null : searchQuery(about, '')
}

/** A follow-up ("and on Sundays?") together with what it leans on. */
export const withContext = (message: string, context: string): string =>
  context === '' ? message.trim() : `${context}\n${message.trim()}`

/** What is searched for: a question without what is told around it ("I run a small bakery. …"), a follow-up with its context. */
export const searchQuery = (known: KnownMessage, context: string): string =>
  (context === '' && known.asked) || withContext(known.message, context)

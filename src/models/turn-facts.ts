import type { LanguageModelV4CallOptions, SharedV4ProviderOptions } from '@ai-sdk/provider'
import type { Language } from '../config/names'
import type { IdfTable, Passage } from '../knowledge/types'

/**
 * Facts of a call as data: what a prompt does not hold, or holds in words alone. The provider option `parley` carries them to
 * a model whose `reads` is `facts`; every provider may ignore it.
 *
 * The sources are in the prompt too, and such a model reads them there where it gets no facts. It is given them because the
 * prompt leaves out what picking a sentence rests on: headings, the passages' ranks, and how rare words are in the bases.
 */
export interface TurnFacts {
  task: 'answer' | 'title' | 'summary'
  /** The user's language, used where the question does not show its own. */
  lang?: Language
  /** What the message asks, where its own words do not: it wants an answer in another form. */
  question?: string
  /** The question before, where this one leans on it. Undefined where nobody looked. */
  context?: string
  /** Passages retrieved for this turn, best first, numbered as the citations are to be. */
  passages?: readonly Passage[]
  /** Token weights of the searched bases (`mergeIdf` for several). */
  idf?: IdfTable
  /** False when the agent has no knowledge base: "nothing found" would then be wrong. */
  hasKnowledge?: boolean
  /** The agent's own words, null for the model's. */
  greeting?: string | null
  noMatchReply?: string | null
}

const KEY = 'parley'

export function factsOption(facts: TurnFacts): SharedV4ProviderOptions {
  return { [KEY]: JSON.parse(JSON.stringify(facts)) }
}

/** The facts of a call; without any it is a question to answer. */
export function readTurnFacts({ providerOptions }: LanguageModelV4CallOptions): TurnFacts {
  const given: unknown = providerOptions?.[KEY]
  return isTurnFacts(given) ? given : { task: 'answer' }
}

const isTurnFacts = (value: unknown): value is TurnFacts =>
  typeof value === 'object' && value !== null && 'task' in value

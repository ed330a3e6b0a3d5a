import type { LanguageModelV4CallOptions, SharedV4ProviderOptions } from '@ai-sdk/provider'
import type { Language } from '../../config/names'
import type { IdfTable, Passage } from '../../knowledge/types'

/** What the offline answerer gets beside the prompt: the turn's facts, structured, so that it need not parse them out. */
export interface OfflineInput {
  task: 'answer' | 'title' | 'summary'
  /** The user's message; for `title` and `summary` the text to shorten. */
  question: string
  /** What a follow-up leans on: the user's question before it. */
  context?: string
  /** The user's language, used where the question does not show its own. */
  lang: Language
  /** Passages retrieved for this turn, best first, numbered as the citations are to be. */
  passages?: Passage[]
  /** Token weights of the searched bases (`mergeIdf` for several). */
  idf?: IdfTable
  /** False when the agent has no knowledge base: the answerer then says what it is instead of "nothing found". */
  hasKnowledge?: boolean
  /** What is remembered of the user, a line each. */
  memories?: string[]
  greeting?: string | null
  noMatchReply?: string | null
}

const KEY = 'parley'

/** Wraps the input as provider options of an AI SDK call; other providers ignore them. */
export function offlineOptions(input: OfflineInput): SharedV4ProviderOptions {
  return { [KEY]: JSON.parse(JSON.stringify(input)) }
}

/** The input of a call; without provider options, an answer to the prompt's last user message. */
export function readOfflineInput(options: LanguageModelV4CallOptions): OfflineInput {
  const given: unknown = options.providerOptions?.[KEY]
  return isOfflineInput(given)
    ? given
    : { task: 'answer', question: lastUserText(options), lang: 'en' }
}

function isOfflineInput(value: unknown): value is OfflineInput {
  return typeof value === 'object' && value !== null && 'task' in value && 'question' in value
}

function lastUserText(options: LanguageModelV4CallOptions): string {
  const last = options.prompt.findLast((message) => message.role === 'user')
  if (last === undefined || last.role !== 'user') return ''
  return last.content.map((part) => (part.type === 'text' ? part.text : '')).join(' ')
}

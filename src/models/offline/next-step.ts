import type {
  LanguageModelV4CallOptions,
  LanguageModelV4FunctionTool,
  LanguageModelV4ToolResultPart,
} from '@ai-sdk/provider'
import type { IdfTable, Passage } from '../../knowledge/types'
import { LANGUAGE_PACKS } from '../../language/packs'
import { loadToolResults } from '../../language/tool-results'
import { detectLanguage } from '../../text/detect-language'
import { readFences } from '../../text/fence'
import { foldText } from '../../text/fold'
import { detectIntent } from '../../text/intents'
import { detectRemark } from '../../text/remarks'
import { detectSmallTalk, isNoted } from '../../text/small-talk'
import type { TurnFacts } from '../turn-facts'
import { extractAnswer } from './extract-answer'
import type { ReadPrompt } from './read-prompt'
import { recallAnswer } from './recall-answer'

export type OfflineStep =
  | { kind: 'text'; text: string }
  | { kind: 'tool'; tool: string; input: Record<string, string> }

const SEARCH = 'search_knowledge'
const SKILL = 'use_skill'
/** Behind another question this asks when that is, not for the clock. */
const BARE_TIME = /^\s*(?:what (?:time|date)|几点|幾點)[\s?？]*$/iu
/** Of a base whose size is not known: no small one. */
const UNIFORM: IdfTable = { common: {}, rest: 3 }

/** What the offline answerer says or calls next, given what it reads in the prompt, the facts and the tool results so far. */
export async function nextOfflineStep(
  { question: said, context, memories, sources }: ReadPrompt,
  facts: TurnFacts,
  options: LanguageModelV4CallOptions,
): Promise<OfflineStep> {
  const question = facts.question ?? said
  const lang = detectLanguage(question, facts.lang) ?? facts.lang ?? 'en'
  const phrases = LANGUAGE_PACKS[lang].says
  const last = lastToolResult(options)
  // Instructions are nothing to say: the question is answered as if none had come.
  const result = last?.toolName === SKILL ? null : last
  if (result !== null && result.toolName !== SEARCH) {
    const { value: output, failed } = unwrap(result.output)
    const value = typeof output === 'string' ? (readFences(output)[0]?.text ?? output) : output
    if (failed) return say(phrases.toolFailed)
    const { renderToolResult } = await loadToolResults()
    return say(renderToolResult(result.toolName, value, lang, phrases))
  }
  const given = facts.passages ?? sources.map(({ n, title, text }) => bare(n, text, title))
  const tools = offeredTools(options)
  const isSearched = !tools.some(({ name }) => name === SEARCH)
  const smallTalk =
    detectSmallTalk(question) ?? (isSearched && given.length === 0 ? detectRemark(question) : null)
  if (smallTalk !== null) return say(smallTalkReply(smallTalk, facts, phrases.smallTalk[smallTalk]))
  const before = facts.context ?? context
  const extract = (passages: readonly Passage[]) =>
    extractAnswer(question, passages, facts.idf ?? UNIFORM, lang, before)
  if (result === null) {
    const intent = detectIntent(question)
    const tool = tools.find((offered) => offered.name === intent?.tool)
    const isFollowUp = before !== '' && BARE_TIME.test(question)
    if (isFollowUp || (intent?.place && speaksOf(intent.place, given))) {
      const known = extract(given)
      if (known !== null) return say(known)
    }
    if (tool !== undefined && intent?.tool === 'schedule_reminder') {
      return { kind: 'tool', tool: tool.name, input: { text: intent.text, due_at: intent.dueAt } }
    }
    if (tool !== undefined) return call(tool, intent?.place ?? null)
  }
  const recalled = result === null ? recallAnswer(question, memories) : null
  if (recalled !== null) return say(phrases.remembered.replace('{text}', () => quote(recalled)))
  const passages = result === null || given.length > 0 ? given : passagesOf(result)
  if (passages.length === 0 && result === null && isNoted(question))
    return say(phrases.smallTalk.noted)
  const search = tools.find((tool) => tool.name === SEARCH)
  if (passages.length === 0 && result === null && search !== undefined)
    return call(search, question)
  if (passages.length === 0 && search === undefined && facts.hasKnowledge !== true)
    return say(phrases.noKnowledge)
  return say(extract(passages) ?? facts.noMatchReply ?? phrases.notFound)
}

/** "Temperature in the pool": the documents, and no weather service, know the place that they speak of. */
function speaksOf(place: string, passages: readonly Passage[]): boolean {
  const words = foldText(place).match(/[\p{L}\p{M}]{3,}|\p{Script=Han}{2,}/gu) ?? []
  const all = passages.map(({ title, heading, text }) =>
    foldText(`${title} ${heading ?? ''} ${text}`),
  )
  return words.length > 0 && words.every((word) => all.some((text) => text.includes(word)))
}

/** One thing in line, more as a list. */
const quote = (texts: string[]) =>
  texts.length === 1 ? (texts[0] ?? '') : `\n${texts.map((text) => `- ${text}`).join('\n')}`

const say = (text: string): OfflineStep => ({ kind: 'text', text })

function smallTalkReply(kind: string, { greeting }: TurnFacts, reply: string): string {
  return kind === 'hello' && greeting ? greeting : reply
}

/** The result that the last message brings, or null when the user spoke last. */
function lastToolResult(options: LanguageModelV4CallOptions): LanguageModelV4ToolResultPart | null {
  const last = options.prompt.at(-1)
  if (last?.role !== 'tool') return null
  const part = last.content.findLast((one) => one.type === 'tool-result')
  return part?.type === 'tool-result' ? part : null
}

function unwrap(output: LanguageModelV4ToolResultPart['output']): {
  value: unknown
  failed: boolean
} {
  if (output.type === 'text' || output.type === 'json')
    return { value: output.value, failed: false }
  if (output.type === 'content')
    return {
      value: output.value.map((part) => (part.type === 'text' ? part.text : '')).join('\n'),
      failed: false,
    }
  return { value: null, failed: true }
}

function offeredTools(options: LanguageModelV4CallOptions): LanguageModelV4FunctionTool[] {
  const { tools = [], toolChoice } = options
  if (toolChoice?.type === 'none') return []
  return tools
    .filter((tool) => tool.type === 'function')
    .filter((tool) => toolChoice?.type !== 'tool' || tool.name === toolChoice.toolName)
}

/** Calls a tool with its one text argument: the required text property of its schema, else its first text property. */
function call(tool: LanguageModelV4FunctionTool, argument: string | null): OfflineStep {
  const { properties = {}, required = [] } = tool.inputSchema
  const texts = Object.entries(properties)
    .filter(([, schema]) => takesText(schema))
    .map(([name]) => name)
  const name = texts.find((text) => required.includes(text)) ?? texts[0]
  const input = name === undefined || argument === null ? {} : { [name]: argument }
  return { kind: 'tool', tool: tool.name, input }
}

function takesText(schema: unknown): boolean {
  if (typeof schema !== 'object' || schema === null) return false
  const type = 'type' in schema ? schema.type : 'string'
  return type === 'string' || (Array.isArray(type) && type.includes('string'))
}

/** The passages in a search's result. */
function passagesOf(result: LanguageModelV4ToolResultPart): Passage[] {
  const { value } = unwrap(result.output)
  if (typeof value === 'string')
    return readFences(value).flatMap(({ n, label, text }) =>
      n === null ? [] : [bare(n, text, label)],
    )
  const list =
    typeof value === 'object' && value !== null
      ? Object.values(value).find((one): one is unknown[] => Array.isArray(one))
      : undefined
  return (list ?? []).flatMap((item, index) => {
    if (typeof item !== 'object' || item === null || !('text' in item)) return []
    const n = 'n' in item && typeof item.n === 'number' ? item.n : index + 1
    return typeof item.text === 'string' ? [bare(n, item.text, '')] : []
  })
}

function bare(n: number, text: string, title: string): Passage {
  return {
    n,
    base: '',
    documentId: '',
    documentName: '',
    chunkId: '',
    title,
    url: null,
    heading: null,
    page: null,
    text,
    start: 0,
    end: text.length,
    score: 1,
    distance: 0,
    coverage: 0,
  }
}

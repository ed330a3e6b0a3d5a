import type {
  LanguageModelV4CallOptions,
  LanguageModelV4FunctionTool,
  LanguageModelV4ToolResultPart,
} from '@ai-sdk/provider'
import { parseFenced } from '../../../chat/fence'
import { detectLanguage } from '../../../chat/language'
import { detectSmallTalk } from '../../../chat/small-talk'
import type { IdfTable, Passage } from '../../../knowledge/types'
import { extractAnswer } from './extract-answer'
import { detectIntent } from './intents'
import type { OfflineInput } from './offline-input'
import { PHRASES } from './phrases'
import { recallAnswer } from './recall-answer'
import { renderToolResult } from './render-tool'

export type OfflineStep =
  | { kind: 'text'; text: string }
  | { kind: 'tool'; tool: string; input: Record<string, string> }

const SEARCH = 'search_knowledge'
const UNIFORM: IdfTable = { common: {}, rest: 1 }

/** What the offline answerer says or calls next, given the turn's facts and the tool results so far. */
export function nextOfflineStep(
  input: OfflineInput,
  options: LanguageModelV4CallOptions,
): OfflineStep {
  const lang = detectLanguage(input.question) ?? input.lang
  const phrases = PHRASES[lang]
  const result = lastToolResult(options)
  if (result !== null && result.toolName !== SEARCH) {
    const { value, failed } = unwrap(result.output)
    return say(failed ? phrases.toolFailed : renderToolResult(result.toolName, value, lang))
  }
  const smallTalk = detectSmallTalk(input.question)
  if (smallTalk !== null) return say(smallTalkReply(smallTalk, input, phrases.smallTalk[smallTalk]))
  const tools = offeredTools(options)
  if (result === null) {
    const intent = detectIntent(input.question)
    const tool = tools.find((offered) => offered.name === intent?.tool)
    if (tool !== undefined && intent?.tool === 'schedule_reminder') {
      return { kind: 'tool', tool: tool.name, input: { text: intent.text, due_at: intent.dueAt } }
    }
    if (tool !== undefined) return call(tool, intent?.place ?? null)
  }
  const recalled = result === null ? recallAnswer(input.question, input.memories ?? []) : null
  if (recalled !== null) return say(phrases.remembered.replace('{text}', () => quote(recalled)))
  const passages = result === null ? (input.passages ?? []) : passagesOf(result, input)
  const search = tools.find((tool) => tool.name === SEARCH)
  if (passages.length === 0 && result === null && search !== undefined)
    return call(search, input.question)
  if (passages.length === 0 && search === undefined && input.hasKnowledge !== true)
    return say(phrases.noKnowledge)
  const answer = extractAnswer(input.question, passages, input.idf ?? UNIFORM, lang, input.context)
  return say(answer ?? input.noMatchReply ?? phrases.notFound)
}

/** One thing in line, more as a list. */
const quote = (texts: string[]) =>
  texts.length === 1 ? (texts[0] ?? '') : `\n${texts.map((text) => `- ${text}`).join('\n')}`

const say = (text: string): OfflineStep => ({ kind: 'text', text })

function smallTalkReply(kind: string, input: OfflineInput, reply: string): string {
  return kind === 'hello' && input.greeting ? input.greeting : reply
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

/** The passages of a search: those that the turn keeps beside the prompt, else those in the tool's result. */
function passagesOf(result: LanguageModelV4ToolResultPart, input: OfflineInput): Passage[] {
  if (input.passages !== undefined && input.passages.length > 0) return input.passages
  const { value } = unwrap(result.output)
  if (typeof value === 'string') return parseFenced(value).map(({ n, text }) => bare(n, text))
  const list =
    typeof value === 'object' && value !== null
      ? Object.values(value).find((one): one is unknown[] => Array.isArray(one))
      : undefined
  return (list ?? []).flatMap((item, index) => {
    if (typeof item !== 'object' || item === null || !('text' in item)) return []
    const n = 'n' in item && typeof item.n === 'number' ? item.n : index + 1
    return typeof item.text === 'string' ? [bare(n, item.text)] : []
  })
}

function bare(n: number, text: string): Passage {
  return {
    n,
    base: '',
    documentId: '',
    documentName: '',
    chunkId: '',
    title: '',
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

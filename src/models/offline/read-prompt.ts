import type { LanguageModelV4CallOptions, LanguageModelV4Prompt } from '@ai-sdk/provider'
import { readFences } from '../../text/fence'
import { findContext } from '../../text/question'

/** What the answerer takes from a prompt: as a model would, from its messages alone. */
export interface ReadPrompt {
  question: string
  /** The user's question before this one, where this one leans on it. */
  context: string
  /** What is remembered of the user, a line each. */
  memories: string[]
  sources: { n: number; title: string; text: string }[]
}

const MESSAGE_LINE = /^<<MESSAGE \S+>>$/mu

/** Reads the latest user message: the user's words behind its `<<MESSAGE` line, and the fenced data before it. */
export function readPrompt({ prompt }: Pick<LanguageModelV4CallOptions, 'prompt'>): ReadPrompt {
  const at = prompt.findLastIndex((message) => message.role === 'user')
  const whole = textOf(prompt[at])
  const line = MESSAGE_LINE.exec(whole)
  const fenced = readFences(line === null ? whole : whole.slice(0, line.index))
  const asked = fenced.find(({ n, label }) => n === null && label === 'question')
  const question = line === null ? (asked?.text ?? whole) : whole.slice(line.index + line[0].length)
  const history = prompt
    .slice(0, Math.max(at, 0))
    .map((message) => ({ role: message.role, content: textOf(message) }))
  return {
    question: question.trim(),
    context: findContext(question.trim(), history),
    memories: fenced
      .filter(({ n, label }) => n === null && label === 'memory')
      .flatMap(({ text }) => text.split(/^- /mu).slice(1))
      .map((memory) => memory.trim()),
    sources: fenced.flatMap(({ n, label, text }) =>
      n === null ? [] : [{ n, title: label, text }],
    ),
  }
}

function textOf(message: LanguageModelV4Prompt[number] | undefined): string {
  if (message === undefined) return ''
  if (typeof message.content === 'string') return message.content
  return message.content.map((part) => (part.type === 'text' ? part.text : '')).join('\n')
}

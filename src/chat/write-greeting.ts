import type { AgentConfig } from '../agents/schema'
import type { Language } from '../config/names'
import type { ResolvedModel } from '../models/chat-model'
import { detectLanguage, sameLanguage } from '../text/detect-language'
import { fence } from '../text/fence'
import { unfenced } from '../text/json'
import { prepareShortCall, type ReadCall, readCall } from './short-call'

const MAX_TOKENS = 150
const DEADLINE_MS = 6_000
const MAX_CHARS = 400
const PROMPT_CHARS = 4_000
const QUOTES = /^["“«「]+|(?<!["”»」])["”»」]+$/gu
const LINK = /:\/\/|\bwww\./u

const NAMES = new Intl.DisplayNames('en', { type: 'language' })

/** A call that writes the words with which an agent receives somebody, ready to be reserved and made. */
export function prepareGreeting(
  model: ResolvedModel,
  name: string,
  { soul, task, greeting }: Pick<AgentConfig, 'soul' | 'task' | 'greeting'>,
  lang: Language,
  nonce: string,
): ReadCall<string | null> {
  const order = `You write the first words that a chat agent says to a visitor who has just come: at most two short sentences in ${NAMES.of(lang)}, that say what it can help with. No links, no promises, no prices. The agent's description is between the data fences.
Answer with these words alone.`
  const described = { name, soul, task, ...(greeting ? { 'fixed greeting': greeting } : {}) }
  const prompt = fence(
    Object.entries(described).map(([label, text]) => ({ n: null, label, text })),
    nonce,
    PROMPT_CHARS,
  )
  const call = prepareShortCall(model, {
    order,
    prompt,
    maxTokens: MAX_TOKENS,
    deadlineMs: DEADLINE_MS,
  })
  return readCall(call, (text) => readGreeting(text, lang))
}

/** A model's words where they are a greeting that can be shown: short, without links, in the visitor's language. Pure. */
export function readGreeting(text: string, lang: Language): string | null {
  const said = unfenced(text).replaceAll(QUOTES, '').trim()
  if (said === '' || said.length > MAX_CHARS || LINK.test(said) || /^[[{]/u.test(said)) return null
  const spoken = detectLanguage(said)
  return spoken === null || sameLanguage(spoken, lang) ? said : null
}

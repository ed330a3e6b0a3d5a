import type { LanguageModelV4Message, LanguageModelV4Prompt } from '@ai-sdk/provider'

type UserMessage = Extract<LanguageModelV4Message, { role: 'user' }>

const GAP = '\n\n'
/** Stands where a dialogue would begin with the assistant. */
const SILENCE = '…'

const textMessage = (text: string): UserMessage => ({
  role: 'user',
  content: [{ type: 'text', text }],
})

/**
 * The same dialogue for chat templates (Mistral's, Gemma's, Llama 2's) that want user and assistant in turn, the user
 * first: messages of one role become one. Null where it is so already.
 */
export function alternating(prompt: LanguageModelV4Prompt): LanguageModelV4Prompt | null {
  const turned: LanguageModelV4Prompt = []
  let differs = false
  for (const message of prompt) {
    const last = turned.at(-1)
    const begins = message.role === 'assistant' && (last === undefined || last.role === 'system')
    if (begins) turned.push(textMessage(SILENCE))
    const joined = last && join(last, message)
    if (joined) turned[turned.length - 1] = joined
    else turned.push(message)
    differs ||= begins || Boolean(joined)
  }
  return differs ? turned : null
}

/** The same for templates without a system's role: the user says what it would. Null without one. */
export function withoutSystem(prompt: LanguageModelV4Prompt): LanguageModelV4Prompt | null {
  const order = prompt.flatMap((one) => (one.role === 'system' ? [one.content] : [])).join(GAP)
  if (order === '') return null
  const [first, ...others] = prompt.filter(({ role }) => role !== 'system')
  const said = textMessage(order)
  const joined = first && join(said, first)
  if (joined) return [joined, ...others]
  return first ? [said, first, ...others] : [said]
}

function join(
  first: LanguageModelV4Message,
  second: LanguageModelV4Message,
): LanguageModelV4Message | null {
  if (first.role === 'user' && second.role === 'user')
    return { role: 'user', content: joinParts(first.content, second.content) }
  if (first.role === 'assistant' && second.role === 'assistant')
    return { role: 'assistant', content: joinParts(first.content, second.content) }
  return null
}

/** Text that meets text is one text: such templates know no lists of parts. */
function joinParts<P extends { type: string }>(first: P[], second: P[]): P[] {
  const [end, begin] = [first.at(-1), second[0]]
  if (!isText(end) || !isText(begin)) return [...first, ...second]
  return [
    ...first.slice(0, -1),
    { ...begin, text: end.text + GAP + begin.text },
    ...second.slice(1),
  ]
}

const isText = <P extends { type: string }>(part: P | undefined): part is P & { text: string } =>
  part?.type === 'text'

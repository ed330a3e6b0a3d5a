import type {
  JSONValue,
  LanguageModelV4FilePart,
  LanguageModelV4Message,
  LanguageModelV4Prompt,
  LanguageModelV4ToolResultOutput,
  LanguageModelV4ToolResultPart,
} from '@ai-sdk/provider'
import type { ModelMessage } from '@ai-sdk/provider-utils'

/**
 * Messages as the provider interface takes them. Only what a turn makes is known: texts, pictures as bytes, tool calls
 * and their results.
 */
export function toPrompt(
  instructions: string,
  messages: readonly ModelMessage[],
): LanguageModelV4Prompt {
  return [{ role: 'system', content: instructions }, ...messages.map(toMessage)]
}

function toMessage(message: ModelMessage): LanguageModelV4Message {
  switch (message.role) {
    case 'system':
      return { role: 'system', content: message.content }
    case 'user':
      return { role: 'user', content: partsOf(message.content).map(toUserPart) }
    case 'assistant':
      return {
        role: 'assistant',
        content: partsOf(message.content).flatMap((part): AssistantPart[] => {
          if (part.type === 'text' || part.type === 'reasoning') {
            return part.text === '' ? [] : [{ type: part.type, text: part.text }]
          }
          if (part.type !== 'tool-call') throw foreign(part.type)
          const { type, toolCallId, toolName, input } = part
          return [{ type, toolCallId, toolName, input }]
        }),
      }
    case 'tool':
      return {
        role: 'tool',
        content: message.content.map((part) => {
          if (part.type !== 'tool-result') throw foreign(part.type)
          const { type, toolCallId, toolName, output } = part
          return { type, toolCallId, toolName, output } as LanguageModelV4ToolResultPart
        }),
      }
  }
}

const partsOf = <P>(content: string | P[]): (P | { type: 'text'; text: string })[] =>
  typeof content === 'string' ? [{ type: 'text', text: content }] : content

type AssistantPart = Extract<LanguageModelV4Message, { role: 'assistant' }>['content'][number]
type UserPart = Exclude<Extract<ModelMessage, { role: 'user' }>['content'], string>[number]

function toUserPart(part: UserPart): LanguageModelV4FilePart | { type: 'text'; text: string } {
  if (part.type === 'text') return { type: 'text', text: part.text }
  if (part.type !== 'file' || !(part.data instanceof Uint8Array)) throw foreign(part.type)
  return { type: 'file', mediaType: part.mediaType, data: { type: 'data', data: part.data } }
}

const foreign = (type: string) => new Error(`A turn makes no message part of type ${type}`)

/** What a tool returned, as the model is told: a text as it is, anything else as JSON. */
export function toolOutput(result: unknown): LanguageModelV4ToolResultOutput {
  if (typeof result === 'string') return { type: 'text', value: result }
  return { type: 'json', value: JSON.parse(JSON.stringify(result ?? null)) as JSONValue }
}

import type {
  JSONObject,
  LanguageModelV4CallOptions,
  LanguageModelV4FilePart,
  LanguageModelV4Message,
  LanguageModelV4ToolResultOutput,
} from '@ai-sdk/provider'

/** The body of `POST /chat/completions` for a streamed answer, in the form that OpenAI-compatible endpoints share. */
export function streamRequest(model: string, options: LanguageModelV4CallOptions): JSONObject {
  const { reasoningEffort, ...own } = options.providerOptions?.openaiCompatible ?? {}
  const tools = (options.tools ?? []).flatMap((tool) =>
    tool.type === 'function'
      ? [
          {
            type: 'function',
            function: {
              name: tool.name,
              description: tool.description,
              parameters: tool.inputSchema,
            },
          },
        ]
      : [],
  )
  const choice = options.toolChoice
  const body = {
    model,
    max_tokens: options.maxOutputTokens,
    temperature: options.temperature,
    top_p: options.topP,
    frequency_penalty: options.frequencyPenalty,
    presence_penalty: options.presencePenalty,
    stop: options.stopSequences,
    seed: options.seed,
    ...own,
    reasoning_effort: reasoningEffort,
    messages: options.prompt.flatMap(toMessages),
    ...(tools.length === 0
      ? {}
      : {
          tools,
          tool_choice:
            choice?.type === 'tool'
              ? { type: 'function', function: { name: choice.toolName } }
              : choice?.type,
        }),
    stream: true,
    // Not for an endpoint that does not know them.
    stream_options: options.providerOptions?.parley?.plainStream
      ? undefined
      : { include_usage: true },
  }
  return body as JSONObject
}

function toMessages(message: LanguageModelV4Message): object[] {
  switch (message.role) {
    case 'system':
      return [{ role: 'system', content: message.content }]
    case 'user': {
      const [first, ...more] = message.content
      const alone = first?.type === 'text' && more.length === 0
      return [{ role: 'user', content: alone ? first.text : message.content.map(toUserPart) }]
    }
    case 'assistant':
      return [toAssistant(message)]
    case 'tool':
      return message.content.flatMap((part) =>
        part.type === 'tool-result'
          ? [{ role: 'tool', tool_call_id: part.toolCallId, content: textOf(part.output) }]
          : [],
      )
  }
}

function toAssistant({ content }: Extract<LanguageModelV4Message, { role: 'assistant' }>): object {
  const join = (type: 'text' | 'reasoning') =>
    content.map((part) => (part.type === type ? part.text : '')).join('')
  const calls = content.flatMap((part) =>
    part.type === 'tool-call'
      ? [
          {
            id: part.toolCallId,
            type: 'function',
            function: { name: part.toolName, arguments: JSON.stringify(part.input) },
          },
        ]
      : [],
  )
  const text = join('text')
  const reasoning = join('reasoning')
  return {
    role: 'assistant',
    content: calls.length > 0 ? text || null : text,
    ...(reasoning === '' ? {} : { reasoning_content: reasoning }),
    ...(calls.length === 0 ? {} : { tool_calls: calls }),
  }
}

function toUserPart(part: LanguageModelV4FilePart | { type: 'text'; text: string }): object {
  if (part.type === 'text') return { type: 'text', text: part.text }
  const { data, mediaType } = part
  if (!mediaType.startsWith('image/') || data.type !== 'data') {
    throw new Error(`A turn sends no ${mediaType} as ${data.type}`)
  }
  const base64 = typeof data.data === 'string' ? data.data : encode(data.data)
  return { type: 'image_url', image_url: { url: `data:${mediaType};base64,${base64}` } }
}

function textOf(output: LanguageModelV4ToolResultOutput): string {
  switch (output.type) {
    case 'text':
    case 'error-text':
      return output.value
    case 'execution-denied':
      return output.reason ?? ''
    default:
      return JSON.stringify(output.value)
  }
}

const STEP = 0x8000

function encode(bytes: Uint8Array): string {
  let binary = ''
  for (let at = 0; at < bytes.length; at += STEP) {
    binary += String.fromCharCode(...bytes.subarray(at, at + STEP))
  }
  return btoa(binary)
}

import type { LanguageModelV4FunctionTool, LanguageModelV4ToolResultOutput } from '@ai-sdk/provider'
import type { ModelMessage, Schema, Tool } from '@ai-sdk/provider-utils'
import { toolOutput } from './model-prompt'

/** A call as the model wrote it. */
export interface ToolCall {
  id: string
  name: string
  /** JSON, or what the model took for it. */
  input: string
}

/** What came of a call. Failures are told to the model, which may mend them. */
export interface ToolAnswer extends ToolCall {
  ok: boolean
  /** The arguments as they were read; `{}` when they are no JSON object. */
  args: unknown
  output: LanguageModelV4ToolResultOutput
}

/** Every tool here is given a JSON Schema: what turns others into one stays out of the bundle. */
export const schemaOf = (inputSchema: Tool['inputSchema']): Schema => inputSchema as Schema

type Tools = Readonly<Record<string, Tool>>

/** The definitions of the tools that are offered, in the order of `tools`. */
export async function defineTools(
  tools: Tools,
  offered: readonly string[],
): Promise<LanguageModelV4FunctionTool[]> {
  const names = new Set(offered)
  return Promise.all(
    Object.entries(tools)
      .filter(([name]) => names.has(name))
      .map(async ([name, { description, inputSchema }]) => ({
        type: 'function' as const,
        name,
        ...(typeof description === 'string' ? { description } : {}),
        inputSchema: await schemaOf(inputSchema).jsonSchema,
      })),
  )
}

/**
 * Runs one call. Never rejects, except with the signal's reason.
 * @param offered names that the model was offered in this step
 */
export async function callTool(
  tools: Tools,
  offered: readonly string[],
  call: ToolCall,
  signal: AbortSignal,
): Promise<ToolAnswer> {
  const args = parse(call.input)
  const failed = (error: unknown): ToolAnswer => ({
    ...call,
    ok: false,
    args: typeof args === 'object' && args !== null ? args : {},
    output: { type: 'error-text', value: error instanceof Error ? error.message : String(error) },
  })
  const tool = offered.includes(call.name) ? tools[call.name] : undefined
  if (!tool?.execute)
    return failed(`There is no tool ${call.name}. Offered: ${offered.join(', ')}.`)
  if (args === undefined) return failed('Invalid arguments: they are not JSON.')
  const checked = (await schemaOf(tool.inputSchema).validate?.(args)) ?? {
    success: true as const,
    value: args,
  }
  if (!checked.success) return failed(checked.error)
  try {
    const result = await unlessAborted(
      tool.execute(checked.value, {
        toolCallId: call.id,
        messages: [],
        abortSignal: signal,
        context: undefined,
      }),
      signal,
    )
    return { ...call, ok: true, args: checked.value, output: toolOutput(result) }
  } catch (error) {
    if (signal.aborted) throw signal.reason
    return failed(error)
  }
}

/** The step's calls and their results, as the next step is told of them. */
export function toolMessages(
  said: { text: string; reasoning: string },
  answers: readonly ToolAnswer[],
): ModelMessage[] {
  return [
    {
      role: 'assistant',
      content: [
        ...(said.reasoning === '' ? [] : [{ type: 'reasoning' as const, text: said.reasoning }]),
        ...(said.text === '' ? [] : [{ type: 'text' as const, text: said.text }]),
        ...answers.map(({ id, name, args }) => ({
          type: 'tool-call' as const,
          toolCallId: id,
          toolName: name,
          input: args,
        })),
      ],
    },
    {
      role: 'tool',
      content: answers.map(({ id, name, output }) => ({
        type: 'tool-result' as const,
        toolCallId: id,
        toolName: name,
        output,
      })),
    },
  ]
}

/** No arguments at all are none given. Undefined when it is no JSON. */
function parse(input: string): unknown {
  if (input.trim() === '') return {}
  try {
    return JSON.parse(input)
  } catch {
    return undefined
  }
}

/** What is waited for, until the signal fires. @throws its reason. */
export async function unlessAborted<T>(result: T, signal: AbortSignal): Promise<Awaited<T>> {
  if (signal.aborted) throw signal.reason
  let stop = () => {}
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason)
    signal.addEventListener('abort', stop, { once: true })
  })
  try {
    return await Promise.race([result, aborted])
  } finally {
    signal.removeEventListener('abort', stop)
  }
}

import { isObject } from '../text/json'
import { tellName } from './read-tools'

/**
 * A message of a server without those announced tools that are none: the protocol's library would refuse the whole list.
 * Of the others what is kept, so that nothing else of them can be at fault.
 * @param skipped learns which ones were left out
 */
export function skipMalformed<T>(message: T, skipped: string[]): T {
  const { result } = message as { result?: unknown }
  if (!isObject(result) || !Array.isArray(result.tools)) return message
  const tools = result.tools.flatMap((tool: unknown) => {
    if (!isTool(tool)) {
      skipped.push(tellName(isObject(tool) ? tool.name : null))
      return []
    }
    const { name, description, inputSchema } = tool
    return [{ name, inputSchema, ...(description == null ? {} : { description }) }]
  })
  return { ...message, result: { ...result, tools } }
}

function isTool(tool: unknown): tool is Record<string, unknown> {
  if (!isObject(tool) || typeof tool.name !== 'string') return false
  const { description, inputSchema } = tool
  if (description != null && typeof description !== 'string') return false
  if (!isObject(inputSchema) || inputSchema.type !== 'object') return false
  const { $schema, properties, required } = inputSchema
  return (
    ($schema === undefined || typeof $schema === 'string') &&
    (properties === undefined || isObject(properties)) &&
    (required === undefined || (Array.isArray(required) && required.every(isText)))
  )
}

const isText = (value: unknown): value is string => typeof value === 'string'

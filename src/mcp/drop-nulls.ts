import { isObject } from '../text/json'

/** Deep enough for the annotations of a part of a result. */
const DEPTH = 4
/** What is the server's own, where null may be a value. */
const DATA = ['structuredContent', 'inputSchema']

/** Takes the fields that are null out of an answer: many servers write null for what they do not set, and the protocol's library would refuse the whole answer. */
export function dropNulls(message: unknown): void {
  if (isObject(message)) dropWithin(message.result, DEPTH)
}

function dropWithin(value: unknown, depth: number): void {
  if (depth < 0) return
  if (Array.isArray(value)) for (const item of value) dropWithin(item, depth - 1)
  if (!isObject(value)) return
  for (const [key, member] of Object.entries(value)) {
    if (member === null) delete value[key]
    else if (!DATA.includes(key)) dropWithin(member, depth - 1)
  }
}

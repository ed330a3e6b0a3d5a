import { isObject } from '../text/json'

/** What is the peer's own, where null may be a value. */
const DATA = ['structuredContent', 'inputSchema']

/** Takes the fields that are null out of a message's part: many peers write null for what they do not set, and the protocol's library would refuse the whole message. */
export function dropNulls(value: unknown, depth: number): void {
  if (depth < 0) return
  if (Array.isArray(value)) for (const item of value) dropNulls(item, depth - 1)
  if (!isObject(value)) return
  for (const [key, member] of Object.entries(value)) {
    if (member === null) delete value[key]
    else if (!DATA.includes(key)) dropNulls(member, depth - 1)
  }
}

export const NAME_LENGTH = 64

export type NameState = 'ok' | 'empty' | 'long' | 'signs' | 'reserved' | 'taken'

const FORBIDDEN = /[\p{Cc}/\\\u2028\u2029]|^\.{1,2}$/u
/** Below `/v1/agents/` they are calls of their own. */
const RESERVED: ReadonlySet<string> = new Set(['templates', 'draft', 'import'])

/** Whether an agent may have this name, as far as it can be told before it is sent. */
export function nameState(name: string, taken: Iterable<string>): NameState {
  const wanted = name.trim().normalize('NFC')
  if (wanted === '') return 'empty'
  if (wanted.length > NAME_LENGTH) return 'long'
  if (FORBIDDEN.test(wanted)) return 'signs'
  if (RESERVED.has(wanted)) return 'reserved'
  for (const other of taken) if (other === wanted) return 'taken'
  return 'ok'
}

/** That name, or the first of `-2`, `-3`… that is free. */
export function freeName(wanted: string, taken: Iterable<string>): string {
  const known = new Set(taken)
  if (!known.has(wanted)) return wanted
  for (let n = 2; ; n++) if (!known.has(`${wanted}-${n}`)) return `${wanted}-${n}`
}

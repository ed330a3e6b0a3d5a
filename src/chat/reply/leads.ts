/** Breaks, or the signs of a list, in front of a unit. */
export interface Lead {
  text: string
  inLine: boolean
}

/** What stands before the next unit when the one before it may have been dropped: the widest break, the last signs. */
export function joinLeads(old: string, added: string, inLine: boolean): string {
  const breaks = (text: string) => text.split('\n').length - 1
  if (added.includes('\n')) return '\n'.repeat(Math.max(breaks(old), breaks(added)))
  if (!inLine) return old.slice(0, old.lastIndexOf('\n') + 1) + added
  return old === '' ? added : old
}

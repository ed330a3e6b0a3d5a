import { MCP } from '../config/limits'
import type { PendingTool, PinnedTool, ToolDefinition } from './types'

export interface Pins {
  /** Null before the server was first asked. */
  tools: PinnedTool[] | null
  pending: PendingTool[]
}

/**
 * What a server announces now against what was accepted. The first list is accepted as it is; later, a changed or a new
 * definition waits until the tenant accepts it, and a tool that is gone is not used. `accept` takes everything over, but
 * for a definition that changed again since a check showed it. Pure.
 */
export function pinTools(
  { tools, pending }: Pins,
  found: readonly ToolDefinition[],
  accept: boolean,
): { tools: PinnedTool[]; pending: PendingTool[] } {
  if (tools === null) return { tools: found.map(ready), pending: [] }
  const pinned: PinnedTool[] = []
  const waiting: PendingTool[] = []
  const before = new Map(tools.map((tool) => [tool.name, tool]))
  for (const tool of found) {
    const known = before.get(tool.name)
    const shown = pending.find(({ name }) => name === tool.name)
    before.delete(tool.name)
    if (known?.hash === tool.hash) pinned.push(ready(known))
    else if (accept && (!shown || shown.hash === tool.hash)) pinned.push(ready(tool))
    else {
      if (known) pinned.push({ ...known, state: 'changed' })
      waiting.push({ ...tool, change: known ? 'changed' : 'new' })
    }
  }
  if (!accept) for (const tool of before.values()) pinned.push({ ...tool, state: 'gone' })
  return { tools: pinned, pending: waiting }
}

const ready = ({ name, description, notes, schema, hash }: ToolDefinition): PinnedTool => ({
  name,
  description,
  notes,
  schema,
  hash,
  state: 'ready',
})

/** The tools that may be offered. */
export const usableTools = (tools: readonly PinnedTool[] | null): PinnedTool[] =>
  (tools ?? []).filter(({ state }) => state === 'ready')

/** What a tenant should know after a check that succeeded, or null. Tool names have no free form, so they may be named. */
export function describePins(
  { tools, pending }: { tools: readonly PinnedTool[]; pending: readonly PendingTool[] },
  unusable: readonly string[],
): string | null {
  const changed = pending.filter(({ change }) => change === 'changed')
  const added = pending.filter(({ change }) => change === 'new')
  const gone = tools.filter(({ state }) => state === 'gone')
  const sentences = [
    changed.length > 0 && `Changed and not used until accepted: ${listNames(namesOf(changed))}.`,
    added.length > 0 && `New and not used until accepted: ${listNames(namesOf(added))}.`,
    gone.length > 0 && `No longer announced: ${listNames(namesOf(gone))}.`,
    unusable.length > 0 &&
      `${unusable.length} announced ${unusable.length === 1 ? 'tool is' : 'tools are'} not usable (${listNames([...new Set(unusable)])}): the name is repeated or malformed, or the arguments are no object of reasonable size.`,
  ]
  const text = sentences.filter((sentence) => sentence !== false).join(' ')
  return text === '' ? null : text
}

const namesOf = (tools: readonly { name: string }[]) => tools.map(({ name }) => name)

function listNames(names: readonly string[]): string {
  const more = names.length - MCP.namedTools
  return names.slice(0, MCP.namedTools).join(', ') + (more > 0 ? ` and ${more} more` : '')
}

import type { Exit, Graph, StoryNode } from '../types'
import { nodeKeys } from './edits'
import type { Selection } from './problems'

/** A row of the outline: a node, below it its exits; at the end what holds everywhere. */
export type Row =
  | { kind: 'everywhere'; id: string; level: 1; open: boolean; count: number }
  | {
      kind: 'node'
      id: string
      level: 1
      key: string
      node: StoryNode
      open: boolean
      count: number
    }
  | { kind: 'exit'; id: string; level: 2; owner: string | null; index: number; exit: Exit }

const EVERYWHERE = ' everywhere'

export function rowsOf(graph: Graph, closed: ReadonlySet<string>): Row[] {
  const exitRows = (owner: string | null, exits: readonly Exit[]): Row[] =>
    exits.map((exit, index) => ({
      kind: 'exit',
      id: rowId({ kind: 'exit', owner, index }),
      level: 2,
      owner,
      index,
      exit,
    }))
  const rows: Row[] = []
  for (const key of nodeKeys(graph)) {
    const node = graph.nodes[key] as StoryNode
    const exits = node.exits ?? []
    const open = !closed.has(key)
    rows.push({ kind: 'node', id: key, level: 1, key, node, open, count: exits.length })
    if (open) rows.push(...exitRows(key, exits))
  }
  const global = graph.exits ?? []
  const open = !closed.has(EVERYWHERE)
  rows.push({ kind: 'everywhere', id: EVERYWHERE, level: 1, open, count: global.length })
  if (open) rows.push(...exitRows(null, global))
  return rows
}

export function rowId(selection: Selection): string {
  if (selection.kind === 'everywhere') return EVERYWHERE
  if (selection.kind === 'node') return selection.key
  return `${selection.owner ?? EVERYWHERE} ${selection.index}`
}

export function selectionOf(row: Row): Selection {
  if (row.kind === 'node') return { kind: 'node', key: row.key }
  if (row.kind === 'exit') return { kind: 'exit', owner: row.owner, index: row.index }
  return { kind: 'everywhere' }
}

/** The row that an exit belongs to. */
export const ownerRow = (row: Row): string =>
  row.kind === 'exit' ? (row.owner ?? EVERYWHERE) : row.id

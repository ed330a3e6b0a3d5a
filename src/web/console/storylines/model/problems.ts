import type { Finding, Graph } from '../types'
import { exitsOf, type Owner } from './edits'

/** What is looked at in the editor: a node, or an exit of one or of all. */
export type Selection =
  | { kind: 'node'; key: string }
  | { kind: 'exit'; owner: Owner; index: number }
  | { kind: 'everywhere' }

export type Panel = 'inspect' | 'slots' | 'settings'

/** Where a finding is mended. */
export interface Spot {
  panel: Panel
  selection: Selection | null
  /** The field, as `data-path` names it; a part of it is enough. */
  path: string
}

export const pointer = (...parts: readonly (string | number)[]): string =>
  parts.map((part) => `/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')

export const nodePath = (key: string): string => pointer('graph', 'nodes', key)
export const exitPath = (owner: Owner, index: number): string =>
  owner === null
    ? pointer('graph', 'exits', index)
    : pointer('graph', 'nodes', owner, 'exits', index)

export function spotOf({ path }: Pick<Finding, 'path'>): Spot {
  const [root, part, key, field, index] = path
    .split('/')
    .slice(1)
    .map((one) => one.replaceAll('~1', '/').replaceAll('~0', '~'))
  if (root === 'profile_schema') return { panel: 'slots', selection: null, path }
  if (root !== 'graph') return { panel: 'settings', selection: null, path }
  if (part === 'exits') {
    const at = Number(key)
    return key === undefined
      ? { panel: 'inspect', selection: { kind: 'everywhere' }, path }
      : { panel: 'inspect', selection: { kind: 'exit', owner: null, index: at }, path }
  }
  if (part !== 'nodes' || key === undefined) return { panel: 'settings', selection: null, path }
  if (field === 'exits' && index !== undefined)
    return {
      panel: 'inspect',
      selection: { kind: 'exit', owner: key, index: Number(index) },
      path,
    }
  return { panel: 'inspect', selection: { kind: 'node', key }, path }
}

/** Which node a finding is about: the API names none where the whole graph has a wrong shape. */
export const nodeOf = ({ node, path }: Pick<Finding, 'node' | 'path'>): string | undefined =>
  node ?? /^\/graph\/nodes\/(\w+)/.exec(path)?.[1]

/** The findings at a path and within it. */
export const findingsAt = (findings: readonly Finding[], path: string): Finding[] =>
  findings.filter((one) => one.path === path || one.path.startsWith(`${path}/`))

export function countOf(findings: readonly Finding[]): { errors: number; warnings: number } {
  const errors = findings.filter((one) => one.severity === 'error').length
  return { errors, warnings: findings.length - errors }
}

/** What is still there of a selection after an edit: an undo may take the node away. */
export function standing(selection: Selection | null, graph: Graph): Selection | null {
  if (selection === null || selection.kind === 'everywhere') return selection
  if (selection.kind === 'node') return Object.hasOwn(graph.nodes, selection.key) ? selection : null
  if (selection.owner !== null && !Object.hasOwn(graph.nodes, selection.owner)) return null
  if (exitsOf(graph, selection.owner)[selection.index]) return selection
  return selection.owner === null ? { kind: 'everywhere' } : { kind: 'node', key: selection.owner }
}

export const isSame = (a: Selection | null, b: Selection | null): boolean =>
  JSON.stringify(a) === JSON.stringify(b)

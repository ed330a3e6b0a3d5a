import type { MigrationIn } from '../../../../storylines/schema'

export const ACTIONS = ['upgrade', 'map', 'move', 'restart', 'complete', 'exit'] as const
export type Action = (typeof ACTIONS)[number]

export interface Wish {
  action: Action
  from: string
  to: string
  nodes: Readonly<Record<string, string>>
}

/** What each action takes; the API refuses none of the rest, but it would say nothing. */
export const TAKES: Record<Action, { from: boolean; to: boolean; nodes: boolean }> = {
  upgrade: { from: true, to: true, nodes: false },
  map: { from: true, to: false, nodes: true },
  move: { from: true, to: true, nodes: false },
  restart: { from: true, to: false, nodes: false },
  complete: { from: true, to: false, nodes: false },
  exit: { from: true, to: false, nodes: false },
}

export function orderOf({ action, from, to, nodes }: Wish): MigrationIn {
  const takes = TAKES[action]
  return {
    action,
    ...(takes.from && from !== '' ? { from_node: from } : {}),
    ...(takes.to && to !== '' ? { to_node: to } : {}),
    ...(takes.nodes ? { nodes: { ...nodes } } : {}),
  }
}

export const isComplete = ({ action, from, to, nodes }: Wish): boolean =>
  action === 'move' ? from !== '' && to !== '' : action !== 'map' || Object.keys(nodes).length > 0

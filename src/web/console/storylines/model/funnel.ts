import type { FunnelNode } from '../types'

export interface Step extends FunnelNode {
  key: string
  /** Of those that came to the node, the share that ended or stands still there without completing. */
  drop: number | null
}

export interface Reading {
  enrolled: number
  /** Completed of those enrolled. */
  completion: number | null
  active: number
  steps: Step[]
}

/** A funnel as it is read: nodes in the order in which most people came to them, retired ones last. */
export function readFunnel(
  nodes: Readonly<Record<string, FunnelNode>>,
  start: string | null,
): Reading {
  const steps = Object.entries(nodes).map(([key, node]) => ({ ...node, key, drop: dropOf(node) }))
  const sum = (name: 'completed' | 'active') => steps.reduce((total, step) => total + step[name], 0)
  const first = start === null ? undefined : nodes[start]
  const enrolled = first?.entered ?? Math.max(0, ...steps.map((step) => step.entered))
  steps.sort((a, b) => Number(a.retired) - Number(b.retired) || b.entered - a.entered)
  return {
    enrolled,
    completion: enrolled === 0 ? null : sum('completed') / enrolled,
    active: sum('active'),
    steps,
  }
}

function dropOf({ entered, exited, failed, stalled }: FunnelNode): number | null {
  return entered === 0 ? null : (exited + failed + stalled) / entered
}

/** Seconds as a person says them. */
export function spanOf(seconds: number): { n: number; unit: 'second' | 'minute' | 'hour' | 'day' } {
  if (seconds < 90) return { n: Math.round(seconds), unit: 'second' }
  if (seconds < 90 * 60) return { n: Math.round(seconds / 60), unit: 'minute' }
  if (seconds < 36 * 3600) return { n: Math.round(seconds / 3600), unit: 'hour' }
  return { n: Math.round(seconds / 86_400), unit: 'day' }
}

import type { Graph, Node } from './types'

/** Bits of a point's state. */
export const MATCH = 1
export const DIM = 2
export const SELECTED = 4
export const NEAR = 8

/** A map as painters take it. */
export interface Scene {
  /** x, y, z of each, at most 1 from the middle. */
  points: Float32Array
  /** 0 a memory, 1 a passage of a document. */
  kinds: Uint8Array
  weights: Float32Array
  /** Pairs of points. */
  edges: Uint16Array
  /** Many points are drawn smaller, so that they can be told apart. */
  grain: number
}

export function sceneOf({ nodes, edges }: Pick<Graph, 'nodes' | 'edges'>): Scene {
  const places = new Map(nodes.map(({ id }, at) => [id, at]))
  const pairs = edges.flatMap(({ a, b }) => {
    const [one, other] = [places.get(a), places.get(b)]
    return one === undefined || other === undefined ? [] : [one, other]
  })
  // The API's points lie in a cube; one in its corner would be turned out of the picture.
  const reach = Math.max(1, ...nodes.map(({ x, y, z }) => Math.hypot(x, y, z)))
  return {
    points: Float32Array.from(nodes.flatMap(({ x, y, z }) => [x / reach, y / reach, z / reach])),
    kinds: Uint8Array.from(nodes.map(({ source }) => (source === 'memory' ? 0 : 1))),
    weights: Float32Array.from(nodes.map(({ weight }) => weight)),
    edges: Uint16Array.from(pairs),
    grain: Math.min(1, Math.max(0.55, Math.sqrt(300 / Math.max(1, nodes.length)))),
  }
}

/** How each point is shown: what was found stands out, the rest steps back; the chosen one and its neighbours are ringed. */
export function statesOf(
  nodes: readonly Node[],
  {
    selected,
    near,
    isSearch,
  }: { selected: string | null; near: readonly string[]; isSearch: boolean },
): Uint8Array {
  const around = new Set(near)
  return Uint8Array.from(
    nodes.map(({ id, match }) => {
      const found = isSearch ? (match ? MATCH : DIM) : 0
      return found | (id === selected ? SELECTED : around.has(id) ? NEAR : 0)
    }),
  )
}

/** Across, in pixels, before the distance is taken into account. */
export function sizeOf(weight: number, state: number, grain = 1): number {
  const base = (7 + 7 * Math.min(1, Math.max(0, weight))) * grain
  return state & (MATCH | SELECTED) ? base * 1.4 : base
}

/** The order in which points are gone through by key and listed: what was found first, then what matters most. */
export function orderOf(nodes: readonly Node[]): Node[] {
  return [...nodes].sort(
    (one, other) =>
      Number(other.match) - Number(one.match) ||
      other.weight - one.weight ||
      one.cluster - other.cluster ||
      (one.id < other.id ? -1 : 1),
  )
}

import type { Graph } from '../types'
import { exitsOf, nodeKeys } from './edits'

export interface Point {
  x: number
  y: number
}

/** Boxes of the canvas; the way leads downwards, so a page from right to left needs no mirror. */
export const BOX = { width: 196, height: 58, gapX: 36, gapY: 70 } as const
const PASSES = 6

/**
 * Lays a graph out in layers: each node below all that lead to it, ways back left out; within a layer by the middle of
 * its neighbours, which unties most crossings. What nothing leads to stands in layers of its own at the end.
 */
export function layOut(graph: Graph): Map<string, Point> {
  const keys = nodeKeys(graph)
  const targets = new Map(keys.map((key) => [key, targetsOf(graph, key)]))
  const layers = layersOf(keys, targets, graph.start)
  const rows: string[][] = []
  for (const key of keys) {
    const at = layers.get(key) ?? 0
    rows[at] ??= []
    rows[at].push(key)
  }
  untangle(rows, targets)
  return positioned(rows, targets)
}

const targetsOf = (graph: Graph, key: string): string[] => [
  ...new Set(
    exitsOf(graph, key)
      .map((exit) => exit.to)
      .filter((to) => to !== key && Object.hasOwn(graph.nodes, to)),
  ),
]

/** Longest way from the start, without the ways that lead back to a node on the way here. */
function layersOf(
  keys: readonly string[],
  targets: ReadonlyMap<string, readonly string[]>,
  start: string,
): Map<string, number> {
  const order: string[] = []
  const state = new Map<string, 'open' | 'done'>()
  const forward = new Map<string, string[]>()
  const visit = (key: string): void => {
    // Explicit stack: five hundred nodes in a row are a deep recursion.
    const stack: { key: string; next: number }[] = [{ key, next: 0 }]
    state.set(key, 'open')
    while (stack.length > 0) {
      const top = stack.at(-1)
      if (!top) break
      const to = targets.get(top.key)?.[top.next++]
      if (to === undefined) {
        state.set(top.key, 'done')
        order.push(top.key)
        stack.pop()
      } else if (state.get(to) !== 'open') {
        forward.set(top.key, [...(forward.get(top.key) ?? []), to])
        if (!state.has(to)) {
          state.set(to, 'open')
          stack.push({ key: to, next: 0 })
        }
      }
    }
  }
  for (const key of [start, ...keys]) if (keys.includes(key) && !state.has(key)) visit(key)
  const layers = new Map(keys.map((key) => [key, 0]))
  for (const key of order.toReversed())
    for (const to of forward.get(key) ?? [])
      layers.set(to, Math.max(layers.get(to) ?? 0, (layers.get(key) ?? 0) + 1))
  return layers
}

function untangle(rows: string[][], targets: ReadonlyMap<string, readonly string[]>): void {
  const sources = new Map<string, string[]>()
  for (const [from, all] of targets)
    for (const to of all) sources.set(to, [...(sources.get(to) ?? []), from])
  for (let pass = 0; pass < PASSES; pass++) {
    const down = pass % 2 === 0
    const index = new Map(rows.flatMap((row) => row.map((key, at) => [key, at / row.length])))
    for (const row of down ? rows : rows.toReversed()) {
      const neighbours = down ? sources : targets
      const middle = (key: string, at: number) => {
        const near = (neighbours.get(key) ?? []).flatMap((one) => index.get(one) ?? [])
        if (near.length === 0) return at / row.length
        return near.reduce((sum, one) => sum + one, 0) / near.length
      }
      const ranked = row.map((key, at) => ({ key, rank: middle(key, at) }))
      ranked.sort((a, b) => a.rank - b.rank)
      row.splice(0, row.length, ...ranked.map(({ key }) => key))
      for (const [at, key] of row.entries()) index.set(key, at / row.length)
    }
  }
}

/** Each row is centred below the middle of what leads to it, as far as its boxes leave room. */
function positioned(
  rows: readonly string[][],
  targets: ReadonlyMap<string, readonly string[]>,
): Map<string, Point> {
  const step = BOX.width + BOX.gapX
  const at = new Map<string, Point>()
  const sources = (key: string) => [...at.keys()].filter((one) => targets.get(one)?.includes(key))
  for (const [layer, row] of rows.entries()) {
    const y = layer * (BOX.height + BOX.gapY)
    const wanted = row.map((key, i) => {
      const xs = sources(key).map((one) => at.get(one)?.x ?? 0)
      return xs.length === 0 ? i * step : xs.reduce((sum, x) => sum + x, 0) / xs.length
    })
    const placed: number[] = []
    for (const x of wanted) placed.push(Math.max(x, (placed.at(-1) ?? -Infinity) + step))
    const shift =
      placed.reduce((sum, x, i) => sum + (wanted[i] ?? 0) - x, 0) / Math.max(placed.length, 1)
    for (const [i, key] of row.entries()) at.set(key, { x: (placed[i] ?? 0) + shift, y })
  }
  return at
}

/** Where nodes stand: as the author put them; the others as they are laid out, or below what leads to them. */
export function positionsOf(graph: Graph): Map<string, Point> {
  const keys = nodeKeys(graph)
  const own = new Map(
    keys.flatMap((key) => {
      const { x, y } = (graph.nodes[key]?.ui ?? {}) as Partial<Point>
      return typeof x === 'number' && typeof y === 'number' ? [[key, { x, y }] as const] : []
    }),
  )
  if (own.size === 0) return layOut(graph)
  for (const key of keys) {
    if (own.has(key)) continue
    const from = keys.find((one) => own.has(one) && targetsOf(graph, one).includes(key))
    const lowest = Math.max(...[...own.values()].map(({ y }) => y))
    const base = from ? own.get(from) : undefined
    const point = base
      ? { x: base.x, y: base.y + BOX.height + BOX.gapY }
      : { x: 0, y: lowest + BOX.height + BOX.gapY }
    while ([...own.values()].some((other) => overlaps(other, point)))
      point.x += BOX.width + BOX.gapX
    own.set(key, point)
  }
  return own
}

const overlaps = (a: Point, b: Point): boolean =>
  Math.abs(a.x - b.x) < BOX.width + 8 && Math.abs(a.y - b.y) < BOX.height + 8

export interface Bounds {
  x: number
  y: number
  width: number
  height: number
}

export function boundsOf(positions: ReadonlyMap<string, Point>): Bounds {
  const all = [...positions.values()]
  if (all.length === 0) return { x: 0, y: 0, width: BOX.width, height: BOX.height }
  const x = Math.min(...all.map((one) => one.x))
  const y = Math.min(...all.map((one) => one.y))
  return {
    x,
    y,
    width: Math.max(...all.map((one) => one.x)) + BOX.width - x,
    height: Math.max(...all.map((one) => one.y)) + BOX.height - y,
  }
}

export interface View {
  x: number
  y: number
  zoom: number
}

export const ZOOM = { least: 0.2, most: 2 } as const

/** A view that shows all of it, never larger than life. */
export function fitted(bounds: Bounds, width: number, height: number): View {
  const margin = 32
  const zoom = Math.min(
    1,
    Math.max(
      ZOOM.least,
      Math.min((width - 2 * margin) / bounds.width, (height - 2 * margin) / bounds.height),
    ),
  )
  return {
    zoom,
    x: width / 2 - (bounds.x + bounds.width / 2) * zoom,
    y:
      bounds.height * zoom + 2 * margin > height
        ? margin - bounds.y * zoom
        : height / 2 - (bounds.y + bounds.height / 2) * zoom,
  }
}

/** Zooms, and keeps what lies below the point of the screen. */
export function zoomedAt(view: View, factor: number, at: Point): View {
  const zoom = Math.min(ZOOM.most, Math.max(ZOOM.least, view.zoom * factor))
  const by = zoom / view.zoom
  return { zoom, x: at.x - (at.x - view.x) * by, y: at.y - (at.y - view.y) * by }
}

/** Labels of ways that leave side by side stand one below another. */
const LABEL = { first: 17, next: 15, lanes: 3 } as const
export const laneOf = (index: number): number => index % LABEL.lanes

/** The line of an exit: straight down as a curve; a way back goes around the side. */
export function wayOf(from: Point, to: Point, lane = 0): { path: string; label: Point } {
  if (to.y > from.y + 8) {
    const bend = Math.max(24, (to.y - from.y) / 2)
    const path = `M${from.x} ${from.y}C${from.x} ${from.y + bend} ${to.x} ${to.y - bend} ${to.x} ${to.y}`
    const share = Math.min(0.5, (LABEL.first + lane * LABEL.next) / (to.y - from.y))
    // How far aside the curve is by then (x of a cubic whose ends are vertical).
    const aside = share * share * (3 - 2 * share)
    const label = { x: from.x + (to.x - from.x) * aside, y: from.y + share * (to.y - from.y) }
    return { path, label }
  }
  const aside = Math.max(from.x, to.x) + BOX.width * 0.75
  const half = (from.y + to.y) / 2
  const path = `M${from.x} ${from.y}C${from.x} ${from.y + 44} ${aside} ${from.y + 44} ${aside} ${half}S${to.x} ${to.y - 44} ${to.x} ${to.y}`
  return { path, label: { x: aside, y: half } }
}

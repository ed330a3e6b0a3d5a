import { useMemo } from 'preact/hooks'
import { firstSigns } from '../../../kit/first-signs'
import { useFormat } from '../../words'
import { exitsOf } from '../model/edits'
import { BOX, laneOf, type Point, type View, wayOf } from '../model/layout'
import { isSame, type Selection } from '../model/problems'
import type { Exit, FunnelNode, Graph } from '../types'
import { useExitText } from './exit-rows'

interface Props {
  graph: Graph
  positions: ReadonlyMap<string, Point>
  view: View
  size: { width: number; height: number }
  wire: { from: string; to: Point } | null
  selection: Selection | null
  funnel: Readonly<Record<string, FunnelNode>> | null
  onSelect: (selection: Selection) => void
}

/** The exits as lines. A line is chosen by its label or the line itself; by keyboard in the outline and the inspector. */
export function CanvasWays({
  graph,
  positions,
  view,
  size,
  wire,
  selection,
  funnel,
  onSelect,
}: Props) {
  const format = useFormat()
  const textOf = useExitText()
  const ways = useMemo(
    () =>
      Object.keys(graph.nodes).flatMap((key) => {
        const exits = exitsOf(graph, key)
        return exits.flatMap((exit, index) => {
          const from = positions.get(key)
          const to = positions.get(exit.to)
          return from && to ? [{ key, index, exit, ...lineOf(from, to, index, exits.length) }] : []
        })
      }),
    [graph, positions],
  )
  const labelOf = (key: string, exit: Exit): string => {
    const counted = funnel?.[key]?.exits[exit.id]
    if (funnel) return format.number(counted ?? 0)
    return shortened(
      exit.label ??
        textOf({ ...exit, ...(exit.when ? { when: exit.when.replaceAll('profile.', '') } : {}) }),
    )
  }
  const own = (one: { key: string; index: number }) =>
    isSame(selection, { kind: 'exit', owner: one.key, index: one.index })
  const near = (one: { key: string }) => selection?.kind === 'node' && selection.key === one.key
  // A pan changes none of them.
  const lines = useMemo(
    () =>
      ways.map((one) => {
        const looks = `way${own(one) ? ' selected' : near(one) ? ' near' : ''}${one.exit.judge ? ' judged' : ''}`
        return (
          // biome-ignore lint/a11y/noStaticElementInteractions: the outline is the way for keyboards.
          <g
            key={`${one.key} ${one.index}`}
            class={looks}
            data-exit
            onClick={() => onSelect({ kind: 'exit', owner: one.key, index: one.index })}
          >
            <path class="reach" d={one.path} />
            <path class="line" d={one.path} marker-end="url(#way-end)" />
            <text x={one.label.x} y={one.label.y} text-anchor="middle">
              {labelOf(one.key, one.exit)}
            </text>
          </g>
        )
      }),
    [ways, selection, funnel, format.lang],
  )
  const source = wire ? positions.get(wire.from) : undefined
  return (
    <svg class="canvas-ways" width={size.width} height={size.height} aria-hidden="true">
      <defs>
        <marker
          id="way-end"
          viewBox="0 0 8 8"
          refX="7"
          refY="4"
          markerWidth="7"
          markerHeight="7"
          orient="auto-start-reverse"
        >
          <path d="M0 0L8 4L0 8z" />
        </marker>
      </defs>
      <g transform={`translate(${view.x} ${view.y}) scale(${view.zoom})`}>
        {lines}
        {wire && source && (
          <path
            class="wire"
            d={wayOf({ x: source.x + BOX.width / 2, y: source.y + BOX.height }, wire.to).path}
          />
        )}
      </g>
    </svg>
  )
}

/** Exits leave side by side, in the order in which they are tried. */
function lineOf(from: Point, to: Point, index: number, count: number) {
  const x = from.x + (BOX.width * (index + 1)) / (count + 1)
  const target = { x: to.x + BOX.width / 2, y: to.y }
  return wayOf({ x, y: from.y + BOX.height }, target, laneOf(index))
}

const shortened = (text: string): string => (text.length > 20 ? `${firstSigns(text, 19)}…` : text)

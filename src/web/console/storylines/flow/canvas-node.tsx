import { Icon } from '../../parts'
import { useFormat } from '../../words'
import type { Point } from '../model/layout'
import { findingsAt, nodePath } from '../model/problems'
import { useEditing } from './context'
import { TYPE_WORDS } from './node-inspector'
import { useFlowWords } from './words'

interface Props {
  nodeKey: string
  at: Point
  isSelected: boolean
  isFocusable: boolean
  positions: ReadonlyMap<string, Point>
  onMoveBy: (by: Point) => void
}

const STEP = 16
const ARROWS: Readonly<Record<string, Point>> = {
  ArrowUp: { x: 0, y: -1 },
  ArrowDown: { x: 0, y: 1 },
  ArrowLeft: { x: -1, y: 0 },
  ArrowRight: { x: 1, y: 0 },
}

/** A node's box. Arrows go to the next box that way; with Alt they move this one. */
export function CanvasNode({ nodeKey, at, isSelected, isFocusable, positions, onMoveBy }: Props) {
  const t = useFlowWords()
  const format = useFormat()
  const { flow, select, funnel } = useEditing()
  const { graph } = flow.draft
  const node = graph.nodes[nodeKey]
  if (!node) return null
  const findings = findingsAt(flow.findings ?? [], nodePath(nodeKey))
  const isWrong = findings.some((one) => one.severity === 'error')
  const numbers = funnel?.[nodeKey]
  const onKeyDown = (event: KeyboardEvent) => {
    const arrow = ARROWS[event.key]
    if (!arrow) return
    event.preventDefault()
    if (event.altKey) return onMoveBy({ x: arrow.x * STEP, y: arrow.y * STEP })
    const next = nearest(positions, nodeKey, arrow)
    if (next === null) return
    select({ kind: 'node', key: next })
    const stage = (event.currentTarget as Element).closest('.canvas-stage')
    stage
      ?.querySelector<HTMLElement>(`[data-node="${CSS.escape(next)}"] > button`)
      ?.focus({ preventScroll: true })
  }
  return (
    <div
      class={`canvas-node ${node.type}${isSelected ? ' selected' : ''}`}
      data-node={nodeKey}
      style={{ transform: `translate(${at.x}px, ${at.y}px)` }}
    >
      <button
        type="button"
        tabIndex={isFocusable ? 0 : -1}
        aria-pressed={isSelected}
        onKeyDown={onKeyDown}
        onClick={() => select({ kind: 'node', key: nodeKey })}
      >
        <span class="ellipsis" dir="auto">
          {graph.start === nodeKey && <Icon name="play" />}
          <strong>{node.title ?? nodeKey}</strong>
        </span>
        <span class="small muted ellipsis">
          {t(TYPE_WORDS[node.type] ?? 'typeBranch')}
          {numbers ? ` · ${t('entered')} ${format.number(numbers.entered)}` : ''}
          {numbers?.active ? ` · ${t('peopleHere', { n: numbers.active })}` : ''}
        </span>
        {findings.length > 0 && (
          <span class={isWrong ? 'story-mark bad' : 'story-mark warn'}>
            <Icon name="warn" />
            <span class="sr">{t('problemsHere', { n: findings.length })}</span>
          </span>
        )}
      </button>
      {node.type !== 'end' && (
        <span class="wire-handle" data-handle aria-hidden="true" title={t('connect')} />
      )}
    </div>
  )
}

/** The closest box in a direction; what lies aside counts double. */
function nearest(
  positions: ReadonlyMap<string, Point>,
  from: string,
  { x, y }: Point,
): string | null {
  const here = positions.get(from)
  if (!here) return null
  let best: { key: string; cost: number } | null = null
  for (const [key, at] of positions) {
    const along = (at.x - here.x) * x + (at.y - here.y) * y
    if (key === from || along <= 0) continue
    const cost = along + 2 * Math.abs((at.x - here.x) * y + (at.y - here.y) * x)
    if (best === null || cost < best.cost) best = { key, cost }
  }
  return best?.key ?? null
}

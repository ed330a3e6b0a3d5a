import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { IconButton } from '../parts'
import {
  type Camera,
  closer,
  dragged,
  farther,
  moved,
  pointAt,
  project,
  START,
  zoomed,
} from './camera'
import { orderOf, sceneOf, statesOf } from './scene'
import type { Graph } from './types'
import { usePainted } from './use-painted'
import { useMapWords } from './words'

interface StageProps {
  graph: Graph
  isFlat: boolean
  isSearch: boolean
  selected: string | null
  near: readonly string[]
  onSelect: (id: string) => void
  /** There is nothing to draw with. */
  onUndrawable: () => void
}

const REACH = 16
/** A press that moves less is a click. */
const STILL = 4

/** The map as a picture: turned or moved by pointer and by keys; whoever sees no picture has the table. */
export function Stage(props: StageProps) {
  const { graph, isFlat, isSearch, selected, near, onSelect, onUndrawable } = props
  const t = useMapWords()
  const canvas = useRef<HTMLCanvasElement>(null)
  const [camera, setCamera] = useState<Camera>(START)
  const [pointed, setPointed] = useState<string | null>(null)
  const press = useRef<{ x: number; y: number; moved: number } | null>(null)
  const fingers = useRef(new Map<number, { x: number; y: number }>())
  const scene = useMemo(() => sceneOf(graph), [graph])
  const order = useMemo(() => orderOf(graph.nodes), [graph])
  const states = useMemo(
    () => statesOf(graph.nodes, { selected: pointed ?? selected, near, isSearch }),
    [graph, selected, pointed, near, isSearch],
  )
  const { size, key } = usePainted(canvas, { scene, states, camera, isFlat, onUndrawable })
  useEffect(() => setCamera(START), [isFlat])

  const view = { ...size, isFlat }
  const nodeAt = (event: PointerEvent) => {
    const box = canvas.current?.getBoundingClientRect()
    if (!box) return null
    const placed = project(scene.points, camera, view)
    const at = pointAt(placed, event.clientX - box.x, event.clientY - box.y, REACH)
    return at === null ? null : (graph.nodes[at] ?? null)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const next = moved(camera, event.key, isFlat)
    if (next) setCamera(next)
    else if (event.key === 'PageDown' || event.key === 'PageUp') {
      const at = order.findIndex(({ id }) => id === (pointed ?? selected))
      const step = event.key === 'PageDown' ? 1 : -1
      const to = at < 0 ? 0 : (at + step + order.length) % order.length
      setPointed(order[to]?.id ?? null)
    } else if (event.key === 'Enter' && pointed !== null) onSelect(pointed)
    else return
    event.preventDefault()
  }
  // Bound by hand: a listener that may keep the page from scrolling has to say so, and Preact's do not.
  useEffect(() => {
    const element = canvas.current
    const onWheel = (event: WheelEvent) => {
      // The page scrolls on until the map is worked with.
      if (document.activeElement !== element && !event.ctrlKey) return
      event.preventDefault()
      setCamera((was) => zoomed(was, Math.exp(-event.deltaY * 0.0015)))
    }
    element?.addEventListener('wheel', onWheel, { passive: false })
    return () => element?.removeEventListener('wheel', onWheel)
  }, [key])

  const shown = graph.nodes.findIndex(({ id }) => id === pointed)
  return (
    <div class="map-stage">
      {/* biome-ignore lint/a11y/noInteractiveElementToNoninteractiveRole: an application takes the keys that a picture does not. */}
      <canvas
        key={key}
        ref={canvas}
        tabIndex={0}
        role="application"
        aria-label={t('canvasLabel', { n: graph.nodes.length })}
        aria-describedby="map-keys"
        onKeyDown={onKeyDown}
        onBlur={() => setPointed(null)}
        onPointerDown={(event) => {
          press.current = { x: event.clientX, y: event.clientY, moved: 0 }
          fingers.current.set(event.pointerId, { x: event.clientX, y: event.clientY })
          event.currentTarget.setPointerCapture(event.pointerId)
        }}
        onPointerMove={(event) => {
          const held = press.current
          if (!held) {
            const id = nodeAt(event)?.id ?? null
            if (id !== pointed) setPointed(id)
            return
          }
          const apart = spreadOf(fingers.current)
          fingers.current.set(event.pointerId, { x: event.clientX, y: event.clientY })
          const spread = spreadOf(fingers.current)
          if (apart !== null && spread !== null) {
            press.current = { ...held, moved: STILL }
            setCamera((was) => zoomed(was, spread / apart))
            return
          }
          const [dx, dy] = [event.clientX - held.x, event.clientY - held.y]
          press.current = {
            x: event.clientX,
            y: event.clientY,
            moved: held.moved + Math.abs(dx) + Math.abs(dy),
          }
          setCamera((was) => dragged(was, dx, dy, isFlat))
        }}
        onPointerUp={(event) => {
          const isClick = (press.current?.moved ?? STILL) < STILL
          press.current = null
          fingers.current.delete(event.pointerId)
          const node = isClick ? nodeAt(event) : null
          if (node) onSelect(node.id)
        }}
        onPointerCancel={(event) => {
          press.current = null
          fingers.current.delete(event.pointerId)
        }}
        onPointerLeave={() => setPointed(null)}
      />
      {shown >= 0 && (
        <Tip
          text={graph.nodes[shown]?.label ?? t('hidden')}
          at={project(scene.points.subarray(shown * 3, shown * 3 + 3), camera, view)}
          width={size.width}
        />
      )}
      <div class="map-buttons">
        <IconButton icon="zoomIn" label={t('zoomIn')} onClick={() => setCamera(closer)} />
        <IconButton icon="zoomOut" label={t('zoomOut')} onClick={() => setCamera(farther)} />
        <IconButton icon="fit" label={t('fit')} onClick={() => setCamera(START)} />
      </div>
      <p class="sr" role="status">
        {shown >= 0 && (graph.nodes[shown]?.label ?? t('hidden'))}
      </p>
    </div>
  )
}

/** How far two fingers are apart; null where they are not two. */
function spreadOf(fingers: ReadonlyMap<number, { x: number; y: number }>): number | null {
  const [one, other] = [...fingers.values()]
  if (!one || !other || fingers.size !== 2) return null
  return Math.max(1, Math.hypot(one.x - other.x, one.y - other.y))
}

/** What a point is, beside it: towards the middle, so that it is never cut off. */
function Tip({ text, at, width }: { text: string; at: Float32Array; width: number }) {
  const [x = 0, y = 0] = at
  const isLate = x > width / 2
  const side = isLate
    ? { insetInlineEnd: `${width - x + 12}px` }
    : { insetInlineStart: `${x + 12}px` }
  // The picture is not mirrored in right-to-left, and neither is what lies on it.
  return (
    <div class="map-tips" dir="ltr" aria-hidden="true">
      <div class="map-tip" dir="auto" style={{ ...side, insetBlockStart: `${y - 14}px` }}>
        {text}
      </div>
    </div>
  )
}

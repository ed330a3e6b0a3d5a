import type { RefObject } from 'preact'
import { useRef } from 'preact/hooks'
import type { Point, View } from '../model/layout'
import { zoomedAt } from '../model/layout'

interface Handlers {
  frame: RefObject<HTMLElement | null>
  view: View
  positionOf: (key: string) => Point
  onPan: (view: View) => void
  onMove: (key: string, to: Point) => void
  onMoved: (key: string, to: Point) => void
  onWire: (from: string, to: Point) => void
  /** @param to null where it was given up. */
  onWired: (from: string, to: Point | null) => void
  onTap: (key: string | null) => void
}

type Drag =
  | { kind: 'pan'; start: Point; view: View; moved: boolean }
  | { kind: 'move'; key: string; start: Point; from: Point; to: Point; moved: boolean }
  | { kind: 'wire'; key: string; to: Point }

/** A hand trembles by so much without meaning to drag. */
const STILL = 4

/**
 * Pointers on the canvas: the ground pans, a node moves, its handle draws a way to another node, two fingers zoom.
 * Nothing is changed before the pointer is let go, so that one drag is one step of undo.
 */
export function useDrag(handlers: Handlers) {
  const drag = useRef<Drag | null>(null)
  const pointers = useRef(new Map<number, Point>())
  const { frame, view, positionOf, onPan, onMove, onMoved, onWire, onWired, onTap } = handlers

  const pointOf = (event: PointerEvent): Point => {
    const box = frame.current?.getBoundingClientRect()
    return { x: event.clientX - (box?.x ?? 0), y: event.clientY - (box?.y ?? 0) }
  }
  const toStage = ({ x, y }: Point): Point => ({
    x: (x - view.x) / view.zoom,
    y: (y - view.y) / view.zoom,
  })
  const cancel = () => {
    if (drag.current?.kind === 'wire') onWired(drag.current.key, null)
    drag.current = null
    pointers.current.clear()
  }
  return {
    onPointerDown: (event: PointerEvent) => {
      if (event.button !== 0) return
      const point = pointOf(event)
      pointers.current.set(event.pointerId, point)
      const target = event.target as Element
      if (target.closest('[data-exit]')) return
      frame.current?.setPointerCapture(event.pointerId)
      const key = target.closest<HTMLElement>('[data-node]')?.dataset.node
      if (key !== undefined && target.closest('[data-handle]'))
        drag.current = { kind: 'wire', key, to: toStage(point) }
      else if (key !== undefined) {
        const from = positionOf(key)
        drag.current = { kind: 'move', key, start: point, from, to: from, moved: false }
      } else drag.current = { kind: 'pan', start: point, view, moved: false }
    },
    onPointerMove: (event: PointerEvent) => {
      const point = pointOf(event)
      const before = pointers.current.get(event.pointerId)
      if (!before) return
      pointers.current.set(event.pointerId, point)
      const other = [...pointers.current].find(([id]) => id !== event.pointerId)?.[1]
      if (other) {
        const distance = (one: Point) => Math.hypot(one.x - other.x, one.y - other.y)
        drag.current = null
        onPan(zoomedAt(view, distance(point) / Math.max(distance(before), 1), other))
        return
      }
      const now = drag.current
      if (!now) return
      if (now.kind === 'wire') {
        now.to = toStage(point)
        onWire(now.key, now.to)
        return
      }
      const by = { x: point.x - now.start.x, y: point.y - now.start.y }
      if (!now.moved && Math.hypot(by.x, by.y) < STILL) return
      now.moved = true
      if (now.kind === 'pan')
        onPan({ zoom: now.view.zoom, x: now.view.x + by.x, y: now.view.y + by.y })
      else {
        now.to = { x: now.from.x + by.x / view.zoom, y: now.from.y + by.y / view.zoom }
        onMove(now.key, now.to)
      }
    },
    onPointerUp: (event: PointerEvent) => {
      pointers.current.delete(event.pointerId)
      const now = drag.current
      drag.current = null
      if (!now) return
      if (now.kind === 'wire') onWired(now.key, now.to)
      else if (now.kind === 'move' && now.moved) onMoved(now.key, now.to)
      else if (!now.moved) onTap(now.kind === 'move' ? now.key : null)
    },
    onPointerCancel: cancel,
  }
}

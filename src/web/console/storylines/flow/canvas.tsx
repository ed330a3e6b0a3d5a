import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import { Button, IconButton } from '../../parts'
import { connect, place } from '../model/edits'
import {
  BOX,
  boundsOf,
  fitted,
  layOut,
  type Point,
  positionsOf,
  type View,
  zoomedAt,
} from '../model/layout'
import { isSame } from '../model/problems'
import { CanvasNode } from './canvas-node'
import { CanvasWays } from './canvas-ways'
import { useEditing } from './context'
import { Minimap } from './minimap'
import { useDrag } from './use-drag'
import { useFlowWords } from './words'

/** The storyline as a picture: the same nodes and exits as in the outline, to be dragged, connected and looked over. */
export function Canvas() {
  const t = useFlowWords()
  const { flow, selection, select, funnel } = useEditing()
  const { graph } = flow.draft
  const frame = useRef<HTMLDivElement>(null)
  const [size, setSize] = useState({ width: 800, height: 560 })
  const [view, setView] = useState<View | null>(null)
  const [moving, setMoving] = useState<{ key: string; to: Point } | null>(null)
  const [wire, setWire] = useState<{ from: string; to: Point } | null>(null)
  const stored = useMemo(() => positionsOf(graph), [graph])
  const positions = useMemo(
    () => (moving ? new Map(stored).set(moving.key, moving.to) : stored),
    [stored, moving],
  )
  const bounds = boundsOf(stored)
  const shown = view ?? fitted(bounds, size.width, size.height)

  useLayoutEffect(() => {
    const element = frame.current
    if (!element) return undefined
    const measure = () => setSize({ width: element.clientWidth, height: element.clientHeight })
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    measure()
    return () => observer.disconnect()
  }, [])
  // A wheel zooms; the listener must not be passive, or the page would scroll as well.
  useEffect(() => {
    const element = frame.current
    if (!element) return undefined
    const onWheel = (event: WheelEvent) => {
      event.preventDefault()
      const { left: x, top: y } = element.getBoundingClientRect()
      const at = { x: event.clientX - x, y: event.clientY - y }
      setView(zoomedAt(shown, Math.exp(-event.deltaY / 500), at))
    }
    element.addEventListener('wheel', onWheel, { passive: false })
    return () => element.removeEventListener('wheel', onWheel)
  })

  const nodeAt = (point: Point): string | null =>
    [...positions].find(
      ([, one]) =>
        point.x >= one.x &&
        point.x <= one.x + BOX.width &&
        point.y >= one.y &&
        point.y <= one.y + BOX.height,
    )?.[0] ?? null
  const drag = useDrag({
    frame,
    view: shown,
    positionOf: (key) => positions.get(key) ?? { x: 0, y: 0 },
    onPan: setView,
    onMove: (key, to) => setMoving({ key, to }),
    onMoved: (key, to) => {
      setMoving(null)
      flow.editGraph(null, (one) => place(one, new Map(stored).set(key, to)))
    },
    onWire: (from, to) => setWire({ from, to }),
    onWired: (from, to) => {
      setWire(null)
      const target = to && nodeAt(to)
      if (!target) return
      const made = connect(graph, from, target)
      flow.editGraph(null, () => made.graph)
      select({ kind: 'exit', owner: from, index: made.index })
    },
    onTap: (key) => select(key === null ? null : { kind: 'node', key }),
  })
  const zoom = (factor: number) =>
    setView(zoomedAt(shown, factor, { x: size.width / 2, y: size.height / 2 }))
  const order = Object.keys(graph.nodes)
  const focusable =
    selection?.kind === 'node'
      ? selection.key
      : selection?.kind === 'exit' && selection.owner !== null
        ? selection.owner
        : graph.start in graph.nodes
          ? graph.start
          : order[0]
  // A pan changes none of them: five hundred boxes are not compared with themselves at every step of it.
  const boxes = useMemo(
    () =>
      order.map((key) => (
        <CanvasNode
          key={key}
          nodeKey={key}
          at={positions.get(key) ?? { x: 0, y: 0 }}
          isSelected={isSame(selection, { kind: 'node', key })}
          isFocusable={key === focusable}
          onMoveBy={(by) => {
            const from = stored.get(key) ?? { x: 0, y: 0 }
            const to = { x: from.x + by.x, y: from.y + by.y }
            flow.editGraph(`place.${key}`, (one) => place(one, new Map(stored).set(key, to)))
          }}
          positions={positions}
        />
      )),
    [graph, positions, selection, focusable, flow.findings, funnel],
  )
  const transform = `translate(${shown.x}px, ${shown.y}px) scale(${shown.zoom})`
  return (
    <div class="canvas-wrap">
      <div
        ref={frame}
        class="canvas"
        dir="ltr"
        role="application"
        aria-label={t('canvas')}
        data-zoom={shown.zoom >= 0.6 ? 'near' : 'far'}
        {...drag}
      >
        <CanvasWays
          graph={graph}
          positions={positions}
          view={shown}
          size={size}
          wire={wire}
          selection={selection}
          funnel={funnel}
          onSelect={select}
        />
        <div class="canvas-stage" style={{ transform }}>
          {boxes}
        </div>
      </div>
      <div class="canvas-everywhere">
        <Button
          small
          pressed={selection?.kind === 'everywhere'}
          onClick={() => select({ kind: 'everywhere' })}
        >
          {t('everywhere')}
        </Button>
      </div>
      <div class="canvas-tools row">
        <IconButton icon="zoomIn" label={t('zoomIn')} onClick={() => zoom(1.25)} />
        <IconButton icon="zoomOut" label={t('zoomOut')} onClick={() => zoom(0.8)} />
        <IconButton icon="fit" label={t('fit')} onClick={() => setView(null)} />
        <IconButton
          icon="flow"
          label={t('arrange')}
          onClick={() => {
            flow.editGraph(null, (one) => place(one, layOut(one)))
            setView(null)
          }}
        />
      </div>
      <Minimap
        positions={positions}
        view={shown}
        size={size}
        onCentre={(point) =>
          setView({
            zoom: shown.zoom,
            x: size.width / 2 - point.x * shown.zoom,
            y: size.height / 2 - point.y * shown.zoom,
          })
        }
      />
    </div>
  )
}

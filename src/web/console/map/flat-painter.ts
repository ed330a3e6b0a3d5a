import { EYE, project, type View } from './camera'
import { asCss, type Colours, mixed } from './colours'
import type { Painter } from './painter'
import { DIM, MATCH, NEAR, type Scene, SELECTED, sizeOf } from './scene'

/** Paints the same by the canvas of every browser; null where even that is not there. */
export function createFlatPainter(canvas: HTMLCanvasElement): Painter | null {
  const context = canvas.getContext('2d')
  if (!context) return null
  let scene: Scene | null = null
  return {
    load(next) {
      scene = next
    },
    draw(camera, view, states, colours) {
      if (!scene) return
      const ratio = canvas.width / view.width
      context.setTransform(ratio, 0, 0, ratio, 0, 0)
      context.clearRect(0, 0, view.width, view.height)
      const placed = project(scene.points, camera, view)
      drawEdges(context, placed, scene.edges, asCss(colours.line, 0.85))
      for (const at of backToFront(placed)) {
        const [x = 0, y = 0, z = 0] = placed.subarray(at * 3, at * 3 + 3)
        drawPoint(
          context,
          { x, y, z, view, colours },
          {
            kind: scene.kinds[at] ?? 0,
            weight: scene.weights[at] ?? 0,
            grain: scene.grain,
            state: states[at] ?? 0,
          },
        )
      }
    },
    free() {
      scene = null
    },
  }
}

function backToFront(placed: Float32Array): number[] {
  const order = Array.from({ length: placed.length / 3 }, (_, at) => at)
  return order.sort((one, other) => (placed[one * 3 + 2] ?? 0) - (placed[other * 3 + 2] ?? 0))
}

function drawEdges(
  context: CanvasRenderingContext2D,
  placed: Float32Array,
  edges: Uint16Array,
  colour: string,
): void {
  context.beginPath()
  for (let at = 0; at + 1 < edges.length; at += 2) {
    const [a, b] = [(edges[at] ?? 0) * 3, (edges[at + 1] ?? 0) * 3]
    context.moveTo(placed[a] ?? 0, placed[a + 1] ?? 0)
    context.lineTo(placed[b] ?? 0, placed[b + 1] ?? 0)
  }
  context.lineWidth = 1
  context.strokeStyle = colour
  context.stroke()
}

interface Place {
  x: number
  y: number
  z: number
  view: View
  colours: Colours
}

interface Looks {
  kind: number
  weight: number
  state: number
  grain: number
}

function drawPoint(
  context: CanvasRenderingContext2D,
  { x, y, z, view, colours }: Place,
  { kind, weight, state, grain }: Looks,
): void {
  const near = view.isFlat ? 1 : EYE / (EYE - z)
  const radius = (sizeOf(weight, state, grain) * near) / 2
  const haze = view.isFlat ? 0 : Math.min(0.55, Math.max(0, (1 - z) * 0.3))
  const fill = kind === 0 ? colours.memory : colours.knowledge
  outline(context, kind, x, y, radius)
  context.fillStyle = asCss(mixed(fill, colours.ground, state & DIM ? Math.max(haze, 0.72) : haze))
  context.fill()
  if ((state & (MATCH | SELECTED | NEAR)) === 0) return
  outline(context, kind, x, y, radius + 2)
  context.lineWidth = 2
  context.strokeStyle = asCss(
    state & SELECTED
      ? colours.text
      : state & MATCH
        ? colours.match
        : mixed(colours.text, colours.ground, 0.35),
  )
  context.stroke()
}

/** Memories are round, passages stand on a corner. */
function outline(
  context: CanvasRenderingContext2D,
  kind: number,
  x: number,
  y: number,
  radius: number,
): void {
  context.beginPath()
  if (kind === 0) {
    context.arc(x, y, radius, 0, 2 * Math.PI)
    return
  }
  const reach = radius * 1.28
  context.moveTo(x, y - reach)
  context.lineTo(x + reach, y)
  context.lineTo(x, y + reach)
  context.lineTo(x - reach, y)
  context.closePath()
}

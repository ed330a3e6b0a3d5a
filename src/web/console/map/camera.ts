/** Where the map is looked at from: angles in radians, the shift in pixels. */
export interface Camera {
  yaw: number
  pitch: number
  zoom: number
  x: number
  y: number
}

/** The window that the map is drawn in, in pixels; a flat one shows x and y alone. */
export interface View {
  width: number
  height: number
  isFlat: boolean
}

export const START: Camera = { yaw: -0.5, pitch: 0.35, zoom: 1, x: 0, y: 0 }
/** How far away the eye is, in the map's own measure (points lie at most 1 from the middle). */
export const EYE = 3.2
/** Of half the shorter side: leaves room for the points at the rim. */
const FILL = 0.82
const STEEPEST = Math.PI / 2
const ZOOM = { least: 0.5, most: 8 }
const TURN_PER_PIXEL = 0.008
const STEP = { turn: 0.12, shift: 40, zoom: 1.25 }

const within = (value: number, least: number, most: number) =>
  Math.min(most, Math.max(least, value))

/** Pixels of one unit of the map. */
export const scaleOf = ({ zoom }: Camera, { width, height }: View): number =>
  (Math.min(width, height) / 2) * FILL * zoom

/** The turn as a matrix, row by row: first about the upright axis, then about the level one. */
export function rotationOf({ yaw, pitch }: Camera, isFlat: boolean): number[] {
  if (isFlat) return [1, 0, 0, 0, 1, 0, 0, 0, 1]
  const [cy, sy, cp, sp] = [Math.cos(yaw), Math.sin(yaw), Math.cos(pitch), Math.sin(pitch)]
  return [cy, 0, sy, sp * sy, cp, -sp * cy, -cp * sy, sp, cp * cy]
}

/** Where each point is on the screen, with its nearness to the eye: x, y, z, x, y, z… */
export function project(points: Float32Array, camera: Camera, view: View): Float32Array {
  const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0, i = 0] = rotationOf(
    camera,
    view.isFlat,
  )
  const scale = scaleOf(camera, view)
  const [middleX, middleY] = [view.width / 2 + camera.x, view.height / 2 + camera.y]
  const out = new Float32Array(points.length)
  for (let at = 0; at + 2 < points.length; at += 3) {
    const [x, y, z] = [points[at] ?? 0, points[at + 1] ?? 0, points[at + 2] ?? 0]
    const depth = g * x + h * y + i * z
    const near = view.isFlat ? 1 : EYE / (EYE - depth)
    out[at] = middleX + (a * x + b * y + c * z) * scale * near
    out[at + 1] = middleY - (d * x + e * y + f * z) * scale * near
    out[at + 2] = view.isFlat ? 0 : depth
  }
  return out
}

/** The point nearest to a place on the screen, of those within `reach` pixels; of two on one place the one in front. */
export function pointAt(
  projected: Float32Array,
  x: number,
  y: number,
  reach: number,
): number | null {
  let best: number | null = null
  let least = reach
  for (let at = 0; at + 2 < projected.length; at += 3) {
    const distance = Math.hypot((projected[at] ?? 0) - x, (projected[at + 1] ?? 0) - y)
    const weighed = distance - (projected[at + 2] ?? 0)
    if (distance > reach || (best !== null && weighed >= least)) continue
    best = at / 3
    least = weighed
  }
  return best
}

/** What dragging by so many pixels does: the space is turned, the plane is moved. */
export function dragged(camera: Camera, dx: number, dy: number, isFlat: boolean): Camera {
  if (isFlat) return { ...camera, x: camera.x + dx, y: camera.y + dy }
  return {
    ...camera,
    yaw: camera.yaw + dx * TURN_PER_PIXEL,
    pitch: within(camera.pitch + dy * TURN_PER_PIXEL, -STEEPEST, STEEPEST),
  }
}

export const zoomed = (camera: Camera, factor: number): Camera => {
  const zoom = within(camera.zoom * factor, ZOOM.least, ZOOM.most)
  const by = zoom / camera.zoom
  return { ...camera, zoom, x: camera.x * by, y: camera.y * by }
}

export const closer = (camera: Camera): Camera => zoomed(camera, STEP.zoom)
export const farther = (camera: Camera): Camera => zoomed(camera, 1 / STEP.zoom)

const ARROWS: Record<string, readonly [number, number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
}

/** What a key does to the camera; null where it is none of its keys. */
export function moved(camera: Camera, key: string, isFlat: boolean): Camera | null {
  if (key === '+' || key === '=') return closer(camera)
  if (key === '-' || key === '_') return farther(camera)
  if (key === '0' || key === 'Home') return START
  const arrow = ARROWS[key]
  if (!arrow) return null
  // An arrow shows what lies that way: the plane goes the other way.
  const step = isFlat ? -STEP.shift : STEP.turn / TURN_PER_PIXEL
  return dragged(camera, arrow[0] * step, arrow[1] * step, isFlat)
}

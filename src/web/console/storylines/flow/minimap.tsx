import { BOX, boundsOf, type Point, type View } from '../model/layout'

interface Props {
  positions: ReadonlyMap<string, Point>
  view: View
  size: { width: number; height: number }
  onCentre: (point: Point) => void
}

/** Where the view is within the whole; a press goes there. The zoom buttons and the outline do the same by keyboard. */
export function Minimap({ positions, view, size, onCentre }: Props) {
  const { x, y, width, height } = boundsOf(positions)
  const margin = Math.max(width, height) * 0.05
  const box = `${x - margin} ${y - margin} ${width + 2 * margin} ${height + 2 * margin}`
  const go = (event: PointerEvent) => {
    if (event.buttons !== 1) return
    const svg = event.currentTarget as SVGSVGElement
    const matrix = svg.getScreenCTM()?.inverse()
    if (!matrix) return
    const { x: px, y: py } = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix)
    onCentre({ x: px, y: py })
  }
  return (
    <svg class="minimap" viewBox={box} aria-hidden="true" onPointerDown={go} onPointerMove={go}>
      {[...positions].map(([key, at]) => (
        <rect key={key} class="spot" x={at.x} y={at.y} width={BOX.width} height={BOX.height} />
      ))}
      <rect
        class="seen"
        x={-view.x / view.zoom}
        y={-view.y / view.zoom}
        width={size.width / view.zoom}
        height={size.height / view.zoom}
      />
    </svg>
  )
}

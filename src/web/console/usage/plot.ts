import uPlot from 'uplot'
import { type ChartPoint, namedPlaces, stackHeights } from './bars'

export interface PlotOptions {
  points: readonly ChartPoint[]
  series: number
  dir: 'ltr' | 'rtl'
  /** Of a height, beside the axis. */
  scale: (value: number) => string
  /** What stands under the pointer; null when it has left. */
  onPoint: (at: number | null) => void
}

export interface Plot {
  destroy(): void
}

const HEIGHT = 200
/** Room that the name of a bar takes. */
const NAME_PX = 84
/** What the names of heights take at least. */
const AXIS_PX = 56
/** Counts have no halves: steps of the axis are whole. */
const STEPS = Array.from({ length: 14 }, (_, power) => [1, 2, 5].map((n) => n * 10 ** power)).flat()

/**
 * Draws stacked bars into a box that the page has laid out. Colours come from the page's stylesheet, through the swatches
 * of the legend, and are read anew when the theme changes.
 */
export function drawBars(box: HTMLElement, swatches: HTMLElement, options: PlotOptions): Plot {
  const { points, series, dir, scale, onPoint } = options
  const last = points.length - 1
  const colours = readColours(box, swatches)
  const axis = {
    stroke: () => colours.text,
    font: `12px ${getComputedStyle(box).fontFamily}`,
    ticks: { show: false },
  }
  const plot = new uPlot(
    {
      width: box.clientWidth,
      height: HEIGHT,
      legend: { show: false },
      cursor: { y: false, points: { show: false }, drag: { x: false, y: false } },
      scales: {
        x: { time: false, range: [-0.5, last + 0.5], dir: dir === 'rtl' ? -1 : 1 },
        y: { range: (_plot, _min, max) => [0, Math.max(max * 1.05, 1)] },
      },
      axes: [
        {
          ...axis,
          size: 28,
          grid: { show: false },
          splits: (self) => namedPlaces(points.length, Math.floor(self.width / NAME_PX)),
          values: (_plot, places) => places.map((at) => points[at]?.label ?? ''),
        },
        {
          ...axis,
          side: dir === 'rtl' ? 1 : 3,
          size: (_plot, names) => roomFor(names ?? [], axis.font),
          incrs: STEPS,
          grid: { stroke: () => colours.line, width: 1 },
          values: (_plot, heights) => heights.map(scale),
        },
      ],
      series: [
        {},
        ...Array.from({ length: series }, (_, at) => ({
          fill: () => colours.fills[series - 1 - at] ?? colours.text,
          width: 0,
          points: { show: false },
          ...(bars ? { paths: bars } : {}),
        })),
      ],
      hooks: { setCursor: [(self) => onPoint(self.cursor.idx ?? null)] },
    },
    [points.map((_, at) => at), ...stackHeights(points, series)],
    box,
  )
  const repaint = () => {
    Object.assign(colours, readColours(box, swatches))
    plot.redraw(false)
  }
  const theme = new MutationObserver(repaint)
  theme.observe(document.documentElement, { attributeFilter: ['data-theme'] })
  const dark = matchMedia('(prefers-color-scheme: dark)')
  dark.addEventListener('change', repaint)
  const size = new ResizeObserver(() => {
    if (box.clientWidth > 0) plot.setSize({ width: box.clientWidth, height: HEIGHT })
  })
  size.observe(box)
  return {
    destroy() {
      theme.disconnect()
      dark.removeEventListener('change', repaint)
      size.disconnect()
      plot.destroy()
    },
  }
}

/** Thousands have a sign in one language and a word in another. */
function roomFor(names: readonly string[], font: string): number {
  const ruler = document.createElement('canvas').getContext('2d')
  if (ruler === null) return AXIS_PX
  ruler.font = font
  return Math.max(AXIS_PX, ...names.map((name) => ruler.measureText(name).width + 16))
}

const bars = uPlot.paths.bars?.({ size: [0.72, 56] })

function readColours(box: HTMLElement, swatches: HTMLElement) {
  const { color, borderBlockEndColor } = getComputedStyle(box)
  const fills = [...swatches.querySelectorAll('.usage-swatch')].map(
    (swatch) => getComputedStyle(swatch).backgroundColor,
  )
  return { text: color, line: borderBlockEndColor, fills }
}

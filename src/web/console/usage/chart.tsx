import { useEffect, useRef, useState } from 'preact/hooks'
import type { ApiProblem } from '../api/problem'
import { loadLate } from '../load-late'
import { Problem, Table } from '../parts'
import { asProblem } from '../use-load'
import { useFormat } from '../words'
import { type ChartPoint, type ChartSeries, totalOf } from './bars'
import { CHART_WORDS } from './chart-words'
import type { Plot } from './plot'

export type { ChartPoint, ChartSeries } from './bars'

interface Props {
  /** What the chart shows, in a line. */
  label: string
  points: readonly ChartPoint[]
  /** One for each value of a point, from the bottom to the top of a bar. */
  series: readonly ChartSeries[]
  /** False where the page has the same figures in a table of its own. */
  table?: boolean
}

/** Stacked bars over time. What it draws is said again by its table, and by its legend for the bar under the pointer. */
export function UsageChart({ label, points, series, table = true }: Props) {
  const format = useFormat()
  const words = CHART_WORDS[format.lang]
  const [at, setAt] = useState<number | null>(null)
  const [problem, setProblem] = useState<ApiProblem | null>(null)
  const box = useRef<HTMLDivElement>(null)
  const legend = useRef<HTMLUListElement>(null)
  const drawn = JSON.stringify(points)
  useEffect(() => {
    let plot: Plot | null = null
    let isGone = false
    setProblem(null)
    const draw = async () => {
      const { drawBars } = await loadLate(() => import('./plot'))
      if (isGone || !box.current || !legend.current) return
      plot = drawBars(box.current, legend.current, {
        points,
        series: series.length,
        dir: format.dir,
        scale: format.compact,
        onPoint: setAt,
      })
    }
    draw().catch((error: unknown) => {
      if (!isGone) setProblem(asProblem(error))
    })
    return () => {
      isGone = true
      plot?.destroy()
    }
  }, [drawn, series.length, format])
  const pointed = at === null ? undefined : points[at]
  return (
    <figure class="usage-chart" aria-label={label}>
      <ul class="usage-legend tabular" ref={legend}>
        {series.map((one, place) => (
          <li key={one.label}>
            <span class={`usage-swatch usage-s${place}`} aria-hidden="true" />
            {one.label}
            {pointed && <b aria-hidden="true">{format.number(pointed.values[place] ?? 0)}</b>}
          </li>
        ))}
        {pointed && (
          <li class="usage-pointed" aria-hidden="true">
            <b>{pointed.label}</b>
          </li>
        )}
      </ul>
      <div class="usage-plot" ref={box} aria-hidden="true" hidden={problem !== null} />
      <Problem of={problem} />
      {table && (
        <details class="usage-as-table">
          <summary>{words.table}</summary>
          <Table
            caption={label}
            rows={points}
            keyOf={(row) => row.key}
            columns={[
              { key: 'label', label, primary: true, cell: (row) => row.label },
              ...series.map((one, place) => ({
                key: one.label,
                label: one.label,
                numeric: true,
                cell: (row: ChartPoint) => format.number(row.values[place] ?? 0),
              })),
              ...(series.length > 1
                ? [
                    {
                      key: 'total',
                      label: words.total,
                      numeric: true,
                      cell: (row: ChartPoint) => format.number(totalOf(row)),
                    },
                  ]
                : []),
            ]}
          />
        </details>
      )}
    </figure>
  )
}

/** The same bars lying down, for things that have names: each is read beside its figure, so it needs no axis. */
export function NamedBars({ label, points, series }: Omit<Props, 'table'>) {
  const format = useFormat()
  const most = Math.max(1, ...points.map(totalOf))
  return (
    <figure class="usage-chart" aria-label={label}>
      <ul class="usage-legend">
        {series.map((one, place) => (
          <li key={one.label}>
            <span class={`usage-swatch usage-s${place}`} aria-hidden="true" />
            {one.label}
          </li>
        ))}
      </ul>
      <ul class="usage-names">
        {points.map((point) => (
          <li key={point.key}>
            <bdi>{point.label}</bdi>
            <span class="usage-bar" aria-hidden="true">
              {point.values.map((value, place) => (
                <span
                  key={series[place]?.label}
                  class={`usage-s${place}`}
                  style={{ inlineSize: `${(100 * value) / most}%` }}
                />
              ))}
            </span>
            <span class="tabular">{format.number(totalOf(point))}</span>
          </li>
        ))}
      </ul>
    </figure>
  )
}

import { Table } from '../parts'
import { useFormat } from '../words'
import { topOf } from './spans'
import type { Usage } from './types'
import { usePeople } from './words'

const WIDTH = 720
const HEIGHT = 180

/** Tokens of each hour or day as bars, and the same as a table. */
export function UsageBars({ points, isHourly }: { points: Usage['points']; isHourly: boolean }) {
  const t = usePeople()
  const format = useFormat()
  const top = topOf(points.map(({ tokens }) => tokens))
  const step = WIDTH / Math.max(1, points.length)
  // A day is one of UTC: the reader's own zone would name the day before it.
  const days = new Intl.DateTimeFormat(format.lang, { dateStyle: 'medium', timeZone: 'UTC' })
  const label = (at: string) => (isHourly ? format.time(at) : days.format(new Date(at)))
  const [first, last] = [points[0], points.at(-1)]
  return (
    <>
      <figure class="card usage-bars">
        <figcaption class="small muted row spread">
          <span>{t(isHourly ? 'tokensByHour' : 'tokensByDay')}</span>
          <span>{t('upTo', { count: format.compact(top) })}</span>
        </figcaption>
        <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
          {points.map(({ t: at, tokens }, index) => (
            <rect
              key={at}
              x={index * step + step * 0.15}
              y={HEIGHT - (tokens / top) * HEIGHT}
              width={step * 0.7}
              height={(tokens / top) * HEIGHT}
            >
              <title>{`${label(at)}: ${format.number(tokens)}`}</title>
            </rect>
          ))}
        </svg>
        <p class="small muted row spread">
          <span>{first && label(first.t)}</span>
          <span>{last && label(last.t)}</span>
        </p>
      </figure>
      <details class="card as-table">
        <summary>{t('asTable')}</summary>
        <Table
          caption={t(isHourly ? 'tokensByHour' : 'tokensByDay')}
          rows={points.toReversed()}
          keyOf={(point) => point.t}
          columns={[
            { key: 'time', label: t('time'), primary: true, cell: (point) => label(point.t) },
            {
              key: 'tokens',
              label: t('tokens'),
              numeric: true,
              cell: ({ tokens }) => format.number(tokens),
            },
            {
              key: 'requests',
              label: t('requests'),
              numeric: true,
              cell: ({ requests }) => format.number(requests),
            },
          ]}
        />
      </details>
    </>
  )
}

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
  const label = (at: string) => (isHourly ? format.time(at) : format.date(at))
  const [first, last] = [points[0], points.at(-1)]
  return (
    <>
      <figure class="card usage-bars">
        <figcaption class="small muted row between">
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
        <p class="small muted row between">
          <span>{first && label(first.t)}</span>
          <span>{last && label(last.t)}</span>
        </p>
      </figure>
      <details class="card">
        <summary>{t('asTable')}</summary>
        <div class="table-scroll">
          <table>
            <caption class="sr">{t(isHourly ? 'tokensByHour' : 'tokensByDay')}</caption>
            <thead>
              <tr>
                <th scope="col">{t('time')}</th>
                <th scope="col" class="numeric">
                  {t('tokens')}
                </th>
                <th scope="col" class="numeric">
                  {t('requests')}
                </th>
              </tr>
            </thead>
            <tbody>
              {points.toReversed().map(({ t: at, tokens, requests }) => (
                <tr key={at}>
                  <th scope="row">{label(at)}</th>
                  <td class="numeric">{format.number(tokens)}</td>
                  <td class="numeric">{format.number(requests)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </details>
    </>
  )
}

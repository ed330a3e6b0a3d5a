import { Loadable, Segmented } from '../parts'
import { to, useQuery } from '../router'
import { UsageChart } from '../usage/chart'
import { nameOfPeriod } from '../usage/periods'
import { useLoad } from '../use-load'
import { useFormat } from '../words'
import { spanOf } from './spans'
import type { Usage } from './types'
import { usePeople } from './words'

const SPANS = ['24h', '7d', '30d', '90d'] as const

/** What the user's questions cost, by the hour or by the day. */
export function UsagePanel({ uid }: { uid: string }) {
  const t = usePeople()
  const format = useFormat()
  const [query, setQuery] = useQuery()
  const span = SPANS.find((one) => one === query.get('span')) ?? '30d'
  const usage = useLoad<Usage>(
    (api, signal) => api.get(to`/v1/manage/users/${uid}/usage`, spanOf(span), signal),
    [uid, span],
  )
  const isHourly = span === '24h'
  // A day is one of UTC: the reader's own zone would name the day before it.
  const nameOfDay = nameOfPeriod('day', format.lang)
  const nameOfMoment = (at: string) => (isHourly ? format.time(at) : nameOfDay(Date.parse(at)))
  return (
    <div class="stack">
      <Segmented
        label={t('period')}
        value={span}
        options={SPANS.map((value) => ({ value, label: t(`span_${value}`) }))}
        onChange={(value) => setQuery({ span: value === '30d' ? null : value })}
      />
      <Loadable of={usage}>
        {({ points, total_tokens: total }) => (
          <>
            <p>
              {t('tokensInAll', { count: format.number(total) })}
              {' · '}
              {t('requests')} {format.number(sumOf(points))}
            </p>
            <section class="card">
              <UsageChart
                label={t(isHourly ? 'tokensByHour' : 'tokensByDay')}
                points={points.map(({ t: at, tokens }) => ({
                  key: at,
                  label: nameOfMoment(at),
                  values: [tokens],
                }))}
                series={[{ label: t('tokens') }]}
              />
            </section>
          </>
        )}
      </Loadable>
    </div>
  )
}

const sumOf = (points: Usage['points']) => points.reduce((sum, { requests }) => sum + requests, 0)

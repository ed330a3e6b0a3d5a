import type { ComponentChildren } from 'preact'
import { useMemo } from 'preact/hooks'
import { agentPath } from '../agents/paths'
import {
  Button,
  CallThisApi,
  Empty,
  Loadable,
  Page,
  Segmented,
  SelectField,
  Table,
  TextField,
} from '../parts'
import { saveFile } from '../parts/save-file'
import { Link, to, useQuery } from '../router'
import { useLoad } from '../use-load'
import { useFormat } from '../words'
import { NamedBars, UsageChart } from './chart'
import { usageCsv } from './csv'
import { GROUPS, isPeriod, nameOfPeriod, partsOf, periodPoints, SPANS, startOf } from './periods'
import type { UsageGroup, UsageReport, UsageRow } from './types'
import { type UsageKey, useUsageWords } from './words'

export { words } from './words'

/** Names that are shown as bars; the table below has the others. */
const MOST_NAMES = 12

const GROUP_WORDS = {
  total: 'total',
  day: 'byDay',
  hour: 'byHour',
  week: 'byWeek',
  agent: 'byAgent',
  user: 'byUser',
  space: 'bySpace',
  model: 'byModel',
  kind: 'byKind',
} as const satisfies Record<UsageGroup, UsageKey>

const SPAN_WORDS = {
  '24h': 'span24h',
  '7d': 'span7d',
  '30d': 'span30d',
  '90d': 'span90d',
  '400d': 'span400d',
} as const satisfies Record<(typeof SPANS)[number], UsageKey>

const KINDS: Readonly<Record<string, UsageKey>> = {
  chat: 'kindChat',
  embedding: 'kindEmbedding',
  rerank: 'kindRerank',
  title: 'kindTitle',
  memory: 'kindMemory',
  suggest: 'kindSuggest',
  guard: 'kindGuard',
  research: 'kindResearch',
  storyline: 'kindStoryline',
  stt: 'kindStt',
  tts: 'kindTts',
  review: 'kindReview',
  draft: 'kindDraft',
}

export function Screen() {
  const t = useUsageWords()
  const [query, setQuery] = useQuery()
  const group = GROUPS.find((one) => one === query.get('group')) ?? 'day'
  const since = query.get('since') || '30d'
  const span = SPANS.find((one) => one === since)
  const report = useLoad(
    (api, signal) => api.get<UsageReport>('/v1/manage/usage', { group, since }, signal),
    [group, since],
  )
  return (
    <Page
      title={t('title')}
      purpose={t('purpose')}
      actions={
        <>
          <CallThisApi
            method="GET"
            path={`/v1/manage/usage?group=${group}&since=${encodeURIComponent(since)}`}
          />
          <Button
            icon="download"
            disabled={report.data === null}
            onClick={() => {
              if (report.data === null) return
              saveFile(`usage-${group}-${since}.csv`, usageCsv(report.data), 'text/csv')
            }}
          >
            {t('csv')}
          </Button>
        </>
      }
    >
      <div class="row usage-filters">
        <SelectField
          label={t('group')}
          value={group}
          options={GROUPS.map((value) => ({ value, label: t(GROUP_WORDS[value]) }))}
          onChange={(value) => setQuery({ group: value })}
        />
        <Segmented
          label={t('period')}
          value={span ?? 'other'}
          options={[
            ...SPANS.map((value) => ({ value, label: t(SPAN_WORDS[value]) })),
            ...(span ? [] : [{ value: 'other' as const, label: t('sinceOwn') }]),
          ]}
          onChange={(value) => setQuery({ since: value === 'other' ? since : value })}
        />
        <TextField
          label={t('sinceDay')}
          type="date"
          value={span ? '' : since}
          onInput={(day) => setQuery({ since: day || null })}
        />
      </div>
      <Loadable of={report}>{(data) => <Report report={data} since={since} />}</Loadable>
    </Page>
  )
}

function Report({ report, since }: { report: UsageReport; since: string }) {
  const t = useUsageWords()
  const format = useFormat()
  const { group, total, rows } = report
  const points = useMemo(() => {
    const now = Date.now()
    if (isPeriod(group)) {
      const span = { start: startOf(since, now), now }
      return periodPoints(rows, group, span, nameOfPeriod(group, format.lang))
    }
    const named = rows.slice(0, MOST_NAMES)
    return named.map((row) => ({
      key: row.key,
      label: labelOf(t, group, row),
      values: partsOf(row),
    }))
  }, [rows, group, since, format, t])
  const series = [{ label: t('output') }, { label: t('input') }, { label: t('cached') }]
  const label = t('chart')
  return (
    <div class="stack">
      <dl class="usage-figures">
        <Figure label={t('totalTokens')} value={format.number(total.total_tokens)} />
        <Figure label={t('inputTokens')} value={format.number(total.input_tokens)}>
          {total.cached_tokens > 0 && t('ofThemCached', { n: total.cached_tokens })}
        </Figure>
        <Figure label={t('outputTokens')} value={format.number(total.output_tokens)} />
        <Figure label={t('requests')} value={format.number(total.requests)}>
          {total.estimated_tokens > 0 && t('estimated', { n: total.estimated_tokens })}
        </Figure>
      </dl>
      {rows.length === 0 ? (
        <Empty title={t('emptyTitle')} text={t('emptyText')} />
      ) : (
        <>
          <section class="card">
            {isPeriod(group) ? (
              <UsageChart label={label} points={points} series={series} table={false} />
            ) : (
              <NamedBars label={label} points={points} series={series} />
            )}
          </section>
          <UsageTable report={report} />
          {isPeriod(group) && <p class="muted small">{t('utc')}</p>}
        </>
      )}
    </div>
  )
}

interface FigureProps {
  label: string
  value: string
  children?: ComponentChildren
}

export function Figure({ label, value, children }: FigureProps) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>
        {value}
        {children && <div class="note">{children}</div>}
      </dd>
    </div>
  )
}

function UsageTable({ report: { group, rows } }: { report: UsageReport }) {
  const t = useUsageWords()
  const format = useFormat()
  const shown = isPeriod(group) ? [...rows].reverse() : rows
  const hasEstimates = rows.some((row) => row.estimated_tokens > 0)
  const number = (key: 'requests' | 'events' | `${string}_tokens`, label: UsageKey) => ({
    key,
    label: t(label),
    numeric: true,
    cell: (row: UsageRow) => format.number(row[key as 'requests']),
  })
  return (
    <Table
      caption={t('tableOf', { group: t(GROUP_WORDS[group]) })}
      rows={shown}
      keyOf={(row) => row.key}
      columns={[
        {
          key: 'label',
          label: t(GROUP_WORDS[group]),
          primary: true,
          cell: (row) => <RowName group={group} row={row} />,
        },
        number('requests', 'requests'),
        number('input_tokens', 'inputTokens'),
        number('cached_tokens', 'cached'),
        number('output_tokens', 'outputTokens'),
        number('total_tokens', 'totalTokens'),
        ...(hasEstimates ? [number('estimated_tokens', 'estimatedTokens')] : []),
        number('events', 'events'),
      ]}
    />
  )
}

/** Where a thing has a page of its own, its name leads there. */
function RowName({ group, row }: { group: UsageGroup; row: UsageRow }) {
  const t = useUsageWords()
  const format = useFormat()
  if (isPeriod(group)) return <>{nameOfPeriod(group, format.lang)(Date.parse(row.label))}</>
  const name = <bdi>{labelOf(t, group, row)}</bdi>
  if (row.key === 'none' || row.label === row.key) return name
  if (group === 'agent') return <Link to={agentPath(row.label)}>{name}</Link>
  if (group === 'user') return <Link to={to`/users/${row.key}`}>{name}</Link>
  if (group === 'space') return <Link to={to`/spaces/${row.key}`}>{name}</Link>
  return name
}

/** `none` stands for what belongs to nothing of the kind, such as the reading of documents. */
function labelOf(t: ReturnType<typeof useUsageWords>, group: UsageGroup, row: UsageRow): string {
  if (row.key === 'none') return t('nothing')
  const kind = group === 'kind' && Object.hasOwn(KINDS, row.key) ? KINDS[row.key] : undefined
  return kind ? t(kind) : row.label
}

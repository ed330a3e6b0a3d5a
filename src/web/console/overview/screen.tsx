import { useMemo } from 'preact/hooks'
import { Icon, LinkButton, Loadable, Meter, Notice, Page } from '../parts'
import { Link } from '../router'
import { UsageChart } from '../usage/chart'
import { everyPeriod, nameOfPeriod, partsOf } from '../usage/periods'
import { useLoad } from '../use-load'
import { useFormat, useShell } from '../words'
import { loadStanding } from './load'
import {
  type Standing,
  type Step,
  setupSteps,
  turnsOf,
  type Waiting,
  type Warning,
  warningsOf,
} from './standing'
import { useOverviewWords } from './words'

export { words } from './words'

const DAYS = 30
const DAY_MS = 86_400_000

export function Screen() {
  const t = useOverviewWords()
  const standing = useLoad(loadStanding, [])
  return (
    <Page title={t('title')} purpose={t('purpose')}>
      <Loadable of={standing}>{(data) => <Overview standing={data} />}</Loadable>
    </Page>
  )
}

function Overview({ standing }: { standing: Standing }) {
  const warnings = warningsOf(standing, Date.now())
  const steps = setupSteps(standing)
  const isSetUp = steps.every(({ done, optional }) => done || optional)
  return (
    <div class="stack">
      {warnings.length > 0 && <Warnings warnings={warnings} />}
      <Figures standing={standing} />
      {!isSetUp && <Setup steps={steps} isOpen />}
      <div class="overview-grid">
        <Tokens standing={standing} />
        <Quota standing={standing} />
      </div>
      {isSetUp && <Setup steps={steps} isOpen={false} />}
    </div>
  )
}

function Warnings({ warnings }: { warnings: readonly Warning[] }) {
  const t = useOverviewWords()
  return (
    <section aria-label={t('warnings')} class="overview-warnings">
      {warnings.map((warning) => {
        const { name, tone, values, detail } = warning
        return (
          <Notice key={name + JSON.stringify(values)} tone={tone}>
            <p class="row">
              <span>
                {t(name, values)}
                {detail && (
                  <span class="muted">
                    {' '}
                    <bdi>{detail}</bdi>
                  </span>
                )}
              </span>
              {warning.to && <Link to={warning.to}>{t('look')}</Link>}
            </p>
          </Notice>
        )
      })}
    </section>
  )
}

function Figures({ standing }: { standing: Standing }) {
  const t = useOverviewWords()
  const format = useFormat()
  const { days, kinds, agents, reviews, handoffs } = standing
  const tokens = days?.reduce((sum, row) => sum + row.total_tokens, 0) ?? null
  const turns = turnsOf(kinds)
  const open = agents?.filter(({ published }) => published).length ?? null
  const count = (n: number | null) => (n === null ? '–' : format.number(n))
  const waiting = (one: Waiting | null) =>
    one === null ? '–' : format.number(one.count) + (one.hasMore ? '+' : '')
  const rows = [
    ['/usage', t('tokens'), count(tokens), t('days', { n: DAYS })],
    ['/usage?group=kind', t('turns'), count(turns), t('days', { n: DAYS })],
    ['/agents', t('publishedAgents'), count(open), t('ofAgents', { n: agents?.length ?? 0 })],
    ['/reviews', t('openReviews'), waiting(reviews), reviews === null ? t('hidden') : null],
    ['/handoffs', t('openHandoffs'), waiting(handoffs), handoffs === null ? t('hidden') : null],
  ] as const
  return (
    <dl class="usage-figures">
      {rows.map(([path, label, value, note]) => (
        <div key={label} class="overview-figure">
          <dt>
            <Link to={path}>{label}</Link>
          </dt>
          <dd>
            {value}
            {note && <div class="note">{note}</div>}
          </dd>
        </div>
      ))}
    </dl>
  )
}

function Tokens({ standing: { days } }: { standing: Standing }) {
  const t = useOverviewWords()
  const format = useFormat()
  const points = useMemo(() => {
    const now = Date.now()
    const nameOf = nameOfPeriod('day', format.lang)
    return everyPeriod(days ?? [], 'day', now - (DAYS - 1) * DAY_MS, now).map(({ at, row }) => ({
      key: String(at),
      label: nameOf(at),
      values: row === null ? [0, 0, 0] : partsOf(row),
    }))
  }, [days, format])
  return (
    <section class="card stack">
      <h2>{t('tokensByDay')}</h2>
      <UsageChart
        label={t('tokensByDay')}
        points={points}
        series={[{ label: t('output') }, { label: t('input') }, { label: t('cached') }]}
      />
    </section>
  )
}

function Quota({ standing: { quota } }: { standing: Standing }) {
  const t = useOverviewWords()
  const format = useFormat()
  if (quota === null) return null
  const { used, limit, remaining, percent, state, resets_at } = quota
  const tone = state === 'ok' ? 'ok' : state === 'warning' ? 'warn' : 'bad'
  return (
    <section class="card stack overview-quota">
      <h2>{t('quota')}</h2>
      {limit === null ? (
        <p>{t('noLimit', { n: used })}</p>
      ) : (
        <>
          <p class="overview-percent">{format.percent(percent / 100)}</p>
          <Meter value={used} max={limit} label={t('quota')} tone={tone} />
          <p>{t('usedOf', { used: format.number(used), limit: format.number(limit) })}</p>
          <p class="muted small">
            {t('remaining', { n: remaining ?? 0 })} {t('resets', { date: format.date(resets_at) })}
          </p>
        </>
      )}
    </section>
  )
}

const STEP_WORDS = {
  agent: ['stepAgent', 'stepAgentText'],
  knowledge: ['stepKnowledge', 'stepKnowledgeText'],
  try: ['stepTry', 'stepTryText'],
  publish: ['stepPublish', 'stepPublishText'],
  look: ['stepLook', 'stepLookText'],
  mail: ['stepMail', 'stepMailText'],
  domain: ['stepDomain', 'stepDomainText'],
} as const

function Setup({ steps, isOpen }: { steps: readonly Step[]; isOpen: boolean }) {
  const t = useOverviewWords()
  const shell = useShell()
  const done = steps.filter((step) => step.done).length
  const next = steps.find((step) => !step.done && !step.optional)
  return (
    <details class="card overview-setup" open={isOpen}>
      <summary>
        <h2>{t('setup')}</h2>
        <span class="muted small">{t('stepsDone', { done, n: steps.length })}</span>
      </summary>
      <ol>
        {steps.map((step) => {
          const [title, text] = STEP_WORDS[step.name]
          return (
            <li key={step.name} class={step.done ? 'done' : undefined}>
              <span class="overview-mark">{step.done && <Icon name="check" />}</span>
              <div>
                <Link to={step.to}>{t(title)}</Link>{' '}
                {step.done ? (
                  <span class="sr">{t('stepDone')}</span>
                ) : (
                  step.optional && <span class="muted small">{shell('optional')}</span>
                )}
                {!step.done && <p class="muted small">{t(text)}</p>}
              </div>
              {step === next && (
                <LinkButton kind="primary" small to={step.to}>
                  {t('go')}
                </LinkButton>
              )}
            </li>
          )
        })}
      </ol>
    </details>
  )
}

import { CallThisApi, Empty, Page, Segmented, Table } from '../parts'
import { to, useQuery } from '../router'
import type { ScreenProps } from '../screens'
import { useLoad } from '../use-load'
import { useFormat } from '../words'
import { nodesOf } from './model/draft'
import { readFunnel } from './model/funnel'
import { FunnelBars } from './people/funnel-bars'
import { useSpan } from './people/use-span'
import { usePeopleWords } from './people/words'
import { StoryLoading } from './story-loading'
import { useTabs } from './tabs'
import type { Funnel, RevisionFull, Storyline } from './types'

export { words } from './people/words'

interface Loaded {
  storyline: Storyline
  funnel: Funnel
  start: string | null
}

export function Screen({ params }: ScreenProps) {
  const { id = '' } = params
  const loaded = useLoad<Loaded>(
    async (api) => {
      const path = to`/v1/storylines/${id}`
      const [storyline, funnel] = await Promise.all([
        api.get<Storyline>(path),
        api.get<Funnel>(`${path}/funnel`),
      ])
      const live = storyline.published_revision_id
      const graph =
        live === null
          ? storyline.graph
          : (await api.get<RevisionFull>(`${path}/revisions/${live}`)).graph
      const { start } = graph
      const known = typeof start === 'string' && Object.hasOwn(nodesOf(graph), start)
      return { storyline, funnel, start: known ? start : null }
    },
    [id],
  )
  return <StoryLoading of={loaded}>{(data) => <FunnelPage {...data} />}</StoryLoading>
}

function FunnelPage({ storyline, funnel, start }: Loaded) {
  const t = usePeopleWords()
  const format = useFormat()
  const span = useSpan()
  const tabs = useTabs(storyline.id, 'funnel')
  const [query, setQuery] = useQuery()
  const view = query.get('view') === 'table' ? 'table' : 'bars'
  const { enrolled, completion, active, steps } = readFunnel(funnel.nodes, start)
  const share = (value: number | null) => (value === null ? '–' : format.percent(value))
  const facts = [
    [t('enrolled'), format.number(enrolled)],
    [t('statusActive'), format.number(active)],
    [t('completion'), share(completion)],
  ] as const
  const numbers = ['entered', 'active', 'completed', 'exited', 'failed', 'stalled'] as const
  const labels = {
    entered: t('entered'),
    active: t('statusActive'),
    completed: t('statusCompleted'),
    exited: t('statusExited'),
    failed: t('statusFailed'),
    stalled: t('stalled'),
  }
  return (
    <Page
      title={storyline.name || storyline.key}
      purpose={t('funnelPurpose')}
      crumbs={[{ label: t('storylines'), to: to`/storylines?agent=${storyline.agent_name}` }]}
      tabs={tabs}
      actions={<CallThisApi method="GET" path={to`/v1/storylines/${storyline.id}/funnel`} />}
    >
      <dl class="usage-figures">
        {facts.map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {enrolled === 0 && active === 0 ? (
        <Empty title={t('nobody')} text={t('funnelEmpty')} />
      ) : (
        <>
          <Segmented
            label={t('view')}
            value={view}
            options={[
              { value: 'bars', label: t('bars') },
              { value: 'table', label: t('table') },
            ]}
            onChange={(next) => setQuery({ view: next === 'bars' ? null : next })}
          />
          {view === 'bars' ? (
            <FunnelBars steps={steps} enrolled={enrolled} />
          ) : (
            <Table
              caption={t('tabFunnel')}
              rows={steps}
              keyOf={(step) => step.key}
              columns={[
                {
                  key: 'node',
                  label: t('node'),
                  primary: true,
                  cell: (step) => (
                    <bdi>
                      {step.retired
                        ? t('retiredNode', { name: step.title ?? step.key })
                        : (step.title ?? step.key)}
                    </bdi>
                  ),
                },
                ...numbers.map((name) => ({
                  key: name,
                  label: labels[name],
                  numeric: true,
                  cell: (step: (typeof steps)[number]) => format.number(step[name]),
                })),
                { key: 'drop', label: t('drop'), numeric: true, cell: (step) => share(step.drop) },
                {
                  key: 'median',
                  label: t('median'),
                  numeric: true,
                  cell: (step) => span(step.median_seconds),
                },
                {
                  key: 'exits',
                  label: t('exits'),
                  cell: (step) => (
                    <span class="small">
                      {Object.entries(step.exits)
                        .map(([exit, n]) => `${exit}: ${format.number(n)}`)
                        .join(' · ')}
                    </span>
                  ),
                },
              ]}
            />
          )}
        </>
      )}
    </Page>
  )
}

import { PRIVACY_MODE } from '../api/problem'
import { Empty, LinkButton, Page, Problem, SearchField, Segmented, SelectField } from '../parts'
import { useQuery } from '../router'
import { useLoad } from '../use-load'
import { useSearch } from '../use-search'
import { Desk } from './desk'
import { useQueue } from './use-queue'
import { useReviewWords } from './words'

export { words } from './words'

const STATES = ['pending', 'approved', 'rejected', 'all'] as const

interface Named {
  name: string
}

/** Questions that were not answered well: to be answered better by a person, once for all who ask. */
export function Screen() {
  const t = useReviewWords()
  const [query, setQuery] = useQuery()
  const status = STATES.find((one) => one === query.get('status')) ?? 'pending'
  const [search, setSearch] = useSearch(query.get('q') ?? '', (q) => setQuery({ q, id: null }))
  const names = useLoad(async (api, signal) => {
    const [agents, bases] = await Promise.all([
      api.get<Named[]>('/v1/agents', {}, signal),
      api.get<Named[]>('/v1/knowledge-bases', {}, signal),
    ])
    return { agents: agents.map(({ name }) => name), bases: bases.map(({ name }) => name) }
  }, [])
  const queue = useQueue({
    status: status === 'all' ? null : status,
    agent: query.get('agent'),
    kb: query.get('kb'),
    q: query.get('q'),
  })
  if (queue.problem?.code === PRIVACY_MODE) {
    return (
      <Page title={t('title')} purpose={t('purpose')}>
        <Empty
          title={t('privacyTitle')}
          text={t('privacyText')}
          action={<LinkButton to="/settings/privacy">{t('privacySettings')}</LinkButton>}
        />
      </Page>
    )
  }
  const choices = (list: readonly string[] = []) => [
    { value: '', label: t('any') },
    ...list.map((name) => ({ value: name, label: name })),
  ]
  return (
    <Page title={t('title')} purpose={t('purpose')}>
      <div class="desk-filters">
        <Segmented
          label={t('state')}
          value={status}
          options={STATES.map((value) => ({ value, label: t(`state_${value}`) }))}
          onChange={(value) => setQuery({ status: value === 'pending' ? null : value, id: null })}
        />
        <SelectField
          label={t('agent')}
          value={query.get('agent') ?? ''}
          options={choices(names.data?.agents)}
          onChange={(agent) => setQuery({ agent, id: null })}
        />
        <SelectField
          label={t('base')}
          value={query.get('kb') ?? ''}
          options={choices(names.data?.bases)}
          onChange={(kb) => setQuery({ kb, id: null })}
        />
        <SearchField label={t('find')} value={search} onInput={setSearch} />
      </div>
      <Problem of={queue.problem} retry={queue.reload} />
      <Problem of={queue.problem ? null : names.problem} retry={names.reload} />
      <Desk queue={queue} bases={names.data?.bases ?? []} isFiltered={query.size > 0} />
    </Page>
  )
}

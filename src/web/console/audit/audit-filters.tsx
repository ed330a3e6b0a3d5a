import { SearchField, SelectField, SwitchField, TextField } from '../parts'
import type { SetQuery } from '../router'
import { useSearch } from '../use-search'
import { useShell } from '../words'
import { ACTIONS, ENTITIES, wordOf } from './vocabulary'
import { useAuditWords } from './words'

interface Props {
  query: URLSearchParams
  setQuery: SetQuery
}

export function AuditFilters({ query, setQuery }: Props) {
  const t = useAuditWords()
  const shell = useShell()
  const all = { value: '', label: shell('all') }
  return (
    <search class="audit-filters" aria-label={t('filters')}>
      <NameFilter value={query.get('q') ?? ''} onChange={(q) => setQuery({ q })} />
      <SelectField
        label={t('action')}
        value={query.get('action') ?? ''}
        options={[
          all,
          ...Object.keys(ACTIONS).map((value) => ({ value, label: wordOf(ACTIONS, t, value) })),
        ]}
        onChange={(action) => setQuery({ action })}
      />
      <SelectField
        label={t('entity')}
        value={query.get('entity') ?? ''}
        options={[
          all,
          ...Object.keys(ENTITIES).map((value) => ({ value, label: wordOf(ENTITIES, t, value) })),
        ]}
        onChange={(entity) => setQuery({ entity })}
      />
      <TextField
        label={t('from')}
        type="date"
        value={query.get('date_from') ?? ''}
        onInput={(day) => setQuery({ date_from: day })}
      />
      <TextField
        label={t('until')}
        type="date"
        value={query.get('date_to') ?? ''}
        onInput={(day) => setQuery({ date_to: day })}
      />
      <SwitchField
        label={t('changesOnly')}
        checked={query.get('changes_only') === 'true'}
        onChange={(only) => setQuery({ changes_only: only ? 'true' : null })}
      />
    </search>
  )
}

function NameFilter({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  const t = useAuditWords()
  const [typed, setTyped] = useSearch(value, onChange)
  return <SearchField label={t('search')} value={typed} onInput={setTyped} />
}

import { queryText, useApi } from '../api/call'
import { Button, CallThisApi, Empty, Loading, Page, Problem } from '../parts'
import { saveFile } from '../parts/save-file'
import { useQuery } from '../router'
import { useAct, useList } from '../use-load'
import { useShell } from '../words'
import { AuditFilters } from './audit-filters'
import { Entry } from './entry'
import { isFiltered, NO_FILTERS, readFilters } from './filters'
import type { AuditEntry } from './types'
import { Verify } from './verify'
import { useAuditWords } from './words'

export { words } from './words'

const PATH = '/v1/tenant/audit'

export function Screen() {
  const t = useAuditWords()
  const shell = useShell()
  const api = useApi()
  const [query, setQuery] = useQuery()
  const filters = readFilters(query)
  const list = useList<AuditEntry>(PATH, filters)
  const { busy, problem, act } = useAct()
  const download = () =>
    act(async () => {
      const answer = await api.raw('GET', `${PATH}.csv`, { query: filters })
      const day = new Date().toISOString().slice(0, 10)
      saveFile(`audit-${day}.csv`, await answer.blob(), 'text/csv')
    })
  const { items, hasMore, loading, more, reload } = list
  return (
    <Page
      title={t('title')}
      purpose={t('purpose')}
      actions={
        <>
          <CallThisApi method="GET" path={PATH + queryText(filters)} />
          <Button icon="download" busy={busy} onClick={() => void download()}>
            {t('csv')}
          </Button>
        </>
      }
    >
      <div class="stack">
        <Problem of={problem} />
        <Verify />
        <AuditFilters query={query} setQuery={setQuery} />
        <Problem of={list.problem} retry={reload} />
        {items === null ? (
          list.problem === null && <Loading />
        ) : items.length === 0 ? (
          list.problem === null && (
            <Empty
              title={t(isFiltered(filters) ? 'noMatchTitle' : 'emptyTitle')}
              text={t(isFiltered(filters) ? 'noMatchText' : 'emptyText')}
              action={
                isFiltered(filters) && (
                  <Button onClick={() => setQuery(NO_FILTERS)}>{t('clearFilters')}</Button>
                )
              }
            />
          )
        ) : (
          <ol class="audit-list" aria-label={t('title')}>
            {items.map((entry) => (
              <Entry key={entry.id} entry={entry} />
            ))}
          </ol>
        )}
        {hasMore && (
          <div>
            <Button busy={loading} onClick={more}>
              {shell('more')}
            </Button>
          </div>
        )}
      </div>
    </Page>
  )
}

import { useState } from 'preact/hooks'
import { Button, CallThisApi, ListView, Page, SearchField, Time } from '../parts'
import { useQuery } from '../router'
import { useList } from '../use-load'
import { useFormat, useShell } from '../words'
import { screens } from './addresses'
import type { Base } from './base'
import { BaseState } from './base-state'
import { NewBase } from './new-base'
import { useFresh } from './use-fresh'
import { useKnowledgeWords } from './words'

export { words } from './words'

/** The tenant's knowledge bases. */
export function Screen() {
  const t = useKnowledgeWords()
  const shell = useShell()
  const format = useFormat()
  const [query, setQuery] = useQuery()
  const list = useList<Base>('/v1/knowledge-bases')
  const [isNew, setNew] = useState(false)
  const letters = query.get('q') ?? ''
  const all = list.items ?? []
  useFresh(
    all.some(({ status }) => status === 'processing'),
    async (api, signal) => list.set(await api.get<Base[]>('/v1/knowledge-bases', {}, signal)),
  )
  const wanted = letters.trim().toLowerCase()
  const items = list.items && all.filter(({ name }) => name.toLowerCase().includes(wanted))
  const add = (
    <Button kind="primary" icon="plus" onClick={() => setNew(true)}>
      {t('newBase')}
    </Button>
  )
  return (
    <Page
      title={t('knowledge')}
      purpose={t('purpose')}
      actions={
        <>
          <CallThisApi method="GET" path="/v1/knowledge-bases" />
          {add}
        </>
      }
    >
      {all.length > 0 && (
        <SearchField
          label={t('searchBases')}
          value={letters}
          onInput={(text) => setQuery({ q: text })}
        />
      )}
      <ListView
        list={{ ...list, items }}
        caption={t('knowledge')}
        keyOf={({ id }) => id}
        to={({ name }) => screens.documents(name)}
        columns={[
          { key: 'name', label: shell('name'), primary: true, cell: ({ name }) => name },
          {
            key: 'state',
            label: shell('status'),
            cell: (base) => <BaseState of={base} />,
          },
          {
            key: 'documents',
            label: t('documents'),
            numeric: true,
            cell: (base) => format.number(base.document_count),
          },
          {
            key: 'passages',
            label: t('passages'),
            numeric: true,
            cell: (base) => format.number(base.chunk_count),
          },
          {
            key: 'updated',
            label: t('changed'),
            cell: (base) => <Time at={base.updated_at} />,
          },
        ]}
        empty={
          wanted === ''
            ? { title: t('noBases'), text: t('noBasesText'), action: add }
            : { title: t('nothingFound'), text: t('noBaseFound') }
        }
      />
      {isNew && <NewBase onClose={() => setNew(false)} />}
    </Page>
  )
}

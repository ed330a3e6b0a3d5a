import { useCallback, useRef, useState } from 'preact/hooks'
import { Button, Loadable, Notice, SearchField, SelectField } from '../parts'
import { Link, useQuery } from '../router'
import type { ScreenProps } from '../screens'
import { useList, useLoad } from '../use-load'
import { AddDocuments } from './add-documents'
import { baseApi, documentApi, screens } from './addresses'
import { type Base, type Document, isUnsettled, merge } from './base'
import { BaseFrame } from './base-frame'
import { BaseState } from './base-state'
import { DocumentTable } from './document-table'
import { findHolders } from './holders'
import { rememberedJob, rememberJob } from './site-job'
import { SiteProgress } from './site-progress'
import { useFresh } from './use-fresh'
import { useKnowledgeWords } from './words'

export { words } from './words'

const STATES = ['queued', 'parsing', 'embedding', 'ready', 'failed'] as const
const ALONE = 5

/** The documents of a base: how far each is, and the ways to add some. */
export function Screen({ params }: ScreenProps) {
  const name = params.name ?? ''
  const t = useKnowledgeWords()
  const [query, setQuery] = useQuery()
  const [isAdding, setAdding] = useState(query.has('add'))
  const filter = { q: query.get('q')?.slice(0, 200) ?? '', status: query.get('status') ?? '' }
  const base = useLoad((api, signal) => api.get<Base>(baseApi(name), {}, signal), [name])
  const path = `${baseApi(name)}/documents`
  const list = useList<Document>(path, filter)
  const [job, setJob] = useState(() => rememberedJob(name))
  const items = list.items ?? []
  const latest = useRef(items)
  latest.current = items
  const isWorking = base.data?.status === 'processing' || items.some(isUnsettled)
  useFresh(isWorking, async (api, signal) => {
    const limit = Math.min(200, Math.max(50, items.length))
    const [now, { items: first }] = await Promise.all([
      api.get<Base>(baseApi(name), {}, signal),
      api.get<{ items: Document[] }>(path, { limit, ...withoutState(filter) }, signal),
    ])
    const seen = new Set(first.map(({ id }) => id))
    const others = items.filter((one) => isUnsettled(one) && !seen.has(one.id)).slice(0, ALONE)
    const alone = await Promise.all(
      others.map(({ id }) => api.get<Document>(documentApi(name, id), {}, signal)),
    )
    base.set(now)
    // More of them may have been loaded meanwhile.
    list.set(merge(latest.current, [...first, ...alone]))
  })
  const onAdded = useCallback(() => {
    list.reload()
    base.reload()
  }, [list.reload, base.reload])
  const onJob = (id: string | null) => {
    rememberJob(name, id)
    setJob(id)
  }
  const isFiltered = filter.q !== '' || filter.status !== ''
  const isEmpty = base.data?.document_count === 0
  const isOpen = isAdding || isEmpty
  return (
    <BaseFrame
      name={name}
      tab="documents"
      of={base}
      call={{ method: 'GET', path }}
      actions={
        !isEmpty && (
          <Button
            kind={isOpen ? 'plain' : 'primary'}
            icon={isOpen ? 'close' : 'plus'}
            expanded={isOpen}
            onClick={() => setAdding(!isAdding)}
          >
            {t(isOpen ? 'closeAdd' : 'addDocuments')}
          </Button>
        )
      }
    >
      <Loadable of={base}>
        {(shown) => (
          <div class="stack">
            <Summary of={shown} />
            {shown.document_count > 0 && <Unused base={name} />}
            <AddDocuments
              hidden={!isOpen}
              base={name}
              onAdded={() => {
                setAdding(true)
                onAdded()
              }}
              onJob={onJob}
            />
            {job && (
              <SiteProgress
                key={job}
                base={name}
                job={job}
                onPages={onAdded}
                onClose={() => onJob(null)}
              />
            )}
            {(isFiltered || !isEmpty) && (
              <div class="document-filters">
                <SearchField
                  label={t('searchDocuments')}
                  value={filter.q}
                  onInput={(q) => setQuery({ q })}
                />
                <SelectField
                  label={t('state')}
                  value={filter.status}
                  options={[
                    { value: '', label: t('anyState') },
                    ...STATES.map((value) => ({ value, label: t(value) })),
                  ]}
                  onChange={(status) => setQuery({ status })}
                />
              </div>
            )}
            <DocumentTable base={name} list={list} isFiltered={isFiltered} onChanged={onAdded} />
          </div>
        )}
      </Loadable>
    </BaseFrame>
  )
}

/** A base that nobody answers from is of no use yet: where that is changed. */
function Unused({ base }: { base: string }) {
  const t = useKnowledgeWords()
  const { data } = useLoad((api, signal) => findHolders(api, base, signal), [base])
  if (data === null || data.agents.length + data.skills.length > 0) return null
  return (
    <Notice tone="info">
      {t('noAgentHasIt')} <Link to={screens.settings(base)}>{t('chooseAgents')}</Link>
    </Notice>
  )
}

const withoutState = ({ q }: { q: string }) => ({ q })

function Summary({ of: base }: { of: Base }) {
  const t = useKnowledgeWords()
  return (
    <p class="row">
      <BaseState of={base} />
      <span>
        {t('documentCount', { n: base.document_count })}
        {' · '}
        {t('passageCount', { n: base.chunk_count })}
      </span>
    </p>
  )
}

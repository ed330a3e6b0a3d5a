import { useRef, useState } from 'preact/hooks'
import {
  Button,
  CallThisApi,
  Empty,
  Notice,
  Page,
  Problem,
  SearchField,
  Segmented,
  SelectField,
} from '../parts'
import { to, useQuery } from '../router'
import type { ScreenProps } from '../screens'
import { useLoad } from '../use-load'
import { useSearch } from '../use-search'
import { nameOf } from '../users/names'
import { useSpaceName } from '../users/space-name'
import type { Detail } from '../users/types'
import { useFormat } from '../words'
import { ItemPanel } from './item-panel'
import { Legend } from './legend'
import { MapTable } from './map-table'
import { Stage } from './stage'
import { useGraph } from './use-graph'
import { useMapWords } from './words'

export { words } from './words'

const VIEWS = ['3d', '2d', 'table'] as const
const SOURCES = ['all', 'memory', 'knowledge'] as const
const LIMITS = ['200', '500', '1000', '1500', '2000'] as const

/** What is known of a user, as a map: what means similar things lies close together. */
export function Screen({ params }: ScreenProps) {
  const t = useMapWords()
  const spaceName = useSpaceName()
  const format = useFormat()
  const uid = params.uid ?? ''
  const path = to`/v1/manage/users/${uid}`
  const [query, setQuery] = useQuery()
  const q = query.get('q') ?? ''
  const source = SOURCES.find((one) => one === query.get('source')) ?? 'all'
  const limit = LIMITS.find((one) => one === query.get('limit')) ?? '500'
  const [isUndrawable, setUndrawable] = useState(false)
  const wanted = VIEWS.find((one) => one === query.get('view')) ?? '3d'
  const view = isUndrawable ? 'table' : wanted
  const [search, setSearch] = useSearch(q, (text) => setQuery({ q: text }))
  const user = useLoad<Detail>((api, signal) => api.get(path, {}, signal), [path])
  const filter = { source, space_id: query.get('space'), limit, q }
  const { graph, problem, progress, reload, refresh } = useGraph(`${path}/knowledge-graph`, filter)
  const [selected, setSelected] = useState<string | null>(null)
  const [near, setNear] = useState<readonly string[]>([])
  // Where the reader was before the first item was opened, and is again once the last is closed.
  const from = useRef<Element | null>(null)
  const select = (id: string | null) => {
    if (selected === null) from.current = document.activeElement
    else if (id === null && from.current instanceof HTMLElement) from.current.focus()
    setSelected(id)
    setNear([])
  }
  const isPrivate = graph?.nodes.some(({ label }) => label === null) ?? false
  const name = user.data ? nameOf(user.data) : t('user')
  const spaces = user.data?.spaces ?? []
  return (
    <Page
      of={user}
      title={t('title')}
      purpose={t('purpose')}
      crumbs={[
        { label: t('users'), to: '/users' },
        { label: name, to: to`/users/${uid}` },
      ]}
      actions={
        <>
          <CallThisApi
            method="GET"
            path={`${path}/knowledge-graph?${new URLSearchParams({ source, limit, ...(q === '' ? {} : { q }) })}`}
          />
          <Button icon="retry" busy={progress !== null} onClick={refresh}>
            {t('again')}
          </Button>
        </>
      }
    >
      <div class="desk-filters">
        <Segmented
          label={t('view')}
          value={view}
          options={VIEWS.map((value) => ({ value, label: t(`view_${value}`) }))}
          onChange={(value) => setQuery({ view: value === '3d' ? null : value })}
        />
        <SelectField
          label={t('source')}
          value={source}
          options={SOURCES.map((value) => ({ value, label: t(`source_${value}`) }))}
          onChange={(value) => setQuery({ source: value === 'all' ? null : value })}
        />
        {spaces.length > 1 && (
          <SelectField
            label={t('space')}
            value={query.get('space') ?? ''}
            options={[
              { value: '', label: t('allSpaces') },
              ...spaces.map((space) => ({ value: space.id, label: spaceName(space) })),
            ]}
            onChange={(space) => setQuery({ space })}
          />
        )}
        <SelectField
          label={t('most')}
          value={limit}
          options={LIMITS.map((value) => ({ value, label: format.number(Number(value)) }))}
          onChange={(value) => setQuery({ limit: value === '500' ? null : value })}
        />
        {!isPrivate && <SearchField label={t('search')} value={search} onInput={setSearch} />}
      </div>
      {isPrivate && <Notice tone="info">{t('private')}</Notice>}
      {isUndrawable && wanted !== 'table' && <Notice tone="info">{t('undrawable')}</Notice>}
      <Problem of={problem ?? user.problem} retry={reload} />
      <p class="map-status small muted" role="status">
        {progress && t(`stage_${progress.stage}`, { done: progress.done, total: progress.total })}
      </p>
      {graph && graph.nodes.length === 0 && <Empty title={t('emptyTitle')} text={t('emptyText')} />}
      {graph && graph.nodes.length > 0 && (
        <div class={selected === null ? 'map-desk' : 'map-desk has-item'}>
          <div class="stack tight">
            {view === 'table' ? (
              <MapTable graph={graph} isSearch={q !== ''} selected={selected} onSelect={select} />
            ) : (
              <Stage
                graph={graph}
                isFlat={view === '2d'}
                isSearch={q !== ''}
                selected={selected}
                near={near}
                onSelect={select}
                onUndrawable={() => setUndrawable(true)}
              />
            )}
            <Legend
              graph={graph}
              isSearch={q !== ''}
              isPicture={view !== 'table'}
              isFlat={view === '2d'}
            />
          </div>
          {selected !== null && (
            <ItemPanel
              key={selected}
              path={`${path}/knowledge-graph/items`}
              id={selected}
              graph={graph}
              spaces={spaces}
              onNear={setNear}
              onSelect={select}
            />
          )}
        </div>
      )}
    </Page>
  )
}

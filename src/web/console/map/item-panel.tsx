import { useEffect, useRef } from 'preact/hooks'
import { IconButton, KeyValues, Loadable, Time } from '../parts'
import { Link, to } from '../router'
import { useLoad } from '../use-load'
import { useSpaceName } from '../users/space-name'
import type { Space } from '../users/types'
import { useFormat, useShell } from '../words'
import { Mark } from './legend'
import { kindOf } from './map-table'
import type { Graph, Item } from './types'
import { useMapWords } from './words'

interface ItemPanelProps {
  path: string
  id: string
  graph: Graph
  spaces: readonly Space[]
  onNear: (ids: readonly string[]) => void
  onSelect: (id: string | null) => void
}

/** One item beside the map: its whole text, where it is from, and what is nearest to it. */
export function ItemPanel({ path, id, graph, spaces, onNear, onSelect }: ItemPanelProps) {
  const t = useMapWords()
  const shell = useShell()
  const heading = useRef<HTMLHeadingElement>(null)
  const item = useLoad<Item>((api, signal) => api.get(path + to`/${id}`, {}, signal), [path, id])
  useEffect(() => heading.current?.focus({ preventScroll: true }), [])
  const found = item.data
  useEffect(() => onNear(found?.neighbors.map((one) => one.id) ?? []), [found])
  return (
    <aside
      class="card stack map-item"
      aria-label={t('item')}
      onKeyDown={(event) => {
        if (event.key === 'Escape') onSelect(null)
      }}
    >
      <div class="row spread">
        <h2 tabIndex={-1} ref={heading}>
          {t(id.includes('.') ? 'passage' : 'memory')}
        </h2>
        <IconButton icon="close" label={shell('close')} onClick={() => onSelect(null)} />
      </div>
      <Loadable of={item}>
        {(data) => (
          <>
            <p class="spoken" dir="auto">
              {data.text ?? t('private')}
            </p>
            <Meta item={data} spaces={spaces} />
            <Neighbours item={data} graph={graph} onSelect={onSelect} />
          </>
        )}
      </Loadable>
    </aside>
  )
}

interface MetaProps {
  item: Item
  spaces: readonly Space[]
}

function Meta({ item: { source, meta }, spaces }: MetaProps) {
  const t = useMapWords()
  const spaceName = useSpaceName()
  const format = useFormat()
  const text = (name: string) => {
    const value = meta[name]
    return value === null || value === undefined || value === '' ? null : String(value)
  }
  const space = spaces.find(({ id }) => id === meta.space_id)
  const when = (name: string) => text(name)
  const number = (name: string) => {
    const value = meta[name]
    return typeof value === 'number' ? format.number(value) : null
  }
  const rows = [
    [t('kind'), source === 'memory' ? kindOf(t, text('kind') ?? '') : null],
    [t('topic'), text('topic')],
    [t('importance'), number('importance')],
    [t('agent'), text('agent_name')],
    [t('document'), text('document_name')],
    [t('heading'), text('heading')],
    [t('page'), number('page')],
  ] as const
  const shown = rows.flatMap(([label, value]) =>
    value === null ? [] : [[label, <bdi key={label}>{value}</bdi>] as const],
  )
  const created = when('created_at')
  return (
    <KeyValues
      rows={[
        ...shown,
        ...(space
          ? [
              [
                t('space'),
                <Link key="space" to={to`/spaces/${space.id}`}>
                  <bdi>{spaceName(space)}</bdi>
                </Link>,
              ] as const,
            ]
          : []),
        ...(created ? [[t('since'), <Time key="since" at={created} />] as const] : []),
      ]}
    />
  )
}

interface NeighboursProps {
  item: Item
  graph: Graph
  onSelect: (id: string) => void
}

function Neighbours({ item, graph, onSelect }: NeighboursProps) {
  const t = useMapWords()
  const format = useFormat()
  if (item.neighbors.length === 0) return <p class="small muted">{t('noNeighbours')}</p>
  return (
    <section class="stack tight">
      <h3>{t('neighbours')}</h3>
      <ul class="bare-list">
        {item.neighbors.map(({ id, score }) => {
          const node = graph.nodes.find((one) => one.id === id)
          const word = t(id.includes('.') ? 'passage' : 'memory')
          return (
            <li key={id} class="map-near">
              <Mark kind={id.includes('.') ? 'knowledge' : 'memory'} />
              <button type="button" class="link-button" dir="auto" onClick={() => onSelect(id)}>
                {node?.label ?? word}
              </button>
              <span class="small muted" title={t('similarity')}>
                {format.percent(score)}
              </span>
            </li>
          )
        })}
      </ul>
    </section>
  )
}

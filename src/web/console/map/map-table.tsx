import { useMemo, useState } from 'preact/hooks'
import { Badge, Button, Table } from '../parts'
import { useFormat, useShell } from '../words'
import { Mark } from './legend'
import { orderOf } from './scene'
import type { Graph, Node } from './types'
import { useMapWords } from './words'

const STEP = 50

interface MapTableProps {
  graph: Graph
  isSearch: boolean
  selected: string | null
  onSelect: (id: string) => void
}

/** The same items as rows: what was found first, then what matters most. Items of one group lie together on the map. */
export function MapTable({ graph, isSearch, selected, onSelect }: MapTableProps) {
  const t = useMapWords()
  const shell = useShell()
  const format = useFormat()
  const [most, setMost] = useState(STEP)
  const order = useMemo(() => orderOf(graph.nodes), [graph])
  const links = useMemo(() => countLinks(graph), [graph])
  return (
    <>
      <Table
        caption={t('title')}
        rows={order.slice(0, most)}
        keyOf={(node: Node) => node.id}
        columns={[
          {
            key: 'label',
            label: t('item'),
            primary: true,
            cell: ({ id, label }) => (
              <button
                type="button"
                class="link-button map-row"
                dir="auto"
                aria-current={id === selected ? 'true' : undefined}
                onClick={() => onSelect(id)}
              >
                {label ?? t('hidden')}
              </button>
            ),
          },
          {
            key: 'source',
            label: t('source'),
            cell: ({ source, kind }) => (
              <span class="map-kind">
                <Mark kind={source} />
                {source === 'memory' ? kindOf(t, kind) : t('passage')}
              </span>
            ),
          },
          {
            key: 'group',
            label: t('group'),
            numeric: true,
            cell: ({ cluster }) => format.number(cluster + 1),
          },
          {
            key: 'links',
            label: t('links'),
            numeric: true,
            cell: ({ id }) => format.number(links.get(id) ?? 0),
          },
          {
            key: 'weight',
            label: t('weight'),
            numeric: true,
            cell: ({ weight }) => format.percent(weight),
          },
          ...(isSearch
            ? [
                {
                  key: 'match',
                  label: t('match'),
                  cell: ({ match }: Node) =>
                    match ? (
                      <Badge tone="ok">{t('found')}</Badge>
                    ) : (
                      <span class="muted">{shell('no')}</span>
                    ),
                },
              ]
            : []),
        ]}
      />
      {most < order.length && (
        <div>
          <Button onClick={() => setMost(most + STEP)}>{shell('more')}</Button>
        </div>
      )}
    </>
  )
}

function countLinks({ edges }: Graph): Map<string, number> {
  const counts = new Map<string, number>()
  for (const id of edges.flatMap(({ a, b }) => [a, b])) counts.set(id, (counts.get(id) ?? 0) + 1)
  return counts
}

const KINDS = ['fact', 'preference', 'goal', 'event', 'instruction', 'summary'] as const

/** A kind that came later is shown as it is called. */
export function kindOf(t: ReturnType<typeof useMapWords>, kind: string): string {
  const known = KINDS.find((one) => one === kind)
  return known ? t(`kind_${known}`) : kind
}

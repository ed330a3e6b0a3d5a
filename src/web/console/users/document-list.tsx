import { Badge, ListView } from '../parts'
import { useList } from '../use-load'
import { useFormat } from '../words'
import { useSpaceName } from './space-name'
import type { Document, Space } from './types'
import { usePeople } from './words'

const TONES = {
  queued: 'info',
  parsing: 'info',
  embedding: 'info',
  ready: 'ok',
  failed: 'bad',
} as const

interface DocumentListProps {
  path: string
  /** Names of the spaces, where the list is of several. */
  withSpace?: readonly Space[]
}

/** What users gave their spaces to know. */
export function DocumentList({ path, withSpace }: DocumentListProps) {
  const t = usePeople()
  const spaceName = useSpaceName()
  const format = useFormat()
  const list = useList<Document>(path)
  return (
    <ListView
      list={list}
      caption={t('documents')}
      keyOf={(document) => document.id}
      columns={[
        {
          key: 'name',
          label: t('titleOfDocument'),
          primary: true,
          cell: ({ name }) =>
            name === null ? <span class="muted">{t('untitledDocument')}</span> : <bdi>{name}</bdi>,
        },
        { key: 'state', label: t('state'), cell: (document) => <State document={document} /> },
        ...(withSpace
          ? [
              {
                key: 'space',
                label: t('space'),
                cell: ({ space_id: id }: Document) => (
                  <bdi>{withSpace.filter((space) => space.id === id).map(spaceName)}</bdi>
                ),
              },
            ]
          : []),
        {
          key: 'size',
          label: t('size'),
          numeric: true,
          cell: (document) => format.bytes(document.size_bytes),
        },
        {
          key: 'chunks',
          label: t('passages'),
          numeric: true,
          cell: (document) => format.number(document.chunk_count),
        },
        {
          key: 'at',
          label: t('added'),
          short: true,
          cell: (document) => format.date(document.created_at),
        },
      ]}
      empty={{ title: t('noDocumentsTitle'), text: t('noDocumentsText') }}
    />
  )
}

function State({ document: { status, error, progress } }: { document: Document }) {
  const t = usePeople()
  const format = useFormat()
  return (
    <span class="stack tight">
      <span class="row">
        <Badge tone={TONES[status]}>{t(`document_${status}`)}</Badge>
        {status === 'parsing' && <span class="small muted">{format.percent(progress / 100)}</span>}
      </span>
      {error !== null && (
        <span class="small" dir="auto">
          {error}
        </span>
      )}
    </span>
  )
}

import { useState } from 'preact/hooks'
import { type Api, ApiProblem, useApi } from '../api/call'
import { Button, ConfirmDialog, ListView, Menu, Problem, Time, useToast } from '../parts'
import { type Listed, useAct } from '../use-load'
import { useFormat, useShell } from '../words'
import { documentApi, screens } from './addresses'
import type { Document } from './base'
import { DocumentState } from './document-state'
import { downloadDocument } from './download-document'
import { useKnowledgeWords } from './words'

interface DocumentTableProps {
  base: string
  list: Listed<Document>
  isFiltered: boolean
  onChanged: () => void
}

/** Documents with their states; one or several can be deleted or read again. */
export function DocumentTable({ base, list, isFiltered, onChanged }: DocumentTableProps) {
  const t = useKnowledgeWords()
  const shell = useShell()
  const format = useFormat()
  const api = useApi()
  const say = useToast()
  const { problem, act, busy } = useAct()
  const [picked, setPicked] = useState<ReadonlySet<string>>(new Set())
  const [deleting, setDeleting] = useState<readonly Document[]>([])
  const items = list.items ?? []
  const chosen = items.filter(({ id }) => picked.has(id))
  const pick = (id: string, isOn: boolean) => {
    const next = new Set(picked)
    if (isOn) next.add(id)
    else next.delete(id)
    setPicked(next)
  }
  const readAgain = (documents: readonly Document[]) =>
    act(async () => {
      for (const { id } of documents) await api.post(`${documentApi(base, id)}/reindex`)
      setPicked(new Set())
      say(t('beingReadAgain', { n: documents.length }))
      onChanged()
    })
  const isAllPicked = items.length > 0 && chosen.length === items.length
  return (
    <>
      {items.length > 0 && (
        <div class="row document-bulk">
          <label class="row">
            <input
              type="checkbox"
              checked={isAllPicked}
              indeterminate={chosen.length > 0 && !isAllPicked}
              onChange={(event) =>
                setPicked(new Set(event.currentTarget.checked ? items.map(({ id }) => id) : []))
              }
            />
            {chosen.length === 0 ? t('pickAll') : t('picked', { n: chosen.length })}
          </label>
          {chosen.length > 0 && (
            <>
              <Button small icon="retry" busy={busy} onClick={() => void readAgain(chosen)}>
                {t('readAgain')}
              </Button>
              <Button small icon="trash" onClick={() => setDeleting(chosen)}>
                {shell('delete')}
              </Button>
            </>
          )}
        </div>
      )}
      <Problem of={problem} />
      <ListView
        list={list}
        caption={t('documents')}
        keyOf={({ id }) => id}
        to={({ id }) => screens.document(base, id)}
        columns={[
          {
            key: 'pick',
            label: t('pick'),
            quiet: true,
            cell: ({ id, name }) => (
              <label class="document-pick">
                <input
                  type="checkbox"
                  aria-label={t('pickOne', { name })}
                  checked={picked.has(id)}
                  onChange={(event) => pick(id, event.currentTarget.checked)}
                />
              </label>
            ),
          },
          {
            key: 'name',
            label: shell('name'),
            primary: true,
            cell: (document) => <DocumentName of={document} />,
          },
          {
            key: 'state',
            label: t('state'),
            cell: (document) => <DocumentState of={document} />,
          },
          {
            key: 'passages',
            label: t('passages'),
            numeric: true,
            cell: (document) => format.number(document.chunk_count),
          },
          {
            key: 'size',
            label: t('size'),
            numeric: true,
            cell: (document) => format.bytes(document.size_bytes),
          },
          {
            key: 'changed',
            label: t('changed'),
            cell: (document) => <Time at={document.updated_at} />,
          },
          {
            key: 'actions',
            label: shell('actions'),
            quiet: true,
            numeric: true,
            cell: (document) => (
              <Menu
                label={`${shell('actions')}: ${document.name}`}
                items={[
                  {
                    label: shell('download'),
                    icon: 'download',
                    act: () => void act(() => downloadDocument(api, base, document)),
                  },
                  { label: t('readAgain'), icon: 'retry', act: () => void readAgain([document]) },
                  {
                    label: shell('delete'),
                    icon: 'trash',
                    danger: true,
                    act: () => setDeleting([document]),
                  },
                ]}
              />
            ),
          },
        ]}
        empty={
          isFiltered
            ? { title: t('nothingFound'), text: t('noDocumentFound') }
            : { title: t('noDocuments'), text: t('noDocumentsText') }
        }
      />
      {deleting.length > 0 && (
        <ConfirmDialog
          title={t('deleteDocuments', { n: deleting.length })}
          text={t('deleteDocumentsText')}
          lost={namesOf(deleting, (n) => t('andMore', { n }))}
          confirm={shell('delete')}
          danger
          onConfirm={async () => {
            // Where one cannot be deleted, those before it are gone all the same.
            await deleteAll(api, base, deleting).finally(onChanged)
            setPicked(new Set())
            say(t('documentsDeleted', { n: deleting.length }))
          }}
          onClose={() => setDeleting([])}
        />
      )}
    </>
  )
}

async function deleteAll(api: Api, base: string, documents: readonly Document[]): Promise<void> {
  for (const { id } of documents) {
    try {
      await api.del(documentApi(base, id))
    } catch (error) {
      // Gone already: by an earlier try, or by somebody else.
      if (!(error instanceof ApiProblem && error.status === 404)) throw error
    }
  }
}

const NAMED = 6

function namesOf(documents: readonly Document[], andMore: (n: number) => string): string[] {
  const names = documents.slice(0, NAMED).map(({ path }) => path)
  const rest = documents.length - names.length
  return rest > 0 ? [...names, andMore(rest)] : names
}

function DocumentName({ of: { name, path, source_url } }: { of: Document }) {
  const where = source_url ?? (path === name ? null : path)
  return (
    <span class="document-name">
      <bdi>{name}</bdi>
      {where && <bdi class="muted small">{where}</bdi>}
    </span>
  )
}

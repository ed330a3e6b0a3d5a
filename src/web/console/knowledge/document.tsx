import { useState } from 'preact/hooks'
import { useApi } from '../api/call'
import {
  Button,
  CallThisApi,
  ConfirmDialog,
  Copy,
  KeyValues,
  Loadable,
  Menu,
  Page,
  Problem,
  Time,
  useToast,
} from '../parts'
import { navigate } from '../router'
import type { ScreenProps } from '../screens'
import { useAct, useLoad } from '../use-load'
import { useFormat, useShell } from '../words'
import { documentApi, screens } from './addresses'
import { type Document, isUnsettled } from './base'
import { DocumentState } from './document-state'
import { downloadDocument } from './download-document'
import { Passages } from './passages'
import { useFresh } from './use-fresh'
import { useKnowledgeWords } from './words'

export { words } from './words'

/** One document: what is known of it, and the passages that it was cut into. */
export function Screen({ params }: ScreenProps) {
  const base = params.name ?? ''
  const id = params.id ?? ''
  const t = useKnowledgeWords()
  const shell = useShell()
  const api = useApi()
  const say = useToast()
  const path = documentApi(base, id)
  const loaded = useLoad((call, signal) => call.get<Document>(path, {}, signal), [path])
  const { problem, act, busy } = useAct()
  const [isDeleting, setDeleting] = useState(false)
  const { data } = loaded
  useFresh(data !== null && isUnsettled(data), async (call, signal) =>
    loaded.set(await call.get<Document>(path, {}, signal)),
  )
  const readAgain = () =>
    act(async () => {
      loaded.set(await api.post<Document>(`${path}/reindex`))
      say(t('beingReadAgain', { n: 1 }))
    })
  return (
    <Page
      of={loaded}
      title={data?.name ?? t('document')}
      crumbs={[
        { label: t('knowledge'), to: '/knowledge' },
        { label: base, to: screens.documents(base) },
      ]}
      actions={
        <>
          <CallThisApi method="GET" path={path} />
          {data && (
            <Button
              icon="download"
              busy={busy}
              onClick={() => void act(() => downloadDocument(api, base, data))}
            >
              {shell('download')}
            </Button>
          )}
          <Menu
            label={shell('actions')}
            items={[
              { label: t('readAgain'), icon: 'retry', act: () => void readAgain() },
              {
                label: shell('delete'),
                icon: 'trash',
                danger: true,
                act: () => setDeleting(true),
              },
            ]}
          />
        </>
      }
    >
      <Problem of={problem} />
      <Loadable of={loaded}>
        {(document) => (
          <div class="sections">
            <Facts of={document} />
            <Passages path={path} count={document.chunk_count} />
          </div>
        )}
      </Loadable>
      {isDeleting && data && (
        <ConfirmDialog
          title={t('deleteDocuments', { n: 1 })}
          text={t('deleteDocumentsText')}
          lost={[data.path]}
          confirm={shell('delete')}
          danger
          onConfirm={async () => {
            await api.del(path)
            say(t('documentsDeleted', { n: 1 }))
            navigate(screens.documents(base), { replace: true })
          }}
          onClose={() => setDeleting(false)}
        />
      )}
    </Page>
  )
}

function Facts({ of: document }: { of: Document }) {
  const t = useKnowledgeWords()
  const format = useFormat()
  const { path, name, source_url, mime, size_bytes, vectors, attempts } = document
  return (
    <KeyValues
      rows={[
        [t('state'), <DocumentState of={document} />],
        [t('foundBy'), t(`vectors_${vectors}`)],
        ...(path === name ? [] : ([[t('path'), <bdi>{path}</bdi>]] as const)),
        ...(source_url
          ? ([
              [
                t('address'),
                <span class="row">
                  <bdi class="small">{source_url}</bdi>
                  <Copy text={source_url} />
                </span>,
              ],
            ] as const)
          : []),
        [t('kind'), <code dir="ltr">{mime}</code>],
        [t('size'), format.bytes(size_bytes)],
        [t('attempts'), format.number(attempts)],
        [t('addedAt'), <Time at={document.created_at} />],
        [t('changed'), <Time at={document.updated_at} />],
      ]}
    />
  )
}

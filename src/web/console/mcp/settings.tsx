import { useState } from 'preact/hooks'
import { useApi } from '../api/call'
import {
  CallThisApi,
  Fields,
  Loadable,
  Notice,
  Page,
  SaveBar,
  SwitchField,
  useEditor,
} from '../parts'
import type { ScreenProps } from '../screens'
import { useLoad } from '../use-load'
import { serverApi } from './addresses'
import { type Connection, ConnectionFields } from './connection-fields'
import { HeaderFields } from './header-fields'
import { type HeaderRow, headerChanges, headerRows, isHalf } from './headers'
import type { Server } from './server'
import { useMcpWords } from './words'

export { words } from './words'

/** Where a server is and what it is sent with each request. */
export function Screen({ params }: ScreenProps) {
  const id = params.id ?? ''
  const path = serverApi(id)
  const t = useMcpWords()
  const loaded = useLoad((api, signal) => api.get<Server>(path, {}, signal), [path])
  return (
    <Page
      of={loaded}
      title={loaded.data?.name ?? t('server')}
      crumbs={[{ label: t('servers'), to: '/mcp' }]}
      tabs={[
        { label: t('tools'), to: `/mcp/${id}`, current: false },
        { label: t('settings'), to: `/mcp/${id}/settings`, current: true },
      ]}
      actions={
        <CallThisApi
          method="PATCH"
          path={path}
          body={{ config: { headers: { Authorization: 'Bearer …' } } }}
        />
      }
    >
      <Loadable of={loaded}>
        {(server) => <Settings key={id} server={server} onSaved={loaded.set} />}
      </Loadable>
    </Page>
  )
}

interface Draft extends Connection {
  enabled: boolean
  headers: HeaderRow[]
}

const draftOf = ({ name, transport, enabled, config }: Server): Draft => ({
  name,
  transport,
  url: config.url,
  enabled,
  headers: headerRows(config.headers),
})

interface SettingsProps {
  server: Server
  onSaved: (server: Server) => void
}

function Settings({ server, onSaved }: SettingsProps) {
  const t = useMcpWords()
  const api = useApi()
  const [initial] = useState(() => draftOf(server))
  const editor = useEditor(initial, async (_draft, changed) => {
    const { headers = [], url, ...rest } = changed
    const changes = headerChanges(headers)
    const config = {
      ...(url === undefined ? {} : { url: url.trim() }),
      ...(Object.keys(changes).length > 0 ? { headers: changes } : {}),
    }
    const body = { ...rest, ...(Object.keys(config).length > 0 ? { config } : {}) }
    const saved = await api.patch<Server>(serverApi(server.id), body)
    onSaved(saved)
    return draftOf(saved)
  })
  const { draft, set, error } = editor
  const isElsewhere = draft.url.trim() !== server.config.url
  const isLosing = isElsewhere && draft.headers.some((row) => row.isStored && row.value === '')
  const held = draft.headers.some(isHalf)
  const headersProblem =
    editor.problem?.fields.find(({ path }) => path === 'config.headers')?.message ?? null
  return (
    <div class="sections measure">
      <Fields>
        <ConnectionFields
          draft={draft}
          error={error}
          set={(key, value) => editor.replace({ ...draft, [key]: value })}
        />
      </Fields>
      {isElsewhere && (
        <Notice tone="warn">{t(isLosing ? 'newAddressHeaders' : 'newAddress')}</Notice>
      )}
      <HeaderFields
        headers={draft.headers}
        onChange={(headers) => set('headers', headers)}
        error={(name) => (name === '' ? null : error(`config.headers.${name}`))}
        problem={headersProblem}
      />
      <SwitchField
        label={t('enabled')}
        hint={t('enabledHint')}
        checked={draft.enabled}
        onChange={(isOn) => set('enabled', isOn)}
      />
      <SaveBar editor={held ? { ...editor, save: async () => false } : editor} />
    </div>
  )
}

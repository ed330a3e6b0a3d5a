import { useState } from 'preact/hooks'
import { useApi } from '../api/call'
import { useFresh } from '../knowledge/use-fresh'
import {
  Button,
  CallThisApi,
  ConfirmDialog,
  Loadable,
  Menu,
  Page,
  Problem,
  useToast,
} from '../parts'
import { navigate } from '../router'
import type { ScreenProps } from '../screens'
import { useAct, useLoad } from '../use-load'
import { useFormat, useShell } from '../words'
import { serverApi } from './addresses'
import { Attach } from './attach'
import { readHolders } from './read-holders'
import { type Holder, type Server, shareOf } from './server'
import { ServerFacts } from './server-facts'
import { ServerTools } from './server-tools'
import { useMcpWords } from './words'

export { words } from './words'

/** One server: its state, its tools, and who has them. */
export function Screen({ params }: ScreenProps) {
  const id = params.id ?? ''
  const path = serverApi(id)
  const t = useMcpWords()
  const shell = useShell()
  const api = useApi()
  const say = useToast()
  const loaded = useLoad((call, signal) => call.get<Server>(path, {}, signal), [path])
  const holders = useLoad(readHolders, [])
  const { busy, problem, act } = useAct()
  const [isDeleting, setDeleting] = useState(false)
  const { data } = loaded
  useFresh(data?.status === 'connecting', async (call, signal) =>
    loaded.set(await call.get<Server>(path, {}, signal)),
  )
  const check = (accept: boolean) =>
    act(async () => {
      const server = await api.post<Server>(`${path}/check`, { accept })
      loaded.set(server)
      say(t(accept ? 'accepted' : 'checkDone', { state: t(`status_${server.status}`) }))
    })
  const setEnabled = (enabled: boolean) =>
    act(async () => loaded.set(await api.patch<Server>(path, { enabled })))
  return (
    <Page
      of={loaded}
      title={data?.name ?? t('server')}
      crumbs={[{ label: t('servers'), to: '/mcp' }]}
      tabs={[
        { label: t('tools'), to: `/mcp/${id}`, current: true },
        { label: t('settings'), to: `/mcp/${id}/settings`, current: false },
      ]}
      actions={
        <>
          <CallThisApi method="GET" path={path} />
          <Button icon="retry" busy={busy} onClick={() => void check(false)}>
            {t('check')}
          </Button>
          <Menu
            label={shell('actions')}
            items={[
              {
                label: t(data?.enabled === false ? 'enable' : 'disable'),
                icon: data?.enabled === false ? 'play' : 'stop',
                act: () => void setEnabled(data?.enabled === false),
              },
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
        {(server) => (
          <div class="sections">
            <ServerFacts of={server} />
            <ServerTools
              server={server}
              busy={busy}
              onAccept={() => void check(true)}
              onSaved={loaded.set}
            />
            <Loadable of={holders}>
              {(all) => <Attach server={server} holders={all} onChanged={holders.reload} />}
            </Loadable>
          </div>
        )}
      </Loadable>
      {isDeleting && data && (
        <DeleteServer
          server={data}
          holders={holders.data ?? []}
          onClose={() => setDeleting(false)}
        />
      )}
    </Page>
  )
}

interface DeleteServerProps {
  server: Server
  holders: readonly Holder[]
  onClose: () => void
}

function DeleteServer({ server, holders, onClose }: DeleteServerProps) {
  const t = useMcpWords()
  const shell = useShell()
  const format = useFormat()
  const api = useApi()
  const say = useToast()
  const names = holders
    .filter(({ tools }) => shareOf(tools, server.name).kind !== 'none')
    .map(({ name }) => name)
  return (
    <ConfirmDialog
      title={t('deleteTitle', { name: server.name })}
      text={t('deleteText')}
      lost={[
        t('lostTools', { n: server.tools.length }),
        ...(server.config.headers.length > 0 ? [t('lostHeaders')] : []),
        ...(names.length > 0 ? [t('lostHolders', { names: format.list(names) })] : []),
      ]}
      confirm={shell('delete')}
      danger
      onConfirm={async () => {
        await api.del(serverApi(server.id))
        say(t('deleted', { name: server.name }))
        navigate('/mcp', { replace: true })
      }}
      onClose={onClose}
    />
  )
}

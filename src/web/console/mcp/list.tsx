import { useFresh } from '../knowledge/use-fresh'
import { CallThisApi, LinkButton, ListView, Page, Time } from '../parts'
import { useList } from '../use-load'
import { useFormat, useShell } from '../words'
import { SERVERS, serverScreen } from './addresses'
import type { Server } from './server'
import { ServerState } from './server-state'
import { useMcpWords } from './words'

export { words } from './words'

/** The tenant's remote MCP servers. */
export function Screen() {
  const t = useMcpWords()
  const shell = useShell()
  const format = useFormat()
  const list = useList<Server>(SERVERS)
  useFresh(list.items?.some(isAsked) ?? false, async (api, signal) =>
    list.set(await api.get<Server[]>(SERVERS, {}, signal)),
  )
  const add = (
    <LinkButton kind="primary" icon="plus" to="/mcp/new">
      {t('addServer')}
    </LinkButton>
  )
  return (
    <Page
      title={t('servers')}
      purpose={t('purpose')}
      actions={
        <>
          <CallThisApi method="GET" path={SERVERS} />
          {add}
        </>
      }
    >
      <ListView
        list={list}
        caption={t('servers')}
        keyOf={({ id }) => id}
        to={({ id }) => serverScreen(id)}
        columns={[
          { key: 'name', label: shell('name'), primary: true, cell: ({ name }) => name },
          {
            key: 'status',
            label: shell('status'),
            cell: (server) => <ServerState of={server} />,
          },
          {
            key: 'url',
            label: t('address'),
            cell: ({ config }) => <bdi class="small server-address">{config.url}</bdi>,
          },
          {
            key: 'tools',
            label: t('tools'),
            numeric: true,
            cell: ({ tools }) => format.number(tools.length),
          },
          {
            key: 'checked',
            label: t('checked'),
            cell: (server) => <Time at={server.last_checked_at} />,
          },
        ]}
        empty={{ title: t('emptyTitle'), text: t('emptyText'), action: add }}
      />
    </Page>
  )
}

const isAsked = ({ status }: Server) => status === 'connecting'

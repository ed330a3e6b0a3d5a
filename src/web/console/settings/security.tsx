import { useState } from 'preact/hooks'
import { useApi } from '../api/call'
import { Badge, Button, CallThisApi, ConfirmDialog, ListView, Menu, Time, useToast } from '../parts'
import { useList } from '../use-load'
import { useFormat, useShell } from '../words'
import { NewKey } from './security/new-key'
import { useSecurityWords } from './security/words'
import { SettingsPage } from './settings-page'
import type { Key } from './types'

export { words } from './security/words'

const PATH = '/v1/tenant/keys'
const SCOPE_WORDS = { manage: 'scopeManage', chat: 'scopeChat', read: 'scopeRead' } as const

export function Screen() {
  const t = useSecurityWords()
  const [creating, setCreating] = useState(false)
  const list = useList<Key>(PATH)
  const create = (
    <Button kind="primary" icon="plus" onClick={() => setCreating(true)}>
      {t('newKey')}
    </Button>
  )
  return (
    <SettingsPage
      tab="security"
      actions={
        <>
          <CallThisApi method="POST" path={PATH} body={{ name: 'Web shop', scopes: ['chat'] }} />
          {create}
        </>
      }
    >
      <Keys list={list} />
      <p class="muted small">{t('keysHint')}</p>
      {creating && <NewKey onClose={() => setCreating(false)} onCreated={list.reload} />}
    </SettingsPage>
  )
}

interface Asked {
  key: Key
  what: 'revoke' | 'delete'
}

function Keys({ list }: { list: ReturnType<typeof useList<Key>> }) {
  const t = useSecurityWords()
  const shell = useShell()
  const format = useFormat()
  const api = useApi()
  const say = useToast()
  const [asked, setAsked] = useState<Asked | null>(null)
  const scopes = ({ scopes: held }: Key) =>
    held === null
      ? t('scopeAll')
      : format.list(held.map((one) => t(SCOPE_WORDS[one as keyof typeof SCOPE_WORDS])))
  return (
    <>
      <ListView
        list={list}
        caption={t('keys')}
        keyOf={(key) => key.id}
        empty={{ title: t('noKeys') }}
        columns={[
          {
            key: 'name',
            label: shell('name'),
            primary: true,
            cell: (key) => <bdi>{key.name}</bdi>,
          },
          {
            key: 'prefix',
            label: t('keyPrefix'),
            short: true,
            cell: (key) => <code dir="ltr">{key.prefix}…</code>,
          },
          { key: 'scopes', label: t('scopes'), cell: scopes },
          { key: 'used', label: t('lastUsed'), cell: (key) => <Time at={key.last_used_at} /> },
          { key: 'created', label: shell('created'), cell: (key) => <Time at={key.created_at} /> },
          {
            key: 'status',
            label: shell('status'),
            cell: (key) =>
              key.revoked ? (
                <Badge tone="quiet">{t('revoked')}</Badge>
              ) : (
                <Badge tone="ok">{t('activeKey')}</Badge>
              ),
          },
          {
            key: 'actions',
            label: shell('actions'),
            quiet: true,
            cell: (key) => (
              <Menu
                label={t('actionsOf', { name: key.name })}
                items={[
                  ...(key.revoked
                    ? []
                    : [{ label: t('revoke'), act: () => setAsked({ key, what: 'revoke' }) }]),
                  {
                    label: shell('delete'),
                    danger: true,
                    act: () => setAsked({ key, what: 'delete' }),
                  },
                ]}
              />
            ),
          },
        ]}
      />
      {asked && (
        <ConfirmDialog
          title={t(asked.what === 'revoke' ? 'revokeTitle' : 'deleteKeyTitle', {
            name: asked.key.name,
          })}
          text={t(asked.what === 'revoke' ? 'revokeText' : 'deleteKeyText')}
          lost={asked.key.revoked ? [] : [t('lostCalls'), t('lostConsole')]}
          confirm={asked.what === 'revoke' ? t('revoke') : shell('delete')}
          danger
          onConfirm={async () => {
            const path = `${PATH}/${asked.key.id}`
            if (asked.what === 'revoke') await api.post(`${path}/revoke`)
            else await api.del(path)
            say(t(asked.what === 'revoke' ? 'keyRevoked' : 'keyDeleted'))
            list.reload()
          }}
          onClose={() => setAsked(null)}
        />
      )}
    </>
  )
}

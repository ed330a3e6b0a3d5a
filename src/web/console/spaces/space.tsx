import { useState } from 'preact/hooks'
import { useApi } from '../api/call'
import { Badge, CallThisApi, ConfirmDialog, Menu, Page, Problem, useToast } from '../parts'
import { navigate, to, useQuery } from '../router'
import type { ScreenProps } from '../screens'
import { useLoad } from '../use-load'
import { DocumentList } from '../users/document-list'
import { nameOf } from '../users/names'
import { SessionList } from '../users/session-list'
import type { Detail, Session } from '../users/types'
import { usePeople } from '../users/words'
import { useShell } from '../words'
import { Memories, Profiles } from './remembered'
import { RenameSpace } from './rename-space'
import { SpaceAgents } from './space-agents'

export { words } from '../users/words'

const TABS = ['about', 'chats', 'documents', 'memories', 'profiles'] as const

/** What the API answers a tab with, below the space's own address. */
const SHOWN_BY = {
  chats: '/sessions',
  documents: '/documents',
  memories: '/memories',
  profiles: '/profiles',
}

/** One space of a user: what it is called, what it offers, what it holds. */
export function Screen({ params }: ScreenProps) {
  const t = usePeople()
  const sid = params.sid ?? ''
  const path = to`/v1/manage/spaces/${sid}`
  const [query] = useQuery()
  const given = query.get('user')
  // The API names a space among its user's; where the address does not say whose it is, a chat of the space does.
  const owner = useLoad<Detail | null>(
    async (api, signal) => {
      const uid =
        given ??
        (await api.get<{ items: Session[] }>(`${path}/sessions`, { limit: 1 }, signal)).items[0]
          ?.user_id
      return uid ? api.get<Detail>(to`/v1/manage/users/${uid}`, {}, signal) : null
    },
    [path, given],
  )
  const user = owner.data
  const space = user?.spaces.find(({ id }) => id === sid) ?? null
  const tab = TABS.find((one) => one === query.get('tab')) ?? 'about'
  const rest = user ? to`user=${user.id}` : ''
  const addressOf = (one: string) => {
    const wanted = [rest, one === 'about' ? '' : `tab=${one}`].filter(Boolean).join('&')
    return to`/spaces/${sid}` + (wanted === '' ? '' : `?${wanted}`)
  }
  const rename = (name: string) => {
    if (!user) return
    const spaces = user.spaces.map((one) => (one.id === sid ? { ...one, name } : one))
    owner.set({ ...user, spaces })
  }
  return (
    <Page
      title={space?.name ?? t('space')}
      crumbs={[
        { label: t('users'), to: '/users' },
        ...(user ? [{ label: nameOf(user), to: to`/users/${user.id}` }] : []),
      ]}
      tabs={TABS.map((one) => ({
        label: t(`tab_${one}`),
        to: addressOf(one),
        current: one === tab,
      }))}
      actions={
        <SpaceActions
          sid={sid}
          tab={tab}
          user={user}
          name={space?.name ?? null}
          isDefault={space?.is_default ?? false}
        />
      }
    >
      <Problem of={owner.problem} retry={owner.reload} />
      {tab === 'about' && space?.is_default && (
        <p>
          <Badge tone="quiet">{t('isDefault')}</Badge>{' '}
          <span class="small muted">{t('defaultHint')}</span>
        </p>
      )}
      {tab === 'about' && (
        <div class="grid2">
          {space && <RenameSpace key={space.id} space={space} onRenamed={rename} />}
          <SpaceAgents path={path} isDefault={space?.is_default ?? false} />
        </div>
      )}
      {tab === 'chats' && <SessionList path={`${path}/sessions`} />}
      {tab === 'documents' && <DocumentList path={`${path}/documents`} />}
      {tab === 'memories' && <Memories path={`${path}/memories`} user={user?.id ?? null} />}
      {tab === 'profiles' && <Profiles path={`${path}/profiles`} />}
    </Page>
  )
}

interface SpaceActionsProps {
  sid: string
  tab: (typeof TABS)[number]
  user: Detail | null
  name: string | null
  isDefault: boolean
}

function SpaceActions({ sid, tab, user, name, isDefault }: SpaceActionsProps) {
  const t = usePeople()
  const shell = useShell()
  const api = useApi()
  const toast = useToast()
  const [isAsked, setAsked] = useState(false)
  const path = to`/v1/manage/spaces/${sid}`
  const remove = async () => {
    await api.del(path)
    toast(t('spaceDeleted'))
    navigate(user ? to`/users/${user.id}` : '/users', { replace: true })
  }
  return (
    <>
      {tab === 'about' ? (
        <CallThisApi method="PATCH" path={path} body={{ name: name ?? '' }} />
      ) : (
        <CallThisApi method="GET" path={path + SHOWN_BY[tab]} />
      )}
      {name !== null && !isDefault && (
        <Menu
          label={shell('actions')}
          items={[
            { label: t('deleteSpace'), icon: 'trash', danger: true, act: () => setAsked(true) },
          ]}
        />
      )}
      {isAsked && name !== null && (
        <ConfirmDialog
          title={t('deleteSpaceTitle', { name })}
          text={t('deleteSpaceText')}
          lost={[t('lostSpaceChats'), t('lostSpaceDocuments'), t('lostSpaceMemories')]}
          typed={name}
          confirm={t('deleteSpace')}
          danger
          onConfirm={remove}
          onClose={() => setAsked(false)}
        />
      )}
    </>
  )
}

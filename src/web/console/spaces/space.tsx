import { useState } from 'preact/hooks'
import { useApi } from '../api/call'
import {
  Badge,
  CallThisApi,
  ConfirmDialog,
  Loadable,
  Menu,
  Page,
  Problem,
  useToast,
} from '../parts'
import { navigate, to, useQuery } from '../router'
import type { ScreenProps } from '../screens'
import { useLoad } from '../use-load'
import { DocumentList } from '../users/document-list'
import { nameOf } from '../users/names'
import { SessionList } from '../users/session-list'
import { useSpaceName } from '../users/space-name'
import type { Detail, OwnedSpace } from '../users/types'
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
  const spaceName = useSpaceName()
  const [query] = useQuery()
  const space = useLoad<OwnedSpace>((api, signal) => api.get(path, {}, signal), [path])
  const uid = space.data?.user_id ?? null
  const owner = useLoad<Detail | null>(
    async (api, signal) => (uid === null ? null : api.get(to`/v1/manage/users/${uid}`, {}, signal)),
    [uid],
  )
  const tab = TABS.find((one) => one === query.get('tab')) ?? 'about'
  return (
    <Page
      of={space}
      title={space.data ? spaceName(space.data) : t('space')}
      crumbs={[
        { label: t('users'), to: '/users' },
        ...(uid === null
          ? []
          : [
              {
                label: owner.data ? nameOf(owner.data) : t('user'),
                to: to`/users/${uid}`,
              },
            ]),
      ]}
      tabs={TABS.map((one) => ({
        label: t(`tab_${one}`),
        to: one === 'about' ? to`/spaces/${sid}` : to`/spaces/${sid}?tab=${one}`,
        current: one === tab,
      }))}
      actions={space.data && <SpaceActions space={space.data} tab={tab} />}
    >
      <Problem of={owner.problem} retry={owner.reload} />
      <Loadable of={space}>
        {(data) => (
          <>
            {/* Kept while another tab is looked at: so is what was typed. */}
            <div class="stack" hidden={tab !== 'about'}>
              <About space={data} path={path} onRenamed={(name) => space.set({ ...data, name })} />
            </div>
            {tab === 'chats' && <SessionList path={`${path}/sessions`} />}
            {tab === 'documents' && <DocumentList path={`${path}/documents`} />}
            {tab === 'memories' && <Memories path={`${path}/memories`} />}
            {tab === 'profiles' && <Profiles path={`${path}/profiles`} />}
          </>
        )}
      </Loadable>
    </Page>
  )
}

interface AboutProps {
  space: OwnedSpace
  path: string
  onRenamed: (name: string) => void
}

function About({ space, path, onRenamed }: AboutProps) {
  const t = usePeople()
  return (
    <>
      {space.is_default && (
        <p>
          <Badge tone="quiet">{t('isDefault')}</Badge>{' '}
          <span class="small muted">{t('defaultHint')}</span>
        </p>
      )}
      <div class="grid2">
        <RenameSpace key={space.id} space={space} onRenamed={onRenamed} />
        <SpaceAgents path={path} isDefault={space.is_default} />
      </div>
    </>
  )
}

interface SpaceActionsProps {
  space: OwnedSpace
  tab: (typeof TABS)[number]
}

function SpaceActions({ space: { id, name, is_default, user_id }, tab }: SpaceActionsProps) {
  const t = usePeople()
  const shell = useShell()
  const api = useApi()
  const toast = useToast()
  const [isAsked, setAsked] = useState(false)
  const path = to`/v1/manage/spaces/${id}`
  const remove = async () => {
    await api.del(path)
    toast(t('spaceDeleted'))
    navigate(to`/users/${user_id}`, { replace: true })
  }
  return (
    <>
      {tab === 'about' ? (
        <CallThisApi method="PATCH" path={path} body={{ name }} />
      ) : (
        <CallThisApi method="GET" path={path + SHOWN_BY[tab]} />
      )}
      {!is_default && (
        <Menu
          label={shell('actions')}
          items={[
            { label: t('deleteSpace'), icon: 'trash', danger: true, act: () => setAsked(true) },
          ]}
        />
      )}
      {isAsked && (
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

import { Loadable, Page } from '../parts'
import { to, useQuery } from '../router'
import type { ScreenProps } from '../screens'
import { type Loaded, useLoad } from '../use-load'
import { AboutUser, Recent } from './about-user'
import { DocumentList } from './document-list'
import { nameOf } from './names'
import { SessionList } from './session-list'
import type { Detail } from './types'
import { UsagePanel } from './usage-panel'
import { UserActions } from './user-actions'
import { UserSpaces } from './user-spaces'
import { usePeople } from './words'

export { words } from './words'

const TABS = ['about', 'chats', 'documents', 'usage'] as const

/** What the API answers a tab with, below the user's own address. */
const SHOWN_BY = {
  about: '',
  chats: '/sessions',
  documents: '/documents',
  usage: '/usage',
}

/** One user: who it is, what is kept, what was used. */
export function Screen({ params }: ScreenProps) {
  const t = usePeople()
  const uid = params.uid ?? ''
  const [query] = useQuery()
  const path = to`/v1/manage/users/${uid}`
  const user = useLoad<Detail>((api, signal) => api.get(path, {}, signal), [path])
  const tab = TABS.find((one) => one === query.get('tab')) ?? 'about'
  return (
    <Page
      of={user}
      title={user.data ? nameOf(user.data) : t('user')}
      crumbs={[{ label: t('users'), to: '/users' }]}
      tabs={[
        ...TABS.map((one) => ({
          label: t(`tab_${one}`),
          to: one === 'about' ? to`/users/${uid}` : to`/users/${uid}?tab=${one}`,
          current: one === tab,
        })),
        { label: t('tab_map'), to: to`/users/${uid}/map`, current: false },
      ]}
      actions={user.data && <UserActions user={user.data} shown={path + SHOWN_BY[tab]} />}
    >
      {tab === 'about' && (
        <Loadable of={user}>{(data) => <About user={data} loaded={user} />}</Loadable>
      )}
      {tab === 'chats' && (
        <SessionList path={`${path}/sessions`} withSpace={user.data?.spaces ?? []} />
      )}
      {tab === 'documents' && (
        <DocumentList path={`${path}/documents`} withSpace={user.data?.spaces ?? []} />
      )}
      {tab === 'usage' && <UsagePanel uid={uid} />}
    </Page>
  )
}

function About({ user, loaded }: { user: Detail; loaded: Loaded<Detail> }) {
  return (
    <div class="stack">
      <AboutUser user={user} />
      <div class="grid2">
        <UserSpaces
          user={user}
          onAdded={(space) =>
            loaded.set({
              ...user,
              spaces: [...user.spaces, space],
              space_count: user.space_count + 1,
            })
          }
        />
        <Recent user={user} />
      </div>
    </div>
  )
}

import { LinkButton, ListView, Page, SearchField, Segmented } from '../parts'
import { to, useQuery } from '../router'
import { useList } from '../use-load'
import { useSearch } from '../use-search'
import { useFormat, useShell } from '../words'
import { nameOf } from './names'
import { SignIn } from './sign-in'
import type { User } from './types'
import { usePeople } from './words'

export { words } from './words'

/** Everybody who talks to the tenant's agents. */
export function Screen() {
  const t = usePeople()
  const shell = useShell()
  const format = useFormat()
  const [query, setQuery] = useQuery()
  const q = query.get('q')
  const sort = query.get('sort') === 'tokens24h' ? 'tokens24h' : 'recent'
  const [search, setSearch] = useSearch(q ?? '', (text) => setQuery({ q: text }))
  const list = useList<User>('/v1/manage/users', { q, sort })
  return (
    <Page title={t('users')} purpose={t('usersPurpose')}>
      <div class="desk-filters">
        <SearchField label={t('findUser')} value={search} onInput={setSearch} />
        <Segmented
          label={t('sort')}
          value={sort}
          options={[
            { value: 'recent', label: t('sortRecent') },
            { value: 'tokens24h', label: t('sortTokens') },
          ]}
          onChange={(value) => setQuery({ sort: value === 'recent' ? null : value })}
        />
      </div>
      <ListView
        list={list}
        caption={t('users')}
        keyOf={(user) => user.id}
        to={(user) => to`/users/${user.id}`}
        columns={[
          {
            key: 'name',
            label: t('user'),
            primary: true,
            cell: (user) => <UserName user={user} />,
          },
          {
            key: 'auth',
            label: t('signIn'),
            short: true,
            cell: (user) => <SignIn auth={user.auth} />,
          },
          {
            key: 'active',
            label: t('lastActive'),
            short: true,
            cell: (user) => format.ago(user.last_active_at),
          },
          {
            key: 'chats',
            label: t('chats'),
            numeric: true,
            cell: (user) => format.number(user.session_count),
          },
          {
            key: 'tokens',
            label: t('tokens24h'),
            numeric: true,
            cell: (user) => format.number(user.tokens_24h),
          },
          {
            key: 'created',
            label: shell('created'),
            short: true,
            cell: (user) => format.date(user.created_at),
          },
        ]}
        empty={
          q
            ? { title: t('noUserTitle'), text: t('noUserText') }
            : {
                title: t('noUsersTitle'),
                text: t('noUsersText'),
                action: <LinkButton to="/agents">{t('toAgents')}</LinkButton>,
              }
        }
      />
    </Page>
  )
}

function UserName({ user }: { user: User }) {
  const name = nameOf(user)
  return (
    <>
      <bdi>{name}</bdi>
      {user.email !== null && user.email !== name && (
        <span class="small muted name-under">
          <bdi>{user.email}</bdi>
        </span>
      )}
    </>
  )
}

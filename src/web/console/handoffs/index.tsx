import { useRef, useState } from 'preact/hooks'
import { PRIVACY_MODE } from '../api/problem'
import { Button, Empty, LinkButton, Loading, Page, Problem, Segmented } from '../parts'
import { useGuard, useQuery } from '../router'
import { type Listed, useList } from '../use-load'
import { useNames } from '../users/use-names'
import { usePeople } from '../users/words'
import { Handled } from './handled'
import { Inbox } from './inbox'
import type { Handoff } from './types'
import { useEvery } from './use-every'

export { words } from '../users/words'

const STATES = ['requested', 'answered', 'closed', 'all'] as const
const LOOK_MS = 20_000
/** What one page of the list holds: a longer one is read again only on demand, since it would shrink to that. */
const FIRST_PAGE = 50

/** Conversations that wait for a person, or have one. */
export function Screen() {
  const t = usePeople()
  const [query, setQuery] = useQuery()
  const status = STATES.find((one) => one === query.get('status')) ?? 'requested'
  const list = useList<Handoff>('/v1/manage/handoffs', {
    status: status === 'all' ? null : status,
  })
  useEvery(LOOK_MS, () => {
    if (!list.loading && list.items && list.items.length <= FIRST_PAGE) list.reload()
  })
  if (list.problem?.code === PRIVACY_MODE) {
    return (
      <Page title={t('handoffs')} purpose={t('handoffsPurpose')}>
        <Empty
          title={t('privacyTitle')}
          text={t('privacyText')}
          action={<LinkButton to="/settings/privacy">{t('privacySettings')}</LinkButton>}
        />
      </Page>
    )
  }
  return (
    <Page
      title={t('handoffs')}
      purpose={t('handoffsPurpose')}
      actions={
        <Button icon="retry" onClick={list.reload}>
          {t('lookAgain')}
        </Button>
      }
    >
      <div class="desk-filters">
        <Segmented
          label={t('state')}
          value={status}
          options={STATES.map((value) => ({ value, label: t(`handoff_${value}`) }))}
          onChange={(value) => setQuery({ status: value === 'requested' ? null : value, id: null })}
        />
      </div>
      <Desk list={list} isWaiting={status === 'requested'} />
    </Page>
  )
}

function Desk({ list, isWaiting }: { list: Listed<Handoff>; isWaiting: boolean }) {
  const t = usePeople()
  const [query, setQuery] = useQuery()
  const chosen = query.get('id')
  const held = useRef<Handoff | null>(null)
  const [replies, setReplies] = useState<Record<string, string>>({})
  useGuard(Object.values(replies).some((text) => text.trim() !== ''))
  const { items, problem, reload } = list
  const names = useNames((items ?? []).map((one) => one.user_id))
  if (items === null) return problem ? <Problem of={problem} retry={reload} /> : <Loading />
  // Once it is answered it leaves the list of those who wait; whoever talks in it stays in it.
  // So does whoever writes there, though somebody else closed it meanwhile: their words stay in sight.
  const last = held.current
  const isKept = last !== null && (last.id === chosen || (replies[last.id] ?? '').trim() !== '')
  const kept = isKept ? last : null
  const current = items.find(({ id }) => id === chosen) ?? kept ?? items[0]
  held.current = current ?? null
  if (!current) {
    return (
      <>
        <Problem of={problem} retry={reload} />
        <Empty
          title={t(isWaiting ? 'nobodyWaitsTitle' : 'noHandoffsTitle')}
          text={t(isWaiting ? 'nobodyWaitsText' : 'noHandoffsText')}
        />
      </>
    )
  }
  // On a narrow page what is chosen takes the inbox's place: Back leads to the inbox again.
  const choose = (id: string) => setQuery({ id }, { push: chosen === null })
  const changed = (next: Handoff) => {
    held.current = next
    setQuery({ id: next.id })
    // Nothing can be sent there any more, so nothing is kept to be sent.
    if (next.status === 'closed') setReplies(({ [next.id]: _, ...rest }) => rest)
    list.set(items.map((item) => (item.id === next.id ? next : item)))
  }
  return (
    <>
      <Problem of={problem} retry={reload} />
      <div class={chosen === null ? 'desk' : 'desk has-choice'}>
        <Inbox list={list} names={names} current={current.id} onChoose={choose} />
        <div class="desk-main">
          <div class="desk-back">
            <Button kind="quiet" small icon="back" onClick={() => setQuery({ id: null })}>
              {t('backToInbox')}
            </Button>
          </div>
          <Handled
            key={current.id}
            handoff={current}
            name={names.get(current.user_id) ?? null}
            reply={replies[current.id] ?? ''}
            onReply={(text) => setReplies((was) => ({ ...was, [current.id]: text }))}
            onChanged={changed}
          />
        </div>
      </div>
    </>
  )
}

import { useEffect, useRef, useState } from 'preact/hooks'
import { useApi } from '../api/call'
import { Button, Empty, Loading, Problem, SwitchField, useToast } from '../parts'
import { useGuard, useQuery } from '../router'
import { type Listed, useAct } from '../use-load'
import { Detail, type Handles } from './detail'
import { type Edit, isWritten, startOf } from './edit'
import { findReview } from './find-review'
import { neighbourOf, nextPending } from './queue'
import { QueueList } from './queue-list'
import type { Review } from './types'
import { useKeys } from './use-keys'
import { useReviewWords } from './words'

interface DeskProps {
  queue: Listed<Review>
  bases: readonly string[]
  isFiltered: boolean
}

/** The queue beside what is looked at; on narrow screens one after the other. */
export function Desk({ queue, bases, isFiltered }: DeskProps) {
  const t = useReviewWords()
  const toast = useToast()
  const api = useApi()
  const looking = useAct()
  const [query, setQuery] = useQuery()
  const [edits, setEdits] = useState<Record<string, Edit>>({})
  const handles = useRef<Handles | null>(null)
  const desk = useRef<HTMLDivElement>(null)
  const hasMoved = useRef(false)
  const chosen = query.get('id')
  const items = queue.items ?? []
  const current = items.find(({ id }) => id === chosen) ?? items[0] ?? null
  useGuard(Object.values(edits).some(isWritten))

  const show = (review: Review | null) => {
    if (!review) return
    hasMoved.current = true
    setQuery({ id: review.id })
  }
  // On a narrow page what is chosen takes the queue's place: Back leads to the queue again.
  const choose = (id: string) => setQuery({ id }, { push: chosen === null })
  const [hasKeys, setKeys] = useKeys((what) => {
    // The form of another review may have been the last to say what it can do.
    const own = handles.current?.id === current?.id && current?.status === 'pending'
    if (what === 'next' || what === 'previous')
      show(neighbourOf(items, current?.id ?? null, what === 'next' ? 1 : -1))
    else if (own) handles.current?.[what]()
  })
  // Whoever moves by key is told where they are: the focus goes along, to what of the two is on the screen.
  useEffect(() => {
    if (hasMoved.current) {
      hasMoved.current = false
      const places = desk.current?.querySelectorAll<HTMLElement>(
        '[aria-current="true"], .desk-main h2',
      )
      const [shown] = [...(places ?? [])].filter((place) => place.checkVisibility())
      shown?.focus()
    }
    // The one before may have been read to its end.
    const top = desk.current?.querySelector('.desk-main header')?.firstElementChild
    top?.scrollIntoView({ block: 'nearest' })
  }, [current?.id])

  if (queue.items === null) return queue.loading ? <Loading /> : null
  if (current === null) {
    return (
      <Empty
        title={t(isFiltered ? 'noneTitle' : 'emptyTitle')}
        text={t(isFiltered ? 'noneText' : 'emptyText')}
      />
    )
  }
  const lookAgain = (review: Review) =>
    looking.act(async () => {
      const fresh = await findReview(api, review)
      if (fresh) queue.set(items.map((item) => (item.id === fresh.id ? fresh : item)))
    })
  const overtaken = ({ id }: Review) => {
    setEdits(({ [id]: _, ...rest }) => rest)
    setQuery({ id: null })
    queue.reload()
  }
  const decided = (review: Review) => {
    queue.set(items.map((item) => (item.id === review.id ? review : item)))
    setEdits(({ [review.id]: _, ...rest }) => rest)
    toast(t(sayDecision(review)))
    show(nextPending(items, review.id) ?? review)
  }
  return (
    <>
      <div class={chosen === null ? 'desk' : 'desk has-choice'} ref={desk}>
        <QueueList queue={queue} current={current.id} onChoose={choose} />
        <div class="desk-main">
          <div class="desk-back">
            <Button kind="quiet" small icon="back" onClick={() => setQuery({ id: null })}>
              {t('backToQueue')}
            </Button>
          </div>
          <Problem of={looking.problem} />
          <Detail
            key={current.id}
            review={current}
            bases={bases}
            edit={edits[current.id] ?? startOf(current)}
            onEdit={(edit) => setEdits((was) => ({ ...was, [current.id]: edit }))}
            onDecided={decided}
            onOvertaken={() => overtaken(current)}
            onLookAgain={() => void lookAgain(current)}
            handles={handles}
          />
        </div>
      </div>
      <KeysHint isOn={hasKeys} onChange={setKeys} />
    </>
  )
}

function sayDecision({ status, verified }: Review) {
  if (status === 'rejected') return 'rejectedToast'
  if (verified === true) return 'verifiedToast'
  return verified === false ? 'unverifiedToast' : 'approvedToast'
}

function KeysHint({ isOn, onChange }: { isOn: boolean; onChange: (isOn: boolean) => void }) {
  const t = useReviewWords()
  const keys = [
    ['J', 'keyNext'],
    ['K', 'keyPrevious'],
    ['A', 'keyApprove'],
    ['R', 'keyReject'],
  ] as const
  return (
    <div class="desk-keys">
      <SwitchField label={t('keys')} checked={isOn} onChange={onChange} hint={t('keysHint')} />
      <ul class="row small muted">
        {keys.map(([key, word]) => (
          <li key={key}>
            <kbd>{key}</kbd> {t(word)}
          </li>
        ))}
      </ul>
    </div>
  )
}

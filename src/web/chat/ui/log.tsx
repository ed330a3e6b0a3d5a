import { Component } from 'preact'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { Icon } from '../../kit/icons'
import { useLate } from '../app/lazy-app'
import type { Entry, NoteEntry } from '../model/chat'
import { CiteTip } from './cite-tip'
import { useApp, useChatState } from './context'
import { Intro } from './intro'
import { Reply } from './reply'
import { UserMessage } from './user-message'

/** This close to the end counts as being there. */
const END_PX = 48

/** The conversation. It follows its end only while the reader is there; otherwise a pill tells of what came. */
export function Log() {
  const { locale } = useApp()
  const late = useLate()
  const { entries, queue, loading } = useChatState()
  const scroller = useRef<HTMLDivElement>(null)
  const column = useRef<HTMLDivElement>(null)
  const following = useRef(true)
  const lastTop = useRef(0)
  const [away, setAway] = useState(false)
  const [unseen, setUnseen] = useState(false)

  const last = entries.at(-1)
  const started = entries.length + queue.length > 0
  const hasBegun = useRef(started)
  hasBegun.current = started

  const toEnd = () => {
    following.current = true
    const box = scroller.current
    if (!box) return
    box.scrollTop = box.scrollHeight
    lastTop.current = box.scrollTop
  }
  // Text may have grown since the scroll that this event tells of: only a move upwards means that the reader left.
  const onScroll = () => {
    const box = scroller.current
    if (!box) return
    if (box.scrollHeight - box.scrollTop - box.clientHeight < END_PX) following.current = true
    else if (box.scrollTop < lastTop.current) following.current = false
    lastTop.current = box.scrollTop
    setAway(!following.current)
    if (following.current) setUnseen(false)
  }

  useEffect(() => {
    const observer = new ResizeObserver(() => {
      // What the agent offers is read from its top, and a field stays where somebody writes in it.
      const isWriting = column.current?.querySelector(':is(input, textarea, select):focus')
      if (following.current && hasBegun.current && !isWriting) toEnd()
    })
    for (const element of [column.current, scroller.current]) {
      if (element) observer.observe(element)
    }
    return () => observer.disconnect()
  }, [])

  const lastOwn = entries.findLast((entry) => entry.kind === 'user')?.key
  useLayoutEffect(() => {
    if (hasBegun.current) toEnd()
  }, [lastOwn, queue.length])
  useEffect(() => {
    if (last?.kind === 'reply' && !following.current) setUnseen(true)
  }, [last])

  return (
    <div class="log-area">
      <div
        class="log"
        role="log"
        aria-live="off"
        aria-busy={loading}
        aria-labelledby="conversation"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
        tabIndex={0}
        ref={scroller}
        onScroll={onScroll}
      >
        <h2 class="sr" id="conversation">
          {locale.t('conversation')}
        </h2>
        <div class="column" ref={column}>
          {loading && late && <late.Skeleton />}
          <Intro
            started={started}
            greeted={entries[0] !== undefined && entries[0].kind !== 'user'}
          />
          {late && <late.Earlier within={scroller} />}
          <ol class="messages">
            {entries.map((entry) => (
              <EntryView key={entry.key} entry={entry} last={entry === last} locale={locale} />
            ))}
            {queue.map((entry) => (
              <UserMessage key={entry.key} entry={entry} queued />
            ))}
          </ol>
        </div>
      </div>
      {away && (
        <button type="button" class="pill" onClick={toEnd}>
          <Icon name="arrowDown" />
          {locale.t(unseen ? 'newReply' : 'toEnd')}
        </button>
      )}
      <CiteTip within={scroller} />
      {late && <late.LogKeys within={column} />}
    </div>
  )
}

interface EntryProps {
  entry: Entry
  last: boolean
  /** Only compared: a change of language renders everything anew. */
  locale: unknown
}

class EntryView extends Component<EntryProps> {
  override shouldComponentUpdate(next: EntryProps): boolean {
    const { entry, last, locale } = this.props
    return next.entry !== entry || next.last !== last || next.locale !== locale
  }

  override render({ entry, last }: EntryProps) {
    if (entry.kind === 'user') return <UserMessage entry={entry} />
    if (entry.kind === 'note') return entry.note === 'earlier' ? null : <Note note={entry.note} />
    return <Reply reply={entry} last={last} />
  }
}

function Note({ note }: { note: Exclude<NoteEntry['note'], 'earlier'> }) {
  const { locale } = useApp()
  return <li class="note">{locale.t(note)}</li>
}

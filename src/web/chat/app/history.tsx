import { useEffect, useId, useRef, useState } from 'preact/hooks'
import { firstSigns } from '../../kit/first-signs'
import { Icon } from '../../kit/icons'
import { useApp, useChatState } from '../ui/context'
import { ChatHistory, type ChatList, type Listed } from './chat-history'
import { groupByDay, whenIn } from './group-by-day'
import { Skeleton } from './skeleton'
import { useLateWords } from './words'

/** From here on the list stands beside the conversation. */
const WIDE = '(min-width: 1360px)'
const TYPING_MS = 300
/** As long as a written one. */
const TITLE_LENGTH = 60

let history: ChatHistory | null = null

function useChatHistory(): ChatHistory {
  const { boot, chat } = useApp()
  history ??= new ChatHistory(boot.tenant.id, boot.agent, chat)
  return history
}

/** Whether the list stands beside the conversation. A frame of another site is never that wide. */
function useWide(): boolean {
  const [isWide, setWide] = useState(() => matchMedia(WIDE).matches)
  useEffect(() => {
    const media = matchMedia(WIDE)
    const follow = () => setWide(media.matches)
    media.addEventListener('change', follow)
    return () => media.removeEventListener('change', follow)
  }, [])
  return isWide
}

/** The entry in the menu and, once pressed, the list below it; neither where the list stands beside the conversation. */
export function HistoryItem({ onDone }: { onDone: () => void }) {
  const { chat, locale } = useApp()
  const { turn } = useChatState()
  const chats = useChatHistory()
  const isWide = useWide()
  const [open, setOpen] = useState(false)
  const wasRunning = useRef(true)

  // At the start, after every turn, and when the visitor signed in elsewhere.
  const { carried } = chat
  useEffect(() => {
    if (turn === 'idle' && (wasRunning.current || carried)) void chats.sync()
    wasRunning.current = turn !== 'idle'
  }, [turn, chats, carried])

  if (isWide) return null
  return (
    <>
      <button type="button" class="menu-item" aria-expanded={open} onClick={() => setOpen(!open)}>
        <Icon name="doc" />
        {locale.t('history')}
      </button>
      {open && (
        <>
          <h2 class="sr">{locale.t('history')}</h2>
          <HistoryList onDone={onDone} />
        </>
      )}
    </>
  )
}

/** The list beside the conversation, where there is room for it. */
export function HistoryColumn() {
  const { locale } = useApp()
  const id = useId()
  if (!useWide()) return null
  return (
    <nav class="history-column" aria-labelledby={id}>
      <h2 id={id}>{locale.t('history')}</h2>
      <HistoryList onDone={() => undefined} />
    </nav>
  )
}

function HistoryList({ onDone }: { onDone: () => void }) {
  const { chat, locale } = useApp()
  const { t } = locale
  const { turn, sessionId, entries } = useChatState()
  const chats = useChatHistory()
  const [list, setList] = useState<ChatList | null>(null)
  const words = useLateWords()
  const [query, setQuery] = useState('')
  const [found, setFound] = useState<Listed[] | null>(null)
  const [isEdited, setEdited] = useState(false)
  const [undo, setUndo] = useState<(() => void) | null>(null)
  const undoing = useRef<HTMLButtonElement>(null)
  const editing = useRef<HTMLButtonElement>(null)
  const looks = useRef(0)
  const reload = async () => {
    const mine = ++looks.current
    const latest = await chats.list(null)
    // Whoever looked before knows less.
    if (mine === looks.current) setList(latest)
  }

  const { carried } = chat
  useEffect(() => {
    if (turn === 'idle') void reload()
  }, [turn, sessionId, carried])
  useEffect(() => {
    const wanted = query.trim()
    if (wanted === '') return setFound(null)
    let isCurrent = true
    const timer = setTimeout(
      () => void chats.search(wanted).then((hits) => isCurrent && setFound(hits)),
      TYPING_MS,
    )
    return () => {
      isCurrent = false
      clearTimeout(timer)
    }
  }, [query, chats])

  // The button that was pressed is gone with its row.
  useEffect(() => undoing.current?.focus(), [undo])

  if (list === null) return <Skeleton />
  const more = async (cursor: string) => {
    const next = await chats.list(cursor)
    setList((now) => now && { ...next, chats: [...now.chats, ...next.chats] })
  }
  const remove = (id: string) => {
    const without = (all: Listed[]) => all.filter((one) => one.id !== id)
    const takeBack = chats.remove(id, () => {
      if (document.activeElement === undoing.current) editing.current?.focus()
      setUndo((latest) => (latest === undoThis ? null : latest))
    })
    setList({ ...list, chats: without(list.chats) })
    setFound((all) => all && without(all))
    const undoThis = () => {
      takeBack()
      setUndo(null)
      setQuery('')
      void reload()
      editing.current?.focus()
    }
    setUndo(() => undoThis)
  }
  const shown = found ?? list.chats
  // A title is written after the first answer; until then the question tells which chat it is.
  // What stands above a line was said before this chat began.
  const begins = entries.findLastIndex(
    (one) => one.kind === 'note' && !['unreadable', 'earlier'].includes(one.note),
  )
  const asked = entries.slice(begins + 1).find((entry) => entry.kind === 'user')?.text ?? ''
  const called = ({ id, title }: Listed) => {
    const words = id === sessionId ? firstSigns(asked, TITLE_LENGTH) : ''
    return title ?? (words || t('historyUntitled'))
  }
  return (
    <div class="history">
      {list.isKept && chat.userId() !== null && <p class="quiet">{t('historyOffline')}</p>}
      {!list.isKept && list.chats.length > 0 && (
        <div class="history-tools">
          <input
            type="search"
            dir="auto"
            aria-label={t('historySearch')}
            placeholder={t('historySearch')}
            value={query}
            onInput={(event) => setQuery(event.currentTarget.value)}
          />
          <button
            ref={editing}
            type="button"
            class="icon-button"
            aria-label={t('historyEdit')}
            title={t('historyEdit')}
            aria-pressed={isEdited}
            onClick={() => setEdited(!isEdited)}
          >
            <Icon name="pencil" />
          </button>
        </div>
      )}
      {shown.length === 0 && (
        <p class="quiet">
          {t(found !== null ? 'historyNone' : navigator.onLine ? 'historyEmpty' : 'offline')}
        </p>
      )}
      {groupByDay(shown, locale, Date.now()).map(([day, group]) => (
        <section key={day}>
          <h3>{day}</h3>
          <ul>
            {group.map((one) => (
              <li key={one.id}>
                {isEdited ? (
                  <EditedRow
                    title={called(one)}
                    onRename={(title) => void chats.rename(one.id, title).then(reload)}
                    onRemove={() => remove(one.id)}
                  />
                ) : (
                  <button
                    type="button"
                    class="menu-item"
                    disabled={turn !== 'idle'}
                    aria-current={one.id === sessionId}
                    onClick={() => void chats.open(one.id).then((ok) => ok && onDone())}
                  >
                    <span dir="auto">{called(one)}</span>
                    {one.unread && one.id !== sessionId && words ? (
                      <strong class="unread">{words('unread', { n: one.unread })}</strong>
                    ) : null}
                    <time dateTime={one.updatedAt}>
                      {whenIn(locale, Date.parse(one.updatedAt), Date.now())}
                    </time>
                    {one.snippet && <small dir="auto">{one.snippet}</small>}
                  </button>
                )}
              </li>
            ))}
          </ul>
        </section>
      ))}
      {found === null && list.next !== null && (
        <button type="button" class="link-button" onClick={() => void more(list.next as string)}>
          {t('historyMore')}
        </button>
      )}
      <p class="quiet" role="status">
        {undo !== null && (
          <>
            {t('historyDeleted')}
            <button type="button" class="link-button" ref={undoing} onClick={undo}>
              {t('undo')}
            </button>
          </>
        )}
      </p>
    </div>
  )
}

function EditedRow(props: {
  title: string
  onRename: (title: string) => void
  onRemove: () => void
}) {
  const { t } = useApp().locale
  const { title } = props
  return (
    <div class="history-edit">
      <input
        dir="auto"
        maxLength={120}
        aria-label={t('historyRename', { title })}
        defaultValue={title}
        onChange={(event) => {
          const wanted = event.currentTarget.value.trim()
          if (wanted !== '' && wanted !== title) props.onRename(wanted)
        }}
      />
      <button
        type="button"
        class="icon-button"
        aria-label={t('historyDelete', { title })}
        title={t('historyDelete', { title })}
        onClick={props.onRemove}
      >
        <Icon name="trash" />
      </button>
    </div>
  )
}

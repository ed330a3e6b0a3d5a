import type { RefObject } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import type { Chat } from '../chat'
import type { ChatState, Entry } from '../model/chat'
import { entriesOfMessages } from '../net/listed-messages'
import { useApp, useChatState } from '../ui/context'
import { useLateWords } from './words'

/** Loading begins this far before the reader is at the top. */
const NEAR_PX = 200

/** The message before which more of the open chat was said; null where all of it is shown. */
function moreBefore({ entries, sessionId }: Pick<ChatState, 'entries' | 'sessionId'>) {
  const [top] = entries
  if (sessionId === null || top?.kind !== 'note' || top.note !== 'earlier') return null
  // What a visitor said before signing in is of a session that the account does not have.
  const isCarried = entries.some((entry) => entry.kind === 'note' && entry.note === 'carried')
  return isCarried ? null : (top.first ?? null)
}

/** One page of what was said before a message; null where it cannot be had. */
async function fetchBefore(chat: Chat, first: string): Promise<Entry[] | null> {
  const { token } = chat
  const path = `/me/sessions/${chat.state.sessionId}/messages?before=${encodeURIComponent(first)}`
  const headers = { Authorization: `Bearer ${token}` }
  const response = await fetch(path, { headers }).catch(() => null)
  if (response?.status === 401 && token !== null) chat.refused(token)
  return response?.ok ? entriesOfMessages(await response.json().catch(() => null)) : null
}

/** The open chat from its beginning. `isWhole` is false where what is not shown could not be fetched. */
export async function readWhole(chat: Chat): Promise<{ entries: Entry[]; isWhole: boolean }> {
  const { sessionId } = chat.state
  let entries = [...chat.state.entries]
  for (;;) {
    const first = moreBefore({ entries, sessionId })
    if (first === null) return { entries, isWhole: true }
    const page = await fetchBefore(chat, first)
    if (page === null || chat.state.sessionId !== sessionId) return { entries, isWhole: false }
    entries = [...page, ...entries.slice(1)]
  }
}

/** The way to what was said before the first message that is shown: pressed, or reached by scrolling. */
export function Earlier({ within }: { within: RefObject<HTMLElement | null> }) {
  const { chat } = useApp()
  const first = moreBefore(useChatState())
  const words = useLateWords()
  const button = useRef<HTMLButtonElement>(null)
  const [state, setState] = useState<'idle' | 'loading' | 'failed'>('idle')
  const isLoading = useRef(false)

  const load = async () => {
    const [top] = chat.state.entries
    if (first === null || isLoading.current) return
    isLoading.current = true
    setState('loading')
    const page = await fetchBefore(chat, first)
    isLoading.current = false
    setState(page === null ? 'failed' : 'idle')
    // Another chat, or another page of this one, may have come meanwhile.
    if (page === null || chat.state.entries[0] !== top) return
    const box = within.current
    const shown = box?.querySelector('.messages > li')
    const place = shown?.getBoundingClientRect().top ?? 0
    const wasFocused = document.activeElement === button.current
    chat.prepend(page)
    requestAnimationFrame(() => {
      if (box && shown) box.scrollTop += shown.getBoundingClientRect().top - place
      if (wasFocused && !button.current) box?.focus({ preventScroll: true })
    })
  }

  const isThere = first !== null && words !== null
  useEffect(() => {
    if (!isThere || !button.current || state !== 'idle') return
    const observer = new IntersectionObserver(([seen]) => seen?.isIntersecting && void load(), {
      root: within.current,
      rootMargin: `${NEAR_PX}px 0px`,
    })
    observer.observe(button.current)
    return () => observer.disconnect()
  }, [isThere, first, state])

  if (!isThere) return null
  return (
    <p class="earlier">
      <button
        type="button"
        class="link-button"
        ref={button}
        aria-disabled={state === 'loading'}
        onClick={() => void load()}
      >
        {words('earlier')}
      </button>
      <span role="status">
        {state === 'loading' ? words('loading') : state === 'failed' && words('earlierFailed')}
      </span>
    </p>
  )
}

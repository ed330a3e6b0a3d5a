import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { readStored, writeStored } from '../../kit/net/storage'
import { useApp, useChatState } from './context'

/** Under which name the unsent words of a chat are kept; one without a session is the next new chat. */
export function draftKey(tenantId: string, agent: string, sessionId: string | null): string {
  const key = `parley:${tenantId}:${agent}:draft`
  return sessionId === null ? key : `${key}:${sessionId}`
}

/** The unsent words of the open chat: each chat has its own, over reloads too. */
export function useDraft(): [words: string, write: (words: string) => void] {
  const { boot, chat } = useApp()
  const { sessionId, entries } = useChatState()
  const keyOf = (session: string | null) => draftKey(boot.tenant.id, boot.agent.id, session)
  const key = keyOf(sessionId)
  const first = entries[0]?.key
  const [words, setWords] = useState(() => readStored(key) ?? '')
  const shown = useRef({ key, first })
  const write = (text: string) => {
    setWords(text)
    // Another chat may be open already, and not be drawn yet.
    writeStored(keyOf(chat.state.sessionId), text === '' ? null : text)
  }
  useLayoutEffect(() => {
    const before = shown.current
    shown.current = { key, first }
    if (before.key === key) return
    // The same conversation got a session, or another one: what is being written goes along.
    if (first !== undefined && first === before.first) {
      writeStored(before.key, null)
      write(words)
    } else setWords(readStored(key) ?? '')
  }, [key, first])
  return [words, write]
}

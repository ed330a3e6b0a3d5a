import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import { type ApiProblem, useApi } from '../api/call'
import { to } from '../router'
import { asProblem } from '../use-load'
import { joinMessages, refreshMessages } from './join-messages'
import type { Message } from './types'

interface Page {
  items: Message[]
  next_cursor: string | null
}

export interface Messages {
  items: readonly Message[] | null
  problem: ApiProblem | null
  loading: boolean
  hasEarlier: boolean
  earlier: () => void
  /** Reads the latest again: quietly, what is there stays when it fails. */
  refresh: () => void
}

const PAGE = 50

/** A conversation, its latest messages first to be read and the earlier ones on demand. */
export function useMessages(sid: string): Messages {
  const api = useApi()
  const [items, setItems] = useState<readonly Message[] | null>(null)
  const [cursor, setCursor] = useState<string | null>(null)
  const [problem, setProblem] = useState<ApiProblem | null>(null)
  const [loading, setLoading] = useState(true)
  const looks = useRef(0)
  const path = to`/v1/manage/sessions/${sid}/messages`
  const read = useCallback(
    async (from: string | null) => {
      const mine = from === null ? ++looks.current : null
      // Whoever looked before knows less.
      const isOld = () => mine !== null && mine !== looks.current
      setLoading(true)
      try {
        const page = await api.get<Page>(path, { limit: PAGE, cursor: from })
        if (isOld()) return
        setProblem(null)
        setItems((was) => {
          if (from !== null) return joinMessages(page.items, was ?? [])
          return was === null ? page.items : refreshMessages(was, page.items)
        })
        setCursor((was) => (from !== null || was === null ? page.next_cursor : was))
      } catch (error) {
        if (isOld()) return
        setProblem(asProblem(error))
      }
      setLoading(false)
    },
    [api, path],
  )
  useEffect(() => void read(null), [read])
  return {
    items,
    problem,
    loading,
    hasEarlier: cursor !== null,
    earlier: () => void read(cursor),
    refresh: () => void read(null),
  }
}

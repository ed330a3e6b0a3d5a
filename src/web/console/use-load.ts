import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import { type Api, ApiProblem, type Query, queryText, useApi } from './api/call'

export interface Loaded<T> {
  data: T | null
  problem: ApiProblem | null
  loading: boolean
  reload: () => void
  set: (data: T) => void
}

/** What came of it, whatever it is. */
export type Fetched = Pick<Loaded<unknown>, 'data' | 'problem'>

/** What is thrown besides refusals is a fault of the page: it is shown as one, and not swallowed. */
export const asProblem = (error: unknown): ApiProblem =>
  error instanceof ApiProblem ? error : new ApiProblem(0, String(error), 'page')

/** Loads when it is shown, and again when `deps` change; what was there stays until the new is. */
export function useLoad<T>(
  load: (api: Api, signal: AbortSignal) => Promise<T>,
  deps: readonly unknown[],
): Loaded<T> {
  const api = useApi()
  const [state, setState] = useState<Pick<Loaded<T>, 'data' | 'problem' | 'loading'>>({
    data: null,
    problem: null,
    loading: true,
  })
  const [round, setRound] = useState(0)
  useEffect(() => {
    const controller = new AbortController()
    setState((was) => ({ ...was, loading: true }))
    load(api, controller.signal).then(
      (data) => {
        if (!controller.signal.aborted) setState({ data, problem: null, loading: false })
      },
      (error: unknown) => {
        if (controller.signal.aborted) return
        setState((was) => ({ ...was, problem: asProblem(error), loading: false }))
      },
    )
    return () => controller.abort()
  }, [api, round, ...deps])
  const reload = useCallback(() => setRound((n) => n + 1), [])
  const set = useCallback((data: T) => setState({ data, problem: null, loading: false }), [])
  return { ...state, reload, set }
}

export interface Listed<T> {
  items: readonly T[] | null
  problem: ApiProblem | null
  loading: boolean
  hasMore: boolean
  more: () => void
  reload: () => void
  set: (items: readonly T[]) => void
}

type Page<T> = readonly T[] | { items: readonly T[]; next_cursor?: string | null }

/** A list of the API: whole where it comes as an array, else page by page. */
export function useList<T>(path: string, query: Query = {}): Listed<T> {
  return usePages(path + queryText(query), async (api, cursor) => {
    const next = cursor === null ? {} : { cursor }
    const page = await api.get<Page<T>>(path, { ...query, ...next })
    return 'items' in page
      ? { rows: page.items, next: page.next_cursor ?? null }
      : { rows: page, next: null }
  })
}

/**
 * A list that is read page by page; a page that comes after a newer call was made is dropped.
 * @param address tells lists apart: when it changes, the list is read anew
 * @param readPage reads the page behind a cursor, the first one behind null; `next` is null on the last
 */
export function usePages<T>(
  address: string,
  readPage: (
    api: Api,
    cursor: string | null,
  ) => Promise<{ rows: readonly T[]; next: string | null }>,
): Listed<T> {
  const api = useApi()
  const [items, setItems] = useState<readonly T[] | null>(null)
  const [cursor, setCursor] = useState<string | null>(null)
  const [problem, setProblem] = useState<ApiProblem | null>(null)
  const [loading, setLoading] = useState(true)
  const current = useRef(0)

  const read = useCallback(
    async (from: string | null, before: readonly T[]) => {
      const mine = ++current.current
      setLoading(true)
      setProblem(null)
      try {
        const { rows, next } = await readPage(api, from)
        if (mine !== current.current) return
        setItems([...before, ...rows])
        setCursor(next)
      } catch (error) {
        if (mine === current.current) setProblem(asProblem(error))
      }
      if (mine === current.current) setLoading(false)
    },
    // What `readPage` reads, the address names.
    [api, address],
  )
  useEffect(() => {
    setItems(null)
    void read(null, [])
    return () => {
      current.current++
    }
  }, [read])
  return {
    items,
    problem,
    loading,
    hasMore: cursor !== null,
    more: () => void read(cursor, items ?? []),
    reload: () => void read(null, []),
    set: setItems,
  }
}

export interface Acting {
  busy: boolean
  problem: ApiProblem | null
  /** Resolves to true once the work is done; what goes wrong is `problem`. While one runs another does not begin. */
  act: (work: () => Promise<void>) => Promise<boolean>
  clear: () => void
}

/** One action at a time, with what went wrong in it. */
export function useAct(): Acting {
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<ApiProblem | null>(null)
  const running = useRef(false)
  const act = async (work: () => Promise<void>) => {
    if (running.current) return false
    running.current = true
    setBusy(true)
    setProblem(null)
    try {
      await work()
      return true
    } catch (error) {
      setProblem(asProblem(error))
      return false
    } finally {
      running.current = false
      setBusy(false)
    }
  }
  return { busy, problem, act, clear: () => setProblem(null) }
}

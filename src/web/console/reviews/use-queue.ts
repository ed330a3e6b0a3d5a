import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import { type ApiProblem, type Query, queryText, useApi } from '../api/call'
import { asProblem, type Listed } from '../use-load'
import { cursorOf } from './queue'
import type { Review } from './types'

const PATH = '/v1/manage/reviews'

/** The reviews that a filter leaves, page by page: their next page stands in the `Link` header, not in the body. */
export function useQueue(filter: Query): Listed<Review> {
  const api = useApi()
  const [items, set] = useState<readonly Review[] | null>(null)
  const [cursor, setCursor] = useState<string | null>(null)
  const [problem, setProblem] = useState<ApiProblem | null>(null)
  const [loading, setLoading] = useState(true)
  const current = useRef(0)
  const address = queryText(filter)

  const read = useCallback(
    async (from: string | null, before: readonly Review[]) => {
      const mine = ++current.current
      setLoading(true)
      setProblem(null)
      try {
        const response = await api.raw('GET', PATH, { query: { ...filter, cursor: from } })
        const page = (await response.json()) as Review[]
        if (mine !== current.current) return
        set([...before, ...page])
        setCursor(cursorOf(response.headers.get('Link')))
      } catch (error) {
        if (mine === current.current) setProblem(asProblem(error))
      }
      if (mine === current.current) setLoading(false)
    },
    // The address has the filter in it.
    [api, address],
  )
  useEffect(() => {
    set(null)
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
    set,
  }
}

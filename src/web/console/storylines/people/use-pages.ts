import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import { type ApiProblem, type Query, queryText, useApi } from '../../api/call'
import { asProblem, type Listed } from '../../use-load'

/** A list whose next page is named in the answer's `Link` header. */
export function usePages<T>(path: string, query: Query): Listed<T> {
  const api = useApi()
  const address = path + queryText(query)
  const [items, setItems] = useState<readonly T[] | null>(null)
  const [next, setNext] = useState<string | null>(null)
  const [problem, setProblem] = useState<ApiProblem | null>(null)
  const [loading, setLoading] = useState(true)
  const round = useRef(0)
  const read = useCallback(
    async (from: string, before: readonly T[]) => {
      const mine = ++round.current
      setLoading(true)
      setProblem(null)
      try {
        const response = await api.raw('GET', from)
        const rows = (await response.json()) as T[]
        if (mine !== round.current) return
        setItems([...before, ...rows])
        setNext(nextOf(response.headers.get('Link')))
      } catch (error) {
        if (mine === round.current) setProblem(asProblem(error))
      } finally {
        if (mine === round.current) setLoading(false)
      }
    },
    [api],
  )
  useEffect(() => {
    setItems(null)
    void read(address, [])
  }, [address, read])
  return {
    items,
    problem,
    loading,
    hasMore: next !== null,
    more: () => next !== null && void read(next, items ?? []),
    reload: () => void read(address, []),
    set: setItems,
  }
}

/** The address of `rel="next"`, within this origin. */
function nextOf(link: string | null): string | null {
  const address = /<([^>]+)>;\s*rel="next"/.exec(link ?? '')?.[1]
  if (address === undefined) return null
  const { pathname, search } = new URL(address, location.origin)
  return pathname + search
}

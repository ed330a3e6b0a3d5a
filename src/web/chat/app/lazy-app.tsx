import { useEffect, useState } from 'preact/hooks'
import { loadCode } from './load-code'

export type Late = typeof import('./late')

const SETTLED_MS = 300

/** What comes after the page itself: its menu, its lists, what makes it an app. Null until then. */
export const useLate = later<Late>(() => import('./late'))

/** What is done with a message that was said, fetched with the first one. Null until then. */
export const useAgain = later<typeof import('../again/again')>(() => import('../again/again'))

/** A hook for code that waits until the page has settled. It is fetched once; without it the page is only a page. */
function later<M>(load: () => Promise<M>): () => M | null {
  let loaded: M | null = null
  return function useLater() {
    const [late, setLate] = useState(loaded)
    useEffect(() => {
      if (late) return
      const timer = setTimeout(async () => {
        loaded = await loadCode(load).catch(() => null)
        setLate(() => loaded)
      }, SETTLED_MS)
      return () => clearTimeout(timer)
    }, [late])
    return late
  }
}

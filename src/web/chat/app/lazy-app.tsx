import { useEffect, useState } from 'preact/hooks'

export type Late = typeof import('./late')

let loaded: Late | null = null
const SETTLED_MS = 300

/** What comes after the page itself: its menu, its lists, what makes it an app. Null until then. */
export function useLate(): Late | null {
  const [late, setLate] = useState(loaded)
  useEffect(() => {
    if (late) return
    const timer = setTimeout(async () => {
      // Without it the page is only a page.
      loaded = await import('./late').catch(() => null)
      setLate(() => loaded)
    }, SETTLED_MS)
    return () => clearTimeout(timer)
  }, [late])
  return late
}

import { useEffect, useState } from 'preact/hooks'

const LOADERS = {
  /** What makes the page an app. */
  extras: () => import('./app-extras'),
  /** The chats of a person who is signed in. */
  history: () => import('./history'),
}
type Loaded = { [K in keyof typeof LOADERS]: Awaited<ReturnType<(typeof LOADERS)[K]>> }

const loaded: Partial<Loaded> = {}
const SETTLED_MS = 300

/** A part of the page that comes after the page itself; null until then, and as long as it is not wanted. */
export function useLazy<K extends keyof Loaded>(name: K, wanted: boolean): Loaded[K] | null {
  const [part, setPart] = useState<Loaded[K] | null>(() => loaded[name] ?? null)
  useEffect(() => {
    if (!wanted || part) return
    const timer = setTimeout(async () => {
      // Without it the page is only a page.
      loaded[name] = ((await LOADERS[name]().catch(() => null)) ?? undefined) as Loaded[K]
      setPart(() => loaded[name] ?? null)
    }, SETTLED_MS)
    return () => clearTimeout(timer)
  }, [name, wanted, part])
  return part
}

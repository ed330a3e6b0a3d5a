import { type AnchorHTMLAttributes, type ComponentChildren, h, type JSX } from 'preact'
import { useCallback, useEffect, useLayoutEffect, useState } from 'preact/hooks'

/** Where the console is: a path below `#`, which no server sees, and its filters. */
export interface Place {
  path: string
  query: string
}

/** What is not saved, and whether whoever leaves it is asked. */
const guards = new Set<{ asks: boolean }>()
const listeners = new Set<(place: Place) => void>()
let here = readPlace()
/** How far down the entries of the history were read, by the mark that each carries. */
const depths = new Map<unknown, number>()
let entry = markEntry()
// The browser would return to a depth before what was that long is there.
history.scrollRestoration = 'manual'
/** What had the focus when the reader came here. */
let came: Element | null = null

function readPlace(): Place {
  const [path = '', query = ''] = location.hash.slice(1).split('?')
  return { path: path.startsWith('/') ? path : '/', query }
}

/** Asks whoever has unsaved changes; the question itself is the shell's. */
let confirmLeaving: () => Promise<boolean> = async () => true
export function onLeaving(ask: () => Promise<boolean>): void {
  confirmLeaving = ask
}

const isHeld = () => [...guards].some(({ asks }) => asks)

/** Whether something on the screen would be lost with it. */
export const hasUnsaved = () => guards.size > 0

function markEntry(): unknown {
  if (history.state === null) history.replaceState(Date.now(), '')
  return history.state
}

function arrive(): void {
  depths.set(entry, scrollY)
  entry = markEntry()
  here = readPlace()
  came = document.activeElement
  for (const tell of listeners) tell(here)
}

addEventListener('hashchange', async () => {
  const next = readPlace()
  if (next.path === here.path || !isHeld()) return arrive()
  const wanted = location.hash
  // The address shows what is on the screen until the question is answered.
  history.replaceState(history.state, '', addressOf(here))
  if (!(await confirmLeaving())) return
  guards.clear()
  history.replaceState(history.state, '', wanted)
  arrive()
})
/** Whether the reader may leave what is shown: asked where something is not saved. */
export async function mayLeave(): Promise<boolean> {
  if (!isHeld()) return true
  const mayGo = await confirmLeaving()
  if (mayGo) guards.clear()
  return mayGo
}

addEventListener('beforeunload', (event) => {
  if (isHeld()) event.preventDefault()
})

/**
 * A new place is shown from its top, one that Back leads to as far down as it was read, once it is that long again.
 * @returns what ends it; whoever moves by themselves meanwhile ends it too.
 */
export function takeUpDepth(): () => void {
  const depth = depths.get(entry) ?? 0
  const over = new AbortController()
  const { signal } = over
  const grown = new ResizeObserver(() => {
    scrollTo(0, depth)
    if (scrollY > depth - 1) over.abort()
  })
  signal.addEventListener('abort', () => grown.disconnect())
  for (const kind of ['wheel', 'touchmove', 'pointerdown', 'keydown']) {
    addEventListener(kind, () => over.abort(), { signal, passive: true })
  }
  scrollTo(0, depth)
  // The body is as high as the window.
  for (const part of document.body.children) grown.observe(part)
  return () => over.abort()
}

const addressOf = ({ path, query }: Place) => `#${path}${query === '' ? '' : `?${query}`}`

/** Whether the reader has gone to something by themselves while the place was still loading. */
export function hasMovedOn(): boolean {
  const held = document.activeElement
  // What was left with a dialog gave the focus back to something that nobody went to.
  return held !== document.body && held !== came && came?.isConnected !== false
}

/** Goes to a path of the console (`to` writes one), asking first where something is not saved. */
export function navigate(path: string, { replace = false } = {}): void {
  const address = `#${path}`
  if (!replace) {
    location.hash = address
    return
  }
  history.replaceState(history.state, '', address)
  arrive()
}

/** A path whose values are encoded: to`/agents/${name}`. */
export const to = (
  strings: TemplateStringsArray,
  ...values: readonly (string | number)[]
): string =>
  strings.reduce((path, part, at) => path + encodeURIComponent(values[at - 1] ?? '') + part)

export function usePlace(): Place {
  const [place, setPlace] = useState(here)
  useEffect(() => {
    listeners.add(setPlace)
    setPlace(here)
    return () => {
      listeners.delete(setPlace)
    }
  }, [])
  return place
}

export type SetQuery = (
  changes: Record<string, string | null>,
  options?: { push?: boolean },
) => void

/**
 * The filters of the screen as they stand in the address; a change replaces the entry of the history, or is one that Back
 * takes away again.
 */
export function useQuery(): [URLSearchParams, SetQuery] {
  const { query } = usePlace()
  const change = useCallback<SetQuery>((changes, { push = false } = {}) => {
    const next = new URLSearchParams(here.query)
    for (const [name, value] of Object.entries(changes)) {
      if (value === null || value === '') next.delete(name)
      else next.set(name, value)
    }
    const address = addressOf({ path: here.path, query: `${next}` })
    if (push) history.pushState(null, '', address)
    else history.replaceState(history.state, '', address)
    arrive()
  }, [])
  return [new URLSearchParams(query), change]
}

/**
 * Holds the reader back who leaves while something is not saved.
 * @param asks false where leaving saves it.
 */
export function useGuard(isDirty: boolean, asks = true): void {
  // Not after the next paint: who writes and leaves before that would not be asked.
  useLayoutEffect(() => {
    if (!isDirty) return undefined
    const guard = { asks }
    guards.add(guard)
    return () => {
      guards.delete(guard)
    }
  }, [isDirty, asks])
}

interface LinkProps extends Pick<AnchorHTMLAttributes, 'class' | 'aria-current' | 'onClick'> {
  to: string
  children: ComponentChildren
}

export function Link({ to: path, ...rest }: LinkProps): JSX.Element {
  return h('a', { ...rest, href: `#${path}` })
}

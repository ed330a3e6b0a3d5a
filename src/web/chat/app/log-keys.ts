import type { RefObject } from 'preact'
import { useEffect } from 'preact/hooks'
import { useChatState } from '../ui/context'

/** More answers than this, and Tab stops at one message alone; arrows go from one to the next. */
const MANY = 20
const CONTROLS = 'a[href], button, input, summary, textarea, [tabindex]'
const STEPS: Readonly<Record<string, (at: number, last: number) => number>> = {
  ArrowUp: (at) => at - 1,
  ArrowDown: (at) => at + 1,
  Home: () => 0,
  End: (_at, last) => last,
}

/** Keeps a long conversation passable by keyboard. */
export function LogKeys({ within }: { within: RefObject<HTMLElement | null> }) {
  const { entries } = useChatState()
  const isLong = entries.filter(({ kind }) => kind === 'reply').length > MANY
  useEffect(() => {
    const list = within.current?.querySelector('ol.messages')
    return isLong && list ? rove(list) : undefined
  }, [isLong, within])
  return null
}

/** @returns what ends it. */
function rove(list: Element): () => void {
  const end = new AbortController()
  const { signal } = end
  let current: Element | null = list.lastElementChild
  const items = () => [...list.children] as HTMLElement[]
  const draw = () => {
    if (!current?.isConnected) current = list.lastElementChild
    for (const item of items()) {
      item.tabIndex = item === current ? 0 : -1
      for (const control of item.querySelectorAll<HTMLElement>(CONTROLS))
        (item === current ? release : withhold)(control)
    }
  }
  const follow = () => {
    // Whoever reads an earlier message stays there.
    if (!list.contains(document.activeElement)) current = list.lastElementChild
    draw()
  }
  let frame = 0
  const observer = new MutationObserver(() => {
    cancelAnimationFrame(frame)
    frame = requestAnimationFrame(follow)
  })
  observer.observe(list, { childList: true, subtree: true })
  list.addEventListener(
    'focusin',
    ({ target }) => {
      current = items().find((item) => item.contains(target as Node)) ?? current
      draw()
    },
    { signal },
  )
  list.addEventListener(
    'keydown',
    (event) => {
      const all = items()
      const at = all.indexOf(event.target as HTMLElement)
      const to = STEPS[(event as KeyboardEvent).key]?.(at, all.length - 1)
      if (at < 0 || to === undefined) return
      event.preventDefault()
      all[Math.max(0, Math.min(to, all.length - 1))]?.focus()
    },
    { signal },
  )
  draw()
  return () => {
    observer.disconnect()
    cancelAnimationFrame(frame)
    end.abort()
    for (const item of items()) {
      item.removeAttribute('tabindex')
      for (const control of item.querySelectorAll<HTMLElement>(CONTROLS)) release(control)
    }
  }
}

function withhold(control: HTMLElement): void {
  control.dataset.tab ??= control.getAttribute('tabindex') ?? ''
  control.tabIndex = -1
}

function release(control: HTMLElement): void {
  const { tab } = control.dataset
  if (tab === undefined) return
  delete control.dataset.tab
  if (tab === '') control.removeAttribute('tabindex')
  else control.setAttribute('tabindex', tab)
}

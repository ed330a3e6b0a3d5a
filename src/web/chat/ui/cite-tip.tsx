import type { RefObject } from 'preact'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'

interface Tip {
  words: string
  mark: Element
}

const GAP_PX = 6
const MARGIN_PX = 8

/**
 * The name of a citation mark that is hovered or focused. It only repeats the mark's accessible name, so it is hidden
 * from assistive technology; Escape dismisses it.
 */
export function CiteTip({ within }: { within: RefObject<HTMLElement | null> }) {
  const [tip, setTip] = useState<Tip | null>(null)
  const box = useRef<HTMLDivElement>(null)

  useEffect(() => {
    const root = within.current
    if (!root) return
    const end = new AbortController()
    const { signal } = end
    const show = (event: Event) => {
      const mark =
        event.target instanceof Element ? event.target.closest('button[data-cite]') : null
      const words = mark?.getAttribute('aria-label')
      if (mark && words) setTip({ words, mark })
    }
    const hide = () => setTip(null)
    // The keyboard brings the mark that it comes to into sight: the name goes along.
    const follow = () => {
      const { top, bottom } = root.getBoundingClientRect()
      setTip((tip) => {
        if (tip?.mark !== document.activeElement) return null
        const { y } = tip.mark.getBoundingClientRect()
        return y > top && y < bottom ? { ...tip } : null
      })
    }
    root.addEventListener('pointerover', show, { signal })
    root.addEventListener('focusin', show, { signal })
    root.addEventListener('pointerout', hide, { signal })
    root.addEventListener('focusout', hide, { signal })
    root.addEventListener('scroll', follow, { signal, passive: true })
    addEventListener(
      'keydown',
      (event) => {
        if (event.key === 'Escape') hide()
      },
      { signal },
    )
    return () => end.abort()
  }, [within])

  useLayoutEffect(() => {
    const element = box.current
    if (!element || !tip) return
    const mark = tip.mark.getBoundingClientRect()
    const width = element.offsetWidth
    const wanted = mark.x + mark.width / 2 - width / 2
    const x = Math.max(MARGIN_PX, Math.min(wanted, innerWidth - width - MARGIN_PX))
    const above = mark.y - element.offsetHeight - GAP_PX
    const y = above < MARGIN_PX ? mark.bottom + GAP_PX : above
    element.style.transform = `translate(${Math.round(x)}px, ${Math.round(y)}px)`
  }, [tip])

  return tip === null ? null : (
    <div class="tip" ref={box} aria-hidden="true" dir="auto">
      {tip.words}
    </div>
  )
}

import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'

interface Props {
  /** What is looked at; anything else is looked at anew. */
  of: string
  /** It came into view, or it is about to. */
  onSeen: () => void
  children: ComponentChildren
}

/** Says when it is looked at. */
export function Seen({ of, onSeen, children }: Props) {
  const element = useRef<HTMLSpanElement>(null)
  const latest = useRef(onSeen)
  latest.current = onSeen
  useEffect(() => {
    if (element.current === null) return undefined
    const watch = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) latest.current()
      },
      { rootMargin: '120px' },
    )
    watch.observe(element.current)
    return () => watch.disconnect()
  }, [of])
  return <span ref={element}>{children}</span>
}

import type { RefObject } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'

interface Disclosure {
  box: RefObject<HTMLDivElement | null>
  open: boolean
  toggle: () => void
}

/** What a button of the bar opens below itself; a press elsewhere or Escape closes it, and Escape goes back to the button. */
export function useDisclosure(): Disclosure {
  const box = useRef<HTMLDivElement>(null)
  const [open, setOpen] = useState(false)
  // Before it is painted, so that no Escape is lost.
  useLayoutEffect(() => {
    if (!open) return undefined
    const onPointer = (event: Event) => {
      if (!box.current?.contains(event.target as Node)) setOpen(false)
    }
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return
      setOpen(false)
      box.current?.querySelector<HTMLElement>('button')?.focus()
    }
    document.addEventListener('pointerdown', onPointer)
    document.addEventListener('keydown', onKey)
    return () => {
      document.removeEventListener('pointerdown', onPointer)
      document.removeEventListener('keydown', onKey)
    }
  }, [open])
  return { box, open, toggle: () => setOpen(!open) }
}

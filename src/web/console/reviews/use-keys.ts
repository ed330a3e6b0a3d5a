import { useEffect, useRef, useState } from 'preact/hooks'
import { actOf, type QueueAct, takesLetters } from './queue'

const KEPT = 'parley:console:review-keys'

/**
 * The queue's letter keys. They rest while somebody types or a dialog is open, and can be switched off: speech input says
 * letters too (WCAG 2.1.4).
 */
export function useKeys(act: (what: QueueAct) => void): [boolean, (isOn: boolean) => void] {
  const [isOn, setOn] = useState(() => readKept() !== 'off')
  const latest = useRef(act)
  latest.current = act
  useEffect(() => {
    if (!isOn) return undefined
    const press = (event: KeyboardEvent) => {
      const target = event.target instanceof HTMLElement ? event.target : document.body
      if (event.defaultPrevented || takesLetters(target)) return
      if (document.querySelector('dialog[open], [role="dialog"], [role="menu"]:not([hidden])'))
        return
      const what = actOf(event)
      if (what === null) return
      event.preventDefault()
      latest.current(what)
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  }, [isOn])
  const change = (next: boolean) => {
    setOn(next)
    keep(next ? 'on' : 'off')
  }
  return [isOn, change]
}

function readKept(): string | null {
  try {
    return localStorage.getItem(KEPT)
  } catch {
    return null
  }
}

/** Where nothing may be stored the choice holds for this visit. */
function keep(value: string): void {
  try {
    localStorage.setItem(KEPT, value)
  } catch {
    return
  }
}

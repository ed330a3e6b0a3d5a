import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { IconButton } from './button'
import { Icon, type IconName } from './icons'

export interface MenuItem {
  label: string
  icon?: IconName
  danger?: boolean
  disabled?: boolean
  act: () => void
}

const MARGIN_PX = 8

/** The dots of a narrow page stand at either edge of it, or between them. */
function moveIntoSight(popover: HTMLElement | null): void {
  if (popover === null) return
  const { left, right } = popover.getBoundingClientRect()
  const shift = Math.max(0, MARGIN_PX - left) + Math.min(0, innerWidth - MARGIN_PX - right)
  popover.style.translate = `${shift}px`
}

/** Actions behind three dots. */
export function Menu({ label, items }: { label: string; items: readonly MenuItem[] }) {
  const id = useId()
  const [open, setOpen] = useState(false)
  const box = useRef<HTMLDivElement>(null)
  // Before it is painted: an effect comes up to a tenth of a second later, and an Escape meanwhile would be lost.
  useLayoutEffect(() => {
    if (!open) return undefined
    const list = () => [...(box.current?.querySelectorAll<HTMLElement>('[role=menuitem]') ?? [])]
    list()[0]?.focus()
    const onPointer = (event: Event) => {
      if (!box.current?.contains(event.target as Node)) setOpen(false)
    }
    const onKey = (event: KeyboardEvent) => {
      const rows = list()
      const at = rows.indexOf(document.activeElement as HTMLElement)
      if (event.key === 'Escape' || event.key === 'Tab') {
        setOpen(false)
        if (event.key === 'Escape') box.current?.querySelector<HTMLElement>('button')?.focus()
      } else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
        event.preventDefault()
        const step = event.key === 'ArrowDown' ? 1 : -1
        rows.at((at + step + rows.length) % rows.length)?.focus()
      }
    }
    document.addEventListener('pointerdown', onPointer)
    document.addEventListener('keydown', onKey)
    return () => {
      document.removeEventListener('pointerdown', onPointer)
      document.removeEventListener('keydown', onKey)
    }
  }, [open])
  return (
    <div class="menu" ref={box}>
      <IconButton icon="dots" label={label} expanded={open} onClick={() => setOpen(!open)} />
      {open && (
        <div class="popover" role="menu" id={id} aria-label={label} ref={moveIntoSight}>
          {items.map((item) => (
            <button
              key={item.label}
              type="button"
              role="menuitem"
              tabIndex={-1}
              class={item.danger ? 'menu-item danger' : 'menu-item'}
              disabled={item.disabled}
              onClick={() => {
                setOpen(false)
                item.act()
              }}
            >
              {item.icon && <Icon name={item.icon} />}
              {item.label}
            </button>
          ))}
        </div>
      )}
    </div>
  )
}

import type { ComponentChildren } from 'preact'
import { useRef } from 'preact/hooks'
import { Link } from '../router'
import { Icon, type IconName } from './icons'

type Kind = 'primary' | 'plain' | 'danger' | 'quiet'

interface Looks {
  kind?: Kind | undefined
  icon?: IconName | undefined
  small?: boolean | undefined
  children: ComponentChildren
}

interface ButtonProps extends Looks {
  onClick?: ((event: MouseEvent) => void) | undefined
  type?: 'button' | 'submit' | undefined
  busy?: boolean | undefined
  disabled?: boolean | undefined
  /** For a button whose words alone do not say what it is about. */
  label?: string | undefined
  expanded?: boolean | undefined
  pressed?: boolean | undefined
}

const looks = (kind: Kind | undefined, small: boolean | undefined) =>
  `button ${kind ?? 'plain'}${small ? ' small' : ''}`

/** A busy one keeps the focus and does nothing, and so does one that is done with while it has the focus. */
export function Button(props: ButtonProps) {
  const { kind, icon, small, children, onClick, type = 'button', busy = false, disabled } = props
  const element = useRef<HTMLButtonElement>(null)
  const isHeld = disabled === true && document.activeElement === element.current
  return (
    <button
      ref={element}
      type={type}
      class={looks(kind, small)}
      aria-disabled={busy || isHeld || undefined}
      aria-busy={busy || undefined}
      aria-label={props.label}
      aria-expanded={props.expanded}
      aria-pressed={props.pressed}
      disabled={disabled === true && !isHeld}
      onClick={(event) => {
        if (busy || disabled) event.preventDefault()
        else onClick?.(event)
      }}
    >
      {icon && <Icon name={icon} />}
      {children}
    </button>
  )
}

export function LinkButton({ kind, icon, small, children, to }: Looks & { to: string }) {
  return (
    <Link to={to} class={looks(kind, small)}>
      {icon && <Icon name={icon} />}
      {children}
    </Link>
  )
}

interface IconButtonProps {
  icon: IconName
  label: string
  onClick: (event: MouseEvent) => void
  disabled?: boolean | undefined
  pressed?: boolean | undefined
  expanded?: boolean | undefined
}

/** A button that only its icon shows; its words are read and shown as a tip. */
export function IconButton({ icon, label, onClick, disabled, pressed, expanded }: IconButtonProps) {
  return (
    <button
      type="button"
      class="icon-button"
      aria-label={label}
      title={label}
      aria-pressed={pressed}
      aria-expanded={expanded}
      disabled={disabled}
      onClick={onClick}
    >
      <Icon name={icon} />
    </button>
  )
}

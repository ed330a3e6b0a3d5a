import type { ComponentChildren } from 'preact'
import { useEffect, useId, useRef, useState } from 'preact/hooks'
import { isComposing } from '../../kit/composing'
import { useAct } from '../use-load'
import { useShell } from '../words'
import { Button, IconButton } from './button'
import { TextField } from './fields'
import { Problem } from './states'

/** A field that the dialog begins with, by itself or in a form. */
const FIRST_FIELD = ['input', 'select', 'textarea']
  .flatMap((field) => [
    `.dialog-body > ${field}:first-child`,
    `.dialog-body > .field:first-child ${field}`,
    `.dialog-body > form:first-child > .field:first-child ${field}`,
  ])
  .join()

interface DialogProps {
  title: string
  onClose: () => void
  actions?: ComponentChildren
  /** Along the page's end instead of its middle: for what is read beside the page. */
  drawer?: boolean
  wide?: boolean
  children: ComponentChildren
}

/** A modal dialog: the browser's own, so focus stays within it, Escape closes it and what had the focus gets it back. */
export function Dialog({ title, onClose, actions, drawer, wide, children }: DialogProps) {
  const t = useShell()
  const id = useId()
  const element = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    const before = document.activeElement
    element.current?.showModal()
    // Whoever is asked for something at once can write it; otherwise the browser chooses.
    element.current?.querySelector<HTMLElement>(FIRST_FIELD)?.focus()
    return () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus()
    }
  }, [])
  return (
    <dialog
      ref={element}
      class={drawer ? 'dialog drawer' : wide ? 'dialog wide' : 'dialog'}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Enter' || isComposing(event) || !endsByEnter(event.target)) return
        event.preventDefault()
        element.current
          ?.querySelector<HTMLButtonElement>('.dialog-foot .primary, .dialog-foot .danger')
          ?.click()
      }}
    >
      <header class="dialog-head">
        <h2 id={id}>
          <bdi>{title}</bdi>
        </h2>
        <IconButton icon="close" label={t('close')} onClick={onClose} />
      </header>
      <div class="dialog-body stack">{children}</div>
      {actions && <footer class="dialog-foot row">{actions}</footer>}
    </dialog>
  )
}

/** A line of text ends by Enter; within a form that is the form's own, and in a search it is the search's. */
const endsByEnter = (target: EventTarget | null): boolean =>
  target instanceof HTMLInputElement &&
  target.form === null &&
  target.role !== 'combobox' &&
  ['text', 'email', 'url', 'number', 'password'].includes(target.type)

interface ConfirmProps {
  title: string
  text: ComponentChildren
  /** What is lost, a line each. */
  lost?: readonly string[]
  /** Must be typed before it can be done. */
  typed?: string
  /** What is done, as the button says it. */
  confirm: string
  danger?: boolean
  onConfirm: () => Promise<void>
  onClose: () => void
}

/** Asks before something is done that cannot be taken back. Closes once it is done. */
export function ConfirmDialog(props: ConfirmProps) {
  const { title, text, lost = [], typed, confirm, danger, onConfirm, onClose } = props
  const t = useShell()
  const { busy, problem, act } = useAct()
  const [written, setWritten] = useState('')
  const isReady = typed === undefined || written.trim() === typed.trim()
  const go = async () => {
    if (isReady && (await act(onConfirm))) onClose()
  }
  return (
    <Dialog
      title={title}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{t('cancel')}</Button>
          <Button
            kind={danger ? 'danger' : 'primary'}
            busy={busy}
            disabled={!isReady}
            onClick={() => void go()}
          >
            {confirm}
          </Button>
        </>
      }
    >
      <div>{text}</div>
      {lost.length > 0 && (
        <ul class="lost">
          {lost.map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
      )}
      {typed !== undefined && (
        <TextField label={t('typeToConfirm', { typed })} value={written} onInput={setWritten} />
      )}
      <Problem of={problem} />
    </Dialog>
  )
}

import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { isComposing } from '../../kit/composing'
import { useApp } from '../ui/context'
import type { Words } from './again'

/** Asks in other words. */
export function EditForm(props: {
  text: string
  words: Words
  onSend: (text: string) => void
  onClose: () => void
}) {
  const { t } = useApp().locale
  const { words } = props
  const id = useId()
  const field = useRef<HTMLTextAreaElement>(null)
  const [text, setText] = useState(props.text)
  useLayoutEffect(() => {
    field.current?.focus()
    field.current?.setSelectionRange(text.length, text.length)
  }, [])
  const send = () => text.trim() !== '' && props.onSend(text.trim())
  return (
    <form
      class="comment edit"
      onSubmit={(event) => {
        event.preventDefault()
        send()
      }}
    >
      <label for={id}>{words('editLabel')}</label>
      <textarea
        id={id}
        ref={field}
        rows={3}
        maxLength={16_000}
        dir="auto"
        value={text}
        onInput={(event) => setText(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (isComposing(event)) return
          if (event.key === 'Escape') {
            event.preventDefault()
            props.onClose()
          }
          if (event.key !== 'Enter' || event.shiftKey) return
          event.preventDefault()
          send()
        }}
      />
      <div class="row">
        <button type="submit" class="button primary">
          {words('askAgain')}
        </button>
        <button type="button" class="button" onClick={props.onClose}>
          {t('cancel')}
        </button>
      </div>
    </form>
  )
}

/** Asks once more before a message goes. */
export function RemoveForm(props: { words: Words; onRemove: () => void; onClose: () => void }) {
  const { t } = useApp().locale
  const { words } = props
  const id = useId()
  const cancel = useRef<HTMLButtonElement>(null)
  useLayoutEffect(() => cancel.current?.focus(), [])
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields of a form
    <div class="comment" role="group" aria-labelledby={id}>
      <p id={id}>{words('removeQuestion')}</p>
      <div class="row">
        <button type="button" class="button primary" onClick={props.onRemove}>
          {words('removeYes')}
        </button>
        <button type="button" class="button" ref={cancel} onClick={props.onClose}>
          {t('cancel')}
        </button>
      </div>
    </div>
  )
}

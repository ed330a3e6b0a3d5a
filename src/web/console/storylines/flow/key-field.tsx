import { useEffect, useState } from 'preact/hooks'
import { Button, TextField } from '../../parts'
import { useFlowWords } from './words'

interface Props {
  label: string
  value: string
  hint?: string | undefined
  error?: string | null | undefined
  pattern: RegExp
  taken: (key: string) => boolean
  onChange: (key: string) => void
}

/** A key is changed as a whole: while it is typed it would name things that are not there. */
export function KeyField({ label, value, hint, error, pattern, taken, onChange }: Props) {
  const t = useFlowWords()
  const [text, setText] = useState(value)
  useEffect(() => setText(value), [value])
  const isNew = text !== value
  const wrong = !isNew
    ? null
    : !pattern.test(text)
      ? t('keyWrong')
      : taken(text)
        ? t('keyTaken')
        : null
  return (
    <form
      class="with-remove"
      onSubmit={(event) => {
        event.preventDefault()
        if (isNew && wrong === null) onChange(text)
      }}
    >
      <TextField
        label={label}
        mono
        value={text}
        hint={hint}
        error={wrong ?? error}
        onInput={setText}
      />
      {isNew && (
        <Button small type="submit" disabled={wrong !== null}>
          {t('apply')}
        </Button>
      )}
    </form>
  )
}

import { useState } from 'preact/hooks'
import type { LoginTranslate } from './words'

interface FieldProps {
  id: string
  type: 'email' | 'text' | 'password' | 'tel'
  label: string
  autocomplete: string
  value: string
  onInput: (value: string) => void
  error: string | null
  hint?: string | null
  optional?: boolean
  minlength?: number | undefined
}

/** A labelled input with its hint and its error tied to it. */
export function Field(props: FieldProps) {
  const { id, type, label, autocomplete, value, onInput, error, hint = null } = props
  const described = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ')
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input
        id={id}
        name={id}
        // The library types each kind of input apart; these take the same attributes.
        type={type as 'text'}
        dir={type === 'tel' ? 'ltr' : 'auto'}
        required={!props.optional}
        minlength={props.minlength}
        autocomplete={autocomplete}
        autocapitalize="none"
        spellcheck={false}
        value={value}
        aria-invalid={error !== null}
        aria-describedby={described || undefined}
        onInput={(event) => onInput(event.currentTarget.value)}
      />
      {hint === null ? null : (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {error === null ? null : (
        <p class="error" role="alert" id={`${id}-error`}>
          {error}
        </p>
      )}
    </div>
  )
}

const MIN_LENGTH = 8

interface PasswordProps {
  label: string
  hint: string | null
  isNew: boolean
  value: string
  onInput: (value: string) => void
  error: string | null
  t: LoginTranslate
}

/** A password that can be shown, pasted and filled in by a password manager. */
export function PasswordField({ isNew, t, ...field }: PasswordProps) {
  const [shown, setShown] = useState(false)
  return (
    <div class="password">
      <Field
        {...field}
        id="password"
        type={shown ? 'text' : 'password'}
        autocomplete={isNew ? 'new-password' : 'current-password'}
        minlength={isNew ? MIN_LENGTH : undefined}
      />
      <button type="button" class="link" aria-pressed={shown} onClick={() => setShown(!shown)}>
        {t(shown ? 'hidePassword' : 'showPassword')}
      </button>
    </div>
  )
}

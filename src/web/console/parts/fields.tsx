import type { ComponentChildren, JSX } from 'preact'
import { useId, useState } from 'preact/hooks'
import { useFormat, useShell } from '../words'
import { Icon } from './icons'

interface Common {
  label: string
  hint?: ComponentChildren
  /** Of the API, or of the page; tied to the input. */
  error?: string | null | undefined
  optional?: boolean | undefined
  disabled?: boolean | undefined
}

interface Tied {
  id: string
  'aria-describedby': string | undefined
  'aria-invalid': boolean | undefined
}

/** Label, input, hint and error of one field, tied together. */
export function FieldFrame(props: Common & { children: (tied: Tied) => ComponentChildren }) {
  const { label, hint, error, optional, children } = props
  const t = useShell()
  const id = useId()
  const described = [hint && `${id}hint`, error && `${id}error`].filter(Boolean).join(' ')
  return (
    <div class="field">
      <label for={id}>
        {label}
        {optional && <span class="muted small"> {t('optional')}</span>}
      </label>
      {children({
        id,
        'aria-describedby': described || undefined,
        'aria-invalid': error ? true : undefined,
      })}
      <FieldNotes id={id} hint={hint} error={error} />
    </div>
  )
}

function FieldNotes({ id, hint, error }: Pick<Common, 'hint' | 'error'> & { id: string }) {
  return (
    <>
      {hint && (
        <p class="hint" id={`${id}hint`}>
          {hint}
        </p>
      )}
      {error && (
        <p class="error" id={`${id}error`}>
          <Icon name="warn" />
          {error}
        </p>
      )}
    </>
  )
}

interface TextProps extends Common {
  value: string
  onInput: (value: string) => void
  type?: 'text' | 'email' | 'url' | 'password' | 'search' | 'date' | 'datetime-local' | 'color'
  mono?: boolean | undefined
  placeholder?: string | undefined
  maxLength?: number | undefined
  dir?: 'auto' | 'ltr' | undefined
  autocomplete?: string | undefined
}

export function TextField({ value, onInput, type = 'text', mono, ...rest }: TextProps) {
  return (
    <FieldFrame {...rest}>
      {(tied) => (
        <input
          {...tied}
          // The library types each kind of input apart; these take the same attributes.
          type={type as 'text'}
          class={mono ? 'mono' : undefined}
          dir={rest.dir ?? (mono || type === 'email' || type === 'url' ? 'ltr' : 'auto')}
          value={value}
          placeholder={rest.placeholder}
          maxLength={rest.maxLength}
          disabled={rest.disabled}
          autocomplete={rest.autocomplete ?? 'off'}
          spellcheck={mono ? false : undefined}
          onInput={(event) => onInput(event.currentTarget.value)}
        />
      )}
    </FieldFrame>
  )
}

interface AreaProps extends TextProps {
  rows?: number | undefined
  /** Shows how many of so many characters are written. */
  count?: number | undefined
}

export function TextArea({ value, onInput, rows = 4, count, mono, ...rest }: AreaProps) {
  const format = useFormat()
  const hint =
    count === undefined ? (
      rest.hint
    ) : (
      <>
        {rest.hint}{' '}
        <span class="tabular">{`${format.number(value.length)} / ${format.number(count)}`}</span>
      </>
    )
  return (
    <FieldFrame {...rest} hint={hint}>
      {(tied) => (
        <textarea
          {...tied}
          rows={rows}
          class={mono ? 'mono' : undefined}
          dir={mono ? 'ltr' : 'auto'}
          value={value}
          placeholder={rest.placeholder}
          maxLength={rest.maxLength}
          disabled={rest.disabled}
          spellcheck={mono ? false : undefined}
          onInput={(event) => onInput(event.currentTarget.value)}
        />
      )}
    </FieldFrame>
  )
}

interface NumberProps extends Common {
  value: number | null
  onInput: (value: number | null) => void
  min?: number | undefined
  max?: number | undefined
  step?: number | 'any' | undefined
  unit?: string | undefined
  placeholder?: string | undefined
}

export function NumberField({ value, onInput, min, max, step, unit, ...rest }: NumberProps) {
  return (
    <FieldFrame {...rest}>
      {(tied) => (
        <span class="with-unit">
          <input
            {...tied}
            type="number"
            inputMode="decimal"
            min={min}
            max={max}
            step={step}
            value={value ?? ''}
            placeholder={rest.placeholder}
            disabled={rest.disabled}
            onInput={(event) => {
              const { value: text } = event.currentTarget
              onInput(text === '' ? null : Number(text))
            }}
          />
          {unit && <span class="muted small">{unit}</span>}
        </span>
      )}
    </FieldFrame>
  )
}

/** A secret is written and never read back: what is stored shows as stored, and typing replaces it. */
export function SecretField({ isStored, ...rest }: TextProps & { isStored?: boolean }) {
  const t = useShell()
  const [shown, setShown] = useState(false)
  return (
    <FieldFrame {...rest}>
      {(tied) => (
        <span class="with-unit">
          <input
            {...tied}
            type={(shown ? 'text' : 'password') as 'text'}
            class="mono"
            dir="ltr"
            value={rest.value}
            placeholder={isStored ? t('stored') : rest.placeholder}
            autocomplete="new-password"
            spellcheck={false}
            disabled={rest.disabled}
            onInput={(event) => rest.onInput(event.currentTarget.value)}
          />
          <button
            type="button"
            class="link-button small"
            aria-pressed={shown}
            onClick={() => setShown(!shown)}
          >
            {t(shown ? 'hide' : 'show')}
          </button>
        </span>
      )}
    </FieldFrame>
  )
}

interface FieldsProps {
  legend?: string | undefined
  hint?: string | undefined
  children: ComponentChildren
}

/** Fields that belong together. */
export function Fields({ legend, hint, children }: FieldsProps): JSX.Element {
  return (
    <fieldset class="fields">
      {legend && <legend>{legend}</legend>}
      {hint && <p class="hint">{hint}</p>}
      {children}
    </fieldset>
  )
}

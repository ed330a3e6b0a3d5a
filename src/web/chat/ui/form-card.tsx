import { useId, useRef, useState } from 'preact/hooks'
import { Icon } from '../../kit/icons'
import type { FormField } from '../../kit/turn/frames'
import type { MessageKey } from '../i18n'
import { useLocale } from './context'
import type { FormProps } from './lazy-form'

type Values = Record<string, string[]>

/** A form as a fieldset in the conversation. Sends `Title: value` lines; after that it stays readable. */
export function FormCard({ form, said, active, onSend }: FormProps) {
  const { t } = useLocale()
  const id = useId()
  const root = useRef<HTMLFormElement>(null)
  const [values, setValues] = useState<Values>({})
  const [errors, setErrors] = useState<Record<string, MessageKey>>({})

  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    const found: Record<string, MessageKey> = {}
    for (const field of form.fields) {
      const error = checkField(field, values[field.name] ?? [])
      if (error !== null) found[field.name] = error
    }
    setErrors(found)
    const first = form.fields.findIndex((field) => found[field.name])
    if (first !== -1) {
      root.current?.querySelector<HTMLElement>(`[data-field="${first}"]`)?.focus()
      return
    }
    const lines = form.fields.flatMap((field) => {
      const value = (values[field.name] ?? []).join(', ').trim()
      if (field.type === 'boolean') return [`${field.label}: ${t(value ? 'formYes' : 'formNo')}`]
      return value === '' ? [] : [`${field.label}: ${value}`]
    })
    if (lines.length > 0) onSend(lines.join('\n'))
  }

  return (
    <form class="card form" ref={root} noValidate onSubmit={submit}>
      <fieldset disabled={!active}>
        {form.title !== null && (
          // What the reply has just said is not shown twice; the fieldset keeps its name.
          <legend class={said.trim().endsWith(form.title) ? 'sr' : 'card-title'} dir="auto">
            {form.title}
          </legend>
        )}
        {form.fields.map((field, i) => (
          <Field
            key={field.name}
            id={`${id}${i}`}
            index={i}
            field={field}
            value={values[field.name] ?? []}
            error={errors[field.name] ?? null}
            onChange={(value) => setValues({ ...values, [field.name]: value })}
          />
        ))}
        {active && (
          <button type="submit" class="button primary">
            {t('formSend')}
          </button>
        )}
      </fieldset>
    </form>
  )
}

interface FieldProps {
  id: string
  index: number
  field: FormField
  value: string[]
  error: MessageKey | null
  onChange: (value: string[]) => void
}

function Field({ id, index, field, value, error, onChange }: FieldProps) {
  const { t } = useLocale()
  const helpId = field.help === null ? null : `${id}help`
  const errorId = error === null ? null : `${id}error`
  const described = [helpId, errorId].filter((part) => part !== null).join(' ')
  const common = {
    id,
    'data-field': index,
    required: field.required,
    'aria-invalid': error !== null,
    ...(described === '' ? {} : { 'aria-describedby': described }),
  }
  const one = value[0] ?? ''
  const label = (
    <span dir="auto">
      {field.label}
      {field.required && <span aria-hidden="true"> *</span>}
    </span>
  )
  const read = (event: Event) => onChange([(event.currentTarget as HTMLInputElement).value])
  return (
    <div class="field">
      {field.type === 'boolean' ? (
        <label class="check-label" for={id}>
          <input
            {...common}
            type="checkbox"
            checked={one !== ''}
            onChange={(event) => onChange(event.currentTarget.checked ? ['yes'] : [])}
          />
          {label}
        </label>
      ) : field.type === 'multiselect' ? (
        <fieldset class="choices" {...(described === '' ? {} : { 'aria-describedby': described })}>
          <legend>{label}</legend>
          {field.options.map((option, i) => (
            <label class="check-label" key={option.value}>
              <input
                type="checkbox"
                data-field={i === 0 ? index : undefined}
                checked={value.includes(option.value)}
                onChange={(event) =>
                  onChange(
                    event.currentTarget.checked
                      ? [...value, option.value]
                      : value.filter((v) => v !== option.value),
                  )
                }
              />
              <span dir="auto">{option.label}</span>
            </label>
          ))}
        </fieldset>
      ) : (
        <>
          <label for={id}>{label}</label>
          {field.type === 'textarea' ? (
            <textarea {...common} rows={3} dir="auto" value={one} onInput={read} />
          ) : field.type === 'select' ? (
            <select {...common} value={one} onChange={read}>
              <option value="">{t('formChoose')}</option>
              {field.options.map((option) => (
                <option key={option.value} value={option.value}>
                  {option.label}
                </option>
              ))}
            </select>
          ) : (
            <input {...common} {...INPUTS[field.type]} dir="auto" value={one} onInput={read} />
          )}
        </>
      )}
      {helpId !== null && (
        <p class="small muted" id={helpId}>
          <bdi>{field.help}</bdi>
        </p>
      )}
      {error !== null && (
        <p class="field-error" id={`${id}error`}>
          <Icon name="warn" />
          {t(error)}
        </p>
      )}
    </div>
  )
}

const INPUTS = {
  text: { type: 'text' },
  number: { type: 'text', inputMode: 'decimal' },
  date: { type: 'date' },
  email: { type: 'email', autocomplete: 'email' },
  phone: { type: 'tel', autocomplete: 'tel' },
} as const

function checkField(field: FormField, value: readonly string[]): MessageKey | null {
  const text = value.join('').trim()
  if (text === '') return field.required ? 'formRequired' : null
  if (field.type === 'email' && !/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text)) return 'formEmail'
  if (field.type === 'phone' && !/^\+?[\d\s()./-]{5,}$/.test(text)) return 'formPhone'
  if (field.type === 'number' && !Number.isFinite(Number(text.replace(',', '.')))) {
    return 'formNumber'
  }
  return null
}

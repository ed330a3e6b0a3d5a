import { useId, useState } from 'preact/hooks'
import { useShell } from '../words'
import { dirOf } from './dir-of'
import { FieldFrame } from './fields'
import { Icon } from './icons'

export interface Choice<Value extends string = string> {
  value: Value
  label: string
  hint?: string | undefined
  disabled?: boolean | undefined
}

interface SelectProps<Value extends string> {
  label: string
  value: Value
  options: readonly Choice<Value>[]
  onChange: (value: Value) => void
  hint?: string | undefined
  error?: string | null | undefined
  disabled?: boolean | undefined
}

export function SelectField<Value extends string>(props: SelectProps<Value>) {
  const { value, options, onChange, ...rest } = props
  return (
    <FieldFrame {...rest}>
      {(tied) => (
        <select
          {...tied}
          value={value}
          disabled={rest.disabled}
          onChange={(event) => {
            const chosen = options.find((one) => one.value === event.currentTarget.value)
            if (chosen) onChange(chosen.value)
          }}
        >
          {options.map((one) => (
            <option key={one.value} value={one.value} disabled={one.disabled}>
              {one.label}
            </option>
          ))}
        </select>
      )}
    </FieldFrame>
  )
}

interface SwitchProps {
  label: string
  checked: boolean
  onChange: (checked: boolean) => void
  hint?: string | undefined
  error?: string | null | undefined
  disabled?: boolean | undefined
  /** The label is read, not shown: for a row that says it otherwise. */
  bare?: boolean | undefined
}

export function SwitchField(props: SwitchProps) {
  const { label, checked, onChange, hint, error, disabled, bare } = props
  const id = useId()
  return (
    <div class={bare ? 'switch bare' : 'switch'}>
      <input
        id={id}
        type="checkbox"
        role="switch"
        aria-checked={checked}
        checked={checked}
        disabled={disabled}
        aria-describedby={hint || error ? `${id}hint` : undefined}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
      <label for={id} class={bare ? 'sr' : undefined}>
        {label}
      </label>
      {(hint || error) && (
        <p class={error ? 'error' : 'hint'} id={`${id}hint`}>
          {error ?? hint}
        </p>
      )}
    </div>
  )
}

interface CheckListProps {
  label: string
  options: readonly Choice[]
  value: readonly string[]
  onChange: (value: string[]) => void
  hint?: string | undefined
  error?: string | null | undefined
  /** What is said where there is nothing to choose from. */
  none?: string | undefined
}

const MANY = 8

/** Any of several; a long list can be filtered. What is chosen and not on offer any more stays until it is taken away. */
export function CheckList(props: CheckListProps) {
  const { label, options, value, onChange, hint, error, none } = props
  const t = useShell()
  const id = useId()
  const [filter, setFilter] = useState('')
  const gone = value.filter((one) => !options.some((option) => option.value === one))
  const all: readonly Choice[] = [
    ...options,
    ...gone.map((one) => ({ value: one, label: one, hint: t('notThere') })),
  ]
  const wanted = filter.trim().toLowerCase()
  const shown = all.filter((one) => `${one.label} ${one.value}`.toLowerCase().includes(wanted))
  return (
    <fieldset class="check-list" aria-describedby={hint || error ? `${id}hint` : undefined}>
      <legend>{label}</legend>
      {all.length > MANY && (
        <input
          type="search"
          dir={dirOf(filter)}
          aria-label={`${t('search')}: ${label}`}
          placeholder={t('search')}
          value={filter}
          onInput={(event) => setFilter(event.currentTarget.value)}
        />
      )}
      {all.length === 0 && none && <p class="muted small">{none}</p>}
      <div class="check-rows">
        {shown.map((one) => (
          <label key={one.value} class="check-row">
            <input
              type="checkbox"
              checked={value.includes(one.value)}
              disabled={one.disabled}
              onChange={(event) =>
                onChange(
                  event.currentTarget.checked
                    ? [...value, one.value]
                    : value.filter((chosen) => chosen !== one.value),
                )
              }
            />
            <span>
              <bdi>{one.label}</bdi>
              {one.hint && <span class="hint">{one.hint}</span>}
            </span>
          </label>
        ))}
      </div>
      {(hint || error) && (
        <p class={error ? 'error' : 'hint'} id={`${id}hint`}>
          {error && <Icon name="warn" />}
          {error ?? hint}
        </p>
      )}
    </fieldset>
  )
}

interface RadioProps<Value extends string> {
  label: string
  value: Value
  options: readonly Choice<Value>[]
  onChange: (value: Value) => void
}

export function RadioGroup<Value extends string>(props: RadioProps<Value>) {
  const { label, value, options, onChange } = props
  const name = useId()
  return (
    <fieldset class="check-list">
      <legend>{label}</legend>
      <div class="check-rows">
        {options.map((one) => (
          <label key={one.value} class="check-row">
            <input
              type="radio"
              name={name}
              value={one.value}
              checked={value === one.value}
              disabled={one.disabled}
              onChange={() => onChange(one.value)}
            />
            <span>
              {one.label}
              {one.hint && <span class="hint">{one.hint}</span>}
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  )
}

/** One of a few, side by side: a view, a period. */
export function Segmented<Value extends string>(props: RadioProps<Value>) {
  const { label, value, options, onChange } = props
  const name = useId()
  return (
    <fieldset class="segmented">
      <legend class="sr">{label}</legend>
      {options.map((one) => (
        <label key={one.value}>
          <input
            type="radio"
            name={name}
            value={one.value}
            checked={value === one.value}
            onChange={() => onChange(one.value)}
          />
          <span>{one.label}</span>
        </label>
      ))}
    </fieldset>
  )
}

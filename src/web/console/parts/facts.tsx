import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'
import { useFormat, useShell } from '../words'
import { dirOf } from './dir-of'
import { Icon } from './icons'

interface TimeProps {
  at: string | number | null | undefined
  /** It is still to come. */
  ahead?: boolean
}

/** A moment, as far from now as it is; the whole date on hover and for machines. */
export function Time({ at, ahead = false }: TimeProps) {
  const format = useFormat()
  const t = useShell()
  if (at === null || at === undefined) return <span class="muted">{t('never')}</span>
  return (
    <time dateTime={new Date(at).toISOString()} title={format.time(at)}>
      {ahead ? format.ahead(at) : format.ago(at)}
    </time>
  )
}

export function KeyValues({ rows }: { rows: readonly (readonly [string, ComponentChildren])[] }) {
  return (
    <dl class="key-values">
      {rows.map(([label, value]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

interface MeterProps {
  value: number
  max: number
  label: string
  tone?: 'ok' | 'warn' | 'bad'
}

/** How full something is. */
export function Meter({ value, max, label, tone = 'ok' }: MeterProps) {
  const share = max > 0 ? Math.min(1, value / max) : 0
  return (
    // biome-ignore lint/a11y/useSemanticElements: browsers paint their own meter in colours of their own.
    <div
      class={`meter ${tone}`}
      role="meter"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={max}
      aria-valuenow={Math.min(value, max)}
    >
      <span style={{ inlineSize: `${share * 100}%` }} />
    </div>
  )
}

interface SearchProps {
  value: string
  label: string
  onInput: (value: string) => void
}

export function SearchField({ value, label, onInput }: SearchProps) {
  const id = useId()
  return (
    <div class="search-field">
      <Icon name="search" />
      <label for={id} class="sr">
        {label}
      </label>
      <input
        id={id}
        type="search"
        dir={dirOf(value)}
        placeholder={label}
        value={value}
        onInput={(event) => onInput(event.currentTarget.value)}
      />
    </div>
  )
}

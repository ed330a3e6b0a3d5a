import { type ComponentChildren, createContext } from 'preact'
import { useCallback, useContext, useEffect, useId, useRef, useState } from 'preact/hooks'
import type { AgentWords } from '../../../pages/types'
import type { Locale } from '../i18n'
import { type AccountApi, AccountRefused, type LinkedApp, type Space } from './account-api'
import type { AccountKey, AccountTranslate } from './words'

export interface AccountContext {
  api: AccountApi
  w: AccountTranslate
  locale: Locale
  /** By which the API knows the agent of this page, and what people read of it. */
  agentName: string
  agent: AgentWords
  spaces: readonly Space[]
  apps: readonly LinkedApp[]
  /** Reads spaces and apps again. */
  reload: () => Promise<void>
}

export const InAccount = createContext<AccountContext | null>(null)

export function useAccount(): AccountContext {
  const context = useContext(InAccount)
  if (context === null) throw new Error('no account')
  return context
}

/** The space that everybody has is called so by nobody: its name is ours, in the reader's language. */
export function isUnnamed({ is_default, name }: Space): boolean {
  return is_default && name === 'Default'
}

/** What a failed call says to the person. */
export function problemWord(error: unknown): AccountKey {
  if (!(error instanceof AccountRefused)) return 'failed'
  if (error.status === 401) return 'expired'
  return error.status === 429 ? 'tooMany' : 'failed'
}

/** A word for what went well, or for what was refused; nothing where it is seen anyway. */
type Outcome = AccountKey | { bad: AccountKey } | null

export interface Task {
  busy: boolean
  /** What came of the last run. */
  word: AccountKey | null
  isBad: boolean
  run: (work: () => Promise<Outcome>) => Promise<void>
}

/** One thing at a time; what it ends with is said in a line of its own. */
export function useTask(): Task {
  const [busy, setBusy] = useState(false)
  const [said, setSaid] = useState<{ word: AccountKey | null; isBad: boolean }>({
    word: null,
    isBad: false,
  })
  const run = useCallback(async (work: () => Promise<Outcome>) => {
    setBusy(true)
    setSaid({ word: null, isBad: false })
    try {
      const outcome = await work()
      const isBad = outcome !== null && typeof outcome === 'object'
      setSaid({ word: isBad ? outcome.bad : outcome, isBad })
    } catch (error) {
      setSaid({ word: problemWord(error), isBad: true })
    } finally {
      setBusy(false)
    }
  }, [])
  return { busy, ...said, run }
}

/** Always there, so that what appears in it is announced. */
export function Said({ task }: { task: Task }) {
  const { w } = useAccount()
  return (
    <p class={task.isBad ? 'said is-bad' : 'said'} role="status">
      {task.busy ? w('busy') : task.word === null ? '' : w(task.word)}
    </p>
  )
}

export function Section({ title, children }: { title: string; children: ComponentChildren }) {
  const id = useId()
  return (
    <section class="account-section" aria-labelledby={id}>
      <h3 id={id}>{title}</h3>
      {children}
    </section>
  )
}

export interface TextFieldProps {
  label: string
  value: string
  onInput: (value: string) => void
  error?: string | null
  hint?: string
  type?: 'text' | 'email' | 'tel' | 'password' | 'datetime-local'
  autocomplete?: string
  options?: readonly string[]
}

/** A labelled input with its hint and its error tied to it. */
export function TextField(props: TextFieldProps) {
  const { label, value, onInput, error = null, hint, type = 'text', options } = props
  const id = useId()
  const described = [hint && `${id}hint`, error && `${id}error`].filter(Boolean).join(' ')
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input
        id={id}
        // The library types each kind of input apart; these take the same attributes.
        type={type as 'text'}
        dir={type === 'text' ? 'auto' : 'ltr'}
        autocomplete={props.autocomplete ?? 'off'}
        value={value}
        list={options ? `${id}list` : undefined}
        aria-invalid={error !== null}
        aria-describedby={described || undefined}
        onInput={(event) => onInput(event.currentTarget.value)}
      />
      {options && (
        <datalist id={`${id}list`}>
          {options.map((option) => (
            <option key={option} value={option} />
          ))}
        </datalist>
      )}
      {hint && (
        <p class="small muted" id={`${id}hint`}>
          {hint}
        </p>
      )}
      {error && (
        <p class="field-error" role="alert" id={`${id}error`}>
          {error}
        </p>
      )}
    </div>
  )
}

/** A question before something is lost; with `name`, it must be typed. Focus goes in with it. */
export function Confirm(props: {
  text: string
  name?: string
  action: string
  busy: boolean
  children?: ComponentChildren
  onConfirm: () => void
  onCancel: () => void
}) {
  const { w, locale } = useAccount()
  const { text, name, action, busy } = props
  const [typed, setTyped] = useState('')
  const root = useRef<HTMLFormElement>(null)
  useEffect(() => {
    root.current?.querySelector<HTMLElement>('select, input, button')?.focus()
  }, [])
  const isSure = name === undefined || typed.trim() === name.trim()
  return (
    <form
      class="confirm"
      ref={root}
      onSubmit={(event) => {
        event.preventDefault()
        if (isSure && !busy) props.onConfirm()
      }}
    >
      {props.children}
      <p dir="auto">{text}</p>
      {name !== undefined && (
        <TextField label={w('typeName', { name })} value={typed} onInput={setTyped} />
      )}
      <div class="row">
        <button type="submit" class="button danger" aria-disabled={!isSure || busy}>
          {action}
        </button>
        <button type="button" class="button" onClick={props.onCancel}>
          {locale.t('cancel')}
        </button>
      </div>
    </form>
  )
}

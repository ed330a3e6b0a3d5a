import { useRef, useState } from 'preact/hooks'
import type { ApiProblem } from '../api/call'
import { useGuard } from '../router'
import { asProblem } from '../use-load'
import { useFormat, useShell } from '../words'
import { Button } from './button'
import { changesOf, keepWritten } from './changes'
import { Diff, type DiffProps } from './diff'
import { fieldError, isToldAtFields } from './field-error'
import { Icon } from './icons'
import { useRefusedField } from './refused-field'
import { Problem } from './states'

export interface Editor<T> {
  draft: T
  set: <Key extends keyof T>(key: Key, value: T[Key]) => void
  replace: (draft: T) => void
  dirty: boolean
  saving: boolean
  savedAt: number | null
  /** What went wrong with the last save. */
  problem: ApiProblem | null
  /** Whether all of the problem is shown at its fields. */
  isShown: boolean
  /** What the API says of a field by its path; of what is within it too. */
  error: (path: string) => string | null
  /** Resolves to true once it is stored. */
  save: () => Promise<boolean>
  discard: () => void
}

/** A copy of what is stored that somebody changes, until it is saved or thrown away. */
export function useEditor<T extends object>(
  loaded: T,
  store: (draft: T, changed: Partial<T>) => Promise<T>,
): Editor<T> {
  const [base, setBase] = useState(loaded)
  const [draft, setDraft] = useState(loaded)
  const [saving, setSaving] = useState(false)
  const [savedAt, setSavedAt] = useState<number | null>(null)
  const [problem, setProblem] = useState<ApiProblem | null>(null)
  /** The places that the screen shows faults at. */
  const places = useRef(new Set<string>())
  const changed = changesOf(base, draft)
  const dirty = Object.keys(changed).length > 0
  return {
    draft,
    set: (key, value) => setDraft((was) => ({ ...was, [key]: value })),
    replace: setDraft,
    dirty,
    saving,
    savedAt,
    problem,
    error: (path) => {
      places.current.add(path)
      return fieldError(problem, path)
    },
    isShown: problem !== null && isToldAtFields(problem.fields, places.current),
    save: async () => {
      if (saving) return false
      setSaving(true)
      setProblem(null)
      try {
        const stored = await store(draft, changed)
        setBase(stored)
        setDraft((now) => keepWritten(stored, draft, now))
        setSavedAt(Date.now())
        return true
      } catch (error) {
        setProblem(asProblem(error))
        return false
      } finally {
        setSaving(false)
      }
    },
    discard: () => {
      setDraft(base)
      setProblem(null)
    },
  }
}

/** Stays in sight: whether something is unsaved, Save and Discard. Leaving with unsaved changes is asked about. */
export function SaveBar<T>({ editor }: { editor: Editor<T> }) {
  const t = useShell()
  const format = useFormat()
  const { dirty, saving, savedAt, problem, isShown, save, discard } = editor
  useGuard(dirty)
  useRefusedField(problem)
  return (
    <div class="save-bar">
      {isShown ? (
        <div class="notice bad" role="alert">
          <Icon name="warn" />
          <p>{t('checkFields')}</p>
        </div>
      ) : (
        <Problem of={problem} />
      )}
      <div class="row">
        <p class="state" role="status">
          {dirty ? (
            <>
              <Icon name="pencil" /> {t('unsaved')}
            </>
          ) : savedAt === null ? (
            <span class="muted">{t('allSaved')}</span>
          ) : (
            <>
              <Icon name="check" /> {t('savedAt', { time: format.time(savedAt) })}
            </>
          )}
        </p>
        <div class="row">
          <Button disabled={!dirty} onClick={discard}>
            {t('discard')}
          </Button>
          <Button kind="primary" busy={saving} disabled={!dirty} onClick={() => void save()}>
            {t('save')}
          </Button>
        </div>
      </div>
    </div>
  )
}

interface ConflictProps extends Pick<DiffProps, 'labelOf'> {
  mine: unknown
  theirs: unknown
  onTakeTheirs: () => void
  onKeepMine: () => void
}

/** Somebody else saved meanwhile: what differs, and the choice. */
export function Conflict({ mine, theirs, labelOf, onTakeTheirs, onKeepMine }: ConflictProps) {
  const t = useShell()
  return (
    <section class="notice warn" role="alert">
      <Icon name="warn" />
      <div class="stack">
        <p>{t('conflict')}</p>
        <Diff before={theirs} after={mine} labelOf={labelOf} />
        <div class="row">
          <Button onClick={onTakeTheirs}>{t('takeTheirs')}</Button>
          <Button kind="danger" onClick={onKeepMine}>
            {t('keepMine')}
          </Button>
        </div>
      </div>
    </section>
  )
}

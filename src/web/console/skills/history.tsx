import { useState } from 'preact/hooks'
import { useApi } from '../api/call'
import {
  Actor,
  Button,
  ConfirmDialog,
  Diff,
  Empty,
  Loadable,
  Segmented,
  Time,
  useToast,
} from '../parts'
import type { ScreenProps } from '../screens'
import { useLoad } from '../use-load'
import { useFormat } from '../words'
import { skillApi } from './addresses'
import { useFieldLabel } from './field-label'
import { fieldsOf, NO_SKILL, type SkillFields } from './skill'
import { SkillFrame } from './skill-frame'
import { useSurroundings } from './surroundings'
import { useSkillWords } from './words'

export { words } from './words'

interface Revision {
  id: string
  created_at: string
  actor: string | null
  snapshot: SkillFields
}

/** The states that a skill has had, what changed in each, and the way back to one. */
export function Screen({ params }: ScreenProps) {
  const name = params.name ?? ''
  const { data: around } = useSurroundings()
  const loaded = useLoad(
    (api, signal) => api.get<Revision[]>(`${skillApi(name)}/revisions`, {}, signal),
    [name],
  )
  return (
    <SkillFrame name={name} tab="history" of={loaded} around={around}>
      <Loadable of={loaded}>
        {(revisions) => <Revisions name={name} revisions={revisions} onRestored={loaded.reload} />}
      </Loadable>
    </SkillFrame>
  )
}

interface RevisionsProps {
  name: string
  revisions: readonly Revision[]
  onRestored: () => void
}

function Revisions({ name, revisions, onRestored }: RevisionsProps) {
  const t = useSkillWords()
  const format = useFormat()
  const [chosen, setChosen] = useState<string | null>(null)
  const at = Math.max(
    0,
    revisions.findIndex(({ id }) => id === chosen),
  )
  const revision = revisions[at]
  if (!revision) return <Empty title={t('noHistory')} text={t('noHistoryText')} />
  return (
    <div class="skill-history">
      <nav aria-label={t('history')}>
        <ul class="skill-revisions">
          {revisions.map(({ id, created_at, actor }, n) => (
            <li key={id}>
              <button
                type="button"
                aria-current={n === at ? 'true' : undefined}
                onClick={() => setChosen(id)}
              >
                <span>{format.time(created_at)}</span>
                <span class="muted small">
                  {n === 0 && `${t('now')} · `}
                  {actor !== null && <Actor of={actor} />}
                </span>
              </button>
            </li>
          ))}
        </ul>
      </nav>
      <Changes
        key={revision.id}
        name={name}
        revision={revision}
        before={revisions[at + 1] ?? null}
        now={at === 0 ? null : (revisions[0] ?? null)}
        onRestored={() => {
          setChosen(null)
          onRestored()
        }}
      />
    </div>
  )
}

interface ChangesProps {
  name: string
  revision: Revision
  before: Revision | null
  /** The latest state, unless it is this one. */
  now: Revision | null
  onRestored: () => void
}

function Changes({ name, revision, before, now, onRestored }: ChangesProps) {
  const t = useSkillWords()
  const labelOf = useFieldLabel()
  const api = useApi()
  const toast = useToast()
  const [view, setView] = useState<'before' | 'now'>('before')
  const [isRestoring, setRestoring] = useState(false)
  const isAgainstNow = view === 'now' && now !== null
  const [from, to] = isAgainstNow
    ? [fieldsOf(revision.snapshot), fieldsOf(now.snapshot)]
    : [before && fieldsOf(before.snapshot), fieldsOf(revision.snapshot)]
  return (
    <section class="stack" aria-labelledby="revision-title">
      <div class="row spread">
        <h2 id="revision-title">
          <Time at={revision.created_at} />
        </h2>
        {now && (
          <Button icon="undo" onClick={() => setRestoring(true)}>
            {t('restore')}
          </Button>
        )}
      </div>
      {now && (
        <Segmented
          label={t('compareWith')}
          value={view}
          options={[
            { value: 'before', label: t('changedThen') },
            { value: 'now', label: t('changedSince') },
          ]}
          onChange={setView}
        />
      )}
      {!isAgainstNow && before === null && <p class="muted">{t('firstState')}</p>}
      <Diff before={from ?? NO_SKILL} after={to} labelOf={labelOf} />
      {isRestoring && (
        <ConfirmDialog
          title={t('restoreTitle')}
          text={t('restoreText')}
          confirm={t('restore')}
          onConfirm={async () => {
            await api.post(`${skillApi(name)}/revisions/${revision.id}/restore`)
            toast(t('restored'))
            onRestored()
          }}
          onClose={() => setRestoring(false)}
        />
      )}
    </section>
  )
}

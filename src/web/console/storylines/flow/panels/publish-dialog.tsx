import { useState } from 'preact/hooks'
import { type ApiProblem, useApi } from '../../../api/call'
import { Button, Dialog, Loadable, Notice, Problem, SwitchField, useToast } from '../../../parts'
import { to } from '../../../router'
import { useAct, useLoad } from '../../../use-load'
import { useShell } from '../../../words'
import { frozenPart, isFormat1, nodesOf } from '../../model/draft'
import { countOf } from '../../model/problems'
import type {
  Funnel,
  Migration,
  RevisionFull,
  Scenario,
  ScenarioResults,
  Storyline,
} from '../../types'
import { useEditing } from '../context'
import { Deviations } from './deviations'
import { DiffBox } from './diff-box'
import { MigrateStep } from './migrate-step'
import { usePanelWords } from './words'

interface Live {
  revision: RevisionFull | null
  funnel: Funnel
  scenarios: number
}

/** What will be live, compared with what is; then what becomes of the people on the way. */
export function PublishDialog({ onClose }: { onClose: () => void }) {
  const t = usePanelWords()
  const shell = useShell()
  const api = useApi()
  const toast = useToast()
  const { flow } = useEditing()
  const [gate, setGate] = useState(false)
  const [standing, setStanding] = useState<Migration | null>(null)
  const { busy, problem, act } = useAct()
  const { id } = flow.saved
  const path = to`/v1/storylines/${id}`
  const live = useLoad<Live>(
    async (calls) => {
      const { published_revision_id: revision } = flow.saved
      const [found, funnel, scenarios] = await Promise.all([
        revision === null ? null : calls.get<RevisionFull>(`${path}/revisions/${revision}`),
        calls.get<Funnel>(`${path}/funnel`),
        calls.get<Scenario[]>(`${path}/scenarios`),
      ])
      return { revision: found, funnel, scenarios: scenarios.length }
    },
    [path],
  )
  const { errors } = countOf(flow.findings ?? [])
  const publish = () =>
    void act(async () => {
      if (!(await flow.flush())) return
      const storyline = await api.post<Storyline>(`${path}/publish`, undefined, {
        query: { gate: gate ? 'scenarios' : null },
      })
      flow.arrived(storyline)
      toast(t('publishedNow'))
      const order = { action: 'upgrade' }
      const query = { dry_run: true }
      const moved = await api.post<Migration>(`${path}/enrollments/migrate`, order, { query })
      if (moved.changed > 0 || moved.skipped.some(({ reason }) => reason !== 'unchanged'))
        setStanding(moved)
      else onClose()
    })
  if (standing)
    return (
      <Dialog title={t('peopleUnderWay')} wide onClose={onClose}>
        <MigrateStep
          foreseen={standing}
          titleOf={(key) => live.data?.funnel.nodes[key]?.title ?? key}
          onDone={onClose}
        />
      </Dialog>
    )
  return (
    <Dialog
      title={t('publish')}
      wide
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{shell('cancel')}</Button>
          <Button kind="primary" busy={busy} disabled={errors > 0} onClick={publish}>
            {t('publish')}
          </Button>
        </>
      }
    >
      {errors > 0 && <Notice tone="bad">{t('errorsFirst', { n: errors })}</Notice>}
      <Loadable of={live}>
        {({ revision, funnel, scenarios }) => (
          <>
            <Removed funnel={funnel} />
            {scenarios > 0 && (
              <SwitchField
                label={t('gate', { n: scenarios })}
                hint={t('gateHint')}
                checked={gate}
                onChange={setGate}
              />
            )}
            <p>{t(revision ? 'publishText' : 'publishFirst')}</p>
            {revision && (
              <DiffBox
                label={t('unpublishedChanges')}
                before={frozenPart(revision)}
                after={frozenPart(flow.draft)}
              />
            )}
          </>
        )}
      </Loadable>
      <Refused problem={problem} />
    </Dialog>
  )
}

/** People on nodes that the draft does not have any more. */
function Removed({ funnel }: { funnel: Funnel }) {
  const t = usePanelWords()
  const { flow } = useEditing()
  const gone = Object.entries(funnel.nodes).filter(
    ([key, { active }]) => active > 0 && !Object.hasOwn(nodesOf(flow.draft.graph), key),
  )
  if (gone.length === 0 || !isFormat1(flow.draft.graph)) return null
  return (
    <Notice tone="warn">
      <p>{t('onRemovedNodes')}</p>
      <ul>
        {gone.map(([key, { title, active }]) => (
          <li key={key}>
            <bdi>{title ?? key}</bdi>: {t('peopleHere', { n: active })}
          </li>
        ))}
      </ul>
    </Notice>
  )
}

/** A refusal by the scenarios says which; every other one is shown as it is. */
function Refused({ problem }: { problem: ApiProblem | null }) {
  const failed = (problem?.body as { scenarios?: ScenarioResults['scenarios'] } | null)?.scenarios
  return Array.isArray(failed) ? <Deviations of={failed} /> : <Problem of={problem} />
}

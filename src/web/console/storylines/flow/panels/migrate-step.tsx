import { useState } from 'preact/hooks'
import { useApi } from '../../../api/call'
import { Button, Problem, RadioGroup, SelectField, useToast } from '../../../parts'
import { to } from '../../../router'
import { useAct, useLoad } from '../../../use-load'
import { useShell } from '../../../words'
import { nodesOf } from '../../model/draft'
import type { Migration, Proposal } from '../../types'
import { useEditing } from '../context'
import { usePanelWords } from './words'

interface Props {
  /** What taking everybody along would do, without a node for those whose node is gone. */
  foreseen: Migration
  /** What a step is called, also one that is gone. */
  titleOf: (key: string) => string
  onDone: () => void
}

/**
 * After publishing: who is on the way stays on the former revision, or comes along; for those whose step is gone the API
 * proposes where they go on.
 */
export function MigrateStep({ foreseen, titleOf, onDone }: Props) {
  const t = usePanelWords()
  const shell = useShell()
  const api = useApi()
  const toast = useToast()
  const { flow } = useEditing()
  const [choice, setChoice] = useState<'stay' | 'upgrade'>('stay')
  const [targets, setTargets] = useState<Readonly<Record<string, string>>>({})
  const { busy, problem, act } = useAct()
  const path = to`/v1/storylines/${flow.saved.id}/enrollments/migrate`
  const nodes = nodesOf(flow.draft.graph)
  const proposal = useLoad(
    (calls, signal) => calls.get<Proposal>(`${path}/proposal`, {}, signal),
    [path],
  )
  const lost = (proposal.data?.proposals ?? []).filter(({ by }) => by !== 'key')
  const targetOf = (from: string, proposed: string | null) => targets[from] ?? proposed ?? ''
  const go = () =>
    void act(async () => {
      if (choice === 'upgrade') {
        const chosen = lost
          .map(({ from, to: proposed }) => [from, targetOf(from, proposed)] as const)
          .filter(([, target]) => target !== '')
        const order =
          chosen.length === 0
            ? { action: 'upgrade' }
            : { action: 'map', nodes: Object.fromEntries(chosen) }
        const done = await api.post<Partial<Migration>>(path, order)
        toast(
          done.changed === undefined ? t('migrationBegun') : t('peopleMoved', { n: done.changed }),
        )
      }
      onDone()
    })
  return (
    <div class="stack">
      <p>{t('underWayText', { n: foreseen.matched })}</p>
      <RadioGroup
        label={t('whatOfThem')}
        value={choice}
        options={[
          { value: 'stay', label: t('theyStay'), hint: t('theyStayHint') },
          { value: 'upgrade', label: t('theyMove'), hint: t('theyMoveHint') },
        ]}
        onChange={setChoice}
      />
      {choice === 'upgrade' &&
        lost.map(({ from, to: proposed, people }) => (
          <SelectField
            key={from}
            label={`${titleOf(from)}: ${t('lostGoTo', { n: people })}`}
            hint={
              proposed !== null && targetOf(from, proposed) === proposed ? t('proposed') : undefined
            }
            value={targetOf(from, proposed)}
            options={[
              { value: '', label: t('lostStay') },
              ...Object.keys(nodes).map((key) => ({ value: key, label: nodes[key]?.title ?? key })),
            ]}
            onChange={(target) => setTargets({ ...targets, [from]: target })}
          />
        ))}
      <Problem of={proposal.problem} retry={proposal.reload} />
      <Problem of={problem} />
      <Button
        kind="primary"
        busy={busy}
        disabled={choice === 'upgrade' && proposal.data === null}
        onClick={go}
      >
        {choice === 'stay' ? shell('close') : t('moveThem')}
      </Button>
    </div>
  )
}

import { useState } from 'preact/hooks'
import { useApi } from '../../../api/call'
import { Button, Problem, RadioGroup, SelectField, useToast } from '../../../parts'
import { to } from '../../../router'
import { useAct } from '../../../use-load'
import { useShell } from '../../../words'
import { nodesOf } from '../../model/draft'
import type { Migration } from '../../types'
import { useEditing } from '../context'
import { usePanelWords } from './words'

interface Props {
  /** What taking everybody along would do, without a node for those whose node is gone. */
  foreseen: Migration
  onDone: () => void
}

/** After publishing: who is on the way stays on the former revision, or comes along. */
export function MigrateStep({ foreseen, onDone }: Props) {
  const t = usePanelWords()
  const shell = useShell()
  const api = useApi()
  const toast = useToast()
  const { flow } = useEditing()
  const [choice, setChoice] = useState<'stay' | 'upgrade'>('stay')
  const [target, setTarget] = useState('')
  const { busy, problem, act } = useAct()
  const nodes = nodesOf(flow.draft.graph)
  const lost = foreseen.skipped.filter(({ reason }) => reason === 'node_missing').length
  const go = () =>
    void act(async () => {
      if (choice === 'upgrade') {
        const path = to`/v1/storylines/${flow.saved.id}/enrollments/migrate`
        const order = { action: 'upgrade', ...(target === '' ? {} : { to_node: target }) }
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
      {choice === 'upgrade' && lost > 0 && (
        <SelectField
          label={t('lostGoTo', { n: lost })}
          value={target}
          options={[
            { value: '', label: t('lostStay') },
            ...Object.keys(nodes).map((key) => ({ value: key, label: nodes[key]?.title ?? key })),
          ]}
          onChange={setTarget}
        />
      )}
      <Problem of={problem} />
      <Button kind="primary" busy={busy} onClick={go}>
        {choice === 'stay' ? shell('close') : t('moveThem')}
      </Button>
    </div>
  )
}

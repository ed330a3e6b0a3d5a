import { useState } from 'preact/hooks'
import { useApi } from '../../api/call'
import { Button, Dialog, Problem, RadioGroup, SelectField } from '../../parts'
import { to } from '../../router'
import { useAct } from '../../use-load'
import { ACTIONS, type Action, isComplete, orderOf, TAKES, type Wish } from '../model/migration'
import type { Funnel, Job, Migration, Storyline } from '../types'
import { MapNodes } from './map-nodes'
import { Moved } from './moved'
import { Skipped } from './skipped'
import { type PeopleKey, usePeopleWords } from './words'

interface Props {
  storyline: Storyline
  funnel: Funnel
  onClose: () => void
  onMoved: () => void
}

const WORDS: Record<Action, { label: PeopleKey; hint: PeopleKey }> = {
  upgrade: { label: 'actUpgrade', hint: 'actUpgradeHint' },
  map: { label: 'actMap', hint: 'actMapHint' },
  move: { label: 'actMove', hint: 'actMoveHint' },
  restart: { label: 'actRestart', hint: 'actRestartHint' },
  complete: { label: 'actComplete', hint: 'actCompleteHint' },
  exit: { label: 'actExit', hint: 'actExitHint' },
}

/** Moves people who are on the way: first counted, then done, and for half an hour taken back. */
export function MigrateDialog({ storyline, funnel, onClose, onMoved }: Props) {
  const t = usePeopleWords()
  const api = useApi()
  const path = to`/v1/storylines/${storyline.id}/enrollments/migrate`
  const [wish, setWish] = useState<Wish>({ action: 'upgrade', from: '', to: '', nodes: {} })
  const [foreseen, setForeseen] = useState<Migration | null>(null)
  const [done, setDone] = useState<Partial<Job> | null>(null)
  const { busy, problem, act } = useAct()
  const change = (next: Partial<Wish>) => {
    setWish({ ...wish, ...next })
    setForeseen(null)
  }
  const order = orderOf(wish)
  const count = () =>
    void act(async () =>
      setForeseen(await api.post<Migration>(path, order, { query: { dry_run: true } })),
    )
  const go = () =>
    void act(async () => {
      setDone(await api.post<Partial<Job>>(path, order))
      onMoved()
    })
  const titleOf = (key: string) => funnel.nodes[key]?.title ?? key
  const keys = Object.keys(funnel.nodes)
  const live = keys.filter((key) => !funnel.nodes[key]?.retired)
  const options = (from: readonly string[], none: string) => [
    { value: '', label: none },
    ...from.map((value) => ({ value, label: titleOf(value) })),
  ]
  const takes = TAKES[wish.action]
  if (done)
    return (
      <Dialog title={t('movePeople')} onClose={onClose}>
        <Moved path={path} first={done} onMoved={onMoved} />
      </Dialog>
    )
  return (
    <Dialog
      title={t('movePeople')}
      wide
      onClose={onClose}
      actions={
        <>
          <Button busy={busy} disabled={!isComplete(wish)} onClick={count}>
            {t('countFirst')}
          </Button>
          <Button
            kind="primary"
            busy={busy}
            disabled={foreseen === null || foreseen.changed === 0}
            onClick={go}
          >
            {t('moveThem')}
          </Button>
        </>
      }
    >
      <RadioGroup
        label={t('whatOfThem')}
        value={wish.action}
        options={ACTIONS.map((action) => ({
          value: action,
          label: t(WORDS[action].label),
          hint: t(WORDS[action].hint),
        }))}
        onChange={(action) => change({ action })}
      />
      <div class="grid2">
        <SelectField
          label={t('whoStandsAt')}
          value={wish.from}
          options={options(keys, wish.action === 'move' ? '…' : t('everybody'))}
          onChange={(from) => change({ from })}
        />
        {takes.to && (
          <SelectField
            label={t(wish.action === 'move' ? 'goTo' : 'lostGoToShort')}
            value={wish.to}
            options={options(live, wish.action === 'move' ? '…' : t('lostStay'))}
            onChange={(target) => change({ to: target })}
          />
        )}
      </div>
      {takes.nodes && (
        <MapNodes
          path={path}
          keys={keys}
          live={live}
          titleOf={titleOf}
          nodes={wish.nodes}
          onChange={(nodes) => change({ nodes })}
        />
      )}
      <Problem of={problem} />
      {foreseen && (
        <div class="card stack" role="status">
          <p>{t('wouldMove', { n: foreseen.changed })}</p>
          <Skipped of={foreseen} />
          <p class="hint">{t('undoHint')}</p>
        </div>
      )}
    </Dialog>
  )
}

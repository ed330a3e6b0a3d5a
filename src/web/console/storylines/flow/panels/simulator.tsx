import { useState } from 'preact/hooks'
import { useApi } from '../../../api/call'
import { Button, NumberField, Problem, TextField } from '../../../parts'
import { to } from '../../../router'
import { useAct } from '../../../use-load'
import { bodyOf, type Rehearsal } from '../../model/rehearsal'
import type { Simulation } from '../../types'
import { useEditing } from '../context'
import { Scenarios } from './scenarios'
import { SimulatedForm } from './simulated-form'
import { SimulatedTurns } from './simulated-turns'
import { SimulatorSetup } from './simulator-setup'
import { usePanelWords } from './words'

/** The draft tried out as a chat. Every step is run from the beginning, so that what is changed shows at once. */
export function Simulator() {
  const t = usePanelWords()
  const api = useApi()
  const { flow, rehearsed, setRehearsed } = useEditing()
  const { rehearsal, result } = rehearsed
  const { busy, problem, act, clear } = useAct()
  const run = (next: Rehearsal) => {
    const isEmpty = next.messages.length === 0
    setRehearsed((was) => ({ rehearsal: next, result: isEmpty ? null : was.result }))
    clear()
    if (isEmpty) return
    void act(async () => {
      await flow.flush()
      const path = to`/v1/storylines/${flow.saved.id}/simulate`
      const result = await api.post<Simulation>(path, bodyOf(next))
      setRehearsed((was) => ({ ...was, result }))
    })
  }
  const say = (message: Rehearsal['messages'][number]) =>
    run({ ...rehearsal, messages: [...rehearsal.messages, message] })
  const last = result?.turns.at(-1)
  const over = last !== undefined && last.status !== 'active'
  return (
    <div class="stack">
      <p class="hint">{t('simulatorHint')}</p>
      <div class="sim-log" role="log" aria-label={t('simulator')} aria-live="polite">
        {result && <SimulatedTurns result={result} rehearsal={rehearsal} onChange={run} />}
      </div>
      <Problem of={problem} />
      {last?.form && !over ? (
        <SimulatedForm form={last.form} busy={busy} onSend={(form) => say({ form })} />
      ) : null}
      {last?.clarify && !over && (
        <div class="row">
          {last.clarify.options.map((one) => (
            <Button key={one.value} small busy={busy} onClick={() => say(one.label)}>
              {one.label}
            </Button>
          ))}
        </div>
      )}
      {!over && <SayBar busy={busy} first={rehearsal.messages.length === 0} onSay={say} />}
      <div class="row">
        <Button
          small
          icon="undo"
          disabled={rehearsal.messages.length === 0}
          onClick={() => run({ ...rehearsal, messages: rehearsal.messages.slice(0, -1) })}
        >
          {t('takeBack')}
        </Button>
        <Button
          small
          icon="retry"
          disabled={rehearsal.messages.length === 0}
          busy={busy}
          onClick={() => run(rehearsal)}
        >
          {t('runAgain')}
        </Button>
        <Button
          small
          disabled={rehearsal.messages.length === 0}
          onClick={() => run({ ...rehearsal, messages: [] })}
        >
          {t('startOver')}
        </Button>
      </div>
      <SimulatorSetup rehearsal={rehearsal} onChange={run} />
      <Scenarios rehearsal={rehearsal} result={result} onTry={run} />
    </div>
  )
}

function SayBar({
  busy,
  first,
  onSay,
}: {
  busy: boolean
  first: boolean
  onSay: (message: Rehearsal['messages'][number]) => void
}) {
  const t = usePanelWords()
  const [text, setText] = useState('')
  const [minutes, setMinutes] = useState<number | null>(60)
  return (
    <>
      <form
        class="with-remove"
        onSubmit={(event) => {
          event.preventDefault()
          if (text.trim() === '' || busy) return
          onSay(text)
          setText('')
        }}
      >
        <TextField
          label={t(first ? 'firstMessage' : 'personSays')}
          value={text}
          maxLength={16_000}
          onInput={setText}
        />
        <Button kind="primary" type="submit" busy={busy} disabled={text.trim() === ''}>
          {t('say')}
        </Button>
      </form>
      {!first && (
        <details class="more-fields">
          <summary>{t('letTimePass')}</summary>
          <div class="with-remove">
            <NumberField
              label={t('waitMinutes')}
              min={1}
              max={525_600}
              step={1}
              value={minutes}
              onInput={setMinutes}
            />
            <Button
              busy={busy}
              disabled={minutes === null}
              onClick={() => onSay({ wait_minutes: minutes ?? 1 })}
            >
              {t('pass')}
            </Button>
          </div>
        </details>
      )}
    </>
  )
}

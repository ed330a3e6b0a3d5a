import { Badge, Button, Icon } from '../../../parts'
import { useFormat, useShell } from '../../../words'
import { nodesOf } from '../../model/draft'
import { type Rehearsal, saidOf, triedOf } from '../../model/rehearsal'
import { shownValue } from '../../model/slots'
import { STATUS_WORDS } from '../../status'
import type { Simulation, Turn } from '../../types'
import { useEditing, useSlots } from '../context'
import { type PanelKey, usePanelWords } from './words'

interface Props {
  result: Simulation
  rehearsal: Rehearsal
  onChange: (rehearsal: Rehearsal) => void
}

/** What was said, where it led and why. */
export function SimulatedTurns({ result, rehearsal, onChange }: Props) {
  return (
    <ol class="sim-turns">
      {result.turns.map((turn, at) => {
        const message = rehearsal.messages[at]
        return (
          <li key={turn.turn} class="sim-turn">
            {message !== undefined && (
              <p class="sim-own" dir="auto">
                {saidOf(message)}
              </p>
            )}
            <Said turn={turn} />
            <Why turn={turn} model={result.model} rehearsal={rehearsal} onChange={onChange} />
          </li>
        )
      })}
    </ol>
  )
}

function Said({ turn }: { turn: Turn }) {
  const t = usePanelWords()
  const format = useFormat()
  return (
    <div class="stack sim-said">
      {[...turn.said, turn.question]
        .filter((text) => text)
        .map((text) => (
          <p key={text} dir="auto">
            {text}
          </p>
        ))}
      {turn.leads !== null && (
        <p class="muted small">
          {t('agentLeads')} <bdi>{turn.leads}</bdi>
        </p>
      )}
      {turn.digression && <p class="muted small">{t('digressed')}</p>}
      {turn.handoff && <p class="muted small">{t('handedOff')}</p>}
      {turn.due_at && (
        <p class="muted small">{t('waitsUntil', { time: format.time(turn.due_at) })}</p>
      )}
    </div>
  )
}

const REASONS: Readonly<Record<string, PanelKey>> = {
  taken: 'whyTaken',
  default: 'whyDefault',
  event: 'whyEvent',
  when: 'whyWhen',
  judge: 'whyJudge',
  raised: 'whyRaised',
}

function Why({
  turn,
  model,
  rehearsal,
  onChange,
}: {
  turn: Turn
  model: string | null
} & Omit<Props, 'result'>) {
  const t = usePanelWords()
  const shell = useShell()
  const { flow } = useEditing()
  const { label } = useSlots()
  const titleOf = (key: string) => nodesOf(flow.draft.graph)[key]?.title ?? key
  const slots = Object.entries(turn.slots)
  return (
    <div class="sim-why small">
      {turn.moves.map((move, at) => (
        // One turn can take the same way twice.
        <p key={at} class="row">
          <bdi>{titleOf(move.from)}</bdi> <Icon name="next" /> <code dir="ltr">{move.exit}</code>{' '}
          <Icon name="next" /> <bdi>{titleOf(move.to)}</bdi>
        </p>
      ))}
      <details>
        <summary>
          {t('standsAt', { name: titleOf(turn.node) })} · {t(STATUS_WORDS[turn.status])}
        </summary>
        <ul>
          {triedOf(turn).map((one) => (
            <li key={`${one.node} ${one.exit}`}>
              <Badge tone={one.held ? 'ok' : 'quiet'}>{one.held ? t('held') : t('passed')}</Badge>{' '}
              <bdi>{titleOf(one.node)}</bdi> · <code dir="ltr">{one.exit}</code>{' '}
              <span dir="auto">{REASONS[one.why] ? t(REASONS[one.why] as PanelKey) : one.why}</span>
            </li>
          ))}
        </ul>
        {turn.judged.map((one) => (
          <div key={one.exit} class="row">
            <span>
              {t('judged')}: <code dir="ltr">{one.exit}</code>{' '}
              {one.answer ? t(ANSWERS[one.answer]) : t('notJudged')}
              {one.by && one.by !== 'given' ? ` (${one.by})` : ''}
              {one.quote && (
                <>
                  {' '}
                  “<bdi>{one.quote}</bdi>”
                </>
              )}
            </span>
            {(['yes', 'no'] as const).map((answer) => (
              <Button
                key={answer}
                small
                pressed={rehearsal.judge[one.exit] === answer}
                label={`${one.exit}: ${shell(answer)}`}
                onClick={() =>
                  onChange({ ...rehearsal, judge: { ...rehearsal.judge, [one.exit]: answer } })
                }
              >
                {shell(answer)}
              </Button>
            ))}
          </div>
        ))}
        {turn.judged.length > 0 && model === null && <p class="muted">{t('noModel')}</p>}
        {turn.calls.map((call, at) => (
          // One turn can call the same tool twice.
          <p key={at}>
            {t('toolCalled')}: <code dir="ltr">{call.tool}</code>{' '}
            <code dir="ltr">{JSON.stringify(call.args)}</code>{' '}
            {t(call.result === 'simulated' ? 'simulated' : 'notSimulated')}
          </p>
        ))}
        {slots.length > 0 && (
          <dl class="sim-noted">
            {slots.map(([key, value]) => (
              <div key={key}>
                <dt>{label(key)}</dt>
                <dd dir="auto">{shownValue(value)}</dd>
              </div>
            ))}
          </dl>
        )}
      </details>
    </div>
  )
}

const ANSWERS = { yes: 'answerYes', no: 'answerNo', unsure: 'answerUnsure' } as const

import { useState } from 'preact/hooks'
import { Button, IconButton, SelectField, SwitchField, TextArea, TextField } from '../../../parts'
import { useShell } from '../../../words'
import { isFormat1, nodesOf } from '../../model/draft'
import type { Rehearsal } from '../../model/rehearsal'
import { shownValue, typedValue } from '../../model/slots'
import { useEditing, useSlots } from '../context'
import { usePanelWords } from './words'

interface Props {
  rehearsal: Rehearsal
  onChange: (rehearsal: Rehearsal) => void
}

/** What is made up around a rehearsal: slots that are known before, what tools answer, what judged exits are answered. */
export function SimulatorSetup(props: Props) {
  const t = usePanelWords()
  return (
    <details class="more-fields">
      <summary>{t('madeUp')}</summary>
      <div class="stack">
        <KnownBefore {...props} />
        <ToolAnswers {...props} />
        <Verdicts {...props} />
      </div>
    </details>
  )
}

function KnownBefore({ rehearsal, onChange }: Props) {
  const t = usePanelWords()
  const { keys, label, slots } = useSlots()
  const [texts, setTexts] = useState<Record<string, string>>({})
  if (keys.length === 0) return null
  const textOf = (key: string) => texts[key] ?? shownValue(rehearsal.profile[key])
  return (
    <fieldset class="field-rows">
      <legend>{t('knownBefore')}</legend>
      {keys.map((key) => (
        <TextField
          key={key}
          label={label(key)}
          value={textOf(key)}
          onInput={(text) => setTexts({ ...texts, [key]: text })}
        />
      ))}
      <Button
        small
        onClick={() => {
          const profile = Object.fromEntries(
            keys
              .map((key) => [key, typedValue(slots[key], textOf(key))] as const)
              .filter(([, value]) => value !== null),
          )
          onChange({ ...rehearsal, profile })
        }}
      >
        {t('apply')}
      </Button>
    </fieldset>
  )
}

function ToolAnswers({ rehearsal, onChange }: Props) {
  const t = usePanelWords()
  const shell = useShell()
  const { flow } = useEditing()
  const used = Object.values(nodesOf(flow.draft.graph)).flatMap((node) =>
    node.type === 'tool' && node.tool ? [node.tool] : node.type === 'handoff' ? ['handoff'] : [],
  )
  const names = [...new Set([...used, ...Object.keys(rehearsal.tools)])]
  if (names.length === 0) return null
  return (
    <fieldset class="field-rows">
      <legend>{t('toolAnswers')}</legend>
      <p class="hint">{t('toolAnswersHint')}</p>
      {names.map((name) => {
        const answer = rehearsal.tools[name]
        const set = (next: Rehearsal['tools'][string]) =>
          onChange({ ...rehearsal, tools: { ...rehearsal.tools, [name]: next } })
        return (
          <div key={name} class="asked-slot">
            <div class="row spread">
              <code dir="ltr">{name}</code>
              {answer ? (
                <IconButton
                  icon="close"
                  label={`${shell('remove')}: ${name}`}
                  onClick={() => {
                    const { [name]: _gone, ...rest } = rehearsal.tools
                    onChange({ ...rehearsal, tools: rest })
                  }}
                />
              ) : (
                <Button
                  small
                  label={`${shell('add')}: ${name}`}
                  onClick={() => set({ ok: true, status: 200, data: {} })}
                >
                  {shell('add')}
                </Button>
              )}
            </div>
            {answer && <ToolAnswer answer={answer} onChange={set} />}
          </div>
        )
      })}
    </fieldset>
  )
}

function ToolAnswer({
  answer,
  onChange,
}: {
  answer: Rehearsal['tools'][string]
  onChange: (answer: Rehearsal['tools'][string]) => void
}) {
  const t = usePanelWords()
  const [text, setText] = useState(JSON.stringify(answer.data, null, 2))
  const [wrong, setWrong] = useState(false)
  return (
    <>
      <SwitchField
        label={t('toolWorks')}
        checked={answer.ok}
        onChange={(ok) => onChange({ ...answer, ok, status: ok ? 200 : 500 })}
      />
      <TextArea
        label={t('toolData')}
        mono
        rows={3}
        value={text}
        error={wrong ? t('notJson') : null}
        onInput={(next) => {
          setText(next)
          setWrong(false)
        }}
      />
      <Button
        small
        onClick={() => {
          try {
            onChange({ ...answer, data: JSON.parse(text) as unknown })
          } catch {
            setWrong(true)
          }
        }}
      >
        {t('apply')}
      </Button>
    </>
  )
}

/** Judged exits by `node.exit`, as the simulation takes them. */
function Verdicts({ rehearsal, onChange }: Props) {
  const t = usePanelWords()
  const shell = useShell()
  const { flow } = useEditing()
  const { graph } = flow.draft
  const judged = [
    ...(isFormat1(graph) ? (graph.exits ?? []) : [])
      .filter((exit) => exit.judge)
      .map((exit) => `global:${exit.id}`),
    ...Object.entries(nodesOf(graph)).flatMap(([key, node]) =>
      (node.exits ?? []).filter((exit) => exit.judge).map((exit) => `${key}.${exit.id}`),
    ),
  ]
  const names = [...new Set([...judged, ...Object.keys(rehearsal.judge)])]
  if (names.length === 0) return null
  return (
    <fieldset class="field-rows">
      <legend>{t('verdicts')}</legend>
      {names.map((name) => (
        <SelectField
          key={name}
          label={name}
          value={rehearsal.judge[name] ?? ''}
          options={[
            { value: '', label: t('decidedByModel') },
            { value: 'yes', label: shell('yes') },
            { value: 'no', label: shell('no') },
          ]}
          onChange={(answer) => {
            const { [name]: _gone, ...rest } = rehearsal.judge
            const next = answer === 'yes' || answer === 'no' ? { ...rest, [name]: answer } : rest
            onChange({ ...rehearsal, judge: next as Rehearsal['judge'] })
          }}
        />
      ))}
    </fieldset>
  )
}

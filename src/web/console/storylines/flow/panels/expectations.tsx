import { Button, IconButton, SelectField, TextField } from '../../../parts'
import { useShell } from '../../../words'
import { nodesOf } from '../../model/draft'
import { saidOf } from '../../model/rehearsal'
import { shownValue, typedValue } from '../../model/slots'
import { STATUS_WORDS } from '../../status'
import type { ScenarioBody } from '../../types'
import { useEditing, useSlots } from '../context'
import { PickField } from '../pick-field'
import { usePanelWords } from './words'

type Expected = ScenarioBody['expect'][number]

interface Props {
  messages: ScenarioBody['messages']
  value: ScenarioBody['expect']
  onChange: (value: ScenarioBody['expect']) => void
}

/** What is expected of each turn; what is not said may be anything. */
export function Expectations({ messages, value, onChange }: Props) {
  const t = usePanelWords()
  const shell = useShell()
  const { flow } = useEditing()
  const { keys, label, slots } = useSlots()
  const nodes = nodesOf(flow.draft.graph)
  const set = (at: number, changes: { [K in keyof Expected]?: Expected[K] | undefined }) =>
    onChange(
      value.map((one, i) => {
        if (i !== at) return one
        const next = { ...one, ...changes }
        for (const [name, field] of Object.entries(next))
          if (field === undefined || field === '') delete next[name as keyof typeof next]
        return next as Expected
      }),
    )
  return (
    <div class="stack">
      {value.map((one, at) => {
        const message = messages[one.turn - 1]
        const noted = one.slots ?? {}
        return (
          // Two may stand for the same turn.
          <fieldset key={at} class="card field-rows">
            <legend>{t('turnNumber', { n: one.turn })}</legend>
            <div class="row spread">
              <span class="muted ellipsis" dir="auto">
                {message === undefined ? '' : saidOf(message)}
              </span>
              <IconButton
                icon="close"
                label={`${shell('remove')}: ${t('turnNumber', { n: one.turn })}`}
                onClick={() => onChange(value.toSpliced(at, 1))}
              />
            </div>
            <div class="grid2">
              <SelectField
                label={t('nodeThen')}
                value={one.node ?? ''}
                options={[
                  { value: '', label: shell('any') },
                  ...(one.node && !Object.hasOwn(nodes, one.node)
                    ? [{ value: one.node, label: one.node }]
                    : []),
                  ...Object.keys(nodes).map((key) => ({
                    value: key,
                    label: nodes[key]?.title ?? key,
                  })),
                ]}
                onChange={(node) => set(at, { node })}
              />
              <SelectField
                label={shell('status')}
                value={one.status ?? ''}
                options={[
                  { value: '', label: shell('any') },
                  ...(Object.keys(STATUS_WORDS) as (keyof typeof STATUS_WORDS)[]).map((status) => ({
                    value: status,
                    label: t(STATUS_WORDS[status]),
                  })),
                ]}
                onChange={(status) => set(at, { status: status === '' ? undefined : status })}
              />
            </div>
            <TextField
              label={t('saysPart')}
              optional
              maxLength={4000}
              value={one.says ?? ''}
              onInput={(says) => set(at, { says })}
            />
            {Object.entries(noted).map(([key, slotValue]) => (
              <div key={key} class="with-remove">
                <TextField
                  label={label(key)}
                  value={shownValue(slotValue)}
                  onInput={(text) =>
                    set(at, {
                      slots: { ...noted, [key]: typedValue(slots[key], text) as string | null },
                    })
                  }
                />
                <IconButton
                  icon="close"
                  label={`${shell('remove')}: ${label(key)}`}
                  onClick={() => {
                    const { [key]: _gone, ...rest } = noted
                    set(at, { slots: Object.keys(rest).length === 0 ? undefined : rest })
                  }}
                />
              </div>
            ))}
            {keys.some((key) => !Object.hasOwn(noted, key)) && (
              <PickField
                label={t('expectSlot')}
                options={keys
                  .filter((key) => !Object.hasOwn(noted, key))
                  .map((key) => ({ value: key, label: label(key) }))}
                onPick={(key) => set(at, { slots: { ...noted, [key]: '' } })}
              />
            )}
          </fieldset>
        )
      })}
      <Button
        small
        icon="plus"
        onClick={() => onChange([...value, { turn: Math.max(messages.length, 1) }])}
      >
        {t('addExpectation')}
      </Button>
    </div>
  )
}

import { IconButton, SwitchField } from '../../parts'
import { useShell } from '../../words'
import type { Changes } from '../model/edits'
import { LIMITS } from '../model/node-rules'
import { nodePath } from '../model/problems'
import { addSlot, slotsOf, writeSlots } from '../model/slots'
import type { AskedSlot } from '../types'
import { At } from './at'
import { useEditing, useErrors, useSlots } from './context'
import { PickField } from './pick-field'
import { Count, type TypeProps } from './shared-fields'
import { StoryTextField } from './text-field'
import { useFlowWords } from './words'

/** What is asked of the person, and how. */
export function Collect({ nodeKey, node, set }: TypeProps) {
  const t = useFlowWords()
  const shell = useShell()
  const errorOf = useErrors()
  const { flow } = useEditing()
  const { keys, label } = useSlots()
  const path = nodePath(nodeKey)
  const asked = node.slots ?? []
  const unasked = keys.filter((key) => !asked.some((one) => one.slot === key))
  const write = (slots: readonly AskedSlot[]) => set({ slots })
  const change = (at: number, changes: Changes<AskedSlot>) =>
    write(
      asked.map((one, i) => {
        if (i !== at) return one
        const next = { ...one, ...changes }
        if (next.ask === undefined || next.ask === '') delete next.ask
        if (next.required !== false) delete next.required
        return next as AskedSlot
      }),
    )
  const add = (key: string) => {
    if (key !== '+') return write([...asked, { slot: key }])
    flow.edit(null, (draft) => {
      const made = addSlot(slotsOf(draft.profile_schema))
      const { graph } = draft
      const nodes = {
        ...graph.nodes,
        [nodeKey]: { ...node, slots: [...asked, { slot: made.key }] },
      }
      return { ...draft, profile_schema: writeSlots(made.slots), graph: { ...graph, nodes } }
    })
  }
  return (
    <>
      <At path={`${path}/slots`}>
        <fieldset class="field-rows">
          <legend>{t('asked')}</legend>
          {asked.map((one, at) => (
            <div key={one.slot} class="asked-slot">
              <div class="row spread">
                <strong dir="auto">{label(one.slot)}</strong>
                <IconButton
                  icon="close"
                  label={`${shell('remove')}: ${label(one.slot)}`}
                  onClick={() => write(asked.toSpliced(at, 1))}
                />
              </div>
              <StoryTextField
                label={t('ask')}
                path={`${path}/slots/${at}/ask`}
                value={one.ask}
                error={errorOf(`${path}/slots/${at}`)}
                onChange={(ask) => change(at, { ask })}
              />
              <SwitchField
                label={t('required')}
                checked={one.required !== false}
                onChange={(on) => change(at, { required: on })}
              />
            </div>
          ))}
          {asked.length === 0 && errorOf(`${path}/slots`) && (
            <p class="error">{errorOf(`${path}/slots`)}</p>
          )}
          {asked.length < LIMITS.asked && (
            <PickField
              label={t('askFor')}
              options={[
                ...unasked.map((key) => ({ value: key, label: label(key) })),
                { value: '+', label: t('newSlot') },
              ]}
              onPick={add}
            />
          )}
        </fieldset>
      </At>
      <SwitchField
        label={t('form')}
        hint={t('formHint')}
        checked={node.form === true}
        onChange={(on) => set({ form: on || undefined })}
      />
      <SwitchField
        label={t('confirmSlots')}
        hint={t('confirmHint')}
        checked={node.confirm === true}
        onChange={(on) => set({ confirm: on || undefined })}
      />
      <Count
        label={t('maxAttempts')}
        path={`${path}/max_attempts`}
        value={node.max_attempts}
        min={1}
        max={10}
        placeholder="3"
        onChange={(max_attempts) => set({ max_attempts })}
      />
    </>
  )
}

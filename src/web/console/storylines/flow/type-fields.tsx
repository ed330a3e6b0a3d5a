import {
  CheckList,
  IconButton,
  NumberField,
  Segmented,
  SelectField,
  SwitchField,
  TextArea,
  TextField,
} from '../../parts'
import { useShell } from '../../words'
import type { Changes } from '../model/edits'
import { LIMITS } from '../model/node-rules'
import { nodePath } from '../model/problems'
import { addSlot, slotsOf, writeSlots } from '../model/slots'
import type { AskedSlot, StoryNode } from '../types'
import { useStoryWords } from '../words'
import { AssignField } from './assign-field'
import { At } from './at'
import { useEditing, useErrors, useSlots } from './context'
import { StoryTextField } from './text-field'

interface Props {
  nodeKey: string
  node: StoryNode
  set: (changes: Changes<StoryNode>) => void
}

/** What only this type of node has. */
export function TypeFields(props: Props) {
  switch (props.node.type) {
    case 'message':
      return <Say {...props} />
    case 'collect':
      return <Collect {...props} />
    case 'converse':
      return <Converse {...props} />
    case 'tool':
      return <Tool {...props} />
    case 'wait':
      return <Wait {...props} />
    case 'handoff':
      return <Handoff {...props} />
    case 'end':
      return <End {...props} />
    case 'branch':
      return null
  }
}

function Say({ nodeKey, node, set }: Props) {
  const t = useStoryWords()
  const errorOf = useErrors()
  const path = `${nodePath(nodeKey)}/say`
  const needed = node.type === 'message'
  return (
    <StoryTextField
      label={t('say')}
      path={path}
      hint={t('sayHint')}
      value={node.say}
      error={errorOf(path)}
      onChange={(say) => set({ say: say === '' && !needed ? undefined : say })}
    />
  )
}

function Count(props: {
  label: string
  path: string
  value: number | undefined
  min: number
  max: number
  unit?: string
  hint?: string
  placeholder?: string
  onChange: (value: number | undefined) => void
}) {
  const errorOf = useErrors()
  const { path, value, onChange, ...rest } = props
  return (
    <At path={path}>
      <NumberField
        {...rest}
        value={value ?? null}
        error={errorOf(path)}
        onInput={(next) => onChange(next ?? undefined)}
      />
    </At>
  )
}

function Collect({ nodeKey, node, set }: Props) {
  const t = useStoryWords()
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
            <SelectField
              label={t('askFor')}
              value=""
              options={[
                { value: '', label: '…' },
                ...unasked.map((key) => ({ value: key, label: label(key) })),
                { value: '+', label: t('newSlot') },
              ]}
              onChange={(key) => key !== '' && add(key)}
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

function Converse({ nodeKey, node, set }: Props) {
  const t = useStoryWords()
  const errorOf = useErrors()
  const { keys, label } = useSlots()
  const path = nodePath(nodeKey)
  return (
    <>
      <At path={`${path}/goal`}>
        <TextArea
          label={t('goal')}
          hint={t('goalHint')}
          rows={4}
          count={1000}
          maxLength={1000}
          value={node.goal ?? ''}
          error={errorOf(`${path}/goal`)}
          onInput={(goal) => set({ goal })}
        />
      </At>
      <At path={`${path}/extract`}>
        <CheckList
          label={t('extract')}
          hint={t('extractHint')}
          none={t('noSlots')}
          options={keys.map((value) => ({ value, label: label(value) }))}
          value={node.extract ?? []}
          error={errorOf(`${path}/extract`)}
          onChange={(value) => set({ extract: value.length === 0 ? undefined : value })}
        />
      </At>
      <div class="grid2">
        <Count
          label={t('minTurns')}
          path={`${path}/min_turns`}
          value={node.min_turns}
          min={0}
          max={50}
          onChange={(min_turns) => set({ min_turns })}
        />
        <Count
          label={t('maxTurns')}
          path={`${path}/max_turns`}
          value={node.max_turns}
          min={1}
          max={100}
          onChange={(max_turns) => set({ max_turns })}
        />
      </div>
    </>
  )
}

function Tool({ nodeKey, node, set }: Props) {
  const t = useStoryWords()
  const errorOf = useErrors()
  const { around } = useEditing()
  const path = nodePath(nodeKey)
  const { tool = '' } = node
  const callable = [...around.tools.filter((one) => !one.startsWith('mcp:')), ...around.serverTools]
  return (
    <>
      <At path={`${path}/tool`}>
        <SelectField
          label={t('toolCalled')}
          value={callable.includes(tool) ? tool : ''}
          options={[
            { value: '', label: tool === '' || callable.includes(tool) ? '…' : t('otherTool') },
            ...callable.map((value) => ({ value, label: value })),
          ]}
          onChange={(next) => next !== '' && set({ tool: next })}
        />
        <TextField
          label={t('toolName')}
          mono
          maxLength={128}
          value={tool}
          hint={t('toolNameHint')}
          error={errorOf(`${path}/tool`)}
          onInput={(next) => set({ tool: next })}
        />
      </At>
      <AssignField
        legend={t('args')}
        hint={t('argsHint')}
        path={`${path}/args`}
        value={node.args}
        free
        onChange={(args) => set({ args })}
      />
      <AssignField
        legend={t('saveResult')}
        hint={t('saveResultHint')}
        path={`${path}/save`}
        value={node.save}
        onChange={(save) => set({ save })}
      />
      <Count
        label={t('timeout')}
        path={`${path}/timeout_s`}
        value={node.timeout_s}
        min={1}
        max={60}
        unit={t('seconds')}
        placeholder="20"
        onChange={(timeout_s) => set({ timeout_s })}
      />
    </>
  )
}

function Wait(props: Props) {
  const { nodeKey, node, set } = props
  const t = useStoryWords()
  const path = nodePath(nodeKey)
  const until = node.until !== undefined
  return (
    <>
      <Segmented
        label={t('waitFor')}
        value={until ? 'until' : 'minutes'}
        options={[
          { value: 'minutes', label: t('waitMinutes') },
          { value: 'until', label: t('waitUntil') },
        ]}
        onChange={(next) =>
          next === 'until'
            ? set({ until: 'now + duration("24h")', minutes: undefined })
            : set({ until: undefined, minutes: 60 })
        }
      />
      {until ? (
        <ConditionText
          label={t('waitUntil')}
          hint={t('waitUntilHint')}
          path={`${path}/until`}
          value={node.until ?? ''}
          onChange={(next) => set({ until: next })}
        />
      ) : (
        <Count
          label={t('waitMinutes')}
          path={`${path}/minutes`}
          value={node.minutes}
          min={1}
          max={129_600}
          onChange={(minutes) => set({ minutes })}
        />
      )}
      <Say {...props} />
    </>
  )
}

function ConditionText(props: {
  label: string
  hint: string
  path: string
  value: string
  onChange: (text: string) => void
}) {
  const errorOf = useErrors()
  const { path, onChange, ...rest } = props
  return (
    <At path={path}>
      <TextField {...rest} mono maxLength={500} error={errorOf(path)} onInput={onChange} />
    </At>
  )
}

function Handoff(props: Props) {
  const { nodeKey, node, set } = props
  const t = useStoryWords()
  const errorOf = useErrors()
  const path = `${nodePath(nodeKey)}/notify`
  return (
    <>
      <Say {...props} />
      <At path={path}>
        <TextArea
          label={t('notify')}
          hint={t('notifyHint')}
          optional
          mono
          rows={2}
          value={(node.notify ?? []).join('\n')}
          error={errorOf(path)}
          onInput={(text) => set({ notify: text === '' ? undefined : text.split('\n') })}
        />
      </At>
    </>
  )
}

function End(props: Props) {
  const { nodeKey, node, set } = props
  const t = useStoryWords()
  const errorOf = useErrors()
  const path = nodePath(nodeKey)
  return (
    <>
      <At path={`${path}/outcome`}>
        <TextField
          label={t('outcome')}
          hint={t('outcomeHint')}
          mono
          maxLength={48}
          value={node.outcome ?? ''}
          error={errorOf(`${path}/outcome`)}
          onInput={(outcome) => set({ outcome })}
        />
      </At>
      <Segmented
        label={t('result')}
        value={node.result ?? 'completed'}
        options={[
          { value: 'completed', label: t('statusCompleted') },
          { value: 'exited', label: t('statusExited') },
        ]}
        onChange={(result) => set({ result: result === 'completed' ? undefined : result })}
      />
      <Say {...props} />
    </>
  )
}

import { CheckList, Segmented, TextArea, TextField } from '../../parts'
import { nodePath } from '../model/problems'
import { At } from './at'
import { Collect } from './collect-fields'
import { useErrors, useSlots } from './context'
import { LinesField } from './lines-field'
import { Count, Say, type TypeProps } from './shared-fields'
import { Tool } from './tool-fields'
import { useFlowWords } from './words'

/** What only this type of node has. */
export function TypeFields(props: TypeProps) {
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

function Converse({ nodeKey, node, set }: TypeProps) {
  const t = useFlowWords()
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

function Wait(props: TypeProps) {
  const { nodeKey, node, set } = props
  const t = useFlowWords()
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

function Handoff(props: TypeProps) {
  const { nodeKey, node, set } = props
  const t = useFlowWords()
  const errorOf = useErrors()
  const path = `${nodePath(nodeKey)}/notify`
  return (
    <>
      <Say {...props} />
      <At path={path}>
        <LinesField
          label={t('notify')}
          hint={t('notifyHint')}
          mono
          rows={2}
          value={node.notify}
          error={errorOf(path)}
          onChange={(notify) => set({ notify })}
        />
      </At>
    </>
  )
}

function End(props: TypeProps) {
  const { nodeKey, node, set } = props
  const t = useFlowWords()
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

import { SelectField, TextField } from '../../parts'
import { nodePath } from '../model/problems'
import { AssignField } from './assign-field'
import { At } from './at'
import { useEditing, useErrors } from './context'
import { Count, type TypeProps } from './shared-fields'
import { useFlowWords } from './words'

/** Which tool is called, with what, and what is kept of its result. */
export function Tool({ nodeKey, node, set }: TypeProps) {
  const t = useFlowWords()
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

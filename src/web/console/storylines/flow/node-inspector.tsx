import { Button, CheckList, SelectField, SwitchField, TextArea, TextField } from '../../parts'
import { useShell } from '../../words'
import {
  type Changes,
  duplicateNode,
  removeNode,
  renameNode,
  setNode,
  setType,
} from '../model/edits'
import { KEY } from '../model/keys'
import { NODE_TYPES } from '../model/node-rules'
import { nodePath } from '../model/problems'
import type { NodeType, StoryNode } from '../types'
import { AssignField } from './assign-field'
import { At } from './at'
import { useEditing, useErrors, useSlots } from './context'
import { ExitRows } from './exit-rows'
import { KeyField } from './key-field'
import { TypeFields } from './type-fields'
import { type FlowKey, useFlowWords } from './words'

export const TYPE_WORDS: Record<NodeType, FlowKey> = {
  message: 'typeMessage',
  collect: 'typeCollect',
  converse: 'typeConverse',
  branch: 'typeBranch',
  tool: 'typeTool',
  wait: 'typeWait',
  handoff: 'typeHandoff',
  end: 'typeEnd',
}
const TYPE_HINTS: Record<NodeType, FlowKey> = {
  message: 'hintMessage',
  collect: 'hintCollect',
  converse: 'hintConverse',
  branch: 'hintBranch',
  tool: 'hintTool',
  wait: 'hintWait',
  handoff: 'hintHandoff',
  end: 'hintEnd',
}

/** Every field of a node: what all have, what its type has, and its exits. */
export function NodeInspector({ nodeKey }: { nodeKey: string }) {
  const t = useFlowWords()
  const shell = useShell()
  const { flow, select, around } = useEditing()
  const errorOf = useErrors()
  const { keys, label } = useSlots()
  const { graph } = flow.draft
  const node = graph.nodes[nodeKey]
  if (!node) return null
  const path = nodePath(nodeKey)
  const set = (changes: Changes<StoryNode>) =>
    flow.editGraph(`${nodeKey}.${Object.keys(changes).join()}`, (one) =>
      setNode(one, nodeKey, changes),
    )
  const listed = (value: readonly string[]) => (value.length === 0 ? undefined : value)
  const rename = (next: string) => {
    flow.editGraph(null, (one) => renameNode(one, nodeKey, next))
    select({ kind: 'node', key: next })
  }
  return (
    <div class="stack">
      <At path={`${path}/type`}>
        <SelectField
          label={t('type')}
          value={node.type}
          options={NODE_TYPES.map((type) => ({ value: type, label: t(TYPE_WORDS[type]) }))}
          hint={t(TYPE_HINTS[node.type])}
          onChange={(type) => flow.editGraph(null, (one) => setType(one, nodeKey, type))}
        />
      </At>
      <At path={`${path}/title`}>
        <TextField
          label={t('title')}
          optional
          maxLength={80}
          value={node.title ?? ''}
          error={errorOf(`${path}/title`)}
          onInput={(title) => set({ title: title === '' ? undefined : title })}
        />
      </At>
      <TypeFields nodeKey={nodeKey} node={node} set={set} />
      {node.type !== 'end' && <ExitRows owner={nodeKey} />}
      <details class="more-fields">
        <summary>{t('moreFields')}</summary>
        <div class="stack">
          <KeyField
            label={t('key')}
            hint={t('nodeKeyHint')}
            value={nodeKey}
            taken={(next) => Object.hasOwn(graph.nodes, next)}
            pattern={KEY}
            onChange={rename}
          />
          <SwitchField
            label={t('milestone')}
            hint={t('milestoneHint')}
            checked={node.milestone === true}
            onChange={(on) => set({ milestone: on || undefined })}
          />
          <At path={`${path}/instructions`}>
            <TextArea
              label={t('instructions')}
              optional
              rows={3}
              maxLength={4000}
              hint={t('instructionsHint')}
              value={node.instructions ?? ''}
              error={errorOf(`${path}/instructions`)}
              onInput={(text) => set({ instructions: text === '' ? undefined : text })}
            />
          </At>
          <At path={`${path}/knowledge_bases`}>
            <CheckList
              label={t('bases')}
              hint={t('basesHint')}
              none={shell('none')}
              options={around.bases.map((value) => ({ value, label: value }))}
              value={node.knowledge_bases ?? []}
              error={errorOf(`${path}/knowledge_bases`)}
              onChange={(value) => set({ knowledge_bases: listed(value) })}
            />
          </At>
          <At path={`${path}/tools`}>
            <CheckList
              label={t('tools')}
              hint={t('toolsHint')}
              none={shell('none')}
              options={around.tools.map((value) => ({ value, label: value }))}
              value={node.tools ?? []}
              error={errorOf(`${path}/tools`)}
              onChange={(value) => set({ tools: listed(value) })}
            />
          </At>
          <At path={`${path}/clear`}>
            <CheckList
              label={t('clear')}
              hint={t('clearHint')}
              none={t('noSlots')}
              options={keys.map((value) => ({ value, label: label(value) }))}
              value={node.clear ?? []}
              error={errorOf(`${path}/clear`)}
              onChange={(value) => set({ clear: listed(value) })}
            />
          </At>
          <AssignField
            legend={t('setOnEntry')}
            hint={t('setHint')}
            path={`${path}/set`}
            value={node.set}
            onChange={(value) => set({ set: value })}
          />
        </div>
      </details>
      <NodeActions nodeKey={nodeKey} />
    </div>
  )
}

function NodeActions({ nodeKey }: { nodeKey: string }) {
  const t = useFlowWords()
  const shell = useShell()
  const { flow, select } = useEditing()
  const { graph } = flow.draft
  const isLast = Object.keys(graph.nodes).length === 1
  return (
    <div class="row">
      {graph.start !== nodeKey && (
        <Button small onClick={() => flow.editGraph(null, (one) => ({ ...one, start: nodeKey }))}>
          {t('makeStart')}
        </Button>
      )}
      <Button
        small
        icon="copy"
        onClick={() => {
          const made = duplicateNode(graph, nodeKey)
          flow.editGraph(null, () => made.graph)
          select({ kind: 'node', key: made.key })
        }}
      >
        {t('duplicate')}
      </Button>
      <Button
        small
        kind="danger"
        icon="trash"
        disabled={isLast}
        onClick={() => {
          flow.editGraph(null, (one) => removeNode(one, nodeKey))
          select(null)
        }}
      >
        {shell('delete')}
      </Button>
    </div>
  )
}

import { useEffect, useState } from 'preact/hooks'
import { Button, Dialog, IconButton, SelectField } from '../../parts'
import { useShell } from '../../words'
import { connect, type Owner } from '../model/edits'
import { NODE_TYPES } from '../model/node-rules'
import type { NodeType } from '../types'
import { useEditing } from './context'
import { TYPE_WORDS } from './node-inspector'
import type { Commands } from './use-commands'
import { useFlowWords } from './words'

interface Props {
  commands: Commands
  /** Whether the numbers of the funnel are shown. */
  counted: boolean
  onCounted: () => void
}

/** Adding, moving, connecting and deleting, for whoever does not know the keys. */
export function Toolbar({ commands, counted, onCounted }: Props) {
  const t = useFlowWords()
  const shell = useShell()
  const { flow } = useEditing()
  useUndoKeys()
  return (
    <div class="flow-toolbar row" role="toolbar" aria-label={t('editing')}>
      <AddNode onAdd={commands.add} />
      <IconButton
        icon="link"
        label={t('connect')}
        disabled={!commands.canConnect}
        onClick={() => commands.setConnecting(true)}
      />
      <IconButton
        icon="send"
        label={t('moveUp')}
        disabled={!commands.canMove}
        onClick={() => commands.move(-1)}
      />
      <IconButton
        icon="arrowDown"
        label={t('moveDown')}
        disabled={!commands.canMove}
        onClick={() => commands.move(1)}
      />
      <IconButton
        icon="trash"
        label={shell('delete')}
        disabled={!commands.canRemove}
        onClick={commands.remove}
      />
      <span class="bar-line" aria-hidden="true" />
      <IconButton icon="undo" label={t('undo')} disabled={!flow.canUndo} onClick={flow.undo} />
      <IconButton icon="redo" label={t('redo')} disabled={!flow.canRedo} onClick={flow.redo} />
      <span class="bar-line" aria-hidden="true" />
      <IconButton icon="usage" label={t('counts')} pressed={counted} onClick={onCounted} />
      {commands.connecting && <ConnectDialog onClose={() => commands.setConnecting(false)} />}
    </div>
  )
}

function AddNode({ onAdd }: { onAdd: (type: NodeType) => void }) {
  const t = useFlowWords()
  return (
    <select
      class="add-node"
      aria-label={t('addNode')}
      value=""
      onChange={(event) => {
        const type = NODE_TYPES.find((one) => one === event.currentTarget.value)
        event.currentTarget.value = ''
        if (type) onAdd(type)
      }}
    >
      <option value="">{t('addNode')}</option>
      {NODE_TYPES.map((type) => (
        <option key={type} value={type}>
          {t(TYPE_WORDS[type])}
        </option>
      ))}
    </select>
  )
}

function ConnectDialog({ onClose }: { onClose: () => void }) {
  const t = useFlowWords()
  const shell = useShell()
  const { flow, selection, select } = useEditing()
  const { graph } = flow.draft
  const owner: Owner =
    selection?.kind === 'node' ? selection.key : selection?.kind === 'exit' ? selection.owner : null
  const titleOf = (key: string) => graph.nodes[key]?.title ?? key
  const [target, setTarget] = useState('')
  const go = () => {
    const made = connect(graph, owner, target)
    flow.editGraph(null, () => made.graph)
    onClose()
    select({ kind: 'exit', owner, index: made.index })
  }
  return (
    <Dialog
      title={owner === null ? t('everywhere') : t('connectFrom', { name: titleOf(owner) })}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{shell('cancel')}</Button>
          <Button kind="primary" disabled={target === ''} onClick={go}>
            {t('connect')}
          </Button>
        </>
      }
    >
      <SelectField
        label={t('leadsTo')}
        value={target}
        options={[
          { value: '', label: '…' },
          ...Object.keys(graph.nodes).map((key) => ({ value: key, label: titleOf(key) })),
        ]}
        onChange={setTarget}
      />
    </Dialog>
  )
}

/** Undo and redo by the usual keys; within a field of text the browser's own undo stays. */
function useUndoKeys(): void {
  const { flow } = useEditing()
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (!event.ctrlKey && !event.metaKey) return
      const at = event.target as Element
      if (at.matches('textarea, input:not([type=checkbox], [type=radio])')) return
      const key = event.key.toLowerCase()
      const isRedo = key === 'y' || (key === 'z' && event.shiftKey)
      if (key !== 'z' && !isRedo) return
      event.preventDefault()
      if (isRedo) flow.redo()
      else flow.undo()
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  })
}

import { useState } from 'preact/hooks'
import { nodesOf } from '../model/draft'
import { addNode, moveExit, moveNode, removeExit, removeNode } from '../model/edits'
import type { NodeType } from '../types'
import { useEditing } from './context'

/** What can be done with what is selected, by buttons and by keys alike. */
export interface Commands {
  add: (type: NodeType) => void
  move: (by: 1 | -1) => void
  remove: () => void
  canMove: boolean
  canRemove: boolean
  canConnect: boolean
  /** Whether a target is being picked. */
  connecting: boolean
  setConnecting: (on: boolean) => void
}

export function useCommands(): Commands {
  const { flow, selection, select } = useEditing()
  const [connecting, setConnecting] = useState(false)
  const { graph } = flow.draft
  const keys = Object.keys(nodesOf(graph))
  const node =
    selection?.kind === 'node' ? selection.key : selection?.kind === 'exit' ? selection.owner : null
  const isEnd = node !== null && graph.nodes[node]?.type === 'end'
  return {
    add: (type) => {
      const made = addNode(graph, type, node)
      flow.editGraph(null, () => made.graph)
      select({ kind: 'node', key: made.key })
    },
    move: (by) => {
      if (selection?.kind === 'node')
        flow.editGraph(null, (one) => moveNode(one, selection.key, by))
      if (selection?.kind !== 'exit') return
      const { owner, index } = selection
      const after = moveExit(graph, owner, index, by)
      if (after === graph) return
      flow.editGraph(null, () => after)
      select({ kind: 'exit', owner, index: index + by })
    },
    remove: () => {
      if (selection?.kind === 'exit') {
        const { owner, index } = selection
        flow.editGraph(null, (one) => removeExit(one, owner, index))
        select(owner === null ? null : { kind: 'node', key: owner })
      } else if (selection?.kind === 'node' && keys.length > 1) {
        const at = keys.indexOf(selection.key)
        flow.editGraph(null, (one) => removeNode(one, selection.key))
        const next = keys[at + 1] ?? keys[at - 1]
        select(next === undefined ? null : { kind: 'node', key: next })
      }
    },
    canMove: selection?.kind === 'node' || selection?.kind === 'exit',
    canRemove: selection?.kind === 'exit' || (selection?.kind === 'node' && keys.length > 1),
    canConnect: selection !== null && !isEnd,
    connecting,
    setConnecting,
  }
}

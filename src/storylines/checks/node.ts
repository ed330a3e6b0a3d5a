import { COMMON_FIELDS, NODE_RULES, type StoryNode } from '../graph'
import { checkNodeExits } from './exits'
import { checkNodeExpressions } from './expressions'
import type { Examined } from './findings'
import { checkNodeSlots } from './node-slots'
import { checkNodeReferences } from './references'
import { checkNodeTexts } from './texts'

export function checkNode(examined: Examined, key: string, node: StoryNode): void {
  const path = ['graph', 'nodes', key]
  const { fields, required } = NODE_RULES[node.type]
  const allowed = new Set<string>([...COMMON_FIELDS, ...fields])
  for (const field of Object.keys(node)) {
    if (allowed.has(field)) continue
    const message = `a node of type ${node.type} has no ${field}`
    examined.add('field_not_allowed', [...path, field], message, { node: key })
  }
  for (const field of required) {
    if (node[field] !== undefined) continue
    examined.add('field_required', path, `a node of type ${node.type} needs ${field}`, {
      node: key,
    })
  }
  if (node.type === 'wait' && (node.minutes === undefined) === (node.until === undefined)) {
    const message = 'a wait node needs either minutes or until'
    examined.add('field_required', path, message, { node: key })
  }
  checkNodeSlots(examined, key, node, path)
  checkNodeExpressions(examined, key, node, path)
  checkNodeTexts(examined, key, node, path)
  checkNodeReferences(examined, key, node, path)
  checkNodeExits(examined, key, node, path)
}

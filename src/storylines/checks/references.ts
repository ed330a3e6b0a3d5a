import { STORYLINE_WORDS } from '../../config/names'
import type { StoryNode } from '../graph'
import { checkExpression } from './expressions'
import type { Examined, Path } from './findings'

export function checkNodeReferences(
  examined: Examined,
  key: string,
  node: StoryNode,
  path: Path,
): void {
  const { tools, knowledgeBases } = examined.around
  const named: [string, Path][] = (node.tools ?? []).map((tool, index) => [
    tool,
    [...path, 'tools', index],
  ])
  if (node.tool !== undefined) named.push([node.tool, [...path, 'tool']])
  for (const [tool, at] of named) {
    if (tools.has(tool) || tools.has(serverOf(tool))) continue
    examined.add('unknown_tool', at, `the agent has no tool ${tool}`, { node: key })
  }
  for (const [index, base] of (node.knowledge_bases ?? []).entries()) {
    if (knowledgeBases.has(base)) continue
    const message = `there is no knowledge base ${base}`
    examined.add('unknown_knowledge_base', [...path, 'knowledge_bases', index], message, {
      node: key,
    })
  }
}

export function checkReferences(examined: Examined): void {
  const { agentExists, next } = examined.around
  const { on_complete, entry, user_visibility, enroll_trigger, allow_agent_enroll } =
    examined.subject
  if (!agentExists) examined.add('agent_missing', ['agent_name'], 'there is no agent of this name')
  if (next === 'missing' || (next === null && on_complete === 'next')) {
    const message = 'the next storyline is not there'
    examined.add('next_missing', ['next_storyline_id'], message)
  }
  if (next === 'unpublished' && on_complete === 'next') {
    const message = 'the next storyline is not published'
    examined.add('next_unpublished', ['next_storyline_id'], message)
  }
  if (entry === 'menu' && user_visibility === 'hidden') {
    const message = 'a storyline that users pick from a menu cannot be hidden from them'
    examined.add('menu_hidden', ['user_visibility'], message)
  }
  for (const [field, values] of Object.entries(STORYLINE_WORDS)) {
    const value = examined.subject[field as keyof typeof STORYLINE_WORDS]
    if ((values as readonly string[]).includes(value)) continue
    const message = `${value} is not known: ${values[0]} applies; there are ${values.join(', ')}`
    examined.add('enum', [field], message, { warning: true })
  }
  const automatic = entry === 'offer' || entry === 'auto'
  if (automatic && !allow_agent_enroll && enroll_trigger === 'manual') {
    const message = `with enroll_trigger manual nothing ${entry === 'auto' ? 'starts' : 'offers'} it`
    examined.add('never_starts', ['enroll_trigger'], message, { warning: true })
  }
}

export function checkTrigger(examined: Examined): void {
  const { trigger } = examined.graph
  if (!trigger) return
  const path = ['graph', 'trigger']
  if (trigger.when !== undefined)
    checkExpression(examined, trigger.when, [...path, 'when'], {}, true)
  const { entry, enroll_trigger } = examined.subject
  const considered = ['offer', 'auto'].includes(entry) && enroll_trigger !== 'manual'
  if (considered) return
  const message = `entry ${entry} with enroll_trigger ${enroll_trigger} never looks at the trigger`
  examined.add('trigger_ignored', path, message, { warning: true })
}

/** `mcp:{server}/{tool}` is known where the agent has `mcp:{server}`. */
function serverOf(tool: string): string {
  return tool.startsWith('mcp:') ? (tool.split('/')[0] ?? tool) : tool
}

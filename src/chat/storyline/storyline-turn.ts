import type { AgentFacts } from '../../agents/resolve-agent'
import type { FinishReason } from '../../config/names'
import { currentReference } from '../../mcp/tool-reference'
import type { NamedBase } from '../../storylines/find-bases'
import type { StoryNode } from '../../storylines/graph'
import type { StorylineRevision } from '../../storylines/records'
import type { ShownStoryline } from '../../storylines/show'
import type { Clarify, Form } from '../../storylines/speak'
import type { EnrollmentChange } from './desk'

/** The part of a prompt that a node writes. */
export interface NodeGuide {
  goal: string
  instructions: string
  /** What was noted, a line each: data. */
  noted: readonly string[]
}

/** What storylines make of a turn: what is said and shown, and what is committed with the reply. */
export interface StorylineTurn {
  changes: EnrollmentChange[]
  /** The whole reply, where the agent has nothing to add; else null. */
  reply: string | null
  /** Before and after what the agent says. */
  opening: string
  closing: string
  guide: NodeGuide | null
  /** Bases and tools of the node that leads the conversation; null for the agent's own. */
  bases: readonly NamedBase[] | null
  tools: readonly string[] | null
  /** What is searched where the user did not ask anything yet; null for the message. */
  topic: string | null
  finishReason: FinishReason
  shown: ShownStoryline | null
  clarify: Clarify | null
  form: Form | null
}

export const NOTHING: Omit<StorylineTurn, 'changes'> = {
  reply: null,
  opening: '',
  closing: '',
  guide: null,
  bases: null,
  tools: null,
  topic: null,
  finishReason: 'stop',
  shown: null,
  clarify: null,
  form: null,
}

/** Two storylines in one reply: what the second shows is what is open. */
export function joined(first: StorylineTurn, second: StorylineTurn): StorylineTurn {
  const before = first.reply ?? first.opening
  const join = (after: string) => [before, after].filter((text) => text !== '').join('\n\n')
  return {
    ...second,
    changes: second.changes.length > first.changes.length ? second.changes : first.changes,
    reply: second.reply === null ? null : join(second.reply),
    opening: second.reply === null ? join(second.opening) : '',
    shown: second.shown ?? first.shown,
    finishReason: second.finishReason === 'stop' ? first.finishReason : second.finishReason,
  }
}

/** The bases and tools of a node, servers by their present names; null for the agent's own. */
export function reachOf(
  node: StoryNode | undefined,
  { behaviour: { ids } }: StorylineRevision,
  servers: AgentFacts['mcp'],
): Pick<StorylineTurn, 'bases' | 'tools'> {
  const { knowledge_bases: bases = [], tools = [] } = node ?? {}
  return {
    bases: bases.length === 0 ? null : bases.map((name) => ({ name, id: ids?.bases[name] })),
    tools:
      tools.length === 0
        ? null
        : tools.map((tool) => currentReference(tool, ids?.servers, servers)),
  }
}

export const finishOf = (
  handedOff: boolean,
  clarify: Clarify | null,
  form: Form | null,
): FinishReason => {
  if (handedOff) return 'handoff'
  if (form) return 'form'
  return clarify ? 'clarify' : 'stop'
}

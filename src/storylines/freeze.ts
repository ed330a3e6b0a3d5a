import { STORYLINE_WORDS, type StorylineWord } from '../config/names'
import type { StorylineRow } from '../db/tables/storylines'
import { parseReference } from '../mcp/tool-reference'
import type { Graph } from './graph'
import { readGraph, slotsUsed } from './read-graph'
import type { Behaviour, NamedIds } from './records'
import { propertiesOf, readSlots } from './slots'

/** What publishing a working copy makes of it. */
export interface Frozen {
  graph: Graph
  profileSchema: Record<string, unknown>
  behaviour: Behaviour
}

/** @param ids of all that may be named; those that the graph names are frozen with it. */
export function freeze(row: StorylineRow, ids?: NamedIds): Frozen {
  const { slots } = readSlots(row.profileSchema)
  const { graph, foreign } = readGraph(row.graph, slots)
  const profileSchema = foreign ? withUndeclared(row.profileSchema, graph) : row.profileSchema
  const behaviour = { ...behaviourOf(row), ...(ids && { ids: namedIn(graph, ids) }) }
  return { graph, profileSchema, behaviour }
}

function namedIn({ nodes }: Graph, { bases, servers }: NamedIds): NamedIds {
  const all = Object.values(nodes)
  const tools = all.flatMap(({ tool, tools = [] }) => [tool ?? '', ...tools])
  const pick = (ids: Readonly<Record<string, string>>, names: readonly string[]) =>
    Object.fromEntries(
      Object.entries(ids)
        .filter(([name]) => names.includes(name))
        .toSorted(),
    )
  return {
    bases: pick(
      bases,
      all.flatMap((node) => node.knowledge_bases ?? []),
    ),
    servers: pick(
      servers,
      tools.map((tool) => parseReference(tool)?.server ?? ''),
    ),
  }
}

/** Slots that a graph of another shape uses without saying so take any text. */
function withUndeclared(schema: unknown, graph: Graph): Record<string, unknown> {
  const { properties } = propertiesOf(schema)
  const used = slotsUsed(graph).map((slot) => [slot, { type: 'string' }])
  return { type: 'object', properties: { ...Object.fromEntries(used), ...properties } }
}

function behaviourOf(row: StorylineRow): Behaviour {
  return {
    key: row.key,
    name: row.name,
    displayName: row.displayName,
    description: row.description,
    entry: knownWord('entry', row.entry),
    trigger: knownWord('enroll_trigger', row.enrollTrigger),
    visibility: knownWord('user_visibility', row.userVisibility),
    onComplete: knownWord('on_complete', row.onComplete),
    concurrency: knownWord('concurrency', row.concurrency),
    allowExit: row.allowExit,
    showProfile: row.showProfile,
    allowAgentEnroll: row.allowAgentEnroll,
    nextStorylineId: row.nextStorylineId,
  }
}

function knownWord<F extends keyof typeof STORYLINE_WORDS>(
  field: F,
  word: string,
): StorylineWord<F> {
  const words: readonly StorylineWord<F>[] = STORYLINE_WORDS[field]
  return words.find((one) => one === word) ?? (words[0] as StorylineWord<F>)
}

import type { Graph, Storyline } from '../types'
import { NODE_RULES } from './node-rules'
import { isObject, type SlotSchema } from './slots'

/** What the editor changes of a storyline; one value, so that undo covers all of it. */
export interface Draft {
  agent_name: string
  key: string
  name: string
  display_name: string
  description: string
  graph: Graph
  profile_schema: SlotSchema
  user_visibility: string
  entry: string
  enroll_trigger: string
  on_complete: string
  concurrency: string
  allow_exit: boolean
  show_profile: boolean
  allow_agent_enroll: boolean
  next_storyline_id: string | null
  is_default: boolean
  position: number
}

const FIELDS = [
  'agent_name',
  'key',
  'name',
  'display_name',
  'description',
  'graph',
  'profile_schema',
  'user_visibility',
  'entry',
  'enroll_trigger',
  'on_complete',
  'concurrency',
  'allow_exit',
  'show_profile',
  'allow_agent_enroll',
  'next_storyline_id',
  'is_default',
  'position',
] as const satisfies readonly (keyof Draft)[]

export const draftOf = (storyline: Storyline): Draft =>
  Object.fromEntries(FIELDS.map((field) => [field, storyline[field]])) as unknown as Draft

/** The fields that differ, in the order in which they are shown. */
export function changesOf(before: Draft, after: Draft): Partial<Draft> {
  const differ = FIELDS.filter(
    (field) =>
      before[field] !== after[field] &&
      JSON.stringify(before[field]) !== JSON.stringify(after[field]),
  )
  return Object.fromEntries(differ.map((field) => [field, after[field]])) as Partial<Draft>
}

const areExits = (value: unknown): boolean =>
  value === undefined || (Array.isArray(value) && value.every(isObject))

/** Whether the editor can show the graph: format 1. Others are kept as they were sent, and edited as text. */
export function isFormat1(graph: unknown): graph is Graph {
  if (!isObject(graph) || graph.schema !== 1 || !isObject(graph.nodes)) return false
  if (!areExits(graph.exits)) return false
  return Object.values(graph.nodes).every(
    (node) =>
      isObject(node) && Object.hasOwn(NODE_RULES, String(node.type)) && areExits(node.exits),
  )
}

/** The nodes that the editor can show: none of a graph of another shape. */
export const nodesOf = (graph: unknown): Graph['nodes'] => (isFormat1(graph) ? graph.nodes : {})

export const isBlank = (graph: object): boolean => Object.keys(graph).length === 0

/** A draft, a storyline or a revision: what is read of it may be of any shape. */
type DraftLike = { readonly [K in keyof Draft]?: unknown }

/** What publishing freezes: the place in the list and being the default act at once. */
const FROZEN = FIELDS.filter((field) => !['agent_name', 'is_default', 'position'].includes(field))

/** Field by field what differs between two of them, but for where nodes stand on the canvas. */
export function frozenPart(of: DraftLike): Record<string, unknown> {
  const part = Object.fromEntries(FROZEN.map((field) => [field, of[field] ?? null]))
  return { ...part, graph: withoutPositions(of.graph) }
}

function withoutPositions(graph: unknown): unknown {
  if (!isFormat1(graph)) return graph
  const { ui: _ui, nodes, ...rest } = graph
  return {
    ...rest,
    nodes: Object.fromEntries(
      Object.entries(nodes).map(([key, { ui: _at, ...node }]) => [
        key,
        // Exits by their id, so that a new one does not show all of them as changed.
        node.exits
          ? { ...node, exits: Object.fromEntries(node.exits.map(({ id, ...one }) => [id, one])) }
          : node,
      ]),
    ),
  }
}

/** Whether the working copy differs from what is live; exits in another order are tried in another order. */
export const differs = (a: DraftLike, b: DraftLike): boolean =>
  JSON.stringify([sorted(frozenPart(a)), ordersOf(a.graph)]) !==
  JSON.stringify([sorted(frozenPart(b)), ordersOf(b.graph)])

const ordersOf = (graph: unknown): unknown =>
  isFormat1(graph)
    ? sorted(
        Object.fromEntries(
          Object.entries(graph.nodes).map(([key, { exits = [] }]) => [
            key,
            exits.map(({ id }) => id),
          ]),
        ),
      )
    : null

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, one]) => [key, sorted(one)]),
  )
}

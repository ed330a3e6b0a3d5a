import type { Exit, ExitEvent, Graph, NodeType, StoryNode } from '../types'
import { freeKey } from './keys'
import { COMMON_FIELDS, FRESH, NODE_RULES } from './node-rules'

/** Edits of a graph: each takes one and gives another, so that undo is to keep the former. */

/** Whose exits: a node's, or those that hold everywhere. */
export type Owner = string | null

/** Fields to be set; undefined takes one out. */
export type Changes<T> = { [K in keyof T]?: T[K] | undefined }

/** Sets fields of an object; what is undefined is taken out, so that a graph holds no empty words. */
export function patched<T extends object>(before: T, changes: Changes<T>): T {
  const after = { ...before, ...changes } as T
  for (const [key, value] of Object.entries(after))
    if (value === undefined) delete after[key as keyof T]
  return after
}

export const nodeKeys = (graph: Graph): string[] => Object.keys(graph.nodes)
export const isDefault = ({ on, when, judge }: Exit): boolean =>
  on === undefined && when === undefined && judge === undefined

export function exitsOf(graph: Graph, owner: Owner): readonly Exit[] {
  return (owner === null ? graph.exits : graph.nodes[owner]?.exits) ?? []
}

function withExits(graph: Graph, owner: Owner, exits: readonly Exit[]): Graph {
  const kept = exits.length === 0 ? undefined : exits
  if (owner === null) return patched(graph, { exits: kept })
  return setNode(graph, owner, { exits: kept })
}

export function setNode(graph: Graph, key: string, changes: Changes<StoryNode>): Graph {
  const node = graph.nodes[key]
  if (!node) return graph
  return { ...graph, nodes: { ...graph.nodes, [key]: patched(node, changes) } }
}

/** Fields and events that the new type does not have go; what it needs is added. */
export function setType(graph: Graph, key: string, type: NodeType): Graph {
  const node = graph.nodes[key]
  if (!node || node.type === type) return graph
  const { events, fields, mayJudge } = NODE_RULES[type]
  const known = new Set<string>([...COMMON_FIELDS, ...fields])
  const kept = Object.fromEntries(Object.entries(node).filter(([name]) => known.has(name)))
  const exits = (node.exits ?? []).map((exit) =>
    patched(exit, {
      ...(exit.on !== undefined && !events.includes(exit.on) ? { on: undefined } : {}),
      ...(mayJudge ? {} : { judge: undefined }),
    }),
  )
  const next = patched({ ...FRESH[type], ...kept, type } as StoryNode, {
    exits: type === 'end' || exits.length === 0 ? undefined : exits,
  })
  return { ...graph, nodes: { ...graph.nodes, [key]: next } }
}

/** A graph with nothing but a node to begin with. */
export const blankGraph = (): Graph => ({
  schema: 1,
  start: 'message',
  nodes: { message: { type: 'message', ...FRESH.message } },
})

/**
 * Adds a node behind another one and into its way: what that one went to by default, the new one goes to. Behind none
 * it stands at the end, without a way to it.
 */
export function addNode(
  graph: Graph,
  type: NodeType,
  after: string | null,
): { graph: Graph; key: string } {
  const key = freeKey(type, nodeKeys(graph))
  const before = after === null ? undefined : graph.nodes[after]
  let node: StoryNode = { type, ...FRESH[type] }
  let changed = graph
  if (before && after !== null && before.type !== 'end') {
    const exits = before.exits ?? []
    const way = exits.findIndex(isDefault)
    const old = exits[way]
    if (old && type !== 'end') {
      node = { ...node, exits: [{ id: 'next', to: old.to }] }
      changed = setExit(changed, after, way, { to: key })
    } else if (!old) changed = connect(changed, after, key).graph
  }
  return { graph: insert(changed, key, node, after), key }
}

export function duplicateNode(graph: Graph, key: string): { graph: Graph; key: string } {
  const node = graph.nodes[key]
  if (!node) return { graph, key }
  const copy = freeKey(key, nodeKeys(graph))
  const { ui: _ui, ...rest } = node
  return { graph: insert(graph, copy, rest, key), key: copy }
}

function insert(graph: Graph, key: string, node: StoryNode, after: string | null): Graph {
  const entries = Object.entries(graph.nodes)
  const at = after === null ? -1 : entries.findIndex(([one]) => one === after)
  entries.splice(at === -1 ? entries.length : at + 1, 0, [key, node])
  return { ...graph, nodes: Object.fromEntries(entries) }
}

/** Removes a node. Ways that led to it lead to where it went on by default; without that they go with it. */
export function removeNode(graph: Graph, key: string): Graph {
  const node = graph.nodes[key]
  if (!node || nodeKeys(graph).length === 1) return graph
  const exits = node.exits ?? []
  const on = (exits.find(isDefault) ?? (exits.length === 1 ? exits[0] : undefined))?.to
  const target = on !== undefined && on !== key && Object.hasOwn(graph.nodes, on) ? on : null
  const lead = (list: readonly Exit[]): Exit[] =>
    list.flatMap((exit) => {
      if (exit.to !== key) return [exit]
      return target === null ? [] : [{ ...exit, to: target }]
    })
  const nodes = Object.fromEntries(
    Object.entries(graph.nodes)
      .filter(([one]) => one !== key)
      .map(([one, other]) => {
        if (!other.exits) return [one, other]
        const left = lead(other.exits)
        return [one, patched(other, { exits: left.length === 0 ? undefined : left })]
      }),
  ) as Graph['nodes']
  const start = graph.start === key ? (target ?? Object.keys(nodes)[0] ?? '') : graph.start
  return withExits({ ...graph, nodes, start }, null, lead(graph.exits ?? []))
}

/** Gives a node another key, wherever it is named; its place in the order stays. */
export function renameNode(graph: Graph, key: string, next: string): Graph {
  if (key === next || !graph.nodes[key] || Object.hasOwn(graph.nodes, next)) return graph
  const lead = (exits: readonly Exit[]) =>
    exits.map((exit) => (exit.to === key ? { ...exit, to: next } : exit))
  const nodes = Object.fromEntries(
    Object.entries(graph.nodes).map(([one, node]) => [
      one === key ? next : one,
      node.exits ? { ...node, exits: lead(node.exits) } : node,
    ]),
  )
  return {
    ...graph,
    nodes,
    start: graph.start === key ? next : graph.start,
    ...(graph.exits ? { exits: lead(graph.exits) } : {}),
  }
}

export function moveNode(graph: Graph, key: string, by: 1 | -1): Graph {
  const nodes = moved(Object.entries(graph.nodes), ([one]) => one === key, by)
  return nodes ? { ...graph, nodes: Object.fromEntries(nodes) } : graph
}

export function moveExit(graph: Graph, owner: Owner, index: number, by: 1 | -1): Graph {
  const exits = moved(exitsOf(graph, owner), (_, at) => at === index, by)
  return exits ? withExits(graph, owner, exits) : graph
}

function moved<T>(list: readonly T[], is: (one: T, at: number) => boolean, by: 1 | -1): T[] | null {
  const at = list.findIndex(is)
  const to = at + by
  if (at === -1 || to < 0 || to >= list.length) return null
  const next = [...list]
  next.splice(to, 0, ...next.splice(at, 1))
  return next
}

/**
 * Adds an exit to a target. It answers the first event of the node that no exit answers yet, and stands before the
 * exit that always holds, since nothing behind that one is ever tried.
 */
export function connect(graph: Graph, owner: Owner, to: string): { graph: Graph; index: number } {
  const exits = exitsOf(graph, owner)
  const event = owner === null ? undefined : openEvent(graph.nodes[owner], exits)
  const exit = patched<Exit>(
    {
      id: freeKey(
        event ?? (exits.length === 0 ? 'next' : 'exit'),
        exits.map((one) => one.id),
      ),
      to,
    },
    event ? { on: event } : {},
  )
  const always = exits.findIndex(isDefault)
  const index = always === -1 ? exits.length : always
  return { graph: withExits(graph, owner, exits.toSpliced(index, 0, exit)), index }
}

function openEvent(node: StoryNode | undefined, exits: readonly Exit[]): ExitEvent | undefined {
  if (!node || exits.some(isDefault)) return undefined
  const answered = new Set(exits.map((exit) => exit.on))
  if (node.type === 'converse' && node.max_turns === undefined) return undefined
  return NODE_RULES[node.type].events.find((event) => !answered.has(event))
}

export function setExit(graph: Graph, owner: Owner, index: number, changes: Changes<Exit>): Graph {
  const exits = exitsOf(graph, owner)
  return withExits(
    graph,
    owner,
    exits.map((exit, at) => (at === index ? patched(exit, changes) : exit)),
  )
}

export const removeExit = (graph: Graph, owner: Owner, index: number): Graph =>
  withExits(graph, owner, exitsOf(graph, owner).toSpliced(index, 1))

/** Keeps where the nodes stand on the canvas. */
export function place(
  graph: Graph,
  positions: ReadonlyMap<string, { x: number; y: number }>,
): Graph {
  const nodes = Object.entries(graph.nodes).map(([key, node]) => {
    const at = positions.get(key)
    if (!at) return [key, node] as const
    return [key, { ...node, ui: { ...node.ui, x: Math.round(at.x), y: Math.round(at.y) } }] as const
  })
  return { ...graph, nodes: Object.fromEntries(nodes) }
}

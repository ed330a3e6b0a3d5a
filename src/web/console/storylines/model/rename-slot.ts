import type { Assignments, Exit, Graph, StoryNode } from '../types'

/** Gives a slot another key wherever the graph names it: in lists, assignments, expressions and texts. */
export function renameSlotIn(graph: Graph, key: string, next: string): Graph {
  const named = new RegExp(`(?<![\\w.])profile\\.${key}(?![a-z0-9_])`, 'g')
  const one = (slot: string) => (slot === key ? next : slot)
  const words = <T>(value: T): T => {
    if (typeof value === 'string') return value.replace(named, `profile.${next}`) as T
    if (Array.isArray(value)) return value.map(words) as T
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, words(part)])) as T
  }
  const assigned = (map: Assignments | undefined) =>
    map && Object.fromEntries(Object.entries(map).map(([slot, text]) => [one(slot), text]))
  const exit = ({ set, ...rest }: Exit): Exit => ({
    ...rest,
    ...(set ? { set: assigned(set) ?? {} } : {}),
  })
  const node = (before: StoryNode): StoryNode => {
    const after: Record<string, unknown> = { ...before }
    if (before.slots)
      after.slots = before.slots.map((asked) => ({ ...asked, slot: one(asked.slot) }))
    for (const field of ['extract', 'clear'] as const)
      if (before[field]) after[field] = before[field].map(one)
    for (const field of ['set', 'save'] as const)
      if (before[field]) after[field] = assigned(before[field])
    if (before.exits) after.exits = before.exits.map(exit)
    return after as unknown as StoryNode
  }
  const nodes = Object.entries(graph.nodes).map(([name, before]) => [name, node(before)] as const)
  return words({
    ...graph,
    nodes: Object.fromEntries(nodes),
    ...(graph.exits ? { exits: graph.exits.map(exit) } : {}),
  })
}

import { foldText } from '../text/fold-text'
import type { Graph, StoryNode } from './graph'

/** Where people of a node that is gone would go on, and what speaks for it. */
export interface Proposal {
  from: string
  to: string | null
  by: 'key' | 'title' | 'neighbours' | null
}

/** Of the neighbours that two nodes have, the share that they must have in common. */
const LEAST_SHARED = 0.5

/**
 * For each node of an older graph the one of the live graph that stands for it: of the same key, else of the same title,
 * else with the same neighbours; of the same type, and nothing where two could be meant. Pure.
 */
export function proposeNodes(
  before: Graph,
  live: Graph,
  nodes: readonly string[],
): readonly Proposal[] {
  const inOrder = nodes.toSorted()
  const added = Object.keys(live.nodes).filter((key) => !Object.hasOwn(before.nodes, key))
  const renamed = new Map<string, Proposal>()
  const settle = (by: 'title' | 'neighbours', fits: (from: string, to: string) => boolean) => {
    const taken = new Set([...renamed.values()].map(({ to }) => to))
    const open = Object.keys(before.nodes).filter(
      (key) => !Object.hasOwn(live.nodes, key) && !renamed.has(key),
    )
    const free = added.filter((key) => !taken.has(key))
    const pairs = open.flatMap((from) =>
      free
        .filter((to) => before.nodes[from]?.type === live.nodes[to]?.type && fits(from, to))
        .map((to) => ({ from, to })),
    )
    for (const { from, to } of pairs) {
      const rivals = pairs.filter((pair) => pair.from === from || pair.to === to)
      if (rivals.length === 1) renamed.set(from, { from, to, by })
    }
  }
  settle('title', (from, to) => {
    const title = titleOf(before.nodes[from])
    return title !== '' && title === titleOf(live.nodes[to])
  })
  const [around, aroundLive] = [neighboursOf(before), neighboursOf(live)]
  settle('neighbours', (from, to) => {
    // What was found already stands under its new name.
    const was = [...(around.get(from) ?? [])].map((one) => renameIn(renamed, one))
    return sharedOf(new Set(was), aroundLive.get(to) ?? new Set()) >= LEAST_SHARED
  })
  return inOrder.map((from) =>
    Object.hasOwn(live.nodes, from)
      ? { from, to: from, by: 'key' as const }
      : (renamed.get(from) ?? { from, to: null, by: null }),
  )
}

const titleOf = (node: StoryNode | undefined): string => foldText(node?.title ?? '').text.trim()

/** `>key` for a node that it leads to, `<key` for one that leads to it. */
function neighboursOf({ nodes, start }: Graph): ReadonlyMap<string, ReadonlySet<string>> {
  const found = new Map<string, Set<string>>()
  const add = (key: string, sign: string) => {
    const known = found.get(key) ?? new Set()
    found.set(key, known.add(sign))
  }
  add(start, '<')
  for (const [key, { exits = [] }] of Object.entries(nodes)) {
    for (const { to } of exits) {
      add(key, `>${to}`)
      add(to, `<${key}`)
    }
  }
  return found
}

function renameIn(renamed: ReadonlyMap<string, Proposal>, sign: string): string {
  const to = renamed.get(sign.slice(1))?.to
  return to ? `${sign[0]}${to}` : sign
}

function sharedOf(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  const all = new Set([...one, ...other])
  const both = [...one].filter((sign) => other.has(sign))
  return all.size === 0 ? 0 : both.length / all.size
}

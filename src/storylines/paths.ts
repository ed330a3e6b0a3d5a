import { type Graph, NODE_RULES, type StoryNode } from './graph'

/** What the shape of the whole graph forbids: nodes nobody reaches, ways that never end, loops that never wait. */

export interface PathProblem {
  code: 'unreachable' | 'no_end' | 'cannot_end' | 'sync_cycle'
  node: string | null
  message: string
  warning: boolean
}

export function pathProblems(graph: Graph): readonly PathProblem[] {
  if (!Object.hasOwn(graph.nodes, graph.start)) return []
  const ways = new Ways(graph)
  return [...ways.unreachable(), ...ways.endless(), ...ways.loops()]
}

class Ways {
  readonly #graph: Graph
  readonly #sources = new Map<string, string[]>()
  readonly #reached: ReadonlySet<string>

  constructor(graph: Graph) {
    this.#graph = graph
    for (const from of this.#keys) {
      for (const to of this.#targets(from)) {
        const known = this.#sources.get(to)
        if (known) known.push(from)
        else this.#sources.set(to, [from])
      }
    }
    const direct = reachFrom([graph.start], (key) => this.#targets(key))
    // Global exits leave only nodes that wait.
    const everywhere = [...direct].some((key) => this.#waits(key)) ? this.#globalTargets : []
    this.#reached = reachFrom([...direct, ...everywhere], (key) => this.#targets(key))
  }

  unreachable(): PathProblem[] {
    return this.#keys
      .filter((key) => !this.#reached.has(key))
      .map((key) => problem('unreachable', key, 'no path leads here', true))
  }

  endless(): PathProblem[] {
    const ends = this.#keys.filter((key) => isEnd(this.#graph.nodes[key]))
    if (ends.length === 0) return [problem('no_end', null, 'the storyline has no end node')]
    const toEnd = reachFrom(ends, (key) => this.#sources.get(key) ?? [])
    const globalEnd = this.#globalTargets.some((to) => toEnd.has(to))
    return [...this.#reached]
      .filter((key) => !toEnd.has(key) && !this.#comesToWait(key, globalEnd))
      .map((key) => problem('cannot_end', key, 'from here no path leads to an end'))
  }

  /** Peels off nodes that lead on to none of the rest, or that none of the rest leads to: what stays are the loops. */
  loops(): PathProblem[] {
    const sync = new Set(this.#keys.filter((key) => !this.#waits(key)))
    peel(sync, (key) => this.#targets(key))
    peel(sync, (key) => this.#sources.get(key) ?? [])
    const message = 'a loop of nodes that never wait for the user'
    return [...sync].map((key) => problem('sync_cycle', key, message))
  }

  get #keys(): readonly string[] {
    return Object.keys(this.#graph.nodes)
  }

  get #globalTargets(): readonly string[] {
    return (this.#graph.exits ?? [])
      .map(({ to }) => to)
      .filter((to) => Object.hasOwn(this.#graph.nodes, to))
  }

  #waits(key: string): boolean {
    const node = this.#graph.nodes[key]
    return node !== undefined && NODE_RULES[node.type].waits
  }

  #targets(key: string): readonly string[] {
    return (this.#graph.nodes[key]?.exits ?? [])
      .map(({ to }) => to)
      .filter((to) => Object.hasOwn(this.#graph.nodes, to))
  }

  /** Whether a global exit that leads to an end can be taken on some way from here. */
  #comesToWait(key: string, globalEnd: boolean): boolean {
    if (!globalEnd) return false
    return [...reachFrom([key], (one) => this.#targets(one))].some((one) => this.#waits(one))
  }
}

function problem(
  code: PathProblem['code'],
  node: string | null,
  message: string,
  warning = false,
): PathProblem {
  return { code, node, message, warning }
}

function isEnd(node: StoryNode | undefined): boolean {
  if (!node) return false
  return node.type === 'end' || (node.type === 'converse' && (node.exits ?? []).length === 0)
}

function reachFrom(
  starts: readonly string[],
  next: (key: string) => readonly string[],
): Set<string> {
  const seen = new Set(starts)
  const queue = [...seen]
  for (let key = queue.pop(); key !== undefined; key = queue.pop()) {
    for (const to of next(key)) {
      if (seen.has(to)) continue
      seen.add(to)
      queue.push(to)
    }
  }
  return seen
}

/** Takes out, again and again, every key that has no neighbour left. */
function peel(keys: Set<string>, neighbours: (key: string) => readonly string[]): void {
  let before: number
  do {
    before = keys.size
    for (const key of keys) {
      if (!neighbours(key).some((one) => keys.has(one))) keys.delete(key)
    }
  } while (keys.size < before)
}

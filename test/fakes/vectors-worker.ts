import { WorkerEntrypoint } from 'cloudflare:workers'

interface Entry {
  id: string
  values: number[]
  namespace?: string
}

const stored = new Map<string, Entry>()
let failures = 0

/** Stands in for a vector index: the calls of it that Parley makes, exact and in memory. */
export default class Vectors extends WorkerEntrypoint {
  /** For the test: `{fail: n}` makes the next n removals fail; the answer is what is stored. */
  override async fetch(request: Request): Promise<Response> {
    const { fail } = await request.json<{ fail?: number }>()
    failures = fail ?? failures
    return Response.json([...stored.keys()].sort())
  }

  upsert(entries: Entry[]): { mutationId: string } {
    for (const entry of entries) stored.set(entry.id, entry)
    return { mutationId: 'm' }
  }

  deleteByIds(ids: string[]): { mutationId: string } {
    if (failures > 0) {
      failures--
      throw new Error('index not reachable')
    }
    for (const id of ids) stored.delete(id)
    return { mutationId: 'm' }
  }

  query(values: number[], { topK, namespace }: { topK: number; namespace: string }) {
    const matches = [...stored.values()]
      .filter((entry) => entry.namespace === namespace)
      .map((entry) => ({ id: entry.id, score: cosine(values, entry.values) }))
      .sort((a, b) => b.score - a.score)
      .slice(0, topK)
    return { matches, count: matches.length }
  }
}

function cosine(a: number[], b: number[]): number {
  const dot = (x: number[], y: number[]) =>
    x.reduce((sum, value, i) => sum + value * (y[i] ?? 0), 0)
  return dot(a, b) / Math.sqrt(dot(a, a) * dot(b, b))
}

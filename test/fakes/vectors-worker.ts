import { WorkerEntrypoint } from 'cloudflare:workers'
import { byteLength, VECTORIZE_LIMITS } from '../../src/config/platform-limits'

interface Entry {
  id: string
  values: number[]
  namespace?: string
  metadata?: Record<string, unknown>
}

interface Query {
  topK?: number
  namespace?: string
  returnValues?: boolean
  returnMetadata?: boolean | 'none' | 'indexed' | 'all'
}

/** What a test asks of the fake; the answer is the ids that a search can find. */
export interface VectorsOrder {
  /** The next so many removals fail. */
  fail?: number
  /** Mutations wait until this is false again. */
  hold?: boolean
  /** Answers with how many calls of the index there were so far instead. */
  count?: boolean
  /** A call of the index as the binding offers it; answers `{value}` or `{error}`. */
  call?: { method: 'upsert' | 'deleteByIds' | 'query' | 'describe'; args: unknown[] }
}

interface Mutation {
  id: string
  apply(): void
}

const stored = new Map<string, Entry>()
const waiting: Mutation[] = []
let processed = { id: '', at: 0 }
let failures = 0
let calls = 0
let held = false

/** Stands in for a vector index: the calls of it that Parley makes, exact and in memory, refusing what Vectorize refuses. */
export default class Vectors extends WorkerEntrypoint<{ DIMENSIONS: string }> {
  override async fetch(request: Request): Promise<Response> {
    const { fail, hold, count, call } = await request.json<VectorsOrder>()
    failures = fail ?? failures
    held = hold ?? held
    if (count) return Response.json(calls)
    if (!call) {
      process()
      return Response.json([...stored.keys()].sort())
    }
    try {
      const method = Reflect.get(this, call.method) as (...args: unknown[]) => unknown
      return Response.json({ value: await method.apply(this, call.args) })
    } catch (error) {
      return Response.json({ error: String(error) })
    }
  }

  upsert(entries: Entry[]): { mutationId: string } {
    calls++
    refuseMore('vectors', entries.length, VECTORIZE_LIMITS.upserted)
    for (const { id, values, namespace, metadata } of entries) {
      refuseMore('bytes of an id', byteLength(id), VECTORIZE_LIMITS.idBytes)
      refuseMore(
        'bytes of a namespace',
        byteLength(namespace ?? ''),
        VECTORIZE_LIMITS.namespaceBytes,
      )
      refuseMore(
        'bytes of metadata',
        byteLength(JSON.stringify(metadata ?? {})),
        VECTORIZE_LIMITS.metadataBytes,
      )
      this.#refuseShape(values)
    }
    return mutate(() => {
      // An id is there once in an index, whatever its namespace.
      for (const entry of entries) stored.set(entry.id, entry)
    })
  }

  deleteByIds(ids: string[]): { mutationId: string } {
    calls++
    if (failures > 0) {
      failures--
      throw new Error('index not reachable')
    }
    if (ids.length > VECTORIZE_LIMITS.deletedIds) {
      throw new Error(
        `VECTOR_DELETE_ERROR (code = 40007): too many ids in payload; max id count is ${VECTORIZE_LIMITS.deletedIds}, got ${ids.length}`,
      )
    }
    return mutate(() => {
      for (const id of ids) stored.delete(id)
    })
  }

  query(values: number[], { topK = 5, namespace, returnValues, returnMetadata }: Query) {
    calls++
    const isPlain = !returnValues && (!returnMetadata || returnMetadata === 'none')
    const most = isPlain ? VECTORIZE_LIMITS.topK : VECTORIZE_LIMITS.topKWithContent
    refuseMore('topK', topK, most)
    this.#refuseShape(values)
    process()
    const matches = [...stored.values()]
      .filter((entry) => namespace === undefined || entry.namespace === namespace)
      .map((entry) => ({ id: entry.id, score: cosine(values, entry.values) }))
      .sort((a, b) => b.score - a.score)
      .slice(0, topK)
    return { matches, count: matches.length }
  }

  describe() {
    calls++
    process()
    return {
      vectorCount: stored.size,
      dimensions: Number(this.env.DIMENSIONS),
      processedUpToMutation: processed.id,
      processedUpToDatetime: new Date(processed.at).toISOString(),
    }
  }

  #refuseShape(values: number[]): void {
    const wanted = Number(this.env.DIMENSIONS)
    if (values.length !== wanted) {
      throw new Error(`expected ${wanted} dimensions, and got ${values.length} dimensions`)
    }
  }
}

/** Accepted, and in the index later: never by the time the call returns. */
function mutate(apply: () => void): { mutationId: string } {
  const id = crypto.randomUUID()
  waiting.push({ id, apply })
  return { mutationId: id }
}

/** Works off what was accepted, in order. */
function process(): void {
  if (held) return
  for (const { id, apply } of waiting.splice(0)) {
    apply()
    processed = { id, at: Date.now() }
  }
}

function refuseMore(what: string, is: number, most: number): void {
  if (is > most) throw new Error(`too many ${what}: the limit is ${most}, got ${is}`)
}

function cosine(a: number[], b: number[]): number {
  const dot = (x: number[], y: number[]) =>
    x.reduce((sum, value, i) => sum + value * (y[i] ?? 0), 0)
  return dot(a, b) / Math.sqrt(dot(a, a) * dot(b, b))
}

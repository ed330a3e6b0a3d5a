import { askBase } from '../../../src/knowledge/ask-base'
import type { SearchResult } from '../../../src/knowledge/types'
import { loadThesaurus } from '../../../src/language/thesaurus'
import type { Log } from '../../../src/log'
import { embed } from '../../../src/models/embedding'
import { keepReadings } from '../../../src/text/passage-reading'

export interface EmbeddingUse {
  model: string
  tokens: number
  estimatedTokens: number
}

/** What a turn asks its bases: one vector a question, however many bases are asked, and no base the same thing twice. */
export class Questions {
  readonly #env: Env
  readonly #log: Log
  readonly #vectors = new Map<string, ReturnType<typeof embed>>()
  readonly #found = new Map<string, Promise<SearchResult>>()
  readonly #tenantId: string
  #total: EmbeddingUse | null = null

  constructor(env: Env, tenantId: string, log: Log) {
    this.#env = env
    this.#tenantId = tenantId
    this.#log = log
  }

  get total(): EmbeddingUse | null {
    return this.#total
  }

  /** Null without an embedder, or when it fails: the lexical lists remain. */
  embed(query: string): ReturnType<typeof embed> {
    const known = this.#vectors.get(query)
    if (known) return known
    const made = this.#embed(query).catch((error: unknown) => {
      this.#log.error('query_embedding_failed', error)
      return null
    })
    this.#vectors.set(query, made)
    return made
  }

  /** What failed is asked anew by whoever comes later. */
  search(baseId: string, query: string, k: number): Promise<SearchResult> {
    const name = `${baseId} ${k} ${query}`
    const known = this.#found.get(name)
    if (known) return known
    const found = this.#search(baseId, query, k)
    this.#found.set(name, found)
    found.catch(() => this.#found.delete(name))
    return found
  }

  async #search(baseId: string, query: string, k: number): Promise<SearchResult> {
    const [embedded] = await Promise.all([this.embed(query), loadThesaurus()])
    const values = embedded?.vectors[0]
    const found = await askBase(this.#env, this.#tenantId, baseId, {
      query,
      k,
      ...(embedded && values ? { vector: { embedder: embedded.model, values } } : {}),
    })
    keepReadings(found.hits)
    return found
  }

  async #embed(query: string): ReturnType<typeof embed> {
    const embedded = await embed([query], this.#env)
    if (!embedded) return null
    const { tokens = 0, estimatedTokens = 0 } = this.#total ?? {}
    this.#total = {
      model: embedded.model,
      tokens: tokens + embedded.tokens,
      estimatedTokens: estimatedTokens + (embedded.estimated ? embedded.tokens : 0),
    }
    return embedded
  }
}

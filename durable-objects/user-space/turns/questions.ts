import type { Log } from '../../../src/log'
import { embed } from '../../../src/models/embedding'

export interface EmbeddingUse {
  model: string
  tokens: number
  estimatedTokens: number
}

/** Vectors of what a turn searches for: one a question, however many bases are asked. */
export class Questions {
  readonly #env: Env
  readonly #log: Log
  readonly #vectors = new Map<string, ReturnType<typeof embed>>()
  #total: EmbeddingUse | null = null

  constructor(env: Env, log: Log) {
    this.#env = env
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

import type { Result, Router } from 'hono/router'
import { TrieRouter } from 'hono/router/trie-router'

/**
 * A router that looks a path without parameters up once: which of the table's middleware and handlers serve it does not
 * change, and walking the table for it costs more than most handlers.
 */
export class LiteralRouter<T> implements Router<T> {
  readonly name = 'LiteralRouter'
  readonly #tree = new TrieRouter<T>()
  /** Bounded by the table. */
  readonly #literal: ReadonlySet<string>
  readonly #found = new Map<string, Result<T>>()

  constructor(literal: ReadonlySet<string>) {
    this.#literal = literal
  }

  add(method: string, path: string, handler: T): void {
    this.#found.clear()
    this.#tree.add(method, path, handler)
  }

  match(method: string, path: string): Result<T> {
    if (!this.#literal.has(path)) return this.#tree.match(method, path)
    const name = `${method} ${path}`
    const known = this.#found.get(name)
    if (known) return known
    const found = this.#tree.match(method, path)
    this.#found.set(name, found)
    return found
  }
}

import type { Result, Router } from 'hono/router'
import { TrieRouter } from 'hono/router/trie-router'

/**
 * Hono's trie router with a memory for paths without parameters: which middleware and handlers serve such a path never
 * changes, and matching it against the whole table costs more than most handlers.
 */
export class LiteralRouter<T> implements Router<T> {
  readonly name = 'LiteralRouter'
  readonly #tree = new TrieRouter<T>()
  /** The only paths that are remembered, so that strangers' requests do not fill the memory. */
  readonly #literal: ReadonlySet<string>
  readonly #found = new Map<string, Result<T>>()

  /** @param literal the table's paths without parameters */
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

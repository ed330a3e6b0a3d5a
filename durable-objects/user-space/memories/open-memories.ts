import { MEMORY } from '../../../src/config/limits'
import { scoreMemory } from '../../../src/memory/rank-memories'
import type { SpaceCore } from '../core/space-core'
import type { SpaceKeys } from '../core/space-keys'
import type { MemoryStore } from './memory-store'
import type { OpenMemory } from './open-memory'

/** Memories in force, opened: kept while the object is awake, so that a turn reads storage for them at most once. */
export class OpenMemories {
  readonly #core: SpaceCore
  #active: Promise<Map<string, OpenMemory>> | null = null
  /** Writers go one after the other: each compares with what the one before left. */
  #writing: Promise<unknown> = Promise.resolve()

  constructor(core: SpaceCore) {
    this.#core = core
  }

  get #store(): MemoryStore {
    return this.#core.stores.memories
  }

  /** Nothing opened stays: it is read anew, or the user's key is gone. */
  forget(): void {
    this.#active = null
  }

  /** By id; vectors of length one where there are any. */
  async load(keys: SpaceKeys): Promise<Map<string, OpenMemory>> {
    this.#active ??= this.#store
      .loadActive(keys)
      .then((memories) => new Map(memories.map((memory) => [memory.id, memory])))
    const active = this.#active
    const memories = await active.catch((error: unknown) => {
      if (this.#active === active) this.#active = null
      throw error
    })
    if (this.#core.privacy) this.#dropVectors(memories)
    return memories
  }

  /** Privacy mode keeps no vectors; those made before it was switched on go with the next call. */
  #dropVectors(memories: Map<string, OpenMemory>): void {
    const withVector = [...memories.values()].filter((memory) => memory.trained)
    if (withVector.length === 0) return
    this.#store.dropVectors()
    for (const memory of withVector) memory.trained = null
  }

  /** Beyond the limit the least important and oldest go. */
  trim(active: Map<string, OpenMemory>, now: number): void {
    if (active.size <= MEMORY.active) return
    const ids = [...active.values()]
      .map((memory) => ({ id: memory.id, score: scoreMemory({ ...memory, similarity: 0 }, now) }))
      .sort((one, other) => one.score - other.score)
      .slice(0, active.size - MEMORY.active)
      .map(({ id }) => id)
    if (this.#store.remove(ids)) this.#active = null
    for (const id of ids) active.delete(id)
  }

  exclusively<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#writing.then(work)
    this.#writing = result.catch(() => undefined)
    return result
  }
}

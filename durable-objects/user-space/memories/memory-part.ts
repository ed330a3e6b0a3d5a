import type { SpaceCore } from '../core/space-core'
import type { MemoryStore } from './memory-store'
import type { OpenMemories } from './open-memories'

/** What the parts that read and write memories share: they work on one store and tell of what changed. */
export abstract class MemoryPart {
  /** @param onChange hears how many memories a write added, took away or confirmed. */
  constructor(
    protected readonly core: SpaceCore,
    protected readonly open: OpenMemories,
    protected readonly onChange: (changed: number) => void,
  ) {}

  protected get store(): MemoryStore {
    return this.core.stores.memories
  }
}

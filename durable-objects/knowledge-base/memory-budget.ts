interface Block {
  bytes: number
  drop: () => void
}

/**
 * A number of bytes that several owners (the bases of one isolate) share for what they keep in memory. Where a new block
 * does not fit, the blocks go that were idle longest.
 */
export class MemoryBudget {
  readonly #most: number
  /** In the order of their last use, the latest last. */
  readonly #blocks = new Map<object, Block>()
  #bytes = 0

  /** @param most bytes for all owners together */
  constructor(most: number) {
    this.#most = most
  }

  /**
   * Notes that an owner holds so many bytes, in place of what it held before, and has others drop theirs for them.
   * @param drop called when the block has to go
   * @returns false when the block is larger than the whole budget: then the owner must not keep it
   */
  hold(owner: object, bytes: number, drop: () => void): boolean {
    this.release(owner)
    if (bytes > this.#most) return false
    for (const [idle, block] of this.#blocks) {
      if (this.#bytes + bytes <= this.#most) break
      this.release(idle)
      block.drop()
    }
    this.#blocks.set(owner, { bytes, drop })
    this.#bytes += bytes
    return true
  }

  /** The owner's block was used: it is the last to go. */
  touch(owner: object): void {
    const block = this.#blocks.get(owner)
    if (!block) return
    this.#blocks.delete(owner)
    this.#blocks.set(owner, block)
  }

  /** The owner has let go of its block, or is about to. */
  release(owner: object): void {
    this.#bytes -= this.#blocks.get(owner)?.bytes ?? 0
    this.#blocks.delete(owner)
  }
}

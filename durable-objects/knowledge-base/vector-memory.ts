import { KNOWLEDGE } from '../../src/config/limits'

interface Block {
  bytes: number
  drop: () => void
}

/** What the bases of one isolate keep of their vectors, up to so many bytes together: the one that was idle longest goes first. */
export class VectorMemory {
  readonly #most: number
  /** The one that was asked last stands last. */
  readonly #blocks = new Map<object, Block>()
  #bytes = 0

  constructor(most: number) {
    this.#most = most
  }

  /** Makes room for an owner's block. @returns false when there is none, however much went. */
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

  /** The owner's block was asked. */
  touch(owner: object): void {
    const block = this.#blocks.get(owner)
    if (!block) return
    this.#blocks.delete(owner)
    this.#blocks.set(owner, block)
  }

  release(owner: object): void {
    this.#bytes -= this.#blocks.get(owner)?.bytes ?? 0
    this.#blocks.delete(owner)
  }
}

export const vectorMemory = new VectorMemory(KNOWLEDGE.vectorMemory)

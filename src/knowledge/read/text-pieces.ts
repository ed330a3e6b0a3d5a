import { checkLength } from './read-refusal'

const PIECES_PER_JOIN = 1024

/** Collects text that comes in many small pieces without holding millions of them. */
export class TextPieces {
  #joined: string[] = []
  #pieces: string[] = []
  #length = 0

  add(text: string): void {
    this.#length += text.length
    checkLength(this.#length)
    this.#pieces.push(text)
    if (this.#pieces.length < PIECES_PER_JOIN) return
    this.#joined.push(this.#pieces.join(''))
    this.#pieces = []
  }

  /** What was collected since the last call. */
  take(): string {
    const text = this.#joined.join('') + this.#pieces.join('')
    this.#joined = []
    this.#pieces = []
    this.#length = 0
    return text
  }
}

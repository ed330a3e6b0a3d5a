import type { CheckedPiece, Checker } from '../check'
import type { TurnEvent } from '../events'
import type { TurnPorts } from '../run-turn'
import { whileChecking } from './while-checking'

/**
 * Asks about open claims: once at the end, and once as soon as the very first claim is open, because nothing can be
 * shown before it is decided.
 */
export class Verifying {
  readonly #verify: TurnPorts['verify']
  readonly #checker: Checker
  #early: Promise<void> | null = null
  #answered = false
  #answer: ReadonlyMap<number, boolean> | null = null

  constructor(verify: TurnPorts['verify'], checker: Checker) {
    this.#verify = verify
    this.#checker = checker
  }

  /** While the model writes: starts the early call, and takes its answer once it is there. */
  listen(nothingSaid: boolean): CheckedPiece[] {
    const open = nothingSaid && this.#early === null ? this.#checker.open() : []
    if (open.length > 0) {
      this.#early = this.#verify(open).then((answer) => {
        this.#answer = answer
        this.#answered = true
      })
    }
    return this.#take()
  }

  /** When the model has ended: what is still open is decided, or falls. */
  async *finish(): AsyncGenerator<TurnEvent, CheckedPiece[]> {
    if (this.#early !== null && !this.#answered) yield* whileChecking(this.#early)
    const pieces = this.#take()
    const open = this.#checker.open()
    if (open.length === 0) return pieces
    const answer = yield* whileChecking(this.#verify(open))
    return [...pieces, ...this.#checker.settle(answer)]
  }

  #take(): CheckedPiece[] {
    const answer = this.#answer
    this.#answer = null
    return answer === null ? [] : this.#checker.settle(answer)
  }
}

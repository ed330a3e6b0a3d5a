import type { ShortUsage } from '../../../src/chat/short-call'
import type { UsageKind } from '../../../src/config/names'

/** What a turn's calls of one kind and model used. */
export interface CallsUse extends ShortUsage {
  kind: UsageKind
  model: string
  calls: number
}

interface Call {
  /** What it may use at most. */
  tokens: number
  run(): Promise<{ usage: ShortUsage }>
}

/**
 * Short calls of models that a turn waits for before or beside its answer. What they use is reserved and booked with the turn, and
 * forgotten with it by a crash. A call that may outlast its turn, and the many of a research, are booked one by one (`meterCall`).
 */
export class TurnCalls {
  readonly #reserve: (tokens: number) => Promise<boolean>
  /** Those that answered, and those under way as if they used all that they may. */
  readonly #made = new Set<CallsUse>()
  #isOver = false

  /** @param reserve raises the turn's reservation: false when the ceiling forbids it */
  constructor(reserve: (tokens: number) => Promise<boolean>) {
    this.#reserve = reserve
  }

  /**
   * @returns null where the turn was over before the call could be made
   * @throws Error when the quota has no room for it; whatever the call throws
   */
  async make<C extends Call>(
    kind: UsageKind,
    model: string,
    { tokens, run }: C,
  ): Promise<Awaited<ReturnType<C['run']>> | null> {
    if (this.#isOver) return null
    if (!(await this.#reserve(tokens))) throw new Error('The quota has no room for it')
    if (this.#isOver) return null
    const use = { kind, model, calls: 1 }
    const whole = { ...use, inputTokens: tokens, outputTokens: 0, estimatedTokens: tokens }
    this.#made.add(whole)
    try {
      const answer = (await run()) as Awaited<ReturnType<C['run']>>
      this.#made.add({ ...use, ...answer.usage })
      return answer
    } finally {
      this.#made.delete(whole)
    }
  }

  /** The turn is over: nobody is asked any more. A call that it does not wait for counts as all that it may use. */
  close(): CallsUse[] {
    this.#isOver = true
    const sums = new Map<string, CallsUse>()
    for (const one of this.#made) {
      const name = `${one.kind} ${one.model}`
      const sum = sums.get(name)
      if (!sum) sums.set(name, { ...one })
      else {
        sum.calls++
        sum.inputTokens += one.inputTokens
        sum.outputTokens += one.outputTokens
        sum.estimatedTokens += one.estimatedTokens
      }
    }
    return [...sums.values()]
  }
}

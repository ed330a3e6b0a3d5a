import { createLog } from '../../src/log'
import type { Settlement } from '../../src/usage/meter-types'

/** Turns that are let in within this time have what their spaces told booked by one commit. */
const SOON_MS = 250
/** Of turns that were booked, so many are remembered: their spaces hear of it with their next turn. */
const MOST_KNOWN = 1000

/**
 * What came with an admission, which answers first: nothing leaves an object before its writes are on disk, so what is booked
 * beside the answer holds back the turn that is let in. The space tells a turn again until it hears that it is booked; one
 * that was lost with the meter's memory is none that anybody has forgotten.
 */
export class SoonBooked {
  readonly #book: (tenantId: string, settled: Settlement) => boolean
  readonly #tell: (tenantId: string) => Promise<void>
  readonly #waiting = new Map<string, Settlement>()
  readonly #known = new Set<string>()
  #tenantId = ''
  #timer: ReturnType<typeof setTimeout> | null = null

  /** @param book books one and says whether something was used that was not booked before @param tell what follows that */
  constructor(
    book: (tenantId: string, settled: Settlement) => boolean,
    tell: (tenantId: string) => Promise<void>,
  ) {
    this.#book = book
    this.#tell = tell
  }

  add(tenantId: string, settled: readonly Settlement[]): void {
    this.#tenantId = tenantId
    for (const one of settled) if (!this.#known.has(one.turn)) this.#waiting.set(one.turn, one)
    if (this.#waiting.size > 0) this.#timer ??= setTimeout(() => void this.#bookInTime(), SOON_MS)
  }

  /** Of these turns those that are booked. */
  bookedOf(settled: readonly Settlement[]): string[] {
    return settled.flatMap(({ turn }) => (this.#known.has(turn) ? [turn] : []))
  }

  /** Books all that waits, before anybody is told what was used or refused for it: at once, without any wait before it. */
  async bookNow(): Promise<void> {
    if (this.#timer !== null) clearTimeout(this.#timer)
    this.#timer = null
    const settled = [...this.#waiting.values()]
    this.#waiting.clear()
    let isNew = false
    for (const one of settled) {
      isNew = this.#book(this.#tenantId, one) || isNew
      this.#known.add(one.turn)
    }
    for (const oldest of this.#known) {
      if (this.#known.size <= MOST_KNOWN) break
      this.#known.delete(oldest)
    }
    if (isNew) await this.#tell(this.#tenantId)
  }

  /** What cannot be booked now comes again. */
  async #bookInTime(): Promise<void> {
    await this.bookNow().catch((error: unknown) =>
      createLog('tenant-meter', { tenant_id: this.#tenantId }).error('not_booked', error),
    )
  }
}

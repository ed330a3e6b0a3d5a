import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../src/config/limits'
import { createLog } from '../../src/log'
import { type SpaceAddress, workIn } from '../../src/platform/stubs'

/** So many spaces may be asked before somebody reads what was used. */
const MOST_SPACES = 100

/** So long after it was stored a space's turns may wait. */
const STORED_MS = HOUR_MS
/** No turn waits longer. */
const WAITED_MS = 10 * MINUTE_MS
/** Spaces whose people go on talking are stored together, at most so often. */
const STORE_MS = 5 * SECOND_MS

/** A space, and when it had its last turn as far as that was stored, milliseconds since 1970. */
type Place = readonly [userId: string, spaceId: string, at: number]

/**
 * Turns whose settlement may wait for the next admission of their space, and the spaces that therefore have to be asked
 * before anybody is told what was used. Which spaces these are is stored with the high-water mark: turns of others do not
 * wait, so a meter that wakes knows whom to ask.
 */
export class WaitingTurns {
  readonly #turns = new Map<string, Place>()
  /** Those that had a turn last, the newest at the end. */
  readonly #recent = new Map<string, Place>()
  #stored = new Map<string, Place>()
  #storedAt = 0
  /** Whether the space of the turn that was let in last had another one a short while ago. */
  #goesOn = false
  /** Turns of these may wait since before the meter woke. */
  #unasked: Place[] = []

  /** @param mayWait whether any turn may be under way or wait since before the meter woke */
  load(stored: readonly Place[], mayWait: boolean, now: number): void {
    for (const place of stored) this.#recent.set(nameOf(place), place)
    this.#stored = new Map(this.#recent)
    const since = now - STORED_MS - WAITED_MS
    this.#unasked = mayWait ? stored.filter(([, , at]) => at > since) : []
  }

  /** A turn is let in. What is stored next names its space. */
  note({ userId, spaceId }: SpaceAddress, now: number): void {
    const place: Place = [userId, spaceId, now]
    this.#goesOn = (this.#recent.get(nameOf(place))?.[2] ?? 0) > now - WAITED_MS
    this.#recent.delete(nameOf(place))
    this.#recent.set(nameOf(place), place)
    for (const oldest of this.#recent.keys()) {
      if (this.#recent.size <= MOST_SPACES) break
      this.#recent.delete(oldest)
    }
  }

  /**
   * Whether to store the spaces although the mark need not be raised: the one that was noted last would gain by it. Far below a
   * high ceiling the mark is hardly ever raised.
   */
  isWorthStoring(space: SpaceAddress, now: number): boolean {
    return this.#goesOn && !this.#storedPlace(space, now) && now - this.#storedAt >= STORE_MS
  }

  /** What is to be stored: from then on the turns of these spaces may wait. Those that have one stay named. */
  toStore(now: number): Place[] {
    const recent = [...this.#recent.values()].filter(([, , at]) => at > now - STORED_MS)
    this.#storedAt = now
    this.#stored = new Map(
      [...this.#unasked, ...this.#turns.values(), ...recent].map((place) => [nameOf(place), place]),
    )
    return [...this.#stored.values()]
  }

  /** @returns whether the turn may wait: its space is stored. */
  mayWait(id: string, space: SpaceAddress, now: number): boolean {
    const place = this.#storedPlace(space, now)
    if (!place) return false
    this.#turns.set(id, place)
    return true
  }

  #storedPlace({ userId, spaceId }: SpaceAddress, now: number): Place | null {
    const place = this.#stored.get(nameOf([userId, spaceId]))
    return place && place[2] >= now - STORED_MS ? place : null
  }

  settle(id: string): void {
    this.#turns.delete(id)
  }

  /** A turn that nobody settled is waited for no longer than its reservation. */
  forget(isReserved: (id: string) => boolean): void {
    for (const id of this.#turns.keys()) if (!isReserved(id)) this.#turns.delete(id)
  }

  /** Has the spaces settle what is over. One that cannot now does so by its own alarm. */
  async collect(env: Env, tenantId: string): Promise<void> {
    const asked = new Map(
      [...this.#unasked, ...this.#turns.values()].map((place) => [nameOf(place), place]),
    )
    if (asked.size === 0) return
    await Promise.all(
      [...asked].map(async ([name, [userId, spaceId]]) => {
        try {
          await workIn(env, { tenantId, userId, spaceId }, 'turns', 'settle')
          this.#unasked = this.#unasked.filter((place) => nameOf(place) !== name)
        } catch (error) {
          createLog('tenant-meter', { tenant_id: tenantId }).error('not_settled', error)
        }
      }),
    )
  }
}

const nameOf = ([userId, spaceId]: readonly [string, string, ...unknown[]]): string =>
  `${userId} ${spaceId}`

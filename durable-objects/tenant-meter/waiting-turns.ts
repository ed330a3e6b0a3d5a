import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../src/config/limits'
import { createLog } from '../../src/log'
import { type SpaceAddress, workIn } from '../../src/platform/stubs'

/** So many spaces may be asked before somebody reads what was used. */
const MOST_SPACES = 100

/** How long a space's turns may wait after its name was stored. */
const STORED_MS = HOUR_MS
/** The longest that a turn waits to be settled. */
const WAITED_MS = 10 * MINUTE_MS
/** The names of spaces are stored at most this often. */
const STORE_MS = 5 * SECOND_MS

/** A space, and when it had its last turn as far as that was stored, milliseconds since 1970. */
type Place = readonly [userId: string, spaceId: string, at: number]

/**
 * Spares a call for each turn: its space reports what it used with its next admission. Until then the meter has to ask the
 * space before it gives figures, so only turns of spaces whose names are stored (with the high-water mark) may wait: a
 * meter that wakes knows whom to ask.
 */
export class WaitingTurns {
  readonly #turns = new Map<string, Place>()
  /** Spaces by their last turn, the latest at the end. */
  readonly #recent = new Map<string, Place>()
  #stored = new Map<string, Place>()
  #storedAt = 0
  /** Whether the space of the turn that was let in last had another one a short while ago. */
  #goesOn = false
  /** Spaces that were stored before the meter woke, and have not been asked since: they may have turns that wait. */
  #unasked: Place[] = []

  /** @param mayWait false when no turn of before the meter woke can still be open */
  load(stored: readonly Place[], mayWait: boolean, now: number): void {
    for (const place of stored) this.#recent.set(nameOf(place), place)
    this.#stored = new Map(this.#recent)
    const since = now - STORED_MS - WAITED_MS
    this.#unasked = mayWait ? stored.filter(([, , at]) => at > since) : []
  }

  /** A turn is let in: the next time names are stored, its space is among them. */
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
   * Whether to store the names now although the mark need not be raised, which far below a high ceiling hardly ever
   * happens: the space of the turn just noted is in a conversation and not stored yet.
   */
  isWorthStoring(space: SpaceAddress, now: number): boolean {
    return this.#goesOn && !this.#storedPlace(space, now) && now - this.#storedAt >= STORE_MS
  }

  /** The spaces to store, whose turns may wait from now on: the recent ones, and all that have an open turn. */
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

  /** Drops turns whose reservation has run out: nobody will settle them. */
  forget(isReserved: (id: string) => boolean): void {
    for (const id of this.#turns.keys()) if (!isReserved(id)) this.#turns.delete(id)
  }

  /** Has every space that may have open turns settle those that are over. One that fails is asked again the next time. */
  async collect(env: Env, tenantId: string): Promise<void> {
    const asked = new Map(
      [...this.#unasked, ...this.#turns.values()].map((place) => [nameOf(place), place]),
    )
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

import { PASSWORD } from '../config/limits'
import type { BaseContext } from '../context'
import { rateLimited } from '../errors'
import type { HashTurn } from '../platform/crypto/password'

interface Place {
  since: number
}

/** Everybody who will hash, and in order those who are ready to: one of them at a time. */
const places = new Set<Place>()
const line = new Set<Place>()

/**
 * Runs a verb that hashes passwords, if there is room. Each of its hashes waits for the ones before it, and then lets
 * what arrived meanwhile be answered first. @throws rateLimited at once when too many hash or wait.
 */
export async function inHashLine<T>(
  { waitUntil }: Pick<BaseContext, 'waitUntil'>,
  work: (turn: HashTurn) => Promise<T>,
): Promise<T> {
  dropLost(Date.now())
  if (places.size >= PASSWORD.hashesAtOnce) throw rateLimited(PASSWORD.retryAfterS)
  const place = { since: Date.now() }
  places.add(place)
  const done = work((compute) => takeTurn(place, compute)).finally(() => places.delete(place))
  // A caller who leaves ends the call but not this work, which gives the place back.
  waitUntil(done.catch(() => {}))
  return done
}

async function takeTurn<T>(place: Place, compute: () => T): Promise<T> {
  try {
    // Timers of one's own: what another request resolves may not wake this one.
    while (line.add(place).values().next().value !== place) await pause()
    await pause()
    return compute()
  } finally {
    line.delete(place)
  }
}

/** A call that was cut off without a word does not keep the others out for good. */
function dropLost(now: number): void {
  for (const place of places) {
    if (place.since > now - PASSWORD.lostMs) continue
    places.delete(place)
    line.delete(place)
  }
}

const pause = () => new Promise<void>((resolve) => setTimeout(resolve, PASSWORD.pauseMs))

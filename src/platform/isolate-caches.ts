import { LIMITS } from '../config/limits'
import { ExpiringMap } from './expiring-map'

const caches: ExpiringMap<unknown>[] = []

/** What a hot path keeps of D1 for the next calls: at most five seconds old, and gone after a write of this isolate. */
export function isolateCache<V>(): ExpiringMap<V> {
  const cache = new ExpiringMap<V>(LIMITS.cacheTtlMs)
  caches.push(cache)
  return cache
}

/** After every write of what such a cache may hold. Other isolates read anew within five seconds. */
export function dropIsolateCaches(): void {
  for (const cache of caches) cache.clear()
}

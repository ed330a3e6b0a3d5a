import { LIMITS } from '../config/limits'
import { ExpiringMap } from './expiring-map'

const caches: ExpiringMap<unknown>[] = []

/** A cache of D1's rows for hot paths: entries are at most `LIMITS.cacheTtlMs` old, and all go after a write of this isolate. */
export function isolateCache<V>(): ExpiringMap<V> {
  const cache = new ExpiringMap<V>(LIMITS.cacheTtlMs)
  caches.push(cache)
  return cache
}

/** To be called after every write of what such a cache may hold; other isolates read anew once their entries run out. */
export function dropIsolateCaches(): void {
  for (const cache of caches) cache.clear()
}

/**
 * Least cosine at which a trained embedder's nearness is a match of its own, by embedder. Each is the stricter of the models'
 * usual range and of what `npm run eval:nomatch -- --embedder URL` prints for it.
 */
const COSINES: Readonly<Record<string, number>> = {
  '@cf/baai/bge-m3': 0.6,
  'text-embedding-3-small': 0.5,
  'text-embedding-3-large': 0.5,
}
/** An embedder that was never measured must be very sure. */
const UNMEASURED = 0.7

export const leastCosine = (embedder: string): number => COSINES[embedder] ?? UNMEASURED

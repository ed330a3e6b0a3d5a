const MAX_CLUSTERS = 12
const ROUNDS = 15

/**
 * Groups items by the scores of their projection: k-means with k ≈ √(n/2), at most 12, started from the points farthest
 * apart, so that it is the same every time. The largest group is 0.
 */
export function clusterItems(factors: Float32Array, n: number, rank: number): Uint8Array {
  const assigned = new Uint8Array(n)
  if (n === 0 || rank === 0) return assigned
  const wanted = Math.max(1, Math.min(MAX_CLUSTERS, Math.round(Math.sqrt(n / 2))))
  const row = (i: number) => factors.subarray(i * rank, (i + 1) * rank)
  const centres = firstCentres(row, n, wanted)
  for (let round = 0; round < ROUNDS; round++) {
    let moved = false
    for (let i = 0; i < n; i++) {
      const best = nearestCentre(row(i), centres)
      if (assigned[i] !== best) moved = true
      assigned[i] = best
    }
    if (!moved && round > 0) break
    recentre(row, assigned, centres)
  }
  return renumber(assigned, centres.length)
}

type Row = (i: number) => Float32Array

function firstCentres(row: Row, n: number, wanted: number): Float32Array[] {
  const centres = [Float32Array.from(row(0))]
  const distances = new Float64Array(n).fill(Number.POSITIVE_INFINITY)
  while (centres.length < wanted) {
    const last = centres.at(-1) ?? row(0)
    let farthest = 0
    for (let i = 0; i < n; i++) {
      distances[i] = Math.min(distances[i] ?? 0, distance(row(i), last))
      if ((distances[i] ?? 0) > (distances[farthest] ?? 0)) farthest = i
    }
    if ((distances[farthest] ?? 0) < 1e-9) break
    centres.push(Float32Array.from(row(farthest)))
  }
  return centres
}

function nearestCentre(point: Float32Array, centres: readonly Float32Array[]): number {
  let best = 0
  let least = Number.POSITIVE_INFINITY
  for (const [k, centre] of centres.entries()) {
    const far = distance(point, centre)
    if (far < least) {
      least = far
      best = k
    }
  }
  return best
}

function recentre(row: Row, assigned: Uint8Array, centres: Float32Array[]): void {
  const counts = new Uint32Array(centres.length)
  const sums = centres.map((centre) => new Float32Array(centre.length))
  for (const [i, k] of assigned.entries()) {
    counts[k] = (counts[k] ?? 0) + 1
    const sum = sums[k]
    for (const [d, value] of row(i).entries()) if (sum) sum[d] = (sum[d] ?? 0) + value
  }
  for (const [k, sum] of sums.entries()) {
    const count = counts[k] ?? 0
    if (count > 0) centres[k] = sum.map((value) => value / count)
  }
}

function distance(one: Float32Array, other: Float32Array): number {
  let sum = 0
  for (let i = 0; i < one.length; i++) sum += ((one[i] ?? 0) - (other[i] ?? 0)) ** 2
  return sum
}

function renumber(assigned: Uint8Array, count: number): Uint8Array {
  const sizes = new Array<number>(count).fill(0)
  for (const k of assigned) sizes[k] = (sizes[k] ?? 0) + 1
  const order = sizes.map((size, k) => ({ size, k })).sort((x, y) => y.size - x.size || x.k - y.k)
  const number = new Map(order.map(({ k }, place) => [k, place]))
  return assigned.map((k) => number.get(k) ?? 0)
}

/** Directions that are looked for: three to show, the others to tell neighbours and groups apart. */
const RANK = 12
const ROUNDS = 5
const SEED = 0x9e3779b9
const JACOBI_SWEEPS = 12
const TINY = 1e-9

export interface Projection {
  /** Scores on the main directions, `rank` for each vector, the largest variance first. */
  factors: Float32Array
  rank: number
  /** The first three, scaled so that the farthest coordinate is 1. */
  points: Float32Array
}

/**
 * Principal components by subspace iteration from a fixed seed: the same vectors in the same order give the same points.
 * Work is bounded by `n × dimensions × 12 × 11`. All vectors have the same length.
 */
export function projectVectors(vectors: readonly Float32Array[]): Projection {
  const n = vectors.length
  const dimensions = vectors[0]?.length ?? 0
  const rank = Math.min(RANK, dimensions, Math.max(n - 1, 0))
  const mean = meanOf(vectors, dimensions)
  let basis = orthonormalize(randomBasis(dimensions, rank), dimensions, rank)
  for (let round = 0; round < ROUNDS; round++) {
    const scores = multiply(vectors, mean, basis, rank)
    basis = orthonormalize(multiplyBack(vectors, mean, scores, rank), dimensions, rank)
  }
  const scores = multiply(vectors, mean, basis, rank)
  const factors = rotate(scores, n, rank)
  return { factors, rank, points: scale(factors, n, rank) }
}

function meanOf(vectors: readonly Float32Array[], dimensions: number): Float32Array {
  const mean = new Float32Array(dimensions)
  for (const vector of vectors)
    for (let d = 0; d < dimensions; d++) mean[d] = (mean[d] ?? 0) + (vector[d] ?? 0)
  for (let d = 0; d < dimensions; d++) mean[d] = (mean[d] ?? 0) / Math.max(vectors.length, 1)
  return mean
}

/** Stored direction by direction, so that inner loops run over neighbours in memory. */
type Basis = Float32Array[]

function randomBasis(dimensions: number, rank: number): Basis {
  let state = SEED
  const next = () => {
    // mulberry32: a fixed stream of numbers.
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296 - 0.5
  }
  return Array.from({ length: rank }, () => Float32Array.from({ length: dimensions }, next))
}

/** Gram-Schmidt, twice for each direction; one that is nothing new becomes zero. */
function orthonormalize(basis: Basis, dimensions: number, rank: number): Basis {
  for (let k = 0; k < rank; k++) {
    const direction = basis[k]
    if (!direction) continue
    const before = Math.hypot(...direction)
    for (let pass = 0; pass < 2; pass++) {
      for (let j = 0; j < k; j++) {
        const other = basis[j]
        if (!other) continue
        const share = dot(direction, other)
        for (let d = 0; d < dimensions; d++)
          direction[d] = (direction[d] ?? 0) - share * (other[d] ?? 0)
      }
    }
    const length = Math.sqrt(dot(direction, direction))
    const factor = length > TINY && length > before * 1e-5 ? 1 / length : 0
    for (let d = 0; d < dimensions; d++) direction[d] = (direction[d] ?? 0) * factor
  }
  return basis
}

/** Scores of the centred vectors on each direction. */
function multiply(
  vectors: readonly Float32Array[],
  mean: Float32Array,
  basis: Basis,
  rank: number,
): Float32Array {
  const offsets = basis.map((direction) => dot(mean, direction))
  const scores = new Float32Array(vectors.length * rank)
  for (const [i, vector] of vectors.entries())
    for (let k = 0; k < rank; k++)
      scores[i * rank + k] = dot(vector, basis[k] ?? vector) - (offsets[k] ?? 0)
  return scores
}

function multiplyBack(
  vectors: readonly Float32Array[],
  mean: Float32Array,
  scores: Float32Array,
  rank: number,
): Basis {
  const dimensions = mean.length
  const back = Array.from({ length: rank }, () => new Float32Array(dimensions))
  const sums = new Float32Array(rank)
  for (const [i, vector] of vectors.entries()) {
    for (let k = 0; k < rank; k++) {
      const score = scores[i * rank + k] ?? 0
      sums[k] = (sums[k] ?? 0) + score
      const direction = back[k]
      if (direction === undefined || score === 0) continue
      for (let d = 0; d < dimensions; d++)
        direction[d] = (direction[d] ?? 0) + score * (vector[d] ?? 0)
    }
  }
  for (const [k, direction] of back.entries())
    for (let d = 0; d < dimensions; d++)
      direction[d] = (direction[d] ?? 0) - (sums[k] ?? 0) * (mean[d] ?? 0)
  return back
}

export function dot(one: Float32Array, other: Float32Array): number {
  let sum = 0
  for (let i = 0; i < one.length; i++) sum += (one[i] ?? 0) * (other[i] ?? 0)
  return sum
}

/** Turns the scores so that the first column varies most, and fixes each column's sign. */
function rotate(scores: Float32Array, n: number, rank: number): Float32Array {
  const covariance = Array.from({ length: rank }, () => new Float64Array(rank))
  for (let i = 0; i < n; i++)
    for (let a = 0; a < rank; a++)
      for (let b = a; b < rank; b++) {
        const row = covariance[a]
        if (row) row[b] = (row[b] ?? 0) + (scores[i * rank + a] ?? 0) * (scores[i * rank + b] ?? 0)
      }
  for (let a = 0; a < rank; a++)
    for (let b = 0; b < a; b++) {
      const row = covariance[a]
      if (row) row[b] = covariance[b]?.[a] ?? 0
    }
  const directions = eigenvectors(covariance, rank)
  const factors = new Float32Array(n * rank)
  for (const [k, direction] of directions.entries()) {
    let farthest = 0
    for (let i = 0; i < n; i++) {
      let value = 0
      for (let j = 0; j < rank; j++) value += (scores[i * rank + j] ?? 0) * (direction[j] ?? 0)
      factors[i * rank + k] = value
      if (Math.abs(value) > Math.abs(farthest) + TINY) farthest = value
    }
    if (farthest < 0)
      for (let i = 0; i < n; i++) factors[i * rank + k] = -(factors[i * rank + k] ?? 0)
  }
  return factors
}

/** Of a small symmetric matrix, by Jacobi rotations; the largest eigenvalue first. */
function eigenvectors(matrix: Float64Array[], size: number): Float64Array[] {
  const at = (row: number, column: number) => matrix[row]?.[column] ?? 0
  const set = (row: number, column: number, value: number) => {
    const line = matrix[row]
    if (line) line[column] = value
  }
  const vectors = Array.from({ length: size }, (_, i) =>
    Float64Array.from({ length: size }, (_unused, j) => (i === j ? 1 : 0)),
  )
  for (let sweep = 0; sweep < JACOBI_SWEEPS; sweep++) {
    for (let p = 0; p < size; p++) {
      for (let q = p + 1; q < size; q++) {
        const off = at(p, q)
        if (Math.abs(off) < 1e-12) continue
        const theta = (at(q, q) - at(p, p)) / (2 * off)
        const t = (theta < 0 ? -1 : 1) / (Math.abs(theta) + Math.sqrt(theta * theta + 1))
        const c = 1 / Math.sqrt(t * t + 1)
        const s = t * c
        for (let k = 0; k < size; k++) {
          const [kp, kq] = [at(k, p), at(k, q)]
          set(k, p, c * kp - s * kq)
          set(k, q, s * kp + c * kq)
        }
        for (let k = 0; k < size; k++) {
          const [pk, qk] = [at(p, k), at(q, k)]
          set(p, k, c * pk - s * qk)
          set(q, k, s * pk + c * qk)
          const [one, other] = [vectors[p]?.[k] ?? 0, vectors[q]?.[k] ?? 0]
          const [vp, vq] = [vectors[p], vectors[q]]
          if (vp) vp[k] = c * one - s * other
          if (vq) vq[k] = s * one + c * other
        }
      }
    }
  }
  return vectors
    .map((vector, i) => ({ vector, value: at(i, i), i }))
    .sort((x, y) => y.value - x.value || x.i - y.i)
    .map(({ vector }) => vector)
}

function scale(factors: Float32Array, n: number, rank: number): Float32Array {
  const points = new Float32Array(n * 3)
  let farthest = 0
  for (let i = 0; i < n; i++)
    for (let k = 0; k < Math.min(3, rank); k++) {
      const value = factors[i * rank + k] ?? 0
      points[i * 3 + k] = value
      farthest = Math.max(farthest, Math.abs(value))
    }
  // A cloud without extent is one point; what rounding leaves of it is not blown up.
  const factor = farthest > 1e-5 ? 1 / farthest : 0
  for (let i = 0; i < points.length; i++)
    points[i] = Math.round((points[i] ?? 0) * factor * 10_000) / 10_000
  return points
}

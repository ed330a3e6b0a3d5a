import { describe, expect, it } from 'vitest'
import { clusterItems } from '../../../src/knowledge-graph/cluster-items'
import { connectItems, nearestTo } from '../../../src/knowledge-graph/connect-items'
import { dot, projectVectors } from '../../../src/knowledge-graph/project-vectors'
import { embedOffline } from '../../../src/text/statistical-vectors'

const TOPICS = [
  [
    'refund money card payment',
    'refund paid to the card',
    'payment by card and refund',
    'money back on the card',
  ],
  [
    'kettle boils water fast',
    'the kettle boils a litre of water',
    'water boils in the kettle',
    'a fast kettle for water',
  ],
  [
    'norway oslo ferry trip',
    'a ferry trip to oslo norway',
    'oslo in norway by ferry',
    'trip with the ferry to norway',
  ],
]
const vectors = TOPICS.flat().map((text) => Float32Array.from(embedOffline(text)))
const topicOf = (index: number) => Math.floor(index / 4)

describe('projectVectors', () => {
  it('is the same every time, within -1 and 1, with one coordinate at the edge', () => {
    const one = projectVectors(vectors)
    expect([...projectVectors(vectors).points]).toEqual([...one.points])
    expect(Math.max(...one.points.map(Math.abs))).toBe(1)
    expect(one.points.length).toBe(36)
  })

  it('puts what belongs together nearer than what does not', () => {
    const { points } = projectVectors(vectors)
    const far = (i: number, j: number) =>
      Math.hypot(...[0, 1, 2].map((k) => (points[i * 3 + k] ?? 0) - (points[j * 3 + k] ?? 0)))
    const mean = (same: boolean) => {
      const all = vectors.flatMap((_, i) =>
        vectors.flatMap((_v, j) =>
          i < j && (topicOf(i) === topicOf(j)) === same ? [far(i, j)] : [],
        ),
      )
      return all.reduce((sum, one) => sum + one, 0) / all.length
    }
    expect(mean(true) * 2).toBeLessThan(mean(false))
  })

  it('finds the main directions of a known cloud', () => {
    // Variance 9, 4 and 1 along three axes of ten; the scores must come out in that order.
    const cloud = Array.from({ length: 60 }, (_, i) => {
      const vector = new Float32Array(10)
      vector[7] = 3 * Math.sin(i * 1.7)
      vector[2] = 2 * Math.sin(i * 2.9 + 1)
      vector[5] = Math.sin(i * 0.83 + 2)
      return vector
    })
    const { factors, rank } = projectVectors(cloud)
    const variance = (k: number) =>
      cloud.reduce((sum, _, i) => sum + (factors[i * rank + k] ?? 0) ** 2, 0)
    expect(variance(0)).toBeGreaterThan(variance(1))
    expect(variance(1)).toBeGreaterThan(variance(2))
    expect(variance(3)).toBeLessThan(1e-3)
  })

  it.each([0, 1, 2, 3])('takes %i vectors, also when they are equal', (n) => {
    const equal = Array.from({ length: n }, () => Float32Array.from([0.6, 0.8]))
    expect([...projectVectors(equal).points]).toEqual(new Array(n * 3).fill(0))
  })
})

describe('clusterItems and connectItems', () => {
  const projection = projectVectors(vectors)

  it('groups by topic, the largest group first', () => {
    const groups = clusterItems(projection.factors, 12, projection.rank)
    expect([...clusterItems(projection.factors, 12, projection.rank)]).toEqual([...groups])
    expect(Math.max(...groups)).toBeLessThanOrEqual(2)
    for (let i = 1; i < 12; i++)
      if (topicOf(i) === topicOf(i - 1)) expect(groups[i]).toBe(groups[i - 1])
  })

  it('connects neighbours once, with their similarity, and nobody with a stranger', () => {
    const edges = connectItems(vectors, projection, {
      perItem: 3,
      least: 0.2,
      similarity: (cosine) => cosine,
    })
    expect(edges.length).toBeGreaterThan(8)
    expect(new Set(edges.map(({ a, b }) => `${a} ${b}`)).size).toBe(edges.length)
    for (const { a, b, weight } of edges) {
      expect(a).toBeLessThan(b)
      expect(topicOf(a)).toBe(topicOf(b))
      const [one, other] = [vectors[a], vectors[b]]
      if (one && other) expect(weight).toBeCloseTo(dot(one, other), 2)
    }
  })

  it('lists the nearest of one vector, best first', () => {
    const [first] = vectors
    if (!first) throw new Error('no vectors')
    const near = nearestTo(first, vectors, 4, (cosine) => cosine)
    expect(near[0]).toMatchObject({ index: 0 })
    expect(near.map(({ index }) => topicOf(index))).toEqual([0, 0, 0, 0])
  })
})

import { describe, expect, it } from 'vitest'
import type { Graph } from '../../../../../src/storylines/graph'
import {
  BOX,
  boundsOf,
  fitted,
  layOut,
  positionsOf,
  wayOf,
  zoomedAt,
} from '../../../../../src/web/console/storylines/model/layout'
import intake from '../../../../fixtures/storylines/customer-intake.json'
import internet from '../../../../fixtures/storylines/no-internet.json'
import cafe from '../../../../fixtures/storylines/spanish-cafe.json'

const GRAPHS = [intake, internet, cafe].map((one) => one.graph as unknown as Graph)

describe('laying out', () => {
  it('puts every node somewhere, and no two on each other', () => {
    for (const graph of GRAPHS) {
      const all = [...layOut(graph).values()]
      expect(all).toHaveLength(Object.keys(graph.nodes).length)
      for (const [i, a] of all.entries())
        for (const b of all.slice(i + 1))
          expect(
            Math.abs(a.x - b.x) >= BOX.width + BOX.gapX - 0.01 || Math.abs(a.y - b.y) >= BOX.height,
          ).toBe(true)
    }
  })

  it('leads down from the start, and only ways back lead up', () => {
    const at = layOut(GRAPHS[0] as Graph)
    const y = (key: string) => at.get(key)?.y ?? Number.NaN
    expect(y('hello')).toBe(0)
    expect(y('need')).toBeLessThan(y('size'))
    expect(y('size')).toBeLessThan(y('contact'))
    expect(y('contact')).toBeLessThan(y('to_person'))
    expect(y('to_person')).toBeLessThan(y('left'))
  })

  it('ends for a ring, for nodes without a way and for five hundred in a row', () => {
    const nodes = Object.fromEntries(
      Array.from({ length: 500 }, (_, n) => [
        `n${n}`,
        { type: 'message' as const, exits: [{ id: 'next', to: `n${(n + 1) % 500}` }] },
      ]),
    )
    const ring: Graph = { schema: 1, start: 'n0', nodes: { ...nodes, alone: { type: 'end' } } }
    const at = layOut(ring)
    expect(at.size).toBe(501)
    expect(at.get('n499')?.y).toBe(499 * (BOX.height + BOX.gapY))
    expect(layOut({ schema: 1, start: 'gone', nodes: { a: { type: 'end' } } }).size).toBe(1)
  })

  it('keeps what the author placed and finds room for what is new', () => {
    const graph: Graph = {
      schema: 1,
      start: 'a',
      nodes: {
        a: { type: 'message', ui: { x: 100, y: 50 }, exits: [{ id: 'n', to: 'b' }] },
        b: { type: 'end' },
        c: { type: 'end' },
      },
    }
    const at = positionsOf(graph)
    expect(at.get('a')).toEqual({ x: 100, y: 50 })
    expect(at.get('b')).toEqual({ x: 100, y: 50 + BOX.height + BOX.gapY })
    expect(new Set([...at.values()].map(({ x, y }) => `${x} ${y}`)).size).toBe(3)
  })
})

describe('the view', () => {
  it('shows all of it, and zooms around a point', () => {
    const bounds = boundsOf(layOut(GRAPHS[1] as Graph))
    const view = fitted(bounds, 800, 500)
    expect(bounds.width * view.zoom).toBeLessThanOrEqual(800)
    const closer = zoomedAt({ x: 10, y: 20, zoom: 1 }, 2, { x: 110, y: 120 })
    expect(closer).toEqual({ x: -90, y: -80, zoom: 2 })
    expect(zoomedAt(closer, 100, { x: 0, y: 0 }).zoom).toBe(2)
  })

  it('draws ways down and around', () => {
    expect(wayOf({ x: 0, y: 0 }, { x: 0, y: 100 }).path).toBe('M0 0C0 50 0 50 0 100')
    expect(wayOf({ x: 0, y: 100 }, { x: 50, y: 0 }).label.x).toBeGreaterThan(50)
    const labels = [0, 1].map((lane) => wayOf({ x: 0, y: 0 }, { x: 90, y: 100 }, lane).label.y)
    expect(labels).toEqual([17, 32])
  })
})

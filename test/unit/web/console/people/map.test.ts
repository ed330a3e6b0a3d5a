import { describe, expect, it } from 'vitest'
import {
  closer,
  dragged,
  farther,
  moved,
  pointAt,
  project,
  START,
} from '../../../../../src/web/console/map/camera'
import { asCss, mixed, readHex } from '../../../../../src/web/console/map/colours'
import { takeEvents } from '../../../../../src/web/console/map/load-graph'
import {
  DIM,
  MATCH,
  NEAR,
  orderOf,
  SELECTED,
  sceneOf,
  sizeOf,
  statesOf,
} from '../../../../../src/web/console/map/scene'

const level = { yaw: 0, pitch: 0, zoom: 1, x: 0, y: 0 }
const flat = { width: 400, height: 200, isFlat: true }
const space = { ...flat, isFlat: false }

describe('the camera of the map', () => {
  it('puts the middle in the middle and what is up above it', () => {
    const [x = 0, y = 0] = project(new Float32Array([0, 0, 0]), level, space)
    expect([x, y]).toEqual([200, 100])
    expect(project(new Float32Array([0, 1, 0]), level, flat)[1]).toBeLessThan(100)
  })

  it('shows what is near larger, and nothing of it on a plane', () => {
    const points = new Float32Array([0.5, 0, 0.9, 0.5, 0, -0.9])
    const [near = 0, , , far = 0] = project(points, level, space)
    expect(near).toBeGreaterThan(far)
    const [one, , depth, other] = project(points, level, flat)
    expect([one, depth]).toEqual([other, 0])
  })

  it('keeps distances when it turns', () => {
    const turned = { ...level, yaw: 1, pitch: 0.7 }
    const [, , z = 0] = project(new Float32Array([0.6, 0, 0]), turned, space)
    expect(Math.abs(z)).toBeLessThanOrEqual(0.6 + 1e-6)
  })

  it('finds the point below the pointer, of two the one in front, and none far away', () => {
    const placed = new Float32Array([10, 10, -0.5, 10, 10, 0.5, 90, 90, 0])
    expect(pointAt(placed, 11, 10, 8)).toBe(1)
    expect(pointAt(placed, 50, 50, 8)).toBeNull()
  })

  it('turns the space and moves the plane; keys do as dragging does', () => {
    expect(dragged(level, 10, 0, false).yaw).toBeGreaterThan(0)
    expect(dragged(level, 0, 10_000, false).pitch).toBeCloseTo(Math.PI / 2)
    expect(dragged(level, 10, -5, true)).toMatchObject({ x: 10, y: -5, yaw: 0 })
    expect(moved(level, 'ArrowRight', false)?.yaw).toBeGreaterThan(0)
    expect(moved(level, 'ArrowRight', true)?.x).toBeLessThan(0)
    expect(moved({ ...level, zoom: 3 }, '0', true)).toEqual(START)
    expect(moved(level, 'q', false)).toBeNull()
  })

  it('zooms within bounds and about the middle', () => {
    const near = closer({ ...level, x: 40 })
    expect(near.x / near.zoom).toBeCloseTo(40)
    const [most, least] = Array.from({ length: 40 }).reduce<[typeof level, typeof level]>(
      ([one, other]) => [closer(one), farther(other)],
      [level, level],
    )
    expect([most.zoom, least.zoom]).toEqual([8, 0.5])
  })
})

const node = (id: string, fields = {}) => ({
  id,
  source: 'memory' as const,
  label: id,
  kind: 'fact',
  x: 0,
  y: 0,
  z: 0,
  weight: 0.5,
  cluster: 0,
  match: false,
  ...fields,
})

describe('the scene of the map', () => {
  it('has a pair of places for each edge whose ends are there', () => {
    const scene = sceneOf({
      nodes: [node('a', { x: 1 }), node('b', { source: 'knowledge' })],
      edges: [
        { a: 'b', b: 'a', weight: 1 },
        { a: 'a', b: 'gone', weight: 1 },
      ],
    })
    expect([...scene.edges]).toEqual([1, 0])
    expect([...scene.kinds]).toEqual([0, 1])
    expect([...scene.points]).toEqual([1, 0, 0, 0, 0, 0])
  })

  it('is in the picture as a whole, however it is turned', () => {
    const corners = [-1, 1].flatMap((x) =>
      [-1, 1].flatMap((y) => [-1, 1].map((z) => node(`${x} ${y} ${z}`, { x, y, z }))),
    )
    const { points } = sceneOf({ nodes: corners, edges: [] })
    const view = { width: 300, height: 300, isFlat: false }
    for (const yaw of [START.yaw, 0, 0.4, 0.8, 1.2]) {
      const placed = project(points, { ...START, yaw }, view)
      const across = [...placed].filter((_, at) => at % 3 !== 2)
      expect(Math.min(...across)).toBeGreaterThan(0)
      expect(Math.max(...across)).toBeLessThan(300)
    }
  })

  it('shows what was found, the chosen one and its neighbours', () => {
    const nodes = [node('a', { match: true }), node('b'), node('c')]
    const state = (isSearch: boolean) => [
      ...statesOf(nodes, { selected: 'b', near: ['c'], isSearch }),
    ]
    expect(state(true)).toEqual([MATCH, DIM | SELECTED, DIM | NEAR])
    expect(state(false)).toEqual([0, SELECTED, NEAR])
    expect(sizeOf(0.5, MATCH)).toBeGreaterThan(sizeOf(0.5, 0))
  })

  it('is gone through by what was found, then by weight', () => {
    const nodes = [node('a'), node('b', { weight: 0.9 }), node('c', { match: true })]
    expect(orderOf(nodes).map(({ id }) => id)).toEqual(['c', 'b', 'a'])
  })
})

describe('its colours', () => {
  it('are the theme’s, and grey where there is none', () => {
    expect(asCss(readHex(' #0b6b5d '))).toBe('rgb(11 107 93 / 1)')
    expect(readHex('teal')).toEqual([0.5, 0.5, 0.5])
    expect(mixed([0, 0, 0], [1, 1, 1], 0.25)).toEqual([0.25, 0.25, 0.25])
  })
})

describe('the stream of a map', () => {
  it('is read in whole events, however it is cut', () => {
    const text =
      ': map\n\nid: 1\nevent: progress\ndata: {"stage":"collecting","done":0,"total":1}\n\nid: 2\nevent: done\nda'
    const { events, rest } = takeEvents(text)
    expect(events).toEqual([
      { event: 'progress', data: { stage: 'collecting', done: 0, total: 1 } },
    ])
    expect(takeEvents(`${rest}ta: {"nodes":[]}\n\n`).events).toEqual([
      { event: 'done', data: { nodes: [] } },
    ])
  })
})

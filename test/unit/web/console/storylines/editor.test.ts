import { describe, expect, it } from 'vitest'
import type { Graph } from '../../../../../src/storylines/graph'
import { MIGRATIONS } from '../../../../../src/storylines/migrate'
import {
  changesOf,
  type Draft,
  differs,
  isFormat1,
} from '../../../../../src/web/console/storylines/model/draft'
import { moveExit, place, setNode } from '../../../../../src/web/console/storylines/model/edits'
import { readFunnel, spanOf } from '../../../../../src/web/console/storylines/model/funnel'
import {
  ACTIONS,
  isComplete,
  orderOf,
} from '../../../../../src/web/console/storylines/model/migration'
import { movedPositions } from '../../../../../src/web/console/storylines/model/order'
import { ownerRow, rowsOf } from '../../../../../src/web/console/storylines/model/outline'
import { nodeOf, spotOf, standing } from '../../../../../src/web/console/storylines/model/problems'
import {
  bodyOf,
  expectationsOf,
  FRESH,
  saidOf,
} from '../../../../../src/web/console/storylines/model/rehearsal'
import type { FunnelNode, Storyline } from '../../../../../src/web/console/storylines/types'
import intake from '../../../../fixtures/storylines/customer-intake.json'

const graph = intake.graph as unknown as Graph
const draft = { ...intake, graph, next_storyline_id: null, position: 0 } as unknown as Draft

describe('the outline', () => {
  it('shows nodes with their exits, and at the end what holds everywhere', () => {
    const rows = rowsOf(graph, new Set(['need']))
    expect(rows.slice(0, 4).map(({ id, level }) => [id, level])).toEqual([
      ['hello', 1],
      ['hello 0', 2],
      ['need', 1],
      ['size', 1],
    ])
    expect(rows.at(-2)).toMatchObject({ kind: 'everywhere', count: 1 })
    expect(rows[1] && ownerRow(rows[1])).toBe('hello')
    expect(rowsOf({ ...graph, exits: [] }, new Set()).at(-1)).toMatchObject({ count: 0 })
  })
})

describe('a finding', () => {
  it.each([
    ['/graph/nodes/a/exits/2/when', 'inspect', { kind: 'exit', owner: 'a', index: 2 }],
    ['/graph/nodes/a/say', 'inspect', { kind: 'node', key: 'a' }],
    ['/graph/nodes/a/exits', 'inspect', { kind: 'node', key: 'a' }],
    ['/graph/exits/0', 'inspect', { kind: 'exit', owner: null, index: 0 }],
    ['/graph/trigger/when', 'settings', null],
    ['/graph/nodes', 'settings', null],
    ['/profile_schema/properties/x/type', 'slots', null],
    ['/entry', 'settings', null],
  ])('at %s is mended in its panel', (path, panel, selection) => {
    expect(spotOf({ path })).toEqual({ panel, selection, path })
  })

  it('is of the node that its path names, where it names none itself', () => {
    expect(nodeOf({ path: '/graph/nodes/ask/slots' })).toBe('ask')
    expect(nodeOf({ node: 'ask', path: '/graph/nodes/other' })).toBe('ask')
    expect(nodeOf({ path: '/graph/start' })).toBeUndefined()
  })

  it('does not keep a selection of what is gone', () => {
    expect(standing({ kind: 'node', key: 'gone' }, graph)).toBeNull()
    expect(standing({ kind: 'exit', owner: 'hello', index: 5 }, graph)).toEqual({
      kind: 'node',
      key: 'hello',
    })
    expect(standing({ kind: 'exit', owner: null, index: 1 }, graph)).toEqual({ kind: 'everywhere' })
  })
})

describe('a draft', () => {
  it('sends the fields that differ', () => {
    expect(changesOf(draft, { ...draft, graph: { ...graph } })).toEqual({})
    expect(changesOf(draft, { ...draft, name: 'New' })).toEqual({ name: 'New' })
  })

  it('differs from what is live by what runs, not by where its nodes stand', () => {
    const placed = place(graph, new Map([['hello', { x: 1, y: 2 }]]))
    expect(differs(draft, { ...draft, graph: placed, position: 4 })).toBe(false)
    expect(differs(draft, { ...draft, graph: moveExit(graph, 'need', 0, 1) })).toBe(true)
    expect(differs(draft, { ...draft, graph: setNode(graph, 'hello', { title: 'Hi' }) })).toBe(true)
  })

  it.each([
    {},
    { schema: 1, nodes: [] },
    { schema: 1, nodes: { a: null } },
    { schema: 1, nodes: { a: { type: 'question' } } },
    { schema: 1, nodes: { a: { type: 'end', exits: {} } } },
    { nodes: { a: { type: 'end' } } },
  ])('of another shape is text: %j', (other) => {
    expect(isFormat1(other)).toBe(false)
    expect(isFormat1(graph)).toBe(true)
  })
})

it('moves a storyline among those of its agent, and numbers equal places', () => {
  const all = ['a', 'b', 'c', 'x'].map((id) => ({
    id,
    agent_name: id === 'x' ? 'other' : 'desk',
    position: 0,
  })) as Storyline[]
  const moved = movedPositions(all, all[2] as Storyline, -1)
  expect(moved.map(({ storyline, position }) => [storyline.id, position])).toEqual([
    ['c', 1],
    ['b', 2],
  ])
  expect(movedPositions(all, all[3] as Storyline, 1)).toEqual([])
})

it('reads a funnel: shares of who came, retired nodes last', () => {
  const node = (entered: number, more: Partial<FunnelNode> = {}): FunnelNode => ({
    title: null,
    type: 'message',
    milestone: false,
    retired: false,
    entered,
    active: 0,
    completed: 0,
    exited: 0,
    failed: 0,
    stalled: 0,
    median_seconds: null,
    exits: {},
    ...more,
  })
  const nodes = {
    old: node(9, { retired: true }),
    end: node(4, { completed: 4 }),
    start: node(8, { exited: 2, stalled: 2, active: 4 }),
  }
  const { enrolled, completion, active, steps } = readFunnel(nodes, 'start')
  expect([enrolled, completion, active]).toEqual([8, 0.5, 4])
  expect(steps.map(({ key, drop }) => [key, drop])).toEqual([
    ['start', 0.5],
    ['end', 0],
    ['old', 0],
  ])
  expect(readFunnel({}, null).completion).toBeNull()
  expect([30, 600, 7200, 900_000].map((s) => spanOf(s).unit)).toEqual([
    'second',
    'minute',
    'hour',
    'day',
  ])
})

it('orders of migration say what their action takes', () => {
  expect(ACTIONS).toEqual(MIGRATIONS)
  const wish = { from: 'a', to: 'b', nodes: { a: 'b' } }
  expect(orderOf({ ...wish, action: 'move' })).toEqual({
    action: 'move',
    from_node: 'a',
    to_node: 'b',
  })
  expect(orderOf({ ...wish, from: '', action: 'map' })).toEqual({
    action: 'map',
    nodes: { a: 'b' },
  })
  expect(orderOf({ ...wish, action: 'exit' })).toEqual({ action: 'exit', from_node: 'a' })
  expect(isComplete({ ...wish, to: '', action: 'move' })).toBe(false)
  expect(isComplete({ ...wish, nodes: {}, action: 'map' })).toBe(false)
})

it('a rehearsal is sent without what is empty, and kept as what was seen', () => {
  expect(bodyOf({ ...FRESH, messages: ['Hi'], judge: { go: 'yes' } })).toEqual({
    messages: ['Hi'],
    judge: { go: 'yes' },
  })
  expect([{ form: { a: 'x', b: ['y', 'z'] } }, { wait_minutes: 5 }].map(saidOf)).toEqual([
    'a: x\nb: y, z',
    '⏱ 5',
  ])
  const turns = [
    { turn: 1, node: 'a', status: 'active', slots: { x: 1 } },
    { turn: 2, node: 'b', status: 'completed', slots: { x: 1 } },
  ]
  expect(expectationsOf({ turns } as never)).toEqual([
    { turn: 1, node: 'a', status: 'active' },
    { turn: 2, node: 'b', status: 'completed', slots: { x: 1 } },
  ])
})

import { describe, expect, it } from 'vitest'
import { conditionsFor } from '../../../src/storylines/conditions'
import type { Enrollment } from '../../../src/storylines/enrollment'
import type { Graph } from '../../../src/storylines/graph'
import { newState, type Story } from '../../../src/storylines/machine'
import { type MigrationOrder, migrated } from '../../../src/storylines/migrate'
import { readSlots } from '../../../src/storylines/slots'

const NOW = 1_000_000
const { slots } = readSlots({
  properties: { name: { type: 'string' }, age: { type: 'integer', minimum: 18 } },
})
const GRAPH: Graph = {
  schema: 1,
  start: 'who',
  nodes: {
    who: {
      type: 'collect',
      slots: [{ slot: 'name' }],
      exits: [{ id: 'go', to: 'old', on: 'done' }],
    },
    old: {
      type: 'collect',
      slots: [{ slot: 'age' }],
      exits: [{ id: 'go', to: 'over', on: 'done' }],
    },
    over: { type: 'end', outcome: 'over' },
  },
}
const LIVE: Story = { graph: GRAPH, slots, conditions: conditionsFor(slots), allowExit: true }

const standing = (node: string, more: Partial<Enrollment> = {}): Enrollment => ({
  id: 'e',
  storylineId: 's',
  revisionId: 'r1',
  agentId: 'a',
  status: 'active',
  pausedBy: null,
  node,
  sessionId: 'x',
  dueAt: null,
  holds: false,
  reports: 3,
  enteredNodeAt: 5,
  lastTurnAt: 5,
  createdAt: 1,
  updatedAt: 5,
  kept: {
    state: {
      ...newState(LIVE, 5),
      node,
      visits: { who: 1, [node]: 1 },
      profile: { name: 'Ann', age: 7 },
      step: 4,
    },
    asked: ['name'],
    lang: 'en',
    milestone: null,
  },
  ...more,
})
const order = (action: MigrationOrder['action'], more: Partial<MigrationOrder> = {}) => ({
  action,
  revisionId: 'r2',
  fromNode: null,
  toNode: null,
  ...more,
})

describe('a migration', () => {
  it('upgrades in place, and drops the values that no longer fit', () => {
    const { outcome, enrollment, counts } = migrated(standing('old'), LIVE, order('upgrade'), NOW)
    expect(outcome).toEqual({ changed: true, droppedSlots: ['age'] })
    expect(enrollment).toMatchObject({ revisionId: 'r2', node: 'old', enteredNodeAt: 5 })
    expect(enrollment?.kept).toMatchObject({ state: { profile: { name: 'Ann' } }, asked: ['age'] })
    expect(counts).toEqual([])
  })

  it('skips a node that is gone, unless it is told where to', () => {
    const gone = standing('gone')
    expect(migrated(gone, LIVE, order('upgrade'), NOW).outcome).toEqual({
      changed: false,
      reason: 'node_missing',
    })
    const { enrollment, counts } = migrated(gone, LIVE, order('upgrade', { toNode: 'old' }), NOW)
    expect(enrollment).toMatchObject({ node: 'old', enteredNodeAt: NOW })
    expect(counts).toEqual([
      { node: 'gone', kind: 'exit', name: 'migrate', n: 1 },
      { node: 'old', kind: 'entered', name: '', n: 1 },
    ])
  })

  it('moves only those that stand where it says', () => {
    const move = order('move', { fromNode: 'who', toNode: 'old' })
    expect(migrated(standing('old'), LIVE, move, NOW).outcome).toMatchObject({
      reason: 'elsewhere',
    })
    expect(migrated(standing('who'), LIVE, move, NOW).enrollment).toMatchObject({
      node: 'old',
      kept: { state: { turns: 0, attempts: 0, step: 5 } },
    })
  })

  it('restarts with what is known, and nothing visited', () => {
    const { enrollment } = migrated(standing('old'), LIVE, order('restart'), NOW)
    expect(enrollment).toMatchObject({
      node: 'who',
      kept: { state: { visits: {}, profile: { name: 'Ann' } } },
    })
  })

  it.each([
    ['complete', 'completed'],
    ['exit', 'exited'],
  ] as const)('%s ends it as %s', (action, status) => {
    const paused = standing('old', { status: 'paused', pausedBy: 'other', dueAt: 9 })
    const { enrollment, counts } = migrated(paused, LIVE, order(action), NOW)
    expect(enrollment).toMatchObject({ status, pausedBy: null, dueAt: null })
    expect(counts.at(-1)).toEqual({ node: 'old', kind: status, name: '', n: 1 })
  })

  it('leaves alone what is over, what was only offered, and what is there already', () => {
    for (const status of ['offered', 'completed', 'exited', 'failed'] as const) {
      const { outcome } = migrated(standing('old', { status }), LIVE, order('upgrade'), NOW)
      expect(outcome).toEqual({ changed: false, reason: 'not_running' })
    }
    const there = standing('old', { revisionId: 'r2' })
    expect(migrated(there, LIVE, order('upgrade'), NOW).outcome).toMatchObject({
      reason: 'unchanged',
    })
  })
})

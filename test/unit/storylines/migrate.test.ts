import { describe, expect, it } from 'vitest'
import { conditionsFor } from '../../../src/storylines/conditions'
import { countSteps } from '../../../src/storylines/count-steps'
import type { Enrollment } from '../../../src/storylines/enrollment'
import type { Graph } from '../../../src/storylines/graph'
import { newState, run } from '../../../src/storylines/machine'
import { type MigrationOrder, migrated } from '../../../src/storylines/migrate'
import { readSlots } from '../../../src/storylines/slots'
import type { Said, Story } from '../../../src/storylines/story-state'

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
const order = (
  action: MigrationOrder['action'],
  more: Partial<MigrationOrder> = {},
): MigrationOrder => ({
  id: 'o1',
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

  it('moves nobody twice, however often the order comes', () => {
    for (const action of ['upgrade', 'restart', 'complete', 'exit'] as const) {
      const first = migrated(standing('old'), LIVE, order(action), NOW)
      const moved = first.enrollment
      if (!moved) throw new Error(action)
      expect(migrated(moved, LIVE, order(action), NOW + 1)).toEqual({
        outcome: first.outcome,
        enrollment: null,
        counts: [],
      })
    }
    const { enrollment } = migrated(standing('old'), LIVE, order('restart'), NOW)
    if (!enrollment) throw new Error('not restarted')
    const later = migrated(enrollment, LIVE, order('restart', { id: 'o2' }), NOW + 1)
    expect(later.outcome).toMatchObject({ changed: true })
  })

  it('enters the node with whoever speaks next, so that nothing stays unsaid', () => {
    const nodes: Graph['nodes'] = {
      ...GRAPH.nodes,
      told: { type: 'message', say: 'News.', exits: [{ id: 'go', to: 'old' }] },
      rest: { type: 'wait', minutes: 5, exits: [{ id: 'due', to: 'old', on: 'due' }] },
    }
    const live = { ...LIVE, graph: { ...GRAPH, nodes } }
    const person = { registered: true, lang: 'en', timezone: '', city: '' }
    const put = (toNode: string) => {
      const move = order('move', { fromNode: 'who', toNode })
      const { enrollment, counts } = migrated(standing('who'), live, move, NOW)
      if (!enrollment) throw new Error(toNode)
      return { ...enrollment, counts }
    }
    const told = put('told')
    expect([told.dueAt, told.kept.asked]).toEqual([null, []])
    const said: Said = {
      text: 'Ann',
      lang: 'en',
      images: 0,
      audio: false,
      values: {},
      judged: [],
      digression: false,
      leave: false,
      confirmed: null,
    }
    const { state, effects } = run(live, told.kept.state, { type: 'said', ...said }, person, NOW)
    expect(effects).toContainEqual({
      type: 'say',
      node: 'told',
      text: 'News.',
      profile: state.profile,
      pushed: false,
    })
    expect(state).toMatchObject({ node: 'old', visits: { who: 1, told: 1, old: 1 } })
    const entered = [...told.counts, ...countSteps(told.kept.state, effects, NOW)].filter(
      ({ kind }) => kind === 'entered',
    )
    expect(entered.map(({ node }) => node)).toEqual(['told', 'old'])

    const rest = put('rest')
    expect(rest.dueAt).toBe(NOW)
    const woken = run(live, rest.kept.state, { type: 'due' }, person, NOW)
    expect(woken.effects).toContainEqual({ type: 'timer', node: 'rest', dueAt: NOW + 300_000 })
  })

  it('counts nobody at a node twice, also after a restart', () => {
    const { enrollment, counts } = migrated(standing('old'), LIVE, order('restart'), NOW)
    if (!enrollment) throw new Error('not restarted')
    const person = { registered: true, lang: 'en', timezone: '', city: '' }
    const { state } = enrollment.kept
    const { effects } = run(LIVE, { ...state, profile: {} }, { type: 'due' }, person, NOW)
    expect(effects).toContainEqual({ type: 'entered', node: 'who' })
    const all = [...counts, ...countSteps(state, effects, NOW)]
    expect(all.filter(({ kind }) => kind === 'entered')).toEqual([])
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

  it.each(['map', 'move', 'restart', 'complete', 'exit'] as const)(
    '%s is taken back whole, values that it dropped and counts among it',
    (action) => {
      const before = standing('old', { dueAt: 77 })
      const wanted = order(action, {
        id: 'o1',
        fromNode: action === 'move' ? 'old' : null,
        toNode: 'who',
        nodes: { old: 'who' },
      })
      const { enrollment: done, counts } = migrated(before, LIVE, wanted, NOW)
      if (!done) throw new Error('It was not moved')
      // As it is stored: with the number of its report.
      const stored = { ...done, reports: done.reports + 1 }
      const undo = order('undo', { id: 'o2', undoes: 'o1' })
      const { enrollment: back, counts: less } = migrated(stored, LIVE, undo, NOW + 1)
      const { order: _, ...kept } = back?.kept ?? { order: null }
      expect({ ...back, kept }).toEqual({ ...before, reports: stored.reports })
      expect(less).toEqual(counts.map((count) => ({ ...count, n: -count.n })))
      expect(migrated({ ...stored, ...back }, LIVE, undo, NOW + 2).outcome.changed).toBe(true)
    },
  )

  it('is not taken back where somebody went on, or another order came', () => {
    const { enrollment: done } = migrated(
      standing('old'),
      LIVE,
      order('restart', { id: 'o1' }),
      NOW,
    )
    if (!done) throw new Error('It was not moved')
    const moved = { changed: false, reason: 'moved' }
    const undo = (undoes: string) => order('undo', { id: 'o3', undoes })
    const went = { ...done, reports: done.reports + 2 }
    expect(migrated(went, LIVE, undo('o1'), NOW).outcome).toEqual(moved)
    const stored = { ...done, reports: done.reports + 1 }
    expect(migrated(stored, LIVE, undo('o0'), NOW).outcome).toEqual(moved)
    expect(migrated(standing('old'), LIVE, undo('o1'), NOW).outcome).toEqual(moved)
  })
})

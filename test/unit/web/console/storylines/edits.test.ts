import { describe, expect, it } from 'vitest'
import type { Graph } from '../../../../../src/storylines/graph'
import * as server from '../../../../../src/storylines/graph'
import { readSlots } from '../../../../../src/storylines/slots'
import { validate } from '../../../../../src/storylines/validate'
import {
  addNode,
  blankGraph,
  connect,
  duplicateNode,
  exitsOf,
  moveExit,
  moveNode,
  nodeKeys,
  removeExit,
  removeNode,
  renameNode,
  setExit,
  setNode,
  setType,
} from '../../../../../src/web/console/storylines/model/edits'
import { freeKey, keyOf } from '../../../../../src/web/console/storylines/model/keys'
import {
  COMMON_FIELDS,
  NODE_RULES,
  NODE_TYPES,
} from '../../../../../src/web/console/storylines/model/node-rules'
import intake from '../../../../fixtures/storylines/customer-intake.json'

const graph = intake.graph as unknown as Graph
const deep = <T>(value: T): T => JSON.parse(JSON.stringify(value))

describe('the rules of nodes', () => {
  it('are those that the server checks', () => {
    expect(NODE_TYPES.toSorted()).toEqual([...server.NODE_TYPES].sort())
    expect(COMMON_FIELDS).toEqual(server.COMMON_FIELDS)
    for (const type of NODE_TYPES) {
      const { events, fields, mayJudge, waits } = server.NODE_RULES[type]
      expect(NODE_RULES[type]).toEqual({ events, fields, mayJudge, waits })
    }
  })
})

describe('edits of a graph', () => {
  it('leave the graph that they are given as it was', () => {
    const before = deep(graph)
    addNode(graph, 'wait', 'need')
    removeNode(graph, 'contact')
    renameNode(graph, 'hello', 'welcome')
    moveNode(graph, 'need', 1)
    connect(graph, 'size', 'left')
    setType(graph, 'need', 'converse')
    expect(graph).toEqual(before)
  })

  it('put a new node into the way of the one before it', () => {
    const { graph: after, key } = addNode(graph, 'wait', 'hello')
    expect(key).toBe('wait')
    expect(exitsOf(after, 'hello')).toEqual([{ id: 'go', to: 'wait' }])
    expect(after.nodes.wait).toEqual({
      type: 'wait',
      minutes: 60,
      exits: [{ id: 'next', to: 'need' }],
    })
    expect(nodeKeys(after).slice(0, 3)).toEqual(['hello', 'wait', 'need'])
    expect(addNode(after, 'wait', null).key).toBe('wait_2')
    // Where nothing always holds the first open event leads to it.
    const { graph: open } = addNode(removeExit(graph, 'contact', 1), 'end', 'contact')
    expect(exitsOf(open, 'contact').at(-1)).toEqual({ id: 'failed', to: 'end', on: 'failed' })
  })

  it('close the gap that a removed node leaves', () => {
    const after = removeNode(graph, 'size')
    expect(exitsOf(after, 'need')[0]).toMatchObject({ id: 'sales', to: 'contact' })
    const without = removeNode(graph, 'left')
    expect(exitsOf(without, 'contact').map((exit) => exit.id)).toEqual(['done'])
    expect(removeNode(graph, 'hello').start).toBe('need')
    expect(removeNode(blankGraph(), 'message')).toEqual(blankGraph())
    expect(removeNode(graph, 'left').exits).toEqual(graph.exits)
    expect(removeNode(graph, 'contact').exits?.[0]?.to).toBe('left')
  })

  it('carry a new key to all that names it', () => {
    const after = renameNode(graph, 'contact', 'reach')
    expect(JSON.stringify(after)).not.toContain('"contact"')
    expect(nodeKeys(after)).toEqual(nodeKeys(graph).map((k) => (k === 'contact' ? 'reach' : k)))
    expect(renameNode(graph, 'hello', 'first').start).toBe('first')
    expect(renameNode(graph, 'hello', 'need')).toBe(graph)
  })

  it('move nodes and exits, and stop at the ends', () => {
    expect(nodeKeys(moveNode(graph, 'need', -1)).slice(0, 2)).toEqual(['need', 'hello'])
    expect(moveNode(graph, 'hello', -1)).toBe(graph)
    expect(exitsOf(moveExit(graph, 'need', 0, 1), 'need').map((one) => one.id)).toEqual([
      'support',
      'sales',
      'other',
    ])
    expect(moveExit(graph, 'need', 2, 1)).toBe(graph)
  })

  it('add exits before the one that always holds', () => {
    const { graph: after, index } = connect(graph, 'need', 'left')
    expect(index).toBe(2)
    expect(exitsOf(after, 'need').map((one) => one.id)).toEqual([
      'sales',
      'support',
      'exit',
      'other',
    ])
    expect(connect(graph, null, 'left').graph.exits).toHaveLength(2)
    expect(exitsOf(setExit(after, 'need', 2, { on: 'done' }), 'need')[2]).toEqual({
      id: 'exit',
      to: 'left',
      on: 'done',
    })
  })

  it('keep of a changed type what it can have', () => {
    const after = setType(graph, 'need', 'message')
    expect(after.nodes.need).toEqual({
      say: '',
      type: 'message',
      title: 'Need',
      milestone: true,
      exits: [
        { id: 'sales', to: 'size', when: 'profile.need == "sales"' },
        { id: 'support', to: 'helped', when: 'profile.need == "support"' },
        { id: 'other', to: 'contact' },
      ],
    })
    expect(setType(graph, 'need', 'end').nodes.need?.exits).toBeUndefined()
  })

  it('take fields out that are not set', () => {
    expect(setNode(graph, 'hello', { title: undefined }).nodes.hello).not.toHaveProperty('title')
    expect(duplicateNode(graph, 'need').key).toBe('need_2')
  })

  it('build a storyline of three nodes that can be published', () => {
    let made = setNode(blankGraph(), 'message', { say: 'Hello!' })
    made = addNode(made, 'collect', 'message').graph
    made = setNode(made, 'collect', { slots: [{ slot: 'name' }] })
    made = addNode(made, 'end', 'collect').graph
    made = connect(made, 'collect', 'end').graph
    const schema = { type: 'object', properties: { name: { type: 'string' } } }
    expect(readSlots(schema).problems).toEqual([])
    const subject = {
      graph: made,
      profile_schema: schema,
      entry: 'menu',
      enroll_trigger: 'manual',
      user_visibility: 'title',
      on_complete: 'return',
      concurrency: 'exclusive',
      allow_agent_enroll: false,
      is_default: false,
    }
    const around = {
      agentExists: true,
      tools: new Set<string>(),
      knowledgeBases: new Set<string>(),
    }
    expect(validate(subject, { ...around, next: null })).toEqual({ ok: true, errors: [] })
  })
})

describe('keys', () => {
  it('are made of titles, and free', () => {
    expect(keyOf('Où êtes-vous ?', 'node')).toBe('ou_etes_vous')
    expect(keyOf('你好', 'node')).toBe('node')
    expect(keyOf('constructor', 'node')).toBe('node')
    expect(freeKey('a', ['a', 'a_2'])).toBe('a_3')
  })
})

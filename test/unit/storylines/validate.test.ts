import { describe, expect, it } from 'vitest'
import type { Code, Subject, Surroundings } from '../../../src/storylines/checks/findings'
import { validate } from '../../../src/storylines/validate'
import intake from '../../fixtures/storylines/customer-intake.json'
import noInternet from '../../fixtures/storylines/no-internet.json'
import cafe from '../../fixtures/storylines/spanish-cafe.json'

const SUBJECT: Omit<Subject, 'graph'> = {
  profile_schema: {
    type: 'object',
    properties: {
      name: { type: 'string' },
      age: { type: 'integer' },
      rating: { type: 'number' },
      agrees: { type: 'boolean' },
      tags: { type: 'array', items: { type: 'string' } },
      total: { type: 'integer', 'x-computed': true },
      secret: { type: 'string', 'x-sensitive': true },
    },
  },
  entry: 'menu',
  enroll_trigger: 'manual',
  user_visibility: 'title',
  on_complete: 'return',
  concurrency: 'exclusive',
  allow_agent_enroll: false,
  is_default: false,
}
const AROUND: Surroundings = {
  agentExists: true,
  tools: new Set(['current_time', 'mcp:crm']),
  knowledgeBases: new Set(['guides']),
  next: null,
}

type Node = Record<string, unknown>
/** An outcome is a label for reports, and none is needed. */
const end: Node = { type: 'end' }
const ask = (exits: unknown[], more: Node = {}): Node => ({
  type: 'collect',
  slots: [{ slot: 'name', ask: 'Your name?' }],
  exits,
  ...more,
})
const toEnd = { id: 'go', to: 'end' }
const graph = (first: Node, more: Record<string, Node> = {}, top: Node = {}) => ({
  schema: 1,
  start: 'first',
  nodes: { first, end, ...more },
  ...top,
})
const codesOf = (
  one: unknown,
  subject: Partial<Subject> = {},
  around: Partial<Surroundings> = {},
): string[] => {
  const { ok, errors } = validate({ ...SUBJECT, graph: one, ...subject }, { ...AROUND, ...around })
  expect(ok).toBe(errors.every(({ severity }) => severity === 'warning'))
  return errors.map(({ code, severity, path }) =>
    severity === 'error' ? `${code} ${path}` : `(${code}) ${path}`,
  )
}

describe('a storyline that is ready', () => {
  it.each([intake, cafe, noInternet])('finds nothing in $key', (example) => {
    const around = {
      ...AROUND,
      tools: new Set(['mcp:network']),
      knowledgeBases: new Set(['spanish-a1', 'router-guides']),
    }
    expect(validate({ ...example, concurrency: 'exclusive' }, around)).toEqual({
      ok: true,
      errors: [],
    })
  })

  it('finds nothing in the base of the cases below', () => {
    expect(codesOf(graph(ask([toEnd])))).toEqual([])
  })
})

describe('a shape that does not fit', () => {
  const N = '/graph/nodes/first'
  const noKey = expect.stringContaining('Not a key')
  const first = (more: Node) => graph(ask([toEnd], more))
  it.each<[string, unknown, string, unknown]>([
    ['nothing', {}, '/graph/nodes', 'At least one entry is needed.'],
    ['no node', { ...graph(ask([])), nodes: {} }, '/graph/nodes', 'At least one entry is needed.'],
    [
      'a field that is none',
      first({ says: 'Hi' }),
      `${N}/says`,
      'This field is not part of the format.',
    ],
    [
      'a text that is a number',
      first({ say: 5 }),
      `${N}/say`,
      expect.stringContaining('texts by language'),
    ],
    [
      'a text that is too long',
      first({ say: 'x'.repeat(4001) }),
      `${N}/say`,
      expect.stringContaining('too long'),
    ],
    [
      'too many nodes',
      graph(
        ask([toEnd]),
        Object.fromEntries(Array.from({ length: 500 }, (_, n) => [`n${n}`, end])),
      ),
      '/graph/nodes',
      'There are more entries here than the format takes.',
    ],
    ['no type', graph({}), N, 'Instance does not have required property "type".'],
    [
      'no target',
      graph(ask([{ id: 'a' }])),
      `${N}/exits/0`,
      'Instance does not have required property "to".',
    ],
    ['an exit named badly', graph(ask([{ id: 'A b', to: 'end' }])), `${N}/exits/0/id`, noKey],
    ['a node named badly', graph(ask([toEnd]), { 'A b': end }), '/graph/nodes/A b', noKey],
    [
      'a condition that is a number',
      graph(ask([{ ...toEnd, when: 5 }])),
      `${N}/exits/0/when`,
      expect.stringContaining('Expected "string"'),
    ],
  ])('%s is told where and how', (_, wrong, path, message) => {
    expect(validate({ ...SUBJECT, graph: wrong }, AROUND).errors).toContainEqual(
      expect.objectContaining({ path, message }),
    )
  })
})

describe('each code, with the place it speaks of', () => {
  const N = '/graph/nodes/first'
  const cases: [Code, unknown, string[]][] = [
    [
      'schema',
      { schema: 1, start: 'first', nodes: { first: { type: 'dance' } } },
      [`schema ${N}/type`],
    ],
    ['schema', { ...graph(ask([toEnd])), extra: 1 }, ['schema /graph/extra']],
    [
      'limit_exceeded',
      graph(ask(Array.from({ length: 13 }, (_, n) => ({ id: `e${n}`, to: 'end', on: 'done' })))),
      [`limit_exceeded ${N}/exits`],
    ],
    ['start_missing', { ...graph(ask([toEnd])), start: 'nowhere' }, ['start_missing /graph/start']],
    [
      'unknown_target',
      graph(ask([{ id: 'off', to: 'nowhere', on: 'failed' }, toEnd])),
      [`unknown_target ${N}/exits/0/to`],
    ],
    ['field_required', graph({ type: 'message', exits: [toEnd] }), [`field_required ${N}`]],
    [
      'field_required',
      graph({ type: 'wait', minutes: 5, until: 'now', exits: [toEnd] }),
      [`field_required ${N}`],
    ],
    [
      'field_not_allowed',
      graph(ask([toEnd], { goal: 'Be friendly' })),
      [`field_not_allowed ${N}/goal`],
    ],
    [
      'end_has_exits',
      graph(ask([toEnd]), { end: { ...end, exits: [{ id: 'on', to: 'first' }] } }),
      ['end_has_exits /graph/nodes/end/exits'],
    ],
    [
      'duplicate_exit_id',
      graph(ask([{ id: 'go', to: 'end', on: 'done' }, toEnd])),
      [`duplicate_exit_id ${N}/exits/1/id`],
    ],
    [
      'unknown_slot',
      graph(ask([toEnd], { slots: [{ slot: 'shoe_size' }] })),
      [`unknown_slot ${N}/slots/0/slot`],
    ],
    ['unknown_slot', graph(ask([toEnd], { clear: ['shoe_size'] })), [`unknown_slot ${N}/clear/0`]],
    [
      'slot_computed',
      graph(ask([toEnd], { slots: [{ slot: 'total' }] })),
      [`slot_computed ${N}/slots/0/slot`],
    ],
    [
      'unknown_placeholder',
      graph({ type: 'message', say: 'Hello {{name}} {{profile.name}}', exits: [toEnd] }),
      [`unknown_placeholder ${N}/say`],
    ],
    [
      'condition_syntax',
      graph(ask([{ id: 'a', to: 'end', when: 'profile.age >' }, toEnd])),
      [`condition_syntax ${N}/exits/0/when`],
    ],
    [
      'condition_type',
      graph(ask([{ id: 'a', to: 'end', when: 'profile.agee > 3' }, toEnd])),
      [`condition_type ${N}/exits/0/when`],
    ],
    [
      'condition_not_boolean',
      graph(ask([{ id: 'a', to: 'end', when: 'profile.age + 1' }, toEnd])),
      [`condition_not_boolean ${N}/exits/0/when`],
    ],
    [
      'function_not_allowed',
      graph(ask([{ id: 'a', to: 'end', when: 'profile.name.matches("a+")' }, toEnd])),
      [`function_not_allowed ${N}/exits/0/when`],
    ],
    [
      'limit_exceeded',
      graph(
        ask([
          { id: 'a', to: 'end', when: 'profile.tags.all(x, profile.tags.all(y, x == y))' },
          toEnd,
        ]),
      ),
      [`limit_exceeded ${N}/exits/0/when`],
    ],
    ['set_type', graph(ask([toEnd], { set: { total: '"many"' } })), [`set_type ${N}/set/total`]],
    [
      'dead_end',
      graph({ type: 'message', say: 'Bye' }),
      [`dead_end ${N}`, '(unreachable) /graph/nodes/end', `cannot_end ${N}`],
    ],
    [
      'no_default_exit',
      graph({ type: 'branch', exits: [{ id: 'a', to: 'end', when: 'profile.agrees' }] }),
      [`no_default_exit ${N}/exits`],
    ],
    [
      'event_unhandled',
      graph({ type: 'tool', tool: 'current_time', exits: [{ id: 'a', to: 'end', on: 'done' }] }),
      [`event_unhandled ${N}/exits`],
    ],
    [
      'event_unhandled',
      graph(ask([{ id: 'a', to: 'end', on: 'done' }])),
      [`(event_unhandled) ${N}/exits`],
    ],
    [
      'event_unhandled',
      graph({
        type: 'converse',
        goal: 'Talk about it',
        max_turns: 3,
        exits: [{ id: 'a', to: 'end', judge: 'The user is content.' }],
      }),
      [`event_unhandled ${N}/exits`],
    ],
    [
      'event_unhandled',
      graph({ type: 'converse', goal: 'Talk about it', exits: [toEnd] }),
      [`event_unhandled ${N}/exits`],
    ],
    [
      'event_unhandled',
      graph({
        type: 'converse',
        goal: 'Talk about it',
        exits: [{ id: 'a', to: 'end', on: 'limit', when: 'node.turns > 1' }],
      }),
      [`event_unhandled ${N}/exits`],
    ],
    [
      'event_not_allowed',
      graph(ask([{ id: 'a', to: 'end', on: 'due' }, toEnd])),
      [`event_not_allowed ${N}/exits/0/on`],
    ],
    [
      'judge_not_allowed',
      graph({
        type: 'branch',
        exits: [
          { id: 'a', to: 'end', judge: 'The user is content.' },
          { id: 'b', to: 'end' },
        ],
      }),
      [`judge_not_allowed ${N}/exits/0/judge`],
    ],
    [
      'exit_shadowed',
      graph(ask([toEnd, { id: 'late', to: 'end', on: 'done' }])),
      [`exit_shadowed ${N}/exits/1`],
    ],
    [
      'global_exit_unconditional',
      graph(ask([toEnd]), {}, { exits: [{ id: 'any', to: 'end' }] }),
      ['global_exit_unconditional /graph/exits/0'],
    ],
    [
      'no_end',
      { schema: 1, start: 'first', nodes: { first: ask([{ id: 'again', to: 'first' }]) } },
      ['no_end /graph/nodes'],
    ],
    [
      'cannot_end',
      graph(ask([{ id: 'again', to: 'first' }])),
      ['(unreachable) /graph/nodes/end', `cannot_end ${N}`],
    ],
    [
      'sync_cycle',
      graph(
        { type: 'message', say: 'One', exits: [{ id: 'a', to: 'two' }] },
        {
          two: {
            type: 'branch',
            exits: [
              { id: 'out', to: 'end', when: 'profile.agrees' },
              { id: 'b', to: 'first' },
            ],
          },
        },
      ),
      [`sync_cycle ${N}`, 'sync_cycle /graph/nodes/two'],
    ],
    [
      'unknown_tool',
      graph({ type: 'tool', tool: 'mcp:shop/order', exits: [toEnd] }),
      [`unknown_tool ${N}/tool`],
    ],
    [
      'unknown_knowledge_base',
      graph(ask([toEnd], { knowledge_bases: ['guides', 'secrets'] })),
      [`unknown_knowledge_base ${N}/knowledge_bases/1`],
    ],
    ['unreachable', graph(ask([toEnd]), { island: end }), ['(unreachable) /graph/nodes/island']],
    [
      'judge_only_tool',
      graph(
        {
          type: 'converse',
          goal: 'Talk about it',
          exits: [{ id: 'a', to: 'pay', judge: 'The user wants to pay.' }],
        },
        { pay: { type: 'tool', tool: 'mcp:crm/pay', exits: [toEnd] } },
      ),
      [`(judge_only_tool) ${N}/exits/0`],
    ],
    [
      'trigger_ignored',
      graph(ask([toEnd]), {}, { trigger: { examples: ['help'] } }),
      ['(trigger_ignored) /graph/trigger'],
    ],
    [
      'sensitive_in_text',
      graph({ type: 'message', say: 'Your code is {{profile.secret}}', exits: [toEnd] }),
      [`(sensitive_in_text) ${N}/say`],
    ],
    [
      'missing_language',
      graph(
        { type: 'message', say: { en: 'Hello', fr: 'Bonjour' }, exits: [toEnd] },
        {
          end: { ...end, say: { en: 'Bye' } },
        },
      ),
      ['(missing_language) /graph/nodes/end/say'],
    ],
  ]

  it.each(cases)('%s', (code, one, expected) => {
    const codes = codesOf(one)
    expect(codes).toEqual(expected)
    expect(codes.some((found) => found.replaceAll(/[()]/g, '').startsWith(code))).toBe(true)
  })

  const good = graph(ask([toEnd]))
  const settings: [Code, Partial<Subject>, Partial<Surroundings>, string[]][] = [
    ['agent_missing', {}, { agentExists: false }, ['agent_missing /agent_name']],
    ['next_missing', { on_complete: 'next' }, {}, ['next_missing /next_storyline_id']],
    [
      'next_unpublished',
      { on_complete: 'next' },
      { next: 'unpublished' },
      ['next_unpublished /next_storyline_id'],
    ],
    ['menu_hidden', { user_visibility: 'hidden' }, {}, ['menu_hidden /user_visibility']],
    ['enum', { concurrency: 'sometimes' }, {}, ['(enum) /concurrency']],
    ['never_starts', { entry: 'auto' }, {}, ['(never_starts) /enroll_trigger']],
    [
      'slot_key',
      {
        profile_schema: {
          properties: { name: { type: 'string' }, 'Big Name': { type: 'string' } },
        },
      },
      {},
      ['slot_key /profile_schema/properties/Big Name'],
    ],
    [
      'slot_key',
      {
        profile_schema: {
          properties: { name: { type: 'string' }, constructor: { type: 'string' } },
        },
      },
      {},
      ['slot_key /profile_schema/properties/constructor'],
    ],
    [
      'slot_type',
      { profile_schema: { properties: { name: { type: 'string' }, x: { type: 'date' } } } },
      {},
      ['slot_type /profile_schema/properties/x/type'],
    ],
    [
      'slot_keyword',
      { profile_schema: { properties: { name: { type: 'string', pattern: '(a+)+b' } } } },
      {},
      [
        'slot_keyword /profile_schema/properties/name/pattern',
        'unknown_slot /graph/nodes/first/slots/0/slot',
      ],
    ],
    [
      'slot_keyword',
      {
        profile_schema: {
          properties: {
            name: { type: 'string', enum: ['Ada', 'Bea'], default: 'Cleo' },
            many: { type: 'array', enum: ['a', 'b'] },
            size: { type: 'integer', maximum: 5, oneOf: [{ const: 5 }, { const: 6 }] },
            rate: { type: 'number', enum: [1, 2.5], default: 2.5 },
          },
        },
      },
      {},
      [
        'slot_keyword /profile_schema/properties/name/default',
        'slot_keyword /profile_schema/properties/many/enum',
        'slot_keyword /profile_schema/properties/size/oneOf',
      ],
    ],
  ]
  it.each(settings)('%s, of the record', (_code, subject, around, expected) =>
    expect(codesOf(good, subject, around)).toEqual(expected),
  )
})

describe('whatever is stored', () => {
  it.each([
    null,
    [],
    'graph',
    {},
    { schema: 1 },
    { schema: 1, start: 'a', nodes: {} },
    { schema: 1, start: '__proto__', nodes: { a: end } },
    { schema: 2, nodes: [] },
    { nodes: [null, 3, 'x'] },
    { nodes: { a: null } },
  ])('refuses %j without throwing', (stored) => {
    const { ok, errors } = validate({ ...SUBJECT, graph: stored }, AROUND)
    expect(ok).toBe(false)
    expect(errors.length).toBeGreaterThan(0)
  })

  it('checks 500 nodes in a loop of ways', () => {
    const nodes = Object.fromEntries(
      Array.from({ length: 499 }, (_, n) => [
        `n${n}`,
        ask([
          { id: 'next', to: n === 498 ? 'end' : `n${n + 1}`, on: 'done', when: 'profile.age > 3' },
          { id: 'back', to: `n${(n * 7) % 499}` },
        ]),
      ]),
    )
    expect(codesOf({ schema: 1, start: 'n0', nodes: { ...nodes, end } })).toEqual([])
  })
})

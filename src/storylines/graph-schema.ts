import type { Schema } from '@cfworker/json-schema'
import { EXIT_EVENTS, GRAPH_LIMITS, NODE_TYPES } from './graph'

const MAX_TEXT = 4000
/** Every object has a `constructor` already. */
export const KEY_PATTERN = '^(?!constructor$)[a-z][a-z0-9_]{0,47}$'
const key: Schema = { type: 'string', pattern: KEY_PATTERN }
const cel: Schema = { type: 'string', minLength: 1, maxLength: GRAPH_LIMITS.expressionLength }
const text: Schema = {
  anyOf: [
    { type: 'string', minLength: 1, maxLength: MAX_TEXT },
    {
      type: 'object',
      minProperties: 1,
      propertyNames: { pattern: '^[a-z]{2}(-[A-Z]{2})?$' },
      additionalProperties: { type: 'string', maxLength: MAX_TEXT },
    },
  ],
}
const assign: Schema = {
  type: 'object',
  maxProperties: 20,
  propertyNames: { $ref: '#/$defs/key' },
  additionalProperties: { $ref: '#/$defs/cel' },
}
const list = (items: Schema, maxItems: number): Schema => ({ type: 'array', maxItems, items })
const integer = (minimum: number, maximum: number): Schema => ({
  type: 'integer',
  minimum,
  maximum,
})
const strictObject = (properties: Record<string, Schema>, required: string[] = []): Schema => ({
  type: 'object',
  required,
  additionalProperties: false,
  properties,
})
const ref = (name: string): Schema => ({ $ref: `#/$defs/${name}` })

/** JSON Schema of graph format 1 (storyline-model, section 2). */
export const GRAPH_SCHEMA: Schema = {
  $id: 'storyline-graph-1',
  ...strictObject(
    {
      schema: { const: 1 },
      start: ref('key'),
      ui: { type: 'object' },
      nodes: {
        type: 'object',
        minProperties: 1,
        maxProperties: GRAPH_LIMITS.nodes,
        propertyNames: ref('key'),
        additionalProperties: ref('node'),
      },
      exits: list(ref('exit'), GRAPH_LIMITS.globalExits),
      trigger: strictObject({
        when: ref('cel'),
        examples: list({ type: 'string', maxLength: 200 }, 12),
      }),
      settings: strictObject({
        stall_days: integer(1, 365),
        offer_cooldown_days: integer(0, 365),
        digression: { enum: ['answer', 'steer'] },
      }),
    },
    ['schema', 'start', 'nodes'],
  ),
  $defs: {
    key,
    cel,
    text,
    assign,
    exit: strictObject(
      {
        id: ref('key'),
        to: ref('key'),
        label: { type: 'string', maxLength: 80 },
        on: { enum: [...EXIT_EVENTS] },
        when: ref('cel'),
        judge: { type: 'string', minLength: 8, maxLength: 300 },
        set: ref('assign'),
      },
      ['id', 'to'],
    ),
    node: strictObject(
      {
        type: { enum: [...NODE_TYPES] },
        title: { type: 'string', maxLength: 80 },
        milestone: { type: 'boolean' },
        ui: { type: 'object' },
        say: ref('text'),
        instructions: { type: 'string', maxLength: MAX_TEXT },
        knowledge_bases: { type: 'array', items: { type: 'string' } },
        tools: { type: 'array', items: { type: 'string' } },
        set: ref('assign'),
        clear: list(ref('key'), 12),
        exits: list(ref('exit'), GRAPH_LIMITS.exits),
        slots: {
          ...list(
            strictObject({ slot: ref('key'), ask: ref('text'), required: { type: 'boolean' } }, [
              'slot',
            ]),
            12,
          ),
          minItems: 1,
        },
        form: { type: 'boolean' },
        confirm: { type: 'boolean' },
        max_attempts: integer(1, 10),
        goal: { type: 'string', minLength: 8, maxLength: 1000 },
        extract: list(ref('key'), 12),
        min_turns: integer(0, 50),
        max_turns: integer(1, 100),
        tool: { type: 'string', maxLength: 128 },
        args: { type: 'object', maxProperties: 20, additionalProperties: ref('cel') },
        save: ref('assign'),
        timeout_s: integer(1, 60),
        minutes: integer(1, 129_600),
        until: ref('cel'),
        notify: list({ type: 'string', format: 'email' }, 5),
        outcome: ref('key'),
        result: { enum: ['completed', 'exited'] },
      },
      ['type'],
    ),
  },
}

import { describe, expect, it } from 'vitest'
import { conditionsFor } from '../../../../../src/storylines/conditions'
import { readSlots } from '../../../../../src/storylines/slots'
import {
  readRows,
  VARIABLES,
  type ValueType,
  writeRows,
} from '../../../../../src/web/console/storylines/model/conditions'
import {
  type SlotDefinition,
  slotsOf,
  valueTypeOf,
} from '../../../../../src/web/console/storylines/model/slots'

const SCHEMA = {
  type: 'object',
  properties: {
    need: { type: 'string' },
    size: { type: 'integer' },
    price: { type: 'number' },
    fixed: { type: 'boolean' },
    tags: { type: 'array', items: { type: 'string' } },
  },
}
const SLOTS = slotsOf(SCHEMA)
const typeOf = (variable: string): ValueType =>
  VARIABLES[variable] ?? valueTypeOf(SLOTS[variable.replace('profile.', '')] as SlotDefinition)
const conditions = conditionsFor(readSlots(SCHEMA).slots)
const scope = (profile: Record<string, never>) => ({
  profile,
  turn: { text: 'Hi', lang: 'en', images: 0, audio: false, count: 2 },
  node: { turns: 1, visits: 1, attempts: 0, seconds: 3 },
  user: { registered: true, lang: 'en', timezone: '', city: '' },
  tool: { ok: true, status: 200, data: null },
  now: 0,
})

describe('conditions as rows', () => {
  it.each([
    'profile.need == "sales"',
    'profile.need != "a \\"b\\" && c"',
    'profile.size < 20 && profile.fixed == true',
    'profile.price >= 2.5 || profile.price == 3.0 || has(profile.need)',
    '!has(profile.tags) || "vip" in profile.tags',
    'profile.need.contains("x") && node.visits < 3 && user.registered == true',
    'profile.size == -4',
    'turn.lang == "fr"',
  ])('are written as they were read, and mean the same to the server: %s', (text) => {
    const rows = readRows(text)
    expect(rows).not.toBeNull()
    if (!rows) return
    const written = writeRows(rows, typeOf)
    expect(written).toBe(text)
    expect(conditions.compileCondition(written).ok).toBe(true)
  })

  it('take a bare flag as true, and its denial as false', () => {
    const read = readRows('profile.fixed && !profile.fixed')
    expect(read?.rows.map((row) => row.literal)).toEqual([true, false])
    for (const [text, profile] of [
      ['profile.fixed', { fixed: true }],
      ['!profile.fixed', { fixed: false }],
    ] as const) {
      const rows = readRows(text)
      const written = rows ? writeRows(rows, typeOf) : ''
      const compiled = conditions.compileCondition(written)
      expect(compiled.ok && compiled.expression.run(scope(profile as never))).toEqual({
        ok: true,
        value: true,
      })
    }
  })

  it.each([
    'profile.size + 1 < 20',
    'profile.size < 20 && profile.fixed || profile.fixed',
    '(profile.size < 20)',
    'size(profile.need) > 3',
    'profile.size < node.turns',
    'profile.need.startsWith("a")',
    'turn.data == 1',
    'has(profile.need) == true',
    '!(profile.fixed)',
    '!profile.size < 2',
    "profile.need == 'single'",
    'profile.need == "a" ? true : false',
    'profile.need ==',
    '"a" in profile.tags == true',
    'profile.need == "\\x41"',
    'tool.data.outage',
    '1 < 2',
  ])('leave to text what rows cannot say: %s', (text) => {
    expect(readRows(text)).toBeNull()
  })

  it('write a number as its slot takes it', () => {
    const row = (variable: string, literal: string | number) =>
      writeRows({ join: 'all', rows: [{ variable, operator: '<', literal }] }, typeOf)
    expect(row('profile.price', 3)).toBe('profile.price < 3.0')
    expect(row('profile.size', '3.7')).toBe('profile.size < 3')
    expect(row('profile.size', '')).toBe('profile.size < 0')
    expect(readRows('')).toEqual({ join: 'all', rows: [] })
  })
})

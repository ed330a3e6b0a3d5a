import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { parseLax } from '../../../src/wire/parse-lax'
import { growsLinearly } from '../../support/grows'
import { fieldsOf, withField } from '../../support/request-fields'
import { keyOf, ROUTES } from '../../support/route-contract'

const Body = z.object({
  port: z.int().min(1).max(1000),
  ratio: z.number().nullable().optional(),
  on: z.boolean().optional(),
  name: z.string().optional(),
  list: z.array(z.object({ n: z.int() })).optional(),
  either: z.union([z.object({ a: z.int() }), z.array(z.boolean())]).optional(),
})

describe('parseLax', () => {
  it('reads 20,000 wrong members in one pass', async () => {
    const Named = z.object({ named: z.record(z.string(), z.object({ on: z.boolean() })) })
    const all = (size: number, on: unknown) => ({
      named: Object.fromEntries(Array.from({ length: size }, (_, n) => [`member ${n}`, { on }])),
    })
    const read = (size: number) => {
      const given = all(size, 'yes')
      expect(parseLax(Named, given).data).toEqual(all(size, true))
      expect(given).toEqual(all(size, 'yes'))
    }
    expect(await growsLinearly(20_000, read)).toBe(true)
  })

  it.each([
    [{ port: '587' }, { port: 587 }],
    [{ port: ' +5 ' }, { port: 5 }],
    [{ port: '5.0' }, { port: 5 }],
    [
      { port: 1, ratio: '.5' },
      { port: 1, ratio: 0.5 },
    ],
    [
      { port: 1, ratio: '-2.25' },
      { port: 1, ratio: -2.25 },
    ],
    [
      { port: 1, on: 'TRUE' },
      { port: 1, on: true },
    ],
    [
      { port: 1, on: 'off' },
      { port: 1, on: false },
    ],
    [
      { port: 1, on: '1' },
      { port: 1, on: true },
    ],
    [
      { port: 1, on: 0, either: [1, 0] },
      { port: 1, on: false, either: [true, false] },
    ],
    [
      { port: 1, name: 'true', list: [{ n: 1 }, { n: '2' }] },
      { port: 1, name: 'true', list: [{ n: 1 }, { n: 2 }] },
    ],
    [
      { port: 1, either: { a: '3' } },
      { port: 1, either: { a: 3 } },
    ],
    [
      { port: 1, either: ['yes', 'n'] },
      { port: 1, either: [true, false] },
    ],
  ])('%j', (input, expected) => {
    const before = structuredClone(input)
    expect(parseLax(Body, input).data).toEqual(expected)
    expect(input).toEqual(before)
  })

  it.each([
    [{ port: 'ten' }, ['port']],
    [{ port: '' }, ['port']],
    [{ port: '1e3' }, ['port']],
    [{ port: '0x10' }, ['port']],
    [{ port: '5.5' }, ['port']],
    [{ port: true }, ['port']],
    [{ port: '1001' }, ['port']],
    [{ port: 1, on: 'perhaps' }, ['on']],
    [{ port: 1, on: '2' }, ['on']],
    [{ port: 1, name: 7 }, ['name']],
    [{ port: '1', list: '2' }, ['list']],
  ])('refuses %j', (input, path) => {
    expect(parseLax(Body, input).error?.issues.map((issue) => issue.path)).toEqual([path])
  })
})

describe('every field of every route', () => {
  const fields = ROUTES.flatMap((route) =>
    fieldsOf(route, {}).map((field) => ({ route, field, name: field.path.join('.') })),
  )
  /** Whether the value does where it stands; what else is missing is no matter. */
  const takes = ({ route, field }: (typeof fields)[number], value: unknown): boolean => {
    if (field.in === 'query') {
      const result = route.query?.safeParse({ [field.path[0] ?? '']: value })
      return !result?.error?.issues.some((issue) => issue.path[0] === field.path[0])
    }
    if (!route.json) return true
    const { body } = withField({}, field, value)
    const issues = parseLax(route.json, body).error?.issues ?? []
    return !issues.some((issue) => issue.path.every((part, n) => String(part) === field.path[n]))
  }
  const typed = fields.filter(
    (field) => !takes(field, 'x') && takes(field, 1) !== takes(field, 'x'),
  )

  it('there are such', () => {
    expect(typed.length).toBeGreaterThan(20)
  })

  it.each([1, 16, 600, 2000, true, false])('that takes %j takes it as a text', (value) => {
    const strict = fields.filter((field) => takes(field, value) && !takes(field, String(value)))
    expect(strict.map(({ route, name }) => `${keyOf(route)} ${name}`)).toEqual([])
  })
})

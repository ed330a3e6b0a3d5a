import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { toIssues } from '../../../src/http/validate'

const short = z
  .string()
  .min(1)
  .refine((text) => text !== '', { error: 'a word' })
const Body = z.object({
  list: z.array(z.string()).max(2).optional(),
  word: short.optional(),
  both: z.union([z.literal('all'), z.array(short)], { error: 'all or a list' }).optional(),
  named: z.record(z.string().regex(/^[a-z]+$/, { error: 'small letters' }), z.string()).optional(),
})

const LIST = 'Input should be a valid list'
const STRING = 'Input should be a valid string'
const SHORT = 'String should have at least 1 character'

describe('toIssues', () => {
  it('tells of a hundred places at most', () => {
    const named = Object.fromEntries(Array.from({ length: 500 }, (_, n) => [`a${n}`, 'x']))
    const { error } = Body.safeParse({ named })
    expect(error?.issues.length).toBe(500)
    expect(toIssues(error?.issues ?? [], { named }, 'body')).toHaveLength(100)
  })

  it("tells a number beyond every integer of the field's own bound", () => {
    const K = z.object({ k: z.int().min(1).max(20) })
    const issuesOf = (k: number) => toIssues(K.safeParse({ k }).error?.issues ?? [], { k }, 'body')
    const most = 'Input should be less than or equal to 20'
    const least = 'Input should be greater than or equal to 1'
    expect(issuesOf(1e21)).toEqual([{ loc: ['body', 'k'], type: 'less_than_equal', msg: most }])
    expect(issuesOf(-1e21)).toEqual([
      { loc: ['body', 'k'], type: 'greater_than_equal', msg: least },
    ])
  })

  it.each([
    ['one for a place: the first', { list: 'xxx' }, [['list_type', ['list'], LIST]]],
    ['an empty word', { word: '' }, [['string_too_short', ['word'], SHORT]]],
    [
      'each place of its own',
      { list: [1, 2], word: 5 },
      [
        ['string_type', ['list', 0], STRING],
        ['string_type', ['list', 1], STRING],
        ['string_type', ['word'], STRING],
      ],
    ],
    [
      'no member of a union',
      { both: 5 },
      [['value_error', ['both'], 'Value error, all or a list']],
    ],
    [
      'a key, with its own reason',
      { named: { 'A b': 'x' } },
      [['value_error', ['named', 'A b'], 'Value error, small letters']],
    ],
  ])('tells %s', (_, body, expected) => {
    const parsed = Body.safeParse(body)
    const issues = parsed.success ? [] : toIssues(parsed.error.issues, body, 'body')
    expect(issues.toSorted((a, b) => (a.loc.join() < b.loc.join() ? -1 : 1))).toEqual(
      expected.map(([type, path, msg]) => ({ type, loc: ['body', ...(path ?? [])], msg })),
    )
  })
})

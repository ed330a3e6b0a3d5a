import { describe, expect, it } from 'vitest'
import type { Api } from '../../../../../src/web/console/api/create-api'
import { findReview } from '../../../../../src/web/console/reviews/find-review'
import { readNames } from '../../../../../src/web/console/users/read-names'

const PEOPLE = Array.from({ length: 450 }, (_, n) => ({
  id: `u${n}`,
  pref_name: `Person ${n}`,
  email: null,
  external_user_id: `x${n}`,
}))

/** Pages of a list, as the API gives them; what was asked for is noted. */
function pagesOf<T>(all: readonly T[], asked: unknown[]) {
  return (query: Parameters<Api['get']>[1] = {}) => {
    asked.push(query)
    const from = Number(query.cursor ?? 0)
    const to = from + Number(query.limit)
    return { rows: all.slice(from, to), next: to < all.length ? String(to) : null }
  }
}

describe('what the console finds beyond the first page', () => {
  it('names of people who were not active lately', async () => {
    const asked: unknown[] = []
    const page = pagesOf(PEOPLE, asked)
    const api = {
      get: async (_path: string, query?: Parameters<Api['get']>[1]) => {
        const { rows, next } = page(query)
        return { items: rows, next_cursor: next }
      },
    } as Pick<Api, 'get'>
    const { signal } = new AbortController()
    const names = await readNames(api, ['u3', 'u301'], signal)
    expect([names.get('u3'), names.get('u301')]).toEqual(['Person 3', 'Person 301'])
    expect(asked).toHaveLength(2)
    // Whoever is gone has no name, and nobody who is wanted is nobody asked for.
    expect((await readNames(api, ['gone'], signal)).has('gone')).toBe(false)
    expect(asked).toHaveLength(5)
    await readNames(api, [], signal)
    expect(asked).toHaveLength(5)
  })

  it('a review that is looked at again', async () => {
    const asked: unknown[] = []
    const reviews = Array.from({ length: 401 }, (_, n) => ({ id: `r${n}` }))
    const page = pagesOf(reviews, asked)
    const raw: Api['raw'] = async (_method, path, { query = {} } = {}) => {
      const { rows, next } = page(query)
      const link = `<${path}?cursor=${next}>; rel="next"`
      return Response.json(rows, next === null ? {} : { headers: { Link: link } })
    }
    const decided = { status: 'approved', kb_name: 'guides' } as const
    expect(await findReview({ raw }, { id: 'r400', ...decided })).toEqual({ id: 'r400' })
    expect(asked[2]).toEqual({ status: 'approved', kb: 'guides', limit: 200, cursor: '400' })
    expect(await findReview({ raw }, { id: 'gone', ...decided })).toBeNull()
  })
})

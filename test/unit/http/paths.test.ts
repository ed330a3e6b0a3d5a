import { describe, expect, it } from 'vitest'
import { compilePaths, literalFirst, routesAt } from '../../../src/http/paths'
import { ROUTES } from '../../../src/routes/table'

/** What a path's template says as a pattern, tried one after the other. */
const byPattern = (path: string) =>
  literalFirst(ROUTES).filter((route) =>
    [route.path, ...(route.also ?? [])].some((template) =>
      new RegExp(
        `^${template.replace(/[.*+?^$()|[\]\\]/g, '\\$&').replace(/\{\w+\}/g, '[^/]+')}$`,
      ).test(path),
    ),
  )

describe('the routes of a path', () => {
  const templates = ROUTES.flatMap((route) => [route.path, ...(route.also ?? [])])
  const paths = compilePaths(ROUTES)

  it('have no parameter that is a part of a segment', () => {
    expect(templates.filter((path) => !/^(?:\/(?:\{\w+\}|[^{}/]*))+$/.test(path))).toEqual([])
  })

  it('are those whose template it fits, in the order of the table', () => {
    const asked = templates.flatMap((template) => {
      const path = template.replace(/\{\w+\}/g, 'x')
      const empty = template.replace(/\{\w+\}/, '')
      return [path, `${path}/`, `/${path}`, empty, template, path.replace('.', '-')]
    })
    for (const path of new Set(asked)) expect(routesAt(paths, path), path).toEqual(byPattern(path))
  })
})

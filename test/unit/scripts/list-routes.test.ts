import { execFileSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { ROUTES } from '../../../src/routes/table'

describe('npm run -s routes', () => {
  it('prints METHOD, tab and path of every operation', () => {
    const output = execFileSync(process.execPath, ['scripts/list-routes.mjs'], { encoding: 'utf8' })
    const lines = output.trimEnd().split('\n')
    const served = ROUTES.flatMap((route) =>
      [route.path, ...(route.also ?? [])].map((path) => `${route.method}\t${path}`),
    )
    expect(lines).toEqual(served)
    expect(lines).toContain('POST\t/v1/agents/{name}/revisions/{rev_id}/restore')
    expect(lines).toContain('POST\t/chat')
  })
})

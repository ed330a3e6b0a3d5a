import { describe, expect, it } from 'vitest'
import { brokenWalls, type Import } from '../../../scripts/check-floors.mjs'

const walls = (...imports: [from: string, to: string][]) => {
  const edges: Import[] = imports.map(([from, to]) => ({ from, to }))
  return brokenWalls([...new Set(imports.flat())], edges)
}

describe('the walls of the house', () => {
  it('let a room import what stands below it, and its own floor', () => {
    expect(
      walls(
        ['src/index.ts', 'src/app.ts'],
        ['src/routes/me/spaces.ts', 'src/spaces/spaces.ts'],
        ['durable-objects/user-space/turns/turns.ts', 'src/chat/run-turn.ts'],
        ['src/spaces/spaces.ts', 'src/apps/apps.ts'],
        ['src/chat/run-turn.ts', 'src/chat/check.ts'],
      ),
    ).toEqual([])
  })

  it('report an import that leads up', () => {
    expect(walls(['src/db/client.ts', 'src/platform/files.ts'])).toEqual([
      'src/db/client.ts (floor 1) imports src/platform/files.ts (floor 2)',
    ])
  })

  it('report a cycle once, however long, and also within a room', () => {
    expect(
      walls(
        ['src/chat/a.ts', 'src/chat/b.ts'],
        ['src/chat/b.ts', 'src/chat/c.ts'],
        ['src/chat/c.ts', 'src/chat/a.ts'],
        ['src/chat/c.ts', 'src/chat/d.ts'],
      ),
    ).toEqual(['a cycle of imports: src/chat/a.ts → src/chat/b.ts → src/chat/c.ts'])
  })

  it('report pages that meet elsewhere than in the kit, and ones that take what runs on the server', () => {
    expect(
      walls(
        ['src/web/login/app.tsx', 'src/web/kit/net/storage.ts'],
        ['src/web/login/app.tsx', 'src/web/chat/i18n.ts'],
        ['src/web/kit/i18n.ts', 'src/web/chat/i18n.ts'],
        ['src/web/chat/i18n.ts', 'src/time.ts'],
        ['src/pages/login-page.ts', 'src/web/login/words.ts'],
      ).map((line) => line.split(':')[0]),
    ).toEqual([
      'src/web/login/app.tsx imports src/web/chat/i18n.ts',
      'src/web/kit/i18n.ts imports src/web/chat/i18n.ts',
      'src/web/chat/i18n.ts imports src/time.ts',
      'src/pages/login-page.ts imports src/web/login/words.ts',
    ])
  })

  it('report a folder that stands on no floor, importing or imported', () => {
    const line = 'src/helpers/x.ts stands on no floor: name its folder in scripts/check-floors.mjs'
    expect(walls(['src/helpers/x.ts', 'src/time.ts'])).toEqual([line])
    expect(walls(['src/app.ts', 'src/helpers/x.ts'])).toEqual([line])
  })
})

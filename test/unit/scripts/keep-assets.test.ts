import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { keepAssets } from '../../../scripts/keep-assets.mjs'

const BASE = 'https://chat.example.com'
const DAY_MS = 24 * 60 * 60 * 1000
const folders: string[] = []

afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true })
})

/** What a build leaves. */
function built(...names: string[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'parley-assets-'))
  folders.push(folder)
  for (const name of [...names, 'manifest.json']) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), name)
  }
  return folder
}

/** What a deployment of this folder serves. */
const serving = (folder: string | null) => async (url: string | URL | Request) => {
  const name = String(url).replace(`${BASE}/assets/`, '')
  if (folder === null) throw new TypeError('fetch failed')
  if (!existsSync(join(folder, name))) return new Response('', { status: 404 })
  return new Response(readFileSync(join(folder, name)))
}

describe('a page that was opened before a deployment', () => {
  it('finds its files in the next ones, until nobody has it open any more (#14.1)', async () => {
    const first = built('chunk-AAAAAAAA.js', 'locale-en-11111111.json')
    await keepAssets({ base: BASE, folder: first, fetch: serving(built()), now: 0 })
    const second = built('chunk-BBBBBBBB.js', 'locale-en-11111111.json')
    const kept = await keepAssets({
      base: BASE,
      folder: second,
      fetch: serving(first),
      now: 3 * DAY_MS,
    })
    expect(kept).toEqual({ added: 1, lack: null })
    expect(readFileSync(join(second, 'chunk-AAAAAAAA.js'), 'utf8')).toBe('chunk-AAAAAAAA.js')
    const third = built('chunk-CCCCCCCC.js')
    await keepAssets({ base: BASE, folder: third, fetch: serving(second), now: 15 * DAY_MS })
    expect(readdirSync(third).sort()).toEqual([
      'chunk-BBBBBBBB.js',
      'chunk-CCCCCCCC.js',
      'kept.json',
      'locale-en-11111111.json',
      'manifest.json',
    ])
  })

  it('the console finds its late parts too, which have a folder of their own (#14.1)', async () => {
    const first = built('console/chunk-AAAAAAAA.js', 'docs/reference-AAAAAAAA.js')
    await keepAssets({ base: BASE, folder: first, fetch: serving(built()), now: 0 })
    const second = built('chunk-BBBBBBBB.js')
    const kept = await keepAssets({ base: BASE, folder: second, fetch: serving(first), now: 1 })
    expect(kept).toEqual({ added: 1, lack: null })
    expect(readdirSync(second, { recursive: true }).sort()).toEqual([
      'chunk-BBBBBBBB.js',
      'console',
      'console/chunk-AAAAAAAA.js',
      'kept.json',
      'manifest.json',
    ])
  })

  it.each([
    ['nobody knows where it is', '', built],
    ['it keeps none', BASE, built],
    ['it does not answer', BASE, () => null],
  ])('a deployment goes on where %s, and says so', async (_why, base, former) => {
    const folder = built('chunk-AAAAAAAA.js')
    const kept = await keepAssets({ base, folder, fetch: serving(former()), now: DAY_MS })
    expect(kept.added).toBe(0)
    expect(kept.lack).not.toBe(null)
    expect(JSON.parse(readFileSync(join(folder, 'kept.json'), 'utf8'))).toEqual({
      deployments: [{ at: new Date(DAY_MS).toISOString(), files: ['chunk-AAAAAAAA.js'] }],
    })
  })

  it.each([
    '{',
    '{"deployments":{}}',
    '{"deployments":[{"at":1}]}',
    '{"deployments":[{"at":"1970-01-01T12:00:00Z","files":["../../wrangler.toml"]}]}',
    '{"deployments":[{"at":"1970-01-01T12:00:00Z","files":["console/../../x-AAAAAAAA.js"]}]}',
  ])('takes no other name from a list that is damaged: %s', async (list) => {
    const former = built()
    writeFileSync(join(former, 'kept.json'), list)
    const folder = built('chunk-AAAAAAAA.js')
    const kept = await keepAssets({ base: BASE, folder, fetch: serving(former), now: DAY_MS })
    expect(kept.added).toBe(0)
    expect(readdirSync(folder).sort()).toEqual(['chunk-AAAAAAAA.js', 'kept.json', 'manifest.json'])
  })
})

import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { keepAssets } from '../../../scripts/keep-assets.mjs'
import { COMPILE_CACHE } from '../../../scripts/run-script.mjs'
import { CloudflareApi } from '../../support/cloudflare-api'

const WRANGLER = resolve('node_modules/wrangler/bin/wrangler.js')
const DAY_MS = 24 * 60 * 60 * 1000
const cloudflare = new CloudflareApi()
let root = ''

beforeAll(async () => {
  await cloudflare.start()
  root = mkdtempSync(join(tmpdir(), 'parley-deploy-'))
  writeFileSync(join(root, 'index.js'), 'export default { fetch: () => new Response("") }')
  writeFileSync(
    join(root, 'wrangler.toml'),
    'name = "parley"\nmain = "index.js"\ncompatibility_date = "2026-11-01"\nworkers_dev = false\n[assets]\ndirectory = "./public"\n',
  )
})
afterAll(async () => {
  await cloudflare.stop()
  rmSync(root, { recursive: true })
})

/** A build, what is kept beside it, and the deployment by wrangler itself. */
async function deploy(day: number, ...names: string[]) {
  const folder = join(root, 'public/assets')
  rmSync(join(root, 'public'), { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  for (const name of names) writeFileSync(join(folder, name), `the code of ${name}`)
  const kept = await keepAssets({ base: cloudflare.origin, folder, now: day * DAY_MS })
  const before = cloudflare.uploaded.length
  const { code, said } = await new Promise<{ code: unknown; said: string }>((done) => {
    execFile(
      process.execPath,
      [WRANGLER, 'deploy', '--no-bundle'],
      {
        cwd: root,
        env: {
          ...process.env,
          ...cloudflare.env,
          WRANGLER_SEND_METRICS: 'false',
          CI: '1',
          NODE_COMPILE_CACHE: COMPILE_CACHE,
        },
      },
      (error, out, wrong) => done({ code: error?.code ?? 0, said: `${out}${wrong}` }),
    )
  })
  return { kept, code, said, uploads: cloudflare.uploaded.length - before }
}

const read = async (name: string) => {
  const response = await fetch(`${cloudflare.origin}/assets/${name}`)
  return response.ok ? response.text() : response.status
}

it('an open page finds its files through deployments by wrangler: planned, uploaded, broken off and repeated (#14.1)', {
  timeout: 180_000,
}, async () => {
  const first = await deploy(0, 'chunk-AAAAAAAA.js', 'chunk-SAMESAME.js')
  expect(first, first.said).toMatchObject({ code: 0, uploads: 3 })
  expect(first.kept).toEqual({ added: 0, lack: `${cloudflare.origin} names none` })

  // Only what is new goes up: the second build's own file and the list.
  const second = await deploy(3, 'chunk-BBBBBBBB.js', 'chunk-SAMESAME.js')
  expect(second, second.said).toMatchObject({ code: 0, uploads: 2 })
  expect(second.kept).toEqual({ added: 1, lack: null })
  expect(await read('chunk-AAAAAAAA.js')).toBe('the code of chunk-AAAAAAAA.js')
  expect(await read('chunk-BBBBBBBB.js')).toBe('the code of chunk-BBBBBBBB.js')

  // Broken off before the new deployment stands: pages go on with the one that does.
  cloudflare.breaks = { call: 'PUT /workers/scripts/parley', times: 100 }
  const broken = await deploy(4, 'chunk-CCCCCCCC.js')
  expect(broken.code).not.toBe(0)
  cloudflare.breaks = { call: '', times: 0 }
  expect(await read('chunk-CCCCCCCC.js')).toBe(404)
  expect(await read('chunk-BBBBBBBB.js')).toBe('the code of chunk-BBBBBBBB.js')

  // Repeated: what was uploaded stays uploaded, and the attempt that broke is no deployment.
  const again = await deploy(4, 'chunk-CCCCCCCC.js')
  expect(again, again.said).toMatchObject({ code: 0, uploads: 0 })
  expect(again.kept).toEqual({ added: 3, lack: null })
  expect(cloudflare.served).toEqual(
    ['AAAAAAAA', 'BBBBBBBB', 'CCCCCCCC', 'SAMESAME']
      .map((hash) => `/assets/chunk-${hash}.js`)
      .concat('/assets/kept.json'),
  )

  // Deployments of more than two weeks ago are no longer carried along.
  const last = await deploy(16, 'chunk-DDDDDDDD.js')
  expect(last, last.said).toMatchObject({ code: 0, uploads: 2 })
  expect(await read('chunk-AAAAAAAA.js')).toBe(404)
  expect(await read('chunk-BBBBBBBB.js')).toBe('the code of chunk-BBBBBBBB.js')
})

it('an upload that stumbles is tried again by wrangler, and the deployment is whole (#14.1)', {
  timeout: 60_000,
}, async () => {
  cloudflare.breaks = { call: 'POST /workers/assets/upload', times: 1 }
  const { code, said } = await deploy(17, 'chunk-EEEEEEEE.js')
  expect({ code, left: cloudflare.breaks.times }, said).toEqual({ code: 0, left: 0 })
  expect(await read('chunk-EEEEEEEE.js')).toBe('the code of chunk-EEEEEEEE.js')
  expect(await read('chunk-DDDDDDDD.js')).toBe('the code of chunk-DDDDDDDD.js')
})

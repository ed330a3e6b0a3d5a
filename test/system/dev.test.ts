import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { readVars } from '../../scripts/dev-secrets.mjs'
import { isPortFree } from '../../scripts/local-server.mjs'
import { ROOT } from '../support/build-once'
import { waitFor } from '../support/seed'

const START_MS = 120_000
const folders: string[] = []
const started: ChildProcess[] = []

afterEach(async () => {
  for (const child of started.splice(0)) await end(child)
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})

const newState = () => {
  const folder = mkdtempSync(join(tmpdir(), 'parley-dev-'))
  folders.push(folder)
  return folder
}

/** Below those that the system gives to who asks for any: what is free stays so until the started process takes it. */
let latestPort = 20_000 + (process.pid % 10_000)
async function freePort(): Promise<number> {
  do latestPort += 1
  while (!(await isPortFree(latestPort)))
  return latestPort
}

interface Dev {
  child: ChildProcess
  origin: string
  lines: string[]
  /** The exit code, once it ended. */
  ended: Promise<number | null>
  /** Resolves once all was read of what it said, which may be after its end. */
  read: Promise<unknown>
}

/** `npm run dev` as a process of its own. */
async function dev(state: string, wanted?: number): Promise<Dev> {
  const port = wanted ?? (await freePort())
  const child = spawn(
    process.execPath,
    ['scripts/dev.mjs', '--port', String(port), '--persist-to', state],
    { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'] },
  )
  started.push(child)
  const lines: string[] = []
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (text: string) => lines.push(...text.split('\n')))
  const ended = new Promise<number | null>((done) => child.once('exit', (code) => done(code)))
  const read = new Promise((done) => child.once('close', done))
  return { child, origin: `http://127.0.0.1:${port}`, lines, ended, read }
}

async function ready(run: Dev): Promise<void> {
  const welcome = new Promise<void>((done) => {
    run.child.stdout?.on('data', () => {
      if (run.lines.some((line) => line.includes('Ctrl-C'))) done()
    })
  })
  const code = await Promise.race([welcome, run.ended])
  expect([code, run.lines]).toEqual([undefined, run.lines])
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = new Promise((done) => child.once('exit', done))
  child.kill('SIGINT')
  await gone
}

const spoken = (run: Dev) => run.lines.filter((line) => line.trim() !== '')

describe('npm run dev', () => {
  it(
    'says what it does and the six lines that matter, answers, and ends with Ctrl-C; the next start goes on (#8.23)',
    async () => {
      const state = newState()
      const first = await dev(state)
      await ready(first)
      // Two more where the pages and the Worker are built.
      expect(spoken(first).length).toBeLessThanOrEqual(13)
      const welcome = spoken(first).slice(-6)
      expect(welcome.map((line) => line.slice(2, 15).trim())).toEqual([
        'Agent page',
        'Console',
        'Tenant',
        'API key',
        'First call',
        'Ctrl-C',
      ])
      const builds = join(ROOT, '.wrangler/builds')
      const { ADMIN_TOKEN = '' } = readVars(join(ROOT, '.dev.vars'))
      expect(ADMIN_TOKEN.length).toBeGreaterThan(32)
      expect(readdirSync(builds).length).toBeGreaterThan(0)
      for (const build of readdirSync(builds))
        expect(readFileSync(join(builds, build, 'worker.json'), 'utf8')).not.toContain(ADMIN_TOKEN)
      const key = /pk_\S+/.exec(welcome[3] ?? '')?.[0] ?? ''
      const answer = await ask(first.origin, key)
      expect([answer.status, answer.json.sources.length > 0]).toEqual([200, true])
      const person = {
        tenant_id: /[\da-f-]{36}/.exec(welcome[2] ?? '')?.[0],
        email: 'a@dev.example',
      }
      const registered = await fetch(`${first.origin}/auth/register`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ ...person, password: 'correct horse battery' }),
      })
      expect(registered.status).toBe(200)
      await waitFor(async () => first.lines.find((line) => line.includes('/login/demo#')) ?? null)
      expect(first.lines.join('\n')).toContain(`${first.origin}/login/demo#verify=`)
      expect(first.lines.join('\n')).not.toContain('NOSENTRY')
      expect(readFileSync(join(state, '.gitignore'), 'utf8')).toBe('*\n')
      expect(runReadme('A first conversation', { origin: first.origin, state })).toContain(
        '"finish_reason":"stop"',
      )
      const told = runReadme('Your own agent', { origin: first.origin, state, key })
      expect(told).toContain('"reply":"Goods can be returned within 30 days. [1]"')
      expect((await fetch(`${first.origin}/a/demo/clerk`)).status).toBe(200)
      await end(first.child)
      await expect(fetch(first.origin)).rejects.toThrow()

      const second = await dev(state)
      await ready(second)
      expect(spoken(second).slice(-3, -2)).toEqual([welcome[3]])
      expect(spoken(second).join()).not.toMatch(/building|migrations|guides (?:loaded|ready)/)
      expect((await ask(second.origin, key)).status).toBe(200)
    },
    2 * START_MS,
  )

  it(
    'a killed one leaves a runtime that serves its data; the next start ends it and goes on at the same port',
    async () => {
      const state = newState()
      const first = await dev(state)
      await ready(first)
      first.child.kill('SIGKILL')
      await first.ended
      const next = await dev(state, Number(new URL(first.origin).port))
      await ready(next)
      expect(spoken(next)[0]).toContain('ended what a killed start had left running')
      expect(spoken(next).slice(-3, -2)).toEqual(spoken(first).slice(-3, -2))
    },
    2 * START_MS,
  )

  it(
    'two from one clone leave each other alone; with the same data the second says where the first runs (#8.8)',
    async () => {
      const state = newState()
      const first = await dev(state)
      await ready(first)
      const before = [...first.lines]

      const second = await dev(newState())
      await ready(second)
      const third = await dev(state)
      expect(await third.ended).toBe(1)
      await third.read
      expect(spoken(third)).toEqual([
        expect.stringContaining(`Parley already runs with this data: ${first.origin}.`),
      ])
      expect(first.lines).toEqual(before)
      for (const { origin } of [first, second])
        expect((await fetch(`${origin}/readyz`)).status).toBe(200)
    },
    2 * START_MS,
  )

  it('names what it does not take', async () => {
    const child = spawn(process.execPath, ['scripts/dev.mjs', '--remote'], { cwd: ROOT })
    let text = ''
    child.stderr.setEncoding('utf8').on('data', (part: string) => {
      text += part
    })
    expect(await new Promise((done) => child.once('close', done))).toBe(1)
    expect(text).toContain('--remote: npm run dev takes --port, --ip and --persist-to.')
  })
})

/** Runs the shell lines of a section of the README exactly as written, but for the port. */
function runReadme(
  section: string,
  { origin, state, key }: { origin: string; state: string; key?: string },
): string {
  const readme = readFileSync(join(ROOT, 'README.md'), 'utf8')
  const part = readme.split('\n## ').find((text) => text.startsWith(section)) ?? ''
  const blocks = [...part.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, lines]) => lines)
  const script = blocks
    .join('\n')
    .replaceAll('http://127.0.0.1:8787', origin)
    .replaceAll('./.wrangler/state', state)
  return execFileSync('sh', ['-ec', script], {
    cwd: state,
    env: { ...process.env, KEY: key },
    encoding: 'utf8',
  })
}

async function ask(origin: string, key: string) {
  const answer = await fetch(`${origin}/v1/chat`, {
    method: 'POST',
    headers: { 'x-api-key': key, 'x-end-user': 'me', 'content-type': 'application/json' },
    body: JSON.stringify({ message: 'How do I start Parley on my own machine?' }),
  })
  const json = (await answer.json()) as { sources: unknown[] }
  return { status: answer.status, json }
}

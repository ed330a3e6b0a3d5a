import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { endLeftRuntime } from '../../../scripts/left-runtime.mjs'

const state = mkdtempSync(join(tmpdir(), 'parley-left-'))
const file = join(state, 'parley-runtime.json')
afterEach(() => rmSync(file, { force: true }))

describe('a runtime that a killed start left', () => {
  it('is ended once, and only where the very command still runs under its number', async () => {
    const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'])
    await once(child, 'spawn')
    const ended = once(child, 'exit')
    const command = child.spawnargs.join(' ')
    const note = (noted: object) => writeFileSync(file, JSON.stringify(noted))

    expect(await endLeftRuntime(state)).toBe(false)
    note({ pid: child.pid, command: `${command} --another` })
    expect(await endLeftRuntime(state)).toBe(false)
    expect([child.exitCode, child.signalCode, existsSync(file)]).toEqual([null, null, false])

    note({ pid: child.pid, command })
    expect(await endLeftRuntime(state)).toBe(true)
    expect(await ended).toEqual([null, 'SIGKILL'])
    expect(await endLeftRuntime(state)).toBe(false)
    note({ pid: child.pid, command })
    expect(await endLeftRuntime(state)).toBe(false)
  })
})

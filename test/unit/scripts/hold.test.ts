import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { hold, waitToHold } from '../../../scripts/hold.mjs'

describe('holding a folder', () => {
  it('the second is told what the first says of itself at that moment, and gets it once the first lets go', async () => {
    const thing = `/state/${randomUUID()}`
    let words = 'still starting'
    const first = await hold(thing, () => words)
    expect(first.holder).toBeUndefined()
    expect(await hold(thing)).toEqual({ holder: 'still starting' })
    words = 'http://127.0.0.1:8787'
    expect(await hold(thing)).toEqual({ holder: words })
    const other = await hold(`${thing}-2`)
    expect(other.holder).toBeUndefined()

    await first.release?.()
    const next = await hold(thing)
    expect(next.holder).toBeUndefined()
    await Promise.all([next.release?.(), other.release?.()])
  })

  it('those that wait for it get it one after another, and each is told once that it waits', async () => {
    const thing = `/state/${randomUUID()}`
    const first = await waitToHold(thing)
    const waits: string[] = []
    const held: string[] = []
    const others = ['a', 'b'].map(async (name) => {
      const release = await waitToHold(thing, () => waits.push(name))
      held.push(name)
      expect(await hold(thing)).toEqual({ holder: '' })
      held.push(name)
      await release()
    })
    await expect.poll(() => waits.toSorted()).toEqual(['a', 'b'])
    expect(held).toEqual([])
    await first()
    await Promise.all(others)
    expect([held[0], held[2]]).toEqual([held[1], held[3]])
    expect(held.toSorted()).toEqual(['a', 'a', 'b', 'b'])
    expect(waits).toHaveLength(2)
  })

  it('of processes that reach for it at the same moment one gets it', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'hold-'))
    const script = `
      import { mkdirSync, rmdirSync } from 'node:fs'
      import { hold } from '${new URL('../../../scripts/hold.mjs', import.meta.url)}'
      for (let i = 0; i < 1000; i++) {
        const { release } = await hold('${folder}')
        if (!release) continue
        mkdirSync('${folder}/held')
        await new Promise(setImmediate)
        rmdirSync('${folder}/held')
        await release()
      }`
    const children = [1, 2, 3].map(() =>
      spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: 'inherit' }),
    )
    const exits = await Promise.all(children.map((child) => once(child, 'exit')))
    await rm(folder, { recursive: true })
    expect(exits.map(([code]) => code)).toEqual([0, 0, 0])
  })

  it('one that was killed holds nothing', async () => {
    const thing = `/state/${randomUUID()}`
    const script = `
      import { hold, waitToHold } from '${new URL('../../../scripts/hold.mjs', import.meta.url)}'
      await hold('${thing}', () => 'the killed one')
      console.log('held')
      setInterval(() => {}, 1000)`
    const child = spawn(process.execPath, ['--input-type=module', '-e', script])
    await once(child.stdout, 'data')
    expect(await hold(thing)).toEqual({ holder: 'the killed one' })
    child.kill('SIGKILL')
    await once(child, 'exit')
    const next = await hold(thing)
    expect(next.holder).toBeUndefined()
    await next.release?.()
  })
})

import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
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

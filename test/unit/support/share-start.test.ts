import { expect, it } from 'vitest'
import { type Parley, shareStart } from '../../support/harness'

it('gives all who ask the same start, and after one that failed another', async () => {
  const starts = [Promise.reject(new Error('no port')), Promise.resolve({} as Parley)]
  let begun = 0
  const shared = shareStart(() => starts[begun++] as Promise<Parley>)
  const first = [shared(), shared()]
  for (const one of first) await expect(one).rejects.toThrow('no port')
  expect(await shared()).toBe(await shared())
  expect(begun).toBe(2)
})

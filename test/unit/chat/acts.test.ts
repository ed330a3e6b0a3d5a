import { expect, it } from 'vitest'
import { Acts } from '../../../src/chat/acts'
import { LIMITS } from '../../../src/config/limits'
import { byteLength, OBJECT_LIMITS } from '../../../src/config/platform-limits'

const make = async (acts: Acts, n: number, text: string) => {
  const { id } = acts.name('mcp:shop/order', { n })
  const call = async () => ({ ok: true as const, text })
  return acts.once({ id, reference: 'mcp:shop/order', args: { n } }, call)
}

it('what a turn’s calls gave fits into the row of its reply, however many and long', async () => {
  const acts = new Acts('turn', async () => [])
  const text = '发'.repeat(50_000)
  const calls = LIMITS.toolSteps * LIMITS.toolCalls
  for (let n = 0; n < calls; n++) expect(await make(acts, n, text)).toEqual({ ok: true, text })
  expect(acts.all.map(({ result }) => result?.text.length).slice(0, 2)).toEqual([16_000, 16_000])
  expect(acts.all.every(({ result }) => (result?.text.length ?? 0) >= 1000)).toBe(true)
  // Base64 of what is sealed; the words of the reply and its sources take less than the other third.
  const sealed = byteLength(JSON.stringify(acts.all)) * (4 / 3)
  expect(sealed).toBeLessThan((OBJECT_LIMITS.rowBytes * 2) / 3)
})

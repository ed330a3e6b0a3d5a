import { expect, it } from 'vitest'
import type { DocumentRow } from '../../../src/db/tables/knowledge'
import { chunkOriginal } from '../../../src/jobs/chunk-original'

/** @returns how many files were held at once, at most, when four were read together. */
async function heldAtOnce(sizeBytes: number): Promise<number> {
  let held = 0
  let most = 0
  const get = async () => {
    most = Math.max(most, ++held)
    return {
      arrayBuffer: async () => {
        await new Promise((done) => setTimeout(done))
        held--
        return new TextEncoder().encode('# Refunds\n\nWithin 14 days.').buffer
      },
    }
  }
  const env = { FILES: { get } } as unknown as Env
  const row = { name: 'refunds.md', kind: 'md', sizeBytes } as DocumentRow
  const read = await Promise.all(Array.from({ length: 4 }, () => chunkOriginal(env, row)))
  expect(read).toEqual(Array(4).fill(expect.objectContaining({ ok: true, title: 'Refunds' })))
  return most
}

// A message batch holds four jobs, and an isolate 128 MB: /workers/platform/limits.
it('large files are read one after the other, small ones together', async () => {
  expect([await heldAtOnce(1024 * 1024), await heldAtOnce(1000)]).toEqual([1, 4])
})

import { describe, expect, it } from 'vitest'
import { BeyondPlatform } from '../../../src/config/platform-limits'
import { deleteFiles, removeFiles, storeFile } from '../../../src/platform/files'

/** A bucket that takes any number of keys, and notes how many came at once. */
function openBucket(keys: string[] = []) {
  const stored = new Set(keys)
  const deleted: number[] = []
  const bucket = {
    put: async (key: string) => void stored.add(key),
    delete: async (some: string[]) => {
      deleted.push(some.length)
      for (const key of some) stored.delete(key)
    },
    list: async ({ limit }: { limit: number }) => ({
      objects: [...stored].slice(0, limit).map((key) => ({ key })),
      truncated: stored.size > limit,
    }),
  }
  return { bucket: bucket as unknown as R2Bucket, stored, deleted }
}
const keys = (count: number) => Array.from({ length: count }, (_, n) => `k${n}`)

describe('the object store', () => {
  it('gets keys of at most 1,024 bytes', async () => {
    const { bucket, stored } = openBucket()
    await storeFile(bucket, 'é'.repeat(512), '')
    await expect(storeFile(bucket, `${'é'.repeat(512)}x`, '')).rejects.toThrow(BeyondPlatform)
    expect(stored.size).toBe(1)
  })

  it('is told to delete at most 1,000 keys at once', async () => {
    const { bucket, deleted, stored } = openBucket(keys(2001))
    await deleteFiles(bucket, keys(1000))
    await deleteFiles(bucket, keys(2001))
    await deleteFiles(bucket, [])
    expect(deleted).toEqual([1000, 1000, 1000, 1])
    expect(stored.size).toBe(0)
  })

  it('is emptied below a prefix, a listing at a time', async () => {
    const { bucket, stored } = openBucket(keys(2001))
    expect(await removeFiles(bucket, 'k')).toBe(true)
    expect(stored.size).toBe(0)
  })
})

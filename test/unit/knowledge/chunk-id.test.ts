import { describe, expect, it } from 'vitest'
import { chunkId, chunkIdPrefix, parseChunkId } from '../../../src/knowledge/chunk-id'

describe('chunk ids', () => {
  it('are stable, look like UUIDs, fit a vector index and lead back to the number', async () => {
    const prefix = await chunkIdPrefix('base', 'document', 'version')
    expect(prefix).toBe(await chunkIdPrefix('base', 'document', 'version'))
    const id = chunkId(prefix, 1_000_000)
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/)
    expect(new TextEncoder().encode(id).length).toBeLessThanOrEqual(64)
    expect(parseChunkId(id)).toEqual({ prefix, n: 1_000_000 })
  })

  it('differ between bases, documents and versions', async () => {
    const prefixes = await Promise.all([
      chunkIdPrefix('b', 'd', 'v'),
      chunkIdPrefix('b2', 'd', 'v'),
      chunkIdPrefix('b', 'd2', 'v'),
      chunkIdPrefix('b', 'd', 'v2'),
    ])
    expect(new Set(prefixes).size).toBe(4)
  })

  it('of any other form are none', () => {
    expect(parseChunkId('')).toBeNull()
    expect(parseChunkId('0190b0f0-0000-7000-8000-000000000000')).toBeNull()
    expect(parseChunkId("x' OR 1=1")).toBeNull()
  })
})

import { afterEach, describe, expect, it, vi } from 'vitest'
import { SealError } from '../../../../src/platform/crypto/field'
import { readSealed } from '../../../../src/platform/crypto/read-sealed'

describe('readSealed', () => {
  afterEach(() => vi.restoreAllMocks())

  it('says once in the log where something does not open, and nothing of what it is', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
    const place = ['tenant', 'user', 'space', 'messages', 'body', 'row']
    const open = () => Promise.reject(new SealError('mismatch'))
    expect(await readSealed(place, open)).toBeNull()
    expect(await readSealed(place, open)).toBeNull()
    expect(await readSealed([...place.slice(0, -1), 'other'], open)).toBeNull()
    expect(warn.mock.calls.map(([line]) => JSON.parse(String(line)))).toEqual(
      ['row', 'other'].map((row) => ({
        level: 'warn',
        component: 'seal',
        event: 'unreadable',
        tenant_id: 'tenant',
        user_id: 'user',
        space_id: 'space',
        table: 'messages',
        column: 'body',
        row,
        reason: 'mismatch',
      })),
    )
  })

  it('passes on what opens, and every other failure', async () => {
    expect(await readSealed(['t'], () => Promise.resolve('words'))).toBe('words')
    const failure = new Error('no storage')
    await expect(readSealed(['t'], () => Promise.reject(failure))).rejects.toBe(failure)
  })
})

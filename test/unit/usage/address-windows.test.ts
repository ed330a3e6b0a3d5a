import { describe, expect, it } from 'vitest'
import { AddressWindows } from '../../../durable-objects/tenant-meter/address-windows'
import { NodeStorage } from '../../support/node-object'

const HOUR_MS = 3_600_000
const NOW = Date.parse('2026-11-10T12:00:00Z')
const BRIEF = { name: 'opening', limit: 2, windowS: 60 }
const LONG = { name: 'login', limit: 2, windowS: 900 }

describe('rate windows of an address', () => {
  const start = (storage = new NodeStorage()) => ({
    storage,
    tables: () => storage.db.prepare('SELECT name FROM sqlite_schema').all().length,
    windows: new AddressWindows(storage.open(() => {})),
  })

  it('counts a brief one without storing anything', async () => {
    const { storage, tables, windows } = start()
    const taken = []
    for (let n = 0; n < 3; n++) taken.push((await windows.take([BRIEF], NOW + n)).ok)
    expect(taken).toEqual([true, true, false])
    expect([tables(), storage.alarm]).toEqual([0, null])
  })

  it('keeps a long one over a new start of its object, and gives its storage back a day after the last', async () => {
    const { storage, tables, windows } = start()
    await windows.take([LONG], NOW)
    const again = start(storage)
    expect((await again.windows.take([LONG], NOW + 1)).ok).toBe(true)
    expect((await again.windows.take([LONG], NOW + 2)).ok).toBe(false)

    const [first, later] = [NOW + 24 * HOUR_MS, NOW + 23 * HOUR_MS]
    expect(storage.alarm).toBe(first)
    await again.windows.take([LONG], later)
    await again.windows.alarm(first)
    expect(storage.alarm).toBe(first + 24 * HOUR_MS)
    await again.windows.alarm(first + 24 * HOUR_MS)
    expect([tables(), storage.alarm]).toEqual([0, null])
    expect((await again.windows.take([LONG], first + 24 * HOUR_MS)).ok).toBe(true)
    expect(tables()).toBeGreaterThan(0)
  })
})

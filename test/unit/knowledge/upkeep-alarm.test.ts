import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { UpkeepAlarm } from '../../../durable-objects/knowledge-base/upkeep-alarm'
import { KNOWLEDGE, SECOND_MS } from '../../../src/config/limits'
import { NodeStorage } from '../../support/node-object'

const DELAY = KNOWLEDGE.upkeepDelayMs

function openAlarm() {
  const stored = new NodeStorage()
  const storage = stored.open(() => undefined)
  const set = vi.spyOn(storage, 'setAlarm')
  return { alarm: new UpkeepAlarm(storage), stored, set }
}

describe('the alarm of a base', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: 1_000_000 }))
  afterEach(() => void vi.useRealTimers())

  it('is set once for many changes, and upkeep waits for the last of them', async () => {
    const { alarm, stored, set } = openAlarm()
    const first = Date.now() + DELAY
    for (let i = 0; i < 10; i++) {
      await alarm.changed()
      vi.setSystemTime(Date.now() + 100)
    }
    expect(set.mock.calls).toEqual([[first]])
    vi.setSystemTime(first)
    expect(await alarm.fired()).toBe(false)
    expect(stored.alarm).toBe(first + 900)
    vi.setSystemTime(first + 900)
    expect(await alarm.fired()).toBe(true)
    expect(set).toHaveBeenCalledTimes(2)
  })

  it('comes earlier where it would come too late for a change, and again where it is overdue', async () => {
    const { alarm, stored } = openAlarm()
    await alarm.set(Date.now() + DELAY + SECOND_MS)
    await alarm.changed()
    expect(stored.alarm).toBe(Date.now() + DELAY)
    vi.setSystemTime(Date.now() + DELAY + 1)
    await alarm.changed()
    expect(stored.alarm).toBe(Date.now() + DELAY)
  })

  it('that fires for an instance which set none is due', async () => {
    expect(await openAlarm().alarm.fired()).toBe(true)
  })
})

import { describe, expect, it } from 'vitest'
import { Alarm } from '../../../durable-objects/user-space/core/alarm'
import { NodeStorage } from '../../support/node-object'

const LATER = Date.now() + 60_000

function setUp() {
  const stored = new NodeStorage()
  return { stored, alarm: new Alarm(stored.open(() => {})) }
}

describe('the one alarm of an object', () => {
  it('keeps the earliest time that was asked for', async () => {
    const { stored, alarm } = setUp()
    for (const time of [LATER, LATER + 1, LATER - 1]) await alarm.wakeAt(time)
    expect(stored.alarm).toBe(LATER - 1)
  })

  it('sets nothing before its work is done, so that a death half-way has it come again at once', async () => {
    const { stored, alarm } = setUp()
    await alarm.during(async () => {
      await alarm.wakeAt(LATER)
      await alarm.wakeAt(LATER - 1)
      expect(stored.alarm).toBe(null)
    })
    expect(stored.alarm).toBe(LATER - 1)
  })

  it('is set by whoever asks after it, whatever time had fired', async () => {
    const { stored, alarm } = setUp()
    await alarm.wakeAt(LATER)
    await alarm.during(async () => {})
    await alarm.wakeAt(LATER + 5)
    expect(stored.alarm).toBe(LATER + 5)
  })

  it('leaves it to the runtime to come again after work that failed', async () => {
    const { stored, alarm } = setUp()
    const failing = alarm.during(async () => {
      await alarm.wakeAt(LATER)
      throw new Error('down')
    })
    await expect(failing).rejects.toThrow('down')
    expect(stored.alarm).toBe(null)
    await alarm.wakeAt(LATER + 1)
    expect(stored.alarm).toBe(LATER + 1)
  })

  it('comes no more once it is removed, also for what was asked for in its work', async () => {
    const { stored, alarm } = setUp()
    await alarm.during(async () => {
      await alarm.wakeAt(LATER)
      await alarm.remove()
    })
    expect(stored.alarm).toBe(null)
  })
})

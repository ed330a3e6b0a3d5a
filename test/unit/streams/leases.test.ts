import { describe, expect, it } from 'vitest'
import { StreamLeases } from '../../../src/streams/leases'

describe('leases of streams', () => {
  it('lets a user hold as many as allowed, each user apart', () => {
    const leases = new StreamLeases()
    const open = (user: string, stream: string) => leases.open(user, stream, 2, 0, 50)
    expect([open('a', '1'), open('a', '2'), open('a', '3'), open('b', '4')]).toEqual([
      true,
      true,
      false,
      true,
    ])
    leases.close('a', '1')
    expect(open('a', '3')).toBe(true)
    leases.close('a', 'unknown')
    leases.close('nobody', '1')
    expect(open('a', '5')).toBe(false)
  })

  it('forgets those that are not renewed', () => {
    const leases = new StreamLeases()
    leases.open('a', '1', 1, 0, 50)
    expect(leases.open('a', '2', 1, 49, 99)).toBe(false)
    leases.renew([['a', '1']], 80)
    expect(leases.open('a', '2', 1, 50, 99)).toBe(false)
    leases.sweep(79)
    expect(leases.open('a', '2', 1, 79, 99)).toBe(false)
    expect(leases.open('a', '2', 1, 80, 99)).toBe(true)
  })

  it('a renewal brings back what a restart forgot', () => {
    const leases = new StreamLeases()
    leases.renew([['a', '1']], 50)
    expect(leases.open('a', '2', 1, 10, 60)).toBe(false)
  })
})

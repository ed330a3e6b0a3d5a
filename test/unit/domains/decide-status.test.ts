import { describe, expect, it } from 'vitest'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../src/config/limits'
import type { CustomDomainRow } from '../../../src/db/tables/domains'
import { decideStatus, type Proof } from '../../../src/domains/decide-status'

const NOW = Date.UTC(2026, 10, 21)
const MISSING: Proof = { kind: 'missing', detail: 'no record' }
const WRONG: Proof = { kind: 'wrong', detail: 'elsewhere' }
const UNKNOWN: Proof = { kind: 'unknown', detail: 'silent' }

function row(change: Partial<CustomDomainRow> = {}): CustomDomainRow {
  return {
    id: 'd',
    tenantId: 't',
    domain: 'chat.example.com',
    agentAlias: null,
    label: 'x',
    status: 'pending',
    verifiedAt: null,
    lastCheckedAt: null,
    lastError: null,
    nextCheckAt: NOW,
    createdAt: NOW,
    updatedAt: NOW,
    ...change,
  }
}

describe('decideStatus', () => {
  it.each(['pending', 'active', 'error'] as const)('proof makes %s active', (status) => {
    expect(decideStatus(row({ status, lastError: 'x' }), { kind: 'proven' }, NOW)).toEqual({
      status: 'active',
      verifiedAt: NOW,
      lastCheckedAt: NOW,
      lastError: null,
      nextCheckAt: NOW + DAY_MS,
    })
  })

  it('a claim waits for its record and fails on another one', () => {
    expect(decideStatus(row(), MISSING, NOW)).toMatchObject({
      status: 'pending',
      lastError: 'no record',
      lastCheckedAt: NOW,
      verifiedAt: null,
    })
    expect(decideStatus(row(), WRONG, NOW).status).toBe('error')
    expect(decideStatus(row({ status: 'error' }), MISSING, NOW).status).toBe('error')
  })

  it('an active name stays for 72 hours without proof, and no longer', () => {
    const active = (hours: number) =>
      row({ status: 'active', createdAt: 0, verifiedAt: NOW - hours * HOUR_MS })
    for (const proof of [MISSING, WRONG]) {
      expect(decideStatus(active(71.9), proof, NOW)).toMatchObject({
        status: 'active',
        nextCheckAt: NOW + HOUR_MS,
        verifiedAt: active(71.9).verifiedAt,
      })
      expect(decideStatus(active(72), proof, NOW).status).toBe('error')
    }
  })

  it('a silent resolver changes no status, however long', () => {
    for (const status of ['pending', 'active', 'error'] as const) {
      const old = row({ status, createdAt: 0, verifiedAt: 0 })
      expect(decideStatus(old, UNKNOWN, NOW)).toMatchObject({ status, lastError: 'silent' })
    }
  })

  it('asks less often the older a claim is', () => {
    const pause = (age: number) =>
      decideStatus(row({ createdAt: NOW - age }), MISSING, NOW).nextCheckAt - NOW
    expect(pause(MINUTE_MS)).toBe(5 * MINUTE_MS)
    expect(pause(2 * HOUR_MS)).toBe(HOUR_MS)
    expect(pause(4 * DAY_MS)).toBe(DAY_MS)
  })
})

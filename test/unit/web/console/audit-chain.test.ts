import { describe, expect, it } from 'vitest'
import { type AuditFacts, canonicalText, digestFacts, hashEntry } from '../../../../src/audit/entry'
import { presentAudit } from '../../../../src/audit/present-audit'
import { checkEntry, checkLink, verifyChain } from '../../../../src/web/console/audit/chain'
import { placeOf } from '../../../../src/web/console/audit/place'
import type { AuditEntry } from '../../../../src/web/console/audit/types'

/** A trail as the service seals and presents it, newest first. */
function trail(length: number, first = 1): AuditEntry[] {
  let prevHash = first === 1 ? '0'.repeat(64) : 'a'.repeat(64)
  const entries = Array.from({ length }, (_, n) => {
    const facts: AuditFacts = {
      tenantId: 't',
      id: `id-${n}`,
      createdAt: 1_790_000_000_000 + n,
      actor: 'key:first',
      actorType: 'key',
      via: 'console',
      action: 'update',
      entity: 'settings',
      entityId: 't',
      entityName: n % 2 ? null : 'Acme',
      before: n === 0 ? null : JSON.stringify({ n: n - 1, list: ['é', null] }),
      after: JSON.stringify({ n, list: ['é', null] }),
      requestId: null,
    }
    const placed = {
      ...facts,
      seq: first + n,
      digest: n % 3 ? digestFacts(facts) : null,
      sealedAt: n % 3 ? facts.createdAt + 5 : null,
    }
    const hash = hashEntry(prevHash, placed)
    const entry = { ...placed, hash, prevHash }
    prevHash = hash
    expect(canonicalText(entry.prevHash, entry)).toContain(entry.id)
    return presentAudit(entry as Parameters<typeof presentAudit>[0]) as AuditEntry
  })
  return entries.reverse()
}

async function* inPages(entries: AuditEntry[], size: number) {
  for (let at = 0; at < entries.length; at += size) yield entries.slice(at, at + size)
}

describe('the place of an object', () => {
  const entry = (entity: string, action = 'update') =>
    placeOf({ action, entity, entity_id: 'id-1', entity_name: 'front desk' })

  it('is its page, by the name or the id that addresses have', () => {
    expect(entry('agent')).toBe('/agents/front%20desk')
    expect(entry('storyline')).toBe('/storylines/id-1')
    expect(entry('smtp', 'delete')).toBe('/settings/sign-in')
  })

  it('is none for what is gone, has no page, or no name', () => {
    expect(entry('agent', 'delete')).toBeNull()
    expect(entry('tenant_data')).toBeNull()
    expect(
      placeOf({ action: 'update', entity: 'agent', entity_id: 'x', entity_name: null }),
    ).toBeNull()
  })
})

describe('the chain', () => {
  it('of the service fits, across pages and to its very first entry', async () => {
    const checked: number[] = []
    const verdict = await verifyChain(inPages(trail(7), 3), (n) => checked.push(n))
    expect(verdict).toEqual({ checked: 7, newest: 7, oldest: 1, fromStart: true, fault: null })
    expect(checked).toEqual([3, 6, 7])
  })

  it('whose older entries are gone does not claim its start', async () => {
    const verdict = await verifyChain(inPages(trail(4, 9), 2))
    expect(verdict).toMatchObject({ oldest: 9, newest: 12, fromStart: false, fault: null })
  })

  it('with nothing in it says so', async () => {
    expect(await verifyChain(inPages([], 2))).toMatchObject({ checked: 0, newest: null })
  })

  it.each([
    ['another text', { canonical: '[]' }, 'hash'],
    ['another actor shown', { actor: 'key:other' }, 'facts'],
    ['another state shown', { after: { n: 99 } }, 'facts'],
    ['another time shown', { created_at: '2026-01-01T00:00:00.000Z' }, 'facts'],
    ['another hash before', { prev_hash: 'b'.repeat(64) }, 'link'],
  ] as const)('finds %s', async (_, change, kind) => {
    const entries = trail(5)
    const at = entries.findIndex(({ seq }) => seq === 3)
    entries[at] = { ...entries[at], ...change } as AuditEntry
    expect((await verifyChain(inPages(entries, 2))).fault).toEqual({ seq: 3, kind })
  })

  it('finds an entry that is missing, and one that was put in its place', async () => {
    const entries = trail(5)
    const without = entries.filter(({ seq }) => seq !== 3)
    expect((await verifyChain(inPages(without, 2))).fault).toEqual({ seq: 3, kind: 'gap' })
    const [newer, older] = [entries[0], entries[2]] as [AuditEntry, AuditEntry]
    expect(checkLink(newer, { ...older, seq: newer.seq - 1 })).toBe('link')
  })

  it('has nothing to hold an unsealed entry to', async () => {
    const [entry] = trail(1) as [AuditEntry]
    expect(await checkEntry({ ...entry, hash: null, canonical: null, prev_hash: null })).toBeNull()
  })
})

import { describe, expect, it } from 'vitest'
import {
  type AuditEntry,
  digestFacts,
  findBreak,
  GENESIS_HASH,
  hashEntry,
} from '../../../src/audit/entry'

const START = { seq: 0, hash: GENESIS_HASH }

/** `sealed` of `length` entries have their place in the chain; the others wait for it. */
async function chainOf(length: number, sealed = length): Promise<AuditEntry[]> {
  const entries: AuditEntry[] = []
  let hash = GENESIS_HASH
  for (let seq = 1; seq <= length; seq++) {
    const facts = {
      tenantId: 't',
      id: `id ${seq}`,
      createdAt: seq * 1000,
      actor: 'key:first',
      actorType: 'key',
      via: 'api',
      action: 'update',
      entity: 'agent',
      entityId: 'e',
      entityName: 'n',
      before: '{}',
      after: `{"n":${seq}}`,
      requestId: null,
    }
    const isSealed = seq <= sealed
    const sealedAt = isSealed ? seq * 1000 + 5 : null
    const entry = { ...facts, seq, digest: await digestFacts(facts), sealedAt }
    if (isSealed) hash = await hashEntry(hash, entry)
    entries.push({ ...entry, hash: isSealed ? hash : '' })
  }
  return entries
}

describe('findBreak', () => {
  it('finds none in an intact chain, whole or behind an anchor', async () => {
    const chain = await chainOf(5)
    expect(await findBreak(START, [])).toBeNull()
    expect(await findBreak(START, chain)).toBeNull()
    expect(await findBreak({ seq: 2, hash: chain[1]?.hash ?? '' }, chain.slice(2))).toBeNull()
  })

  it('finds a change of any field', async () => {
    const chain = await chainOf(4)
    for (const field of Object.keys(chain[0] ?? {})) {
      const forged = field === 'seq' || field === 'sealedAt' ? 9 : 'forged'
      const changed = chain.map((entry) =>
        entry.seq === 3 ? { ...entry, [field]: forged } : entry,
      )
      expect([field, await findBreak(START, changed)]).toEqual([field, field === 'seq' ? 9 : 3])
    }
  })

  it('finds an entry of another tenant, also among those that have no digest', async () => {
    const [first] = await chainOf(1)
    const plain = { ...(first as AuditEntry), digest: null, sealedAt: null }
    const entry = { ...plain, hash: await hashEntry(GENESIS_HASH, plain) }
    expect(await findBreak(START, [entry])).toBeNull()
    expect(await findBreak(START, [{ ...entry, tenantId: 'other' }])).toBe(1)
  })

  it('finds what is dropped, exchanged, added or begun elsewhere', async () => {
    const [one, two, three] = await chainOf(3)
    if (!one || !two || !three) throw new Error('three entries')
    expect(await findBreak(START, [one, three])).toBe(3)
    expect(await findBreak(START, [two, one])).toBe(2)
    expect(await findBreak(START, [one, one])).toBe(1)
    expect(await findBreak(START, [two, three])).toBe(2)
    expect(await findBreak({ seq: 1, hash: GENESIS_HASH }, [two])).toBe(2)
  })

  it('finds what changed in entries that still wait for their seal: a field, a gap, a seal out of order', async () => {
    const tail = await chainOf(4, 2)
    expect(await findBreak(START, tail)).toBeNull()
    for (const field of Object.keys(tail[0] ?? {}).filter((name) => name !== 'sealedAt')) {
      const forged = field === 'seq' ? 9 : 'forged'
      const changed = tail.map((entry) => (entry.seq === 3 ? { ...entry, [field]: forged } : entry))
      expect([field, await findBreak(START, changed)]).toEqual([field, field === 'seq' ? 9 : 3])
    }
    const [one, two, three, four] = tail
    if (!one || !two || !three || !four) throw new Error('four entries')
    expect(await findBreak(START, [one, two, four])).toBe(4)
    const passed = { ...four, hash: await hashEntry(two.hash, four) }
    expect(await findBreak(START, [one, two, three, passed])).toBe(4)
  })

  it('reads entries that were sealed with their change, before there were digests', async () => {
    const [one, two] = await chainOf(2)
    if (!one || !two) throw new Error('two entries')
    const plain = { ...one, digest: null, sealedAt: null }
    const old = { ...plain, hash: await hashEntry(GENESIS_HASH, plain) }
    const next = { ...two, hash: await hashEntry(old.hash, two) }
    expect(await findBreak(START, [old, next])).toBeNull()
    expect(await findBreak(START, [{ ...old, digest: one.digest }, next])).toBe(1)
    // Taking an entry's digest away does not make it one of the old.
    expect(await findBreak(START, [{ ...one, digest: null }, two])).toBe(1)
  })
})

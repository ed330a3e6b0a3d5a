import { describe, expect, it } from 'vitest'
import { type AuditFacts, findBreak, GENESIS_HASH, hashEntry } from '../../../src/audit/entry'

const START = { seq: 0, hash: GENESIS_HASH }

async function chainOf(length: number) {
  const entries: (AuditFacts & { hash: string })[] = []
  let hash = GENESIS_HASH
  for (let seq = 1; seq <= length; seq++) {
    const facts: AuditFacts = {
      tenantId: 't',
      seq,
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
    hash = await hashEntry(hash, facts)
    entries.push({ ...facts, hash })
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
      const forged = field === 'seq' ? 9 : 'forged'
      const changed = chain.map((entry) =>
        entry.seq === 3 ? { ...entry, [field]: forged } : entry,
      )
      expect([field, await findBreak(START, changed)]).toEqual([field, field === 'seq' ? 9 : 3])
    }
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
})

import { asc, sql } from 'drizzle-orm'
import type { BaseContext } from '../context'
import { type Db, openPrimary } from '../db/client'
import { pickOwn, selectOwn } from '../db/own'
import { audit, auditAnchors } from '../db/tables/audit'
import { createLog } from '../log'
import { noteEnd } from './chain-end'
import { type AuditEntry, GENESIS_HASH, hashEntry } from './entry'

const AT_ONCE = 100
const PATIENCE_MS = 10_000

const isUnsealed = sql`${audit.hash} = ''`

/**
 * Puts the tenant's waiting entries into the chain, in the order of their numbers, each under the hash of the one before.
 * Safe to run by several at once: who comes second finds the first of its entries sealed, and starts from what is there.
 */
export async function sealTail(db: Db, tenantId: string): Promise<void> {
  for (;;) {
    const { previousHash, entries } = await readTail(db, tenantId)
    const [first] = entries
    const last = entries.at(-1)
    if (!first || !last) return
    const sealedAt = Date.now()
    const seals: [number, string][] = []
    let hash = previousHash
    for (const entry of entries) {
      hash = hashEntry(hash, { ...entry, sealedAt })
      seals.push([entry.seq, hash])
    }
    await db.run(sql`
      UPDATE audit SET hash = seal.hash, sealed_at = ${sealedAt}
      FROM (SELECT value ->> 0 AS seq, value ->> 1 AS hash FROM json_each(${JSON.stringify(seals)})) AS seal
      WHERE audit.tenant_id = ${tenantId} AND audit.seq BETWEEN ${first.seq} AND ${last.seq} AND audit.seq = seal.seq
        AND EXISTS (SELECT 1 FROM audit WHERE tenant_id = ${tenantId} AND seq = ${first.seq} AND hash = '')`)
    noteEnd(tenantId, { seq: last.seq, hash })
    if (entries.length < AT_ONCE) return
  }
}

/** @throws Error when the entry is gone that the first waiting one follows: nothing is sealed over a gap. */
async function readTail(
  db: Db,
  tenantId: string,
): Promise<{ previousHash: string; entries: AuditEntry[] }> {
  // By an index, which is named: left to itself SQLite reads the trail from its beginning.
  const first = sql`(SELECT min(seq) FROM audit INDEXED BY audit_unsealed WHERE tenant_id = ${tenantId} AND hash = '')`
  const [entries, [sealed], [anchor]] = await db.batch([
    selectOwn(db, audit, tenantId, isUnsealed, sql`${audit.seq} >= ${first}`)
      .orderBy(asc(audit.seq))
      .limit(AT_ONCE),
    pickOwn(db, audit, tenantId, { hash: audit.hash }, sql`${audit.seq} = ${first} - 1`),
    pickOwn(
      db,
      auditAnchors,
      tenantId,
      { hash: auditAnchors.hash },
      sql`${auditAnchors.seq} = ${first} - 1`,
    ),
  ])
  const genesis = entries[0]?.seq === 1 ? GENESIS_HASH : undefined
  const previousHash = sealed?.hash ?? anchor?.hash ?? genesis
  if (entries.length > 0 && previousHash === undefined) {
    throw new Error('The entry before the first unsealed one is missing')
  }
  return { previousHash: previousHash ?? GENESIS_HASH, entries }
}

/** Tenants whose tail this isolate is sealing; `again` when an entry came meanwhile. */
const underWay = new Map<string, { until: number; again: boolean }>()

/**
 * Seals the tenant's waiting entries after the answer, one run at a time in this isolate. What a run that fails leaves is
 * sealed by the next write, by a read of the trail, or by the cron.
 */
export function sealSoon(ctx: BaseContext, tenantId: string): void {
  const running = underWay.get(tenantId)
  if (running && running.until > Date.now()) {
    running.again = true
    return
  }
  const mine = { until: Date.now() + PATIENCE_MS, again: false }
  underWay.set(tenantId, mine)
  const seal = async () => {
    try {
      do {
        mine.again = false
        await sealTail(ctx.db, tenantId)
      } while (mine.again && mine.until > Date.now())
    } catch (error) {
      ctx.log.error('audit_not_sealed', error, { tenant: tenantId })
    } finally {
      if (underWay.get(tenantId) === mine) underWay.delete(tenantId)
    }
  }
  ctx.waitUntil(seal())
}

/** For the cron: seals the waiting entries of every tenant. */
export async function sealAll(env: Env): Promise<void> {
  const db = openPrimary(env.DB)
  const log = createLog('audit')
  const waiting = await db
    .selectDistinct({ tenantId: audit.tenantId })
    .from(audit)
    .where(isUnsealed)
  for (const { tenantId } of waiting) {
    try {
      await sealTail(db, tenantId)
    } catch (error) {
      log.error('audit_not_sealed', error, { tenant: tenantId })
    }
  }
}

import { and, asc, eq, gt, ne } from 'drizzle-orm'
import { configOf } from '../config/read-config'
import { openPrimary } from '../db/client'
import { tenants } from '../db/tables/tenants'
import { needsRewrap, rewrapTenantKey } from '../platform/crypto/keys'
import { readSealed } from '../platform/crypto/read-sealed'
import { masterKeys } from '../platform/secrets'

const BATCH = 200

/**
 * Rotation, second step: tenant keys still wrapped by an older master key are wrapped by the primary one. Resumable: what is
 * done needs no rewrap any more, and reading works at every point. A key that does not open stays as it is.
 * @returns how many were rewrapped.
 */
export async function rewrapTenants(env: Env): Promise<number> {
  const db = openPrimary(env.DB)
  const master = await masterKeys(configOf(env))
  let done = 0
  for (let after = ''; ; ) {
    const rows = await db
      .select({ id: tenants.id, wrappedKey: tenants.wrappedKey })
      .from(tenants)
      .where(and(gt(tenants.id, after), ne(tenants.status, 'deleted')))
      .orderBy(asc(tenants.id))
      .limit(BATCH)
    const old = rows.filter((row) => needsRewrap(row.wrappedKey, master.primary))
    const keys = await Promise.all(
      old.map((row) =>
        readSealed([row.id, '', '', 'tenants', 'wrapped_key', row.id], () =>
          rewrapTenantKey(master, row.id, row.wrappedKey),
        ),
      ),
    )
    const [first, ...others] = old.flatMap((row, at) => {
      const wrappedKey = keys[at]
      if (wrappedKey === null || wrappedKey === undefined) return []
      return db
        .update(tenants)
        .set({ wrappedKey })
        .where(and(eq(tenants.id, row.id), eq(tenants.wrappedKey, row.wrappedKey)))
    })
    if (first) await db.batch([first, ...others])
    done += first ? 1 + others.length : 0
    const last = rows.at(-1)
    if (!last || rows.length < BATCH) return done
    after = last.id
  }
}

import { eq } from 'drizzle-orm'
import { DOMAINS } from '../config/limits'
import type { BaseContext } from '../context'
import { openReplica } from '../db/client'
import { customDomains, customDomainVersion } from '../db/tables/domains'

/** What an active name leads to. */
export interface Site {
  domain: string
  tenantId: string
  agentAlias: string | null
}

/** All active names of the deployment as this isolate knows them. */
interface Directory {
  version: number
  sites: ReadonlyMap<string, Site>
  checkedAt: number
}

let known: Directory | null = null
/** Rises with every write of this isolate: what was read before it is not kept. */
let generation = 0
/** Somebody is comparing already. */
let busyUntil = 0

/** The next question reads the database. Called by every write. */
export function dropDirectory(): void {
  known = null
  generation += 1
}

/**
 * The tenant's page behind a host name, or null. Names must match exactly. Answered from memory: the list is compared with
 * the database every five seconds, beside the answer; only a list that nobody has asked for half a minute is waited for.
 */
export async function findSite(base: BaseContext, host: string): Promise<Site | null> {
  const list = recentOf(base.now) ?? (await refresh(base))
  if (base.now - list.checkedAt > DOMAINS.freshMs && busyUntil < base.now) {
    busyUntil = base.now + DOMAINS.freshMs
    base.waitUntil(
      refresh(base).catch((error: unknown) => base.log.error('directory_failed', error)),
    )
  }
  return list.sites.get(host) ?? null
}

/**
 * Whether a name leads to a tenant's page here. Told by the list of the last half minute, or by one that is read now.
 */
export async function isBound(env: Env, host: string): Promise<boolean> {
  const now = Date.now()
  return (recentOf(now) ?? (await refresh({ env, now }))).sites.has(host)
}

const recentOf = (now: number) =>
  known !== null && now - known.checkedAt <= DOMAINS.staleMs ? known : null

/** Every request that waits reads by itself: a promise of another request may die with it. */
async function refresh(base: Pick<BaseContext, 'env' | 'now'>): Promise<Directory> {
  const mine = generation
  const next = await load(base, known)
  if (mine === generation) known = next
  busyUntil = 0
  return next
}

async function load(
  base: Pick<BaseContext, 'env' | 'now'>,
  before: Directory | null,
): Promise<Directory> {
  const db = openReplica(base.env.DB)
  const version = db
    .select({ n: customDomainVersion.n })
    .from(customDomainVersion)
    .where(eq(customDomainVersion.id, 1))
  if (before !== null) {
    const row = await version.get()
    if (row?.n === before.version) return { ...before, checkedAt: base.now }
  }
  const [[row], rows] = await db.batch([
    version,
    db
      .select({
        domain: customDomains.domain,
        tenantId: customDomains.tenantId,
        agentAlias: customDomains.agentAlias,
      })
      .from(customDomains)
      .where(eq(customDomains.status, 'active')),
  ])
  return {
    version: row?.n ?? 0,
    sites: new Map(rows.map((site) => [site.domain, site])),
    checkedAt: base.now,
  }
}

import { desc, eq } from 'drizzle-orm'
import { type Config, configOf } from '../config/read-config'
import type { UserContext } from '../context'
import { type Db, openPrimary } from '../db/client'
import { pickOwn } from '../db/own'
import type { ChannelLinkRow } from '../db/tables/channels'
import { spaces } from '../db/tables/spaces'
import type { TenantRow } from '../db/tables/tenants'
import type { UserRow } from '../db/tables/users'
import { createLog } from '../log'
import { newId } from '../platform/ids'

/** The user behind a linked chat, for work that no request waits for: in the space of the link, else the default one. */
export async function createChannelContext(
  env: Env,
  tenant: TenantRow,
  user: UserRow,
  link: ChannelLinkRow,
): Promise<UserContext | null> {
  const config = configOf(env)
  const db = openPrimary(env.DB)
  const space = await findSpace(db, user, link.spaceId)
  if (!space) return null
  const now = Date.now()
  return {
    env,
    config,
    db,
    log: createLog('channels', { tenant_id: tenant.id, channel: link.channel }),
    now,
    requestId: newId(now),
    origin: originOf(config),
    waitUntil: () => {},
    tenant,
    actor: { type: 'user', name: `user:${user.id}`, keyId: null },
    via: 'api',
    user: {
      id: user.id,
      source: user.source,
      externalId: user.externalId,
      tokenVersion: null,
      tokenExpiresAt: null,
    },
    space,
    spaceNamed: false,
    byKey: false,
  }
}

const originOf = (config: Config): string => config.publicBase || config.localOrigin

async function findSpace(db: Db, user: UserRow, wanted: string) {
  const rows = await pickOwn(
    db,
    spaces,
    user.tenantId,
    { id: spaces.id, tag: spaces.tag, isDefault: spaces.isDefault },
    eq(spaces.userId, user.id),
  ).orderBy(desc(spaces.isDefault))
  return rows.find(({ id }) => id === wanted) ?? rows[0]
}

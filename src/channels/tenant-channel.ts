import { and, eq, inArray, ne, sql } from 'drizzle-orm'
import { commitChange } from '../audit/commit-change'
import { CHANNELS, type ChannelName } from '../config/names'
import { configOf } from '../config/read-config'
import type { TenantContext } from '../context'
import type { Db } from '../db/client'
import { findOwn, selectOwn } from '../db/own'
import { isTaken } from '../db/sql-errors'
import {
  type ChannelRow,
  channelCodes,
  channelInbox,
  channelLinks,
  tenantChannels,
} from '../db/tables/channels'
import { type TenantRow, tenants } from '../db/tables/tenants'
import { ApiError, conflict, invalid, notFound, unavailable } from '../errors'
import { toBase64url } from '../platform/crypto/base64url'
import { randomBytes, sha256, toHex } from '../platform/crypto/bytes'
import { sealField } from '../platform/crypto/field'
import { isUnreadable, needTenantField } from '../platform/crypto/read-sealed'
import { inTurn } from '../platform/in-turn'
import { tenantKey } from '../platform/secrets'
import { isoOf } from '../time'
import { type ChannelAccount, ChannelError } from './channel'
import { CHANNEL_REGISTRY } from './registry'

const sealContext = (tenantId: string, channel: ChannelName) =>
  [tenantId, 'tenant_channels', 'token', `${tenantId} ${channel}`] as const

export async function findChannel(
  db: Db,
  tenantId: string,
  channel: ChannelName,
): Promise<ChannelRow | undefined> {
  return findOwn(db, tenantChannels, tenantId, eq(tenantChannels.channel, channel))
}

/** The channels that a tenant has set up, in the product's order: the first is the default. */
export async function listChannels(db: Db, tenantId: string): Promise<ChannelRow[]> {
  const rows = await selectOwn(db, tenantChannels, tenantId)
  return CHANNELS.flatMap((name) => rows.filter(({ channel }) => channel === name))
}

/** The account behind a stored channel, with its opened token. @throws conflict `unreadable`. */
export async function openChannel(
  env: Env,
  tenant: Pick<TenantRow, 'id' | 'wrappedKey'>,
  row: Pick<ChannelRow, 'channel' | 'token'>,
): Promise<ChannelAccount> {
  const key = await tenantKey(configOf(env), tenant)
  const token = await needTenantField(key, sealContext(tenant.id, row.channel), row.token)
  return CHANNEL_REGISTRY[row.channel].account(env, token)
}

/** Where a channel calls this deployment. */
export const webhookPath = (channel: ChannelName, tenantId: string): string =>
  `/v1/channels/${channel}/${tenantId}`

export async function readChannel(ctx: TenantContext, channel: ChannelName) {
  const { db, tenant } = ctx
  const [row, linked] = await Promise.all([
    findChannel(db, tenant.id, channel),
    db.$count(
      channelLinks,
      and(eq(channelLinks.tenantId, tenant.id), eq(channelLinks.channel, channel)),
    ),
  ])
  return {
    channel,
    configured: row !== undefined,
    bot_id: row?.botId ?? null,
    bot_name: row?.botName ?? null,
    bot_username: row?.botUsername ?? null,
    url: row ? CHANNEL_REGISTRY[channel].deepLink(row.botUsername, null) : null,
    webhook_url: ctx.origin + webhookPath(channel, tenant.id),
    linked_users: linked,
    created_at: row ? isoOf(row.createdAt) : null,
    updated_at: row ? isoOf(row.updatedAt) : null,
  }
}

/**
 * Tries a token, has the channel call this deployment from now on, and stores the token sealed. Chats that were linked to
 * another bot are no longer linked: their people have not opened this one.
 * @throws invalid for a token that the channel does not know; conflict for another tenant's bot; ApiError 502.
 */
export function putChannel(ctx: TenantContext, channel: ChannelName, token: string): Promise<void> {
  // The secret that the channel was told last must be the one that is stored last.
  return inTurn(`channel ${channel} ${ctx.tenant.id}`, () => connect(ctx, channel, token))
}

async function connect(ctx: TenantContext, channel: ChannelName, token: string): Promise<void> {
  const { db, env, tenant, config, now } = ctx
  const kind = CHANNEL_REGISTRY[channel]
  if (!kind.isToken(token)) throw unknownToken()
  if (config.publicBase === '' && config.environment !== 'local') throw unavailable()
  const account = kind.account(env, token)
  const bot = await account.describe().catch(explain)
  const [before, other] = await Promise.all([
    findChannel(db, tenant.id, channel),
    findOtherOwner(db, tenant.id, channel, bot.id),
  ])
  if (other) throw taken()
  const secret = toBase64url(randomBytes(32))
  await account.listen(ctx.origin + webhookPath(channel, tenant.id), secret).catch(explain)
  const key = await tenantKey(config, tenant)
  const fields = {
    botId: bot.id,
    botName: bot.name,
    botUsername: bot.username,
    token: await sealField(key, sealContext(tenant.id, channel), token),
    secretHash: toHex(await sha256(secret)),
    updatedAt: now,
  }
  const after: ChannelRow = {
    tenantId: tenant.id,
    channel,
    createdAt: before?.createdAt ?? now,
    ...fields,
  }
  const isOtherBot = before !== undefined && before.botId !== bot.id
  try {
    await commitChange(
      ctx,
      tenant.id,
      [
        dropDeletedOwner(db, channel, bot.id),
        ...(isOtherBot ? unlinkAll(db, tenant.id, channel) : []),
        db
          .insert(tenantChannels)
          .values(after)
          .onConflictDoUpdate({
            target: [tenantChannels.tenantId, tenantChannels.channel],
            set: fields,
          }),
      ],
      {
        action: before ? 'update' : 'create',
        entity: 'channel',
        entityId: tenant.id,
        entityName: channel,
        before: before ? auditChannel(before) : null,
        after: auditChannel(after),
      },
    )
  } catch (error) {
    if (isTaken(error, 'tenant_channels')) throw taken()
    throw error
  }
  if (isOtherBot) await stopListening(ctx, before)
}

/** Forgets the bot and every link to it. The channel is told, where it still answers. @throws notFound. */
export async function deleteChannel(ctx: TenantContext, channel: ChannelName): Promise<void> {
  const { db, tenant } = ctx
  const before = await findChannel(db, tenant.id, channel)
  if (!before) throw notFound('Channel')
  const own = and(eq(tenantChannels.tenantId, tenant.id), eq(tenantChannels.channel, channel))
  const committed = await commitChange(
    ctx,
    tenant.id,
    [...unlinkAll(db, tenant.id, channel), db.delete(tenantChannels).where(own)],
    {
      action: 'delete',
      entity: 'channel',
      entityId: tenant.id,
      entityName: channel,
      before: auditChannel(before),
      after: null,
      requires: sql`EXISTS (SELECT 1 FROM tenant_channels WHERE tenant_id = ${tenant.id} AND channel = ${channel})`,
    },
  )
  if (!committed) throw notFound('Channel')
  await stopListening(ctx, before)
}

/** A token that was withdrawn or cannot be read, or a channel that is down, must not keep a tenant from leaving. */
async function stopListening(ctx: TenantContext, row: ChannelRow): Promise<void> {
  try {
    await (await openChannel(ctx.env, ctx.tenant, row)).unlisten()
  } catch (error) {
    if (!(error instanceof ChannelError || isUnreadable(error))) throw error
    const fault = error instanceof ChannelError ? error.fault : 'token'
    ctx.log.warn('webhook_not_removed', { channel: row.channel, fault })
  }
}

function unlinkAll(db: Db, tenantId: string, channel: ChannelName) {
  return [channelLinks, channelCodes, channelInbox].map((table) =>
    db.delete(table).where(and(eq(table.tenantId, tenantId), eq(table.channel, channel))),
  )
}

/** A tenant that is gone holds no bot. */
function dropDeletedOwner(db: Db, channel: ChannelName, botId: string) {
  return db
    .delete(tenantChannels)
    .where(
      and(
        eq(tenantChannels.channel, channel),
        eq(tenantChannels.botId, botId),
        inArray(
          tenantChannels.tenantId,
          db.select({ id: tenants.id }).from(tenants).where(eq(tenants.status, 'deleted')),
        ),
      ),
    )
}

async function findOtherOwner(db: Db, tenantId: string, channel: ChannelName, botId: string) {
  const rows = await db
    .select({ id: tenants.id })
    .from(tenantChannels)
    .innerJoin(tenants, eq(tenants.id, tenantChannels.tenantId))
    .where(
      and(
        eq(tenantChannels.channel, channel),
        eq(tenantChannels.botId, botId),
        ne(tenantChannels.tenantId, tenantId),
        ne(tenants.status, 'deleted'),
      ),
    )
    .limit(1)
  return rows[0]
}

const taken = () => conflict('Bot already in use', 'channel_taken')
const unknownToken = () => invalid(['body', 'token'], 'not a token that the channel knows')

/** What a failed call means to the tenant. @throws ApiError. */
function explain(error: unknown): never {
  if (!(error instanceof ChannelError)) throw error
  if (error.fault === 'token') throw unknownToken()
  throw new ApiError('upstream', 'The messaging channel could not be reached', {
    publicCode: 'channel_failed',
  })
}

function auditChannel(row: ChannelRow) {
  return {
    channel: row.channel,
    bot_id: row.botId,
    bot_username: row.botUsername,
    token: { set: true },
  }
}

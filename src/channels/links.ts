import { and, eq, gt, isNull, or } from 'drizzle-orm'
import { shownName } from '../agents/localize'
import type { AgentFacts } from '../agents/resolve-agent'
import { CHAT_APP } from '../config/limits'
import type { ChannelName, Language } from '../config/names'
import type { Config } from '../config/read-config'
import type { BaseContext, UserContext } from '../context'
import type { Db } from '../db/client'
import { findOwn, pickOwn } from '../db/own'
import { isGone } from '../db/sql-errors'
import { type AgentRow, agents } from '../db/tables/agents'
import {
  type ChannelLinkRow,
  type ChannelRow,
  channelCodes,
  channelInbox,
  channelLinks,
} from '../db/tables/channels'
import type { TenantRow } from '../db/tables/tenants'
import { notFound, rateLimited } from '../errors'
import { chatIndex, deriveChatIndexKey } from '../platform/crypto/blind-index'
import { tenantKey } from '../platform/secrets'
import { tenantMeter } from '../platform/stubs'
import { UserFields } from '../users/user-fields'
import { hashBindCode, newBindCode } from './codes'
import { CHANNEL_REGISTRY } from './registry'
import { listChannels } from './tenant-channel'

export interface BindCode {
  code: string
  deepLink: string
  /** Milliseconds since 1970. */
  expiresAt: number
}

/**
 * A code that links the caller's account at a channel, once, within ten minutes. A newer code ends older ones. What is said
 * there goes to this agent and this space. @param channel null for the tenant's default.
 * @throws notFound where the tenant has no such channel, or the user is gone; rateLimited.
 */
export async function makeBindCode(
  ctx: UserContext,
  channel: ChannelName | null,
  agent: AgentFacts,
): Promise<BindCode> {
  const { db, tenant, user, now } = ctx
  await limitBinding(ctx, tenant.id, user.id, 'bind')
  const row = (await listChannels(db, tenant.id)).find(
    (one) => channel === null || one.channel === channel,
  )
  if (!row) throw notFound('Channel')
  const code = newBindCode()
  const expiresAt = now + CHAT_APP.codeMs
  const own = { tenantId: tenant.id, channel: row.channel, userId: user.id }
  const hash = await hashBindCode(tenant.id, row.channel, code)
  await db
    .batch([
      db
        .delete(channelCodes)
        .where(
          and(
            eq(channelCodes.tenantId, tenant.id),
            eq(channelCodes.userId, user.id),
            eq(channelCodes.channel, row.channel),
          ),
        ),
      db.insert(channelCodes).values({
        ...own,
        hash,
        spaceId: ctx.space.id,
        agentId: agent.id,
        expiresAt,
        createdAt: now,
      }),
    ])
    .catch((error: unknown) => {
      throw isGone(error) ? notFound('User') : error
    })
  const deepLink = CHANNEL_REGISTRY[row.channel].deepLink(row.botUsername, code)
  return { code, deepLink, expiresAt }
}

/** Counts a code that a user asks for, or one that a chat tries, against them. @throws rateLimited. */
export async function limitBinding(
  base: Pick<BaseContext, 'env' | 'config'>,
  tenantId: string,
  who: string,
  rate: 'bind' | 'bindTries',
): Promise<void> {
  const name = `bind ${who}`
  const result = await tenantMeter(base.env, tenantId).take([{ name, ...base.config.rates[rate] }])
  if (!result.ok) throw rateLimited(result.retryAfterS)
}

/** The tenant's stand-in of a chat. */
export async function indexChat(
  config: Config,
  tenant: TenantRow,
  channel: ChannelName,
  chat: string,
): Promise<string> {
  return chatIndex(await deriveChatIndexKey(await tenantKey(config, tenant)), channel, chat)
}

/**
 * Uses a code for a chat: one conditional update, so exactly one chat gets it; the same chat may say it again, should the
 * answer have been lost. The chat's earlier link and the user's earlier chat end.
 * @returns the name, in the chat's language, of the agent that it now talks to; null for a code that is unknown, used or expired.
 */
export async function redeemCode(
  base: Pick<BaseContext, 'db' | 'config' | 'env' | 'now'>,
  tenant: TenantRow,
  channel: ChannelName,
  use: { code: string; chat: string; index: string; lang: Language },
): Promise<string | null> {
  const { db, now } = base
  const code = await db
    .update(channelCodes)
    .set({ usedBy: use.index })
    .where(
      and(
        eq(channelCodes.hash, await hashBindCode(tenant.id, channel, use.code)),
        eq(channelCodes.tenantId, tenant.id),
        gt(channelCodes.expiresAt, now),
        or(isNull(channelCodes.usedBy), eq(channelCodes.usedBy, use.index)),
      ),
    )
    .returning()
    .get()
  if (!code) return null
  const agent = await findAgent(db, tenant.id, code.agentId)
  if (agent === null) return null
  const fields = await UserFields.load(base, tenant, code.userId)
  const ofTenant = and(eq(channelLinks.tenantId, tenant.id), eq(channelLinks.channel, channel))
  await db.batch([
    db
      .delete(channelLinks)
      .where(
        and(
          ofTenant,
          or(eq(channelLinks.userId, code.userId), eq(channelLinks.chatIndex, use.index)),
        ),
      ),
    db.insert(channelLinks).values({
      tenantId: tenant.id,
      channel,
      userId: code.userId,
      chatIndex: use.index,
      chat: await fields.seal('channel_links', 'chat', use.chat, channel),
      spaceId: code.spaceId,
      agentId: code.agentId,
      lang: use.lang,
      createdAt: now,
    }),
  ])
  return shownName(agent, use.lang)
}

export async function findAgent(
  db: Db,
  tenantId: string,
  agentId: string,
): Promise<AgentRow | null> {
  return (await findOwn(db, agents, tenantId, eq(agents.id, agentId))) ?? null
}

export async function findLinkOfChat(
  db: Db,
  tenantId: string,
  channel: ChannelName,
  index: string,
): Promise<ChannelLinkRow | undefined> {
  return findOwn(
    db,
    channelLinks,
    tenantId,
    eq(channelLinks.channel, channel),
    eq(channelLinks.chatIndex, index),
  )
}

export async function findLinkOfUser(
  db: Db,
  tenantId: string,
  channel: ChannelName,
  userId: string,
): Promise<ChannelLinkRow | undefined> {
  return findOwn(db, channelLinks, tenantId, ofUser(tenantId, channel, userId))
}

const ofUser = (tenantId: string, channel: ChannelName, userId: string) =>
  and(
    eq(channelLinks.tenantId, tenantId),
    eq(channelLinks.channel, channel),
    eq(channelLinks.userId, userId),
  )

/** Where a linked user is reached; null when that does not open. @throws notFound when the user's key is gone. */
export async function openChat(
  base: Pick<BaseContext, 'env' | 'config'>,
  tenant: TenantRow,
  link: ChannelLinkRow,
): Promise<string | null> {
  const fields = await UserFields.load(base, tenant, link.userId)
  return fields.read('channel_links', 'chat', link.chat, link.channel)
}

/**
 * Ends a link, with the codes that could make it again and what still waited for an answer.
 * @param index only while it is this chat's. @returns whether there was one.
 */
export async function unlink(
  db: Db,
  { tenantId, channel, userId }: Pick<ChannelLinkRow, 'tenantId' | 'channel' | 'userId'>,
  index: string | null = null,
): Promise<boolean> {
  const own = ofUser(tenantId, channel, userId)
  const ended = await db
    .delete(channelLinks)
    .where(index === null ? own : and(own, eq(channelLinks.chatIndex, index)))
    .returning({ userId: channelLinks.userId })
  if (ended.length === 0) return false
  await db.batch([
    db
      .delete(channelCodes)
      .where(
        and(
          eq(channelCodes.tenantId, tenantId),
          eq(channelCodes.userId, userId),
          eq(channelCodes.channel, channel),
        ),
      ),
    db
      .update(channelInbox)
      .set({ body: null })
      .where(
        and(
          eq(channelInbox.tenantId, tenantId),
          eq(channelInbox.userId, userId),
          eq(channelInbox.channel, channel),
        ),
      ),
  ])
  return true
}

export interface MyChannel {
  channel: ChannelRow
  link: ChannelLinkRow | null
  agentName: string | null
}

/** The channels of the tenant, and the caller's links. */
export async function listMyChannels({ db, tenant, user }: UserContext): Promise<MyChannel[]> {
  const [rows, links] = await Promise.all([
    listChannels(db, tenant.id),
    pickOwn(
      db,
      channelLinks,
      tenant.id,
      { link: channelLinks, agentName: agents.name },
      eq(channelLinks.userId, user.id),
    ).leftJoin(agents, eq(agents.id, channelLinks.agentId)),
  ])
  return rows.map((channel) => {
    const own = links.find(({ link }) => link.channel === channel.channel)
    return { channel, link: own?.link ?? null, agentName: own?.agentName ?? null }
  })
}

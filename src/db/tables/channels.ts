import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import type { ChannelName, Language } from '../../config/names'

export const tenantChannels = sqliteTable(
  'tenant_channels',
  {
    tenantId: text('tenant_id').notNull(),
    channel: text('channel').$type<ChannelName>().notNull(),
    botId: text('bot_id').notNull(),
    botName: text('bot_name').notNull(),
    botUsername: text('bot_username').notNull(),
    token: text('token').notNull(),
    secretHash: text('secret_hash').notNull(),
    createdAt: integer('created_at').notNull(),
    updatedAt: integer('updated_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.tenantId, t.channel] })],
)

export const channelCodes = sqliteTable('channel_codes', {
  hash: text('hash').primaryKey(),
  tenantId: text('tenant_id').notNull(),
  channel: text('channel').$type<ChannelName>().notNull(),
  userId: text('user_id').notNull(),
  spaceId: text('space_id').notNull(),
  agentId: text('agent_id').notNull(),
  usedBy: text('used_by'),
  expiresAt: integer('expires_at').notNull(),
  createdAt: integer('created_at').notNull(),
})

export const channelLinks = sqliteTable(
  'channel_links',
  {
    tenantId: text('tenant_id').notNull(),
    channel: text('channel').$type<ChannelName>().notNull(),
    userId: text('user_id').notNull(),
    chatIndex: text('chat_index').notNull(),
    chat: text('chat').notNull(),
    spaceId: text('space_id').notNull(),
    agentId: text('agent_id').notNull(),
    sessionId: text('session_id'),
    lang: text('lang').$type<Language>().notNull(),
    createdAt: integer('created_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.tenantId, t.channel, t.userId] })],
)

export const channelInbox = sqliteTable('channel_inbox', {
  id: text('id').primaryKey(),
  tenantId: text('tenant_id').notNull(),
  channel: text('channel').$type<ChannelName>().notNull(),
  userId: text('user_id').notNull(),
  seq: integer('seq').notNull(),
  body: text('body'),
  sentParts: integer('sent_parts').notNull().default(0),
  attempts: integer('attempts').notNull().default(0),
  claimedAt: integer('claimed_at'),
  receivedAt: integer('received_at').notNull(),
})

export type ChannelRow = typeof tenantChannels.$inferSelect
export type ChannelLinkRow = typeof channelLinks.$inferSelect
export type InboxRow = typeof channelInbox.$inferSelect

import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import type { Language, ProviderName } from '../../config/names'

export const users = sqliteTable('users', {
  id: text('id').primaryKey(),
  tenantId: text('tenant_id').notNull(),
  source: text('source').notNull(),
  externalId: text('external_id').notNull(),
  status: text('status', { enum: ['active', 'deleted'] })
    .notNull()
    .default('active'),
  tokenVersion: integer('token_version').notNull().default(1),
  toldVersion: integer('told_version').notNull().default(1),
  createdAt: integer('created_at').notNull(),
  lastActiveAt: integer('last_active_at').notNull(),
  tokens24h: integer('tokens_24h').notNull().default(0),
  tokens24hUntil: integer('tokens_24h_until'),
  lang: text('lang').$type<Language>(),
})

export const accounts = sqliteTable('accounts', {
  userId: text('user_id').primaryKey(),
  tenantId: text('tenant_id').notNull(),
  emailIndex: text('email_index').notNull(),
  email: text('email').notNull(),
  emailVerified: integer('email_verified', { mode: 'boolean' }).notNull().default(false),
  password: text('password'),
  visitorId: text('visitor_id'),
  createdAt: integer('created_at').notNull(),
  updatedAt: integer('updated_at').notNull(),
})

export const identities = sqliteTable(
  'identities',
  {
    tenantId: text('tenant_id').notNull(),
    provider: text('provider').$type<ProviderName>().notNull(),
    subject: text('subject').notNull(),
    userId: text('user_id').notNull(),
    createdAt: integer('created_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.tenantId, t.provider, t.subject] })],
)

export const oneTimeTokens = sqliteTable('one_time_tokens', {
  id: text('id').primaryKey(),
  hash: text('hash').notNull(),
  tenantId: text('tenant_id').notNull(),
  purpose: text('purpose', { enum: ['verify', 'reset', 'email', 'oauth'] }).notNull(),
  userId: text('user_id'),
  binding: text('binding'),
  data: text('data'),
  expiresAt: integer('expires_at').notNull(),
  sentAt: integer('sent_at'),
  usedAt: integer('used_at'),
  createdAt: integer('created_at').notNull(),
})

/** Name and contacts are envelopes under the user's key. */
export const userProfiles = sqliteTable('user_profiles', {
  userId: text('user_id').primaryKey(),
  tenantId: text('tenant_id').notNull(),
  prefName: text('pref_name'),
  contactEmail: text('contact_email'),
  contactPhone: text('contact_phone'),
  prefCity: text('pref_city'),
  prefTimezone: text('pref_timezone'),
  consentAt: integer('consent_at'),
  consentHash: text('consent_hash'),
  updatedAt: integer('updated_at').notNull(),
})

export type UserRow = typeof users.$inferSelect
export type UserProfileRow = typeof userProfiles.$inferSelect
export type AccountRow = typeof accounts.$inferSelect

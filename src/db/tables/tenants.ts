import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import type { ByokProvider, ProviderName } from '../../config/names'
import type { Onboarding } from '../../tenants/onboarding'

export const tenants = sqliteTable('tenants', {
  id: text('id').primaryKey(),
  name: text('name').notNull(),
  alias: text('alias'),
  authMode: text('auth_mode', { enum: ['native', 'proxy'] })
    .notNull()
    .default('native'),
  status: text('status', { enum: ['active', 'suspended', 'deleted'] })
    .notNull()
    .default('active'),
  monthlyTokenCeiling: integer('monthly_token_ceiling'),
  dailyTokensPerUser: integer('daily_tokens_per_user'),
  features: text('features', { mode: 'json' }).$type<TenantFeatures>().notNull(),
  privacyMode: integer('privacy_mode', { mode: 'boolean' }).notNull().default(false),
  profile: text('profile', { mode: 'json' }).$type<Record<string, unknown>>().notNull(),
  onboardingConfig: text('onboarding_config', { mode: 'json' }).$type<Onboarding>(),
  wrappedKey: text('wrapped_key').notNull(),
  logo: text('logo'),
  byok: text('byok'),
  byokProvider: text('byok_provider').$type<ByokProvider>(),
  createdAt: integer('created_at').notNull(),
  updatedAt: integer('updated_at').notNull(),
})

export interface TenantFeatures {
  custom_domain?: boolean | undefined
  storylines?: boolean | undefined
}

export const apiKeys = sqliteTable('api_keys', {
  id: text('id').primaryKey(),
  tenantId: text('tenant_id').notNull(),
  name: text('name').notNull(),
  hash: text('hash').notNull(),
  prefix: text('prefix').notNull(),
  scopes: text('scopes', { mode: 'json' }).$type<string[]>(),
  revoked: integer('revoked', { mode: 'boolean' }).notNull().default(false),
  createdAt: integer('created_at').notNull(),
  lastUsedAt: integer('last_used_at'),
})

export const tenantSmtp = sqliteTable('tenant_smtp', {
  tenantId: text('tenant_id').primaryKey(),
  host: text('host').notNull(),
  port: integer('port').notNull(),
  user: text('user').notNull(),
  password: text('password'),
  fromAddr: text('from_addr').notNull(),
  starttls: integer('starttls', { mode: 'boolean' }).notNull(),
  updatedAt: integer('updated_at').notNull(),
})

export const tenantOauth = sqliteTable(
  'tenant_oauth',
  {
    tenantId: text('tenant_id').notNull(),
    provider: text('provider').$type<ProviderName>().notNull(),
    clientId: text('client_id'),
    clientSecret: text('client_secret'),
    enabled: integer('enabled', { mode: 'boolean' }).notNull().default(true),
    updatedAt: integer('updated_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.tenantId, t.provider] })],
)

export type TenantRow = typeof tenants.$inferSelect
export type ApiKeyRow = typeof apiKeys.$inferSelect
export type SmtpRow = typeof tenantSmtp.$inferSelect
export type OauthRow = typeof tenantOauth.$inferSelect

import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import type { AgentConfig } from '../agents/schema'
import {
  type ByokProvider,
  type ChannelName,
  ENROLLMENT_STATES,
  HANDOFF_REASONS,
  HANDOFF_STATES,
  INSTALL_PROMPTS,
  type Language,
  type ProviderName,
  REVIEW_STATES,
  type ReviewReason,
  STORYLINE_COUNTS,
  STORYLINE_STATES,
  type WebhookEventType,
} from '../config/names'
import type { ExportPlace } from '../exports/place'
import type { McpConfirm, McpEra, McpTransport, PendingTool, PinnedTool } from '../mcp/types'
import type { SkillConfig } from '../skills/schema'
import type { Graph } from '../storylines/graph'
import type { MigrationOrder } from '../storylines/migrate'
import type { Behaviour } from '../storylines/records'
import type { Onboarding } from '../tenants/onboarding'

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

export const audit = sqliteTable(
  'audit',
  {
    tenantId: text('tenant_id').notNull(),
    seq: integer('seq').notNull(),
    id: text('id').notNull(),
    createdAt: integer('created_at').notNull(),
    actor: text('actor').notNull(),
    actorType: text('actor_type').notNull(),
    via: text('via').notNull(),
    action: text('action').notNull(),
    entity: text('entity').notNull(),
    entityId: text('entity_id'),
    entityName: text('entity_name'),
    before: text('before'),
    after: text('after'),
    requestId: text('request_id'),
    hash: text('hash').notNull(),
    digest: text('digest'),
    sealedAt: integer('sealed_at'),
  },
  (t) => [primaryKey({ columns: [t.tenantId, t.seq] })],
)

export const auditAnchors = sqliteTable('audit_anchors', {
  tenantId: text('tenant_id').primaryKey(),
  seq: integer('seq').notNull(),
  hash: text('hash').notNull(),
})

export const idempotency = sqliteTable('idempotency', {
  scope: text('scope').primaryKey(),
  tenantId: text('tenant_id').notNull(),
  bodyHash: text('body_hash').notNull(),
  status: integer('status'),
  answer: text('answer'),
  claim: text('claim'),
  createdAt: integer('created_at').notNull(),
})

export const agents = sqliteTable('agents', {
  id: text('id').primaryKey(),
  tenantId: text('tenant_id').notNull(),
  name: text('name').notNull(),
  alias: text('alias'),
  source: text('source', { enum: ['tenant', 'system'] })
    .notNull()
    .default('tenant'),
  published: integer('published', { mode: 'boolean' }).notNull().default(false),
  config: text('config', { mode: 'json' }).$type<AgentConfig>().notNull(),
  createdAt: integer('created_at').notNull(),
  updatedAt: integer('updated_at').notNull(),
})

export const skills = sqliteTable('skills', {
  id: text('id').primaryKey(),
  tenantId: text('tenant_id').notNull(),
  name: text('name').notNull(),
  config: text('config', { mode: 'json' }).$type<SkillConfig>().notNull(),
  createdAt: integer('created_at').notNull(),
  updatedAt: integer('updated_at').notNull(),
})

export const revisions = sqliteTable('revisions', {
  id: text('id').primaryKey(),
  tenantId: text('tenant_id').notNull(),
  entity: text('entity', { enum: ['agent', 'skill'] }).notNull(),
  entityId: text('entity_id').notNull(),
  actor: text('actor'),
  snapshot: text('snapshot', { mode: 'json' }).$type<Record<string, unknown>>().notNull(),
  createdAt: integer('created_at').notNull(),
})

/** How often what was fetched from addresses is asked again. */
export const REFRESH_RATES = ['off', 'daily', 'weekly'] as const
export const knowledgeBases = sqliteTable('knowledge_bases', {
  id: text('id').primaryKey(),
  tenantId: text('tenant_id').notNull(),
  name: text('name').notNull(),
  instructions: text('instructions').notNull().default(''),
  embeddingModel: text('embedding_model').notNull(),
  downloads: integer('downloads', { mode: 'boolean' }).notNull().default(false),
  rerank: integer('rerank', { mode: 'boolean' }).notNull().default(false),
  createdAt: integer('created_at').notNull(),
  updatedAt: integer('updated_at').notNull(),
  refresh: text('refresh', { enum: REFRESH_RATES }).notNull().default('off'),
})

/** Of a document's vectors: none made, some of them, all. */
export const VECTOR_STATES = ['none', 'pending', 'confirmed'] as const
export const DOCUMENT_STATES = ['queued', 'parsing', 'embedding', 'ready', 'failed'] as const

export const documents = sqliteTable('documents', {
  id: text('id').primaryKey(),
  tenantId: text('tenant_id').notNull(),
  baseId: text('base_id').notNull(),
  path: text('path').notNull(),
  name: text('name').notNull(),
  kind: text('kind').notNull(),
  mime: text('mime').notNull(),
  sizeBytes: integer('size_bytes').notNull(),
  version: text('version').notNull(),
  liveVersion: text('live_version'),
  status: text('status', { enum: DOCUMENT_STATES }).notNull(),
  progress: integer('progress').notNull().default(0),
  error: text('error'),
  attempts: integer('attempts').notNull().default(0),
  chunkCount: integer('chunk_count').notNull().default(0),
  sourceUrl: text('source_url'),
  progressedAt: integer('progressed_at').notNull(),
  createdAt: integer('created_at').notNull(),
  updatedAt: integer('updated_at').notNull(),
  embedder: text('embedder'),
  embedded: integer('embedded').notNull().default(0),
  vectors: text('vectors', { enum: VECTOR_STATES }).notNull().default('none'),
  embedAfter: integer('embed_after').notNull().default(0),
  fetchedAt: integer('fetched_at'),
  fetchAfter: integer('fetch_after').notNull().default(0),
  etag: text('etag'),
  lastModified: text('last_modified'),
  missed: integer('missed').notNull().default(0),
  goneAt: integer('gone_at'),
  /** Goes up with each version that is uploaded in the place of another one. */
  edition: integer('edition').notNull().default(0),
})

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

/** `headers` is an envelope under the tenant's key; tools and what waits for the tenant's word are as `pin-tools.ts` has them. */
export const mcpServers = sqliteTable('mcp_servers', {
  id: text('id').primaryKey(),
  tenantId: text('tenant_id').notNull(),
  name: text('name').notNull(),
  transport: text('transport').$type<McpTransport>().notNull(),
  url: text('url').notNull(),
  headers: text('headers'),
  headerNames: text('header_names', { mode: 'json' }).$type<string[]>().notNull(),
  enabled: integer('enabled', { mode: 'boolean' }).notNull().default(true),
  confirm: text('confirm', { mode: 'json' }).$type<McpConfirm>().notNull().default([]),
  era: text('era', { mode: 'json' }).$type<McpEra>(),
  tools: text('tools', { mode: 'json' }).$type<PinnedTool[]>(),
  pending: text('pending', { mode: 'json' }).$type<PendingTool[]>().notNull(),
  outcome: text('outcome', { enum: ['ready', 'failed'] }),
  lastError: text('last_error'),
  checkingAt: integer('checking_at'),
  lastCheckedAt: integer('last_checked_at'),
  createdAt: integer('created_at').notNull(),
  updatedAt: integer('updated_at').notNull(),
})

export const spaces = sqliteTable('spaces', {
  id: text('id').primaryKey(),
  tenantId: text('tenant_id').notNull(),
  userId: text('user_id').notNull(),
  name: text('name').notNull(),
  isDefault: integer('is_default', { mode: 'boolean' }).notNull().default(false),
  tag: integer('tag').notNull(),
  sessionCount: integer('session_count').notNull().default(0),
  countedAt: integer('counted_at').notNull().default(0),
  createdAt: integer('created_at').notNull(),
  updatedAt: integer('updated_at').notNull(),
})

export const spaceAgents = sqliteTable(
  'space_agents',
  {
    spaceId: text('space_id').notNull(),
    tenantId: text('tenant_id').notNull(),
    agentId: text('agent_id').notNull(),
    createdAt: integer('created_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.spaceId, t.agentId] })],
)

/** Merges under way, and those that were given up of late. */
export const spaceMerges = sqliteTable('space_merges', {
  id: text('id').primaryKey(),
  tenantId: text('tenant_id').notNull(),
  userId: text('user_id').notNull(),
  sourceId: text('source_id').notNull(),
  targetId: text('target_id').notNull(),
  state: text('state', { enum: ['staging', 'committed', 'aborted'] }).notNull(),
  createdAt: integer('created_at').notNull(),
  /** Set once the merge is committed. */
  sourceTag: integer('source_tag'),
})

/** Tags of merged spaces, and the space that their ids lead to once the merge that brought them is carried through. */
export const spaceTags = sqliteTable('space_tags', {
  tag: integer('tag').primaryKey(),
  tenantId: text('tenant_id').notNull(),
  userId: text('user_id').notNull(),
  spaceId: text('space_id').notNull(),
  /** The last merge that they went along with; its row is gone once it is carried through. */
  mergeId: text('merge_id'),
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

/** Users and spaces that are being removed, and those that were removed within a day. */
export const deletions = sqliteTable(
  'deletions',
  {
    tenantId: text('tenant_id').notNull(),
    userId: text('user_id').notNull(),
    spaceId: text('space_id').notNull().default(''),
    requestId: text('request_id').notNull(),
    removed: text('removed', { mode: 'json' }).$type<Record<string, number>>(),
    requestedAt: integer('requested_at').notNull(),
    finishedAt: integer('finished_at'),
  },
  (t) => [primaryKey({ columns: [t.userId, t.spaceId] })],
)

export const usageHourly = sqliteTable(
  'usage_hourly',
  {
    tenantId: text('tenant_id').notNull(),
    hour: integer('hour').notNull(),
    agentId: text('agent_id').notNull(),
    userId: text('user_id').notNull(),
    spaceId: text('space_id').notNull(),
    model: text('model').notNull(),
    kind: text('kind').notNull(),
    requests: integer('requests').notNull(),
    inputTokens: integer('input_tokens').notNull(),
    outputTokens: integer('output_tokens').notNull(),
    cachedTokens: integer('cached_tokens').notNull(),
    events: integer('events').notNull(),
    estimatedTokens: integer('estimated_tokens').notNull().default(0),
  },
  (t) => [
    primaryKey({
      columns: [t.tenantId, t.hour, t.agentId, t.userId, t.spaceId, t.model, t.kind],
    }),
  ],
)

export const webhooks = sqliteTable('webhooks', {
  id: text('id').primaryKey(),
  tenantId: text('tenant_id').notNull(),
  url: text('url').notNull(),
  events: text('events', { mode: 'json' }).$type<WebhookEventType[]>().notNull(),
  description: text('description'),
  secret: text('secret').notNull(),
  status: text('status', { enum: ['active', 'disabled'] })
    .notNull()
    .default('active'),
  disabledReason: text('disabled_reason', { enum: ['failing', 'gone'] }),
  failingSince: integer('failing_since'),
  lastDeliveryAt: integer('last_delivery_at'),
  createdAt: integer('created_at').notNull(),
  updatedAt: integer('updated_at').notNull(),
})

export const DELIVERY_STATES = ['pending', 'delivered', 'failed'] as const

export const webhookDeliveries = sqliteTable('webhook_deliveries', {
  id: text('id').primaryKey(),
  tenantId: text('tenant_id').notNull(),
  webhookId: text('webhook_id').notNull(),
  eventId: text('event_id').notNull(),
  type: text('type').notNull(),
  data: text('data', { mode: 'json' }).$type<Record<string, string>>().notNull(),
  replayOf: text('replay_of'),
  status: text('status', { enum: DELIVERY_STATES }).notNull().default('pending'),
  attempts: integer('attempts').notNull().default(0),
  responseStatus: integer('response_status'),
  error: text('error'),
  happenedAt: integer('happened_at').notNull(),
  firstAttemptAt: integer('first_attempt_at'),
  lastAttemptAt: integer('last_attempt_at'),
  nextAttemptAt: integer('next_attempt_at'),
  claimedUntil: integer('claimed_until').notNull().default(0),
  createdAt: integer('created_at').notNull(),
})

export const customDomains = sqliteTable('custom_domains', {
  id: text('id').primaryKey(),
  tenantId: text('tenant_id').notNull(),
  domain: text('domain').notNull(),
  agentAlias: text('agent_alias'),
  label: text('label').notNull(),
  status: text('status', { enum: ['pending', 'active', 'error'] }).notNull(),
  verifiedAt: integer('verified_at'),
  lastCheckedAt: integer('last_checked_at'),
  lastError: text('last_error'),
  nextCheckAt: integer('next_check_at').notNull(),
  createdAt: integer('created_at').notNull(),
  updatedAt: integer('updated_at').notNull(),
})

export const customDomainVersion = sqliteTable('custom_domain_version', {
  id: integer('id').primaryKey(),
  n: integer('n').notNull(),
})

export const agentApps = sqliteTable('agent_apps', {
  agentId: text('agent_id').primaryKey(),
  tenantId: text('tenant_id').notNull(),
  installPrompt: text('install_prompt', { enum: INSTALL_PROMPTS }).notNull().default('off'),
  icon: text('icon'),
  updatedAt: integer('updated_at').notNull(),
})

/** `seq` rises with every review: newest first, and whether one came since another reader looked. */
export const reviews = sqliteTable('reviews', {
  seq: integer('seq').primaryKey({ autoIncrement: true }),
  id: text('id').notNull(),
  tenantId: text('tenant_id').notNull(),
  agentId: text('agent_id').notNull(),
  agentName: text('agent_name').notNull(),
  baseId: text('base_id'),
  reasons: text('reasons', { mode: 'json' }).$type<ReviewReason[]>().notNull(),
  status: text('status', { enum: REVIEW_STATES }).notNull().default('pending'),
  count: integer('count').notNull().default(1),
  firstMessageId: text('first_message_id').notNull(),
  lastMessageId: text('last_message_id').notNull(),
  draft: text('draft'),
  documentId: text('document_id'),
  documentVersion: text('document_version'),
  verified: integer('verified', { mode: 'boolean' }),
  createdAt: integer('created_at').notNull(),
  lastSeenAt: integer('last_seen_at').notNull(),
  decidedAt: integer('decided_at'),
})

/** One row for each review and user who asked. Texts and vector are envelopes under the tenant's key. */
export const reviewOrigins = sqliteTable(
  'review_origins',
  {
    reviewId: text('review_id').notNull(),
    tenantId: text('tenant_id').notNull(),
    userId: text('user_id').notNull(),
    question: text('question').notNull(),
    body: text('body').notNull(),
    vector: text('vector'),
    embedder: text('embedder'),
    createdAt: integer('created_at').notNull(),
    lastSeenAt: integer('last_seen_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.reviewId, t.userId] })],
)

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

export const storylines = sqliteTable('storylines', {
  id: text('id').primaryKey(),
  tenantId: text('tenant_id').notNull(),
  agentName: text('agent_name').notNull(),
  key: text('key').notNull(),
  name: text('name').notNull(),
  description: text('description').notNull(),
  graph: text('graph', { mode: 'json' }).$type<Record<string, unknown>>().notNull(),
  profileSchema: text('profile_schema', { mode: 'json' })
    .$type<Record<string, unknown>>()
    .notNull(),
  status: text('status', { enum: STORYLINE_STATES }).notNull(),
  publishedRevisionId: text('published_revision_id'),
  isDefault: integer('is_default', { mode: 'boolean' }).notNull(),
  userVisibility: text('user_visibility').notNull(),
  entry: text('entry').notNull(),
  displayName: text('display_name').notNull(),
  allowExit: integer('allow_exit', { mode: 'boolean' }).notNull(),
  showProfile: integer('show_profile', { mode: 'boolean' }).notNull(),
  onComplete: text('on_complete').notNull(),
  allowAgentEnroll: integer('allow_agent_enroll', { mode: 'boolean' }).notNull(),
  enrollTrigger: text('enroll_trigger').notNull(),
  concurrency: text('concurrency').notNull(),
  nextStorylineId: text('next_storyline_id'),
  position: integer('position').notNull(),
  version: integer('version').notNull(),
  createdAt: integer('created_at').notNull(),
  updatedAt: integer('updated_at').notNull(),
})

export const storylineRevisions = sqliteTable('storyline_revisions', {
  id: text('id').primaryKey(),
  tenantId: text('tenant_id').notNull(),
  storylineId: text('storyline_id').notNull(),
  version: integer('version').notNull(),
  actor: text('actor'),
  graph: text('graph', { mode: 'json' }).$type<Graph>().notNull(),
  profileSchema: text('profile_schema', { mode: 'json' })
    .$type<Record<string, unknown>>()
    .notNull(),
  behaviour: text('behaviour', { mode: 'json' }).$type<Behaviour>().notNull(),
  createdAt: integer('created_at').notNull(),
})

export const storylineEnrollments = sqliteTable('storyline_enrollments', {
  id: text('id').primaryKey(),
  tenantId: text('tenant_id').notNull(),
  storylineId: text('storyline_id').notNull(),
  revisionId: text('revision_id').notNull(),
  userId: text('user_id').notNull(),
  spaceId: text('space_id').notNull(),
  nodeKey: text('node_key').notNull(),
  status: text('status', { enum: ENROLLMENT_STATES }).notNull(),
  reports: integer('reports').notNull(),
  enteredNodeAt: integer('entered_node_at').notNull(),
  lastTurnAt: integer('last_turn_at').notNull(),
  createdAt: integer('created_at').notNull(),
  updatedAt: integer('updated_at').notNull(),
  movedBy: text('moved_by'),
})

export const storylineCounts = sqliteTable(
  'storyline_counts',
  {
    tenantId: text('tenant_id').notNull(),
    storylineId: text('storyline_id').notNull(),
    nodeKey: text('node_key').notNull(),
    kind: text('kind', { enum: STORYLINE_COUNTS }).notNull(),
    name: text('name').notNull(),
    n: integer('n').notNull(),
  },
  (t) => [primaryKey({ columns: [t.storylineId, t.nodeKey, t.kind, t.name] })],
)

export const storylineScenarios = sqliteTable('storyline_scenarios', {
  id: text('id').primaryKey(),
  tenantId: text('tenant_id').notNull(),
  storylineId: text('storyline_id').notNull(),
  name: text('name').notNull(),
  body: text('body').notNull(),
  version: integer('version').notNull(),
  createdAt: integer('created_at').notNull(),
  updatedAt: integer('updated_at').notNull(),
})

export const MIGRATION_STATES = ['running', 'done', 'undone'] as const

export const storylineMigrations = sqliteTable('storyline_migrations', {
  id: text('id').primaryKey(),
  tenantId: text('tenant_id').notNull(),
  storylineId: text('storyline_id').notNull(),
  wanted: text('wanted', { mode: 'json' }).$type<MigrationOrder>().notNull(),
  status: text('status', { enum: MIGRATION_STATES }).notNull(),
  at: text('at').notNull(),
  matched: integer('matched').notNull(),
  changed: integer('changed').notNull(),
  slotsDropped: integer('slots_dropped').notNull(),
  skipped: text('skipped', { mode: 'json' }).$type<{ id: string; reason: string }[]>().notNull(),
  createdAt: integer('created_at').notNull(),
  updatedAt: integer('updated_at').notNull(),
})

export const handoffs = sqliteTable('handoffs', {
  id: text('id').primaryKey(),
  tenantId: text('tenant_id').notNull(),
  userId: text('user_id').notNull(),
  spaceId: text('space_id').notNull(),
  sessionId: text('session_id').notNull(),
  agentName: text('agent_name').notNull(),
  status: text('status', { enum: HANDOFF_STATES }).notNull(),
  reason: text('reason', { enum: HANDOFF_REASONS }).notNull(),
  summary: text('summary'),
  n: integer('n').notNull(),
  mailedAt: integer('mailed_at'),
  createdAt: integer('created_at').notNull(),
  answeredAt: integer('answered_at'),
  closedAt: integer('closed_at'),
})
export type HandoffRow = typeof handoffs.$inferSelect

export const EXPORT_STATES = ['running', 'ready', 'failed'] as const

export const exports = sqliteTable('exports', {
  id: text('id').primaryKey(),
  tenantId: text('tenant_id').notNull(),
  userId: text('user_id').notNull(),
  status: text('status', { enum: EXPORT_STATES }).notNull(),
  error: text('error', { enum: ['too_large', 'failed'] }),
  at: text('at', { mode: 'json' }).$type<ExportPlace>(),
  parts: text('parts', { mode: 'json' }).$type<string[]>().notNull(),
  files: integer('files').notNull(),
  sizeBytes: integer('size_bytes').notNull(),
  toldAt: integer('told_at'),
  createdAt: integer('created_at').notNull(),
  updatedAt: integer('updated_at').notNull(),
  finishedAt: integer('finished_at'),
  expiresAt: integer('expires_at').notNull(),
})
export type ExportRow = typeof exports.$inferSelect

export const SITE_IMPORT_STATES = ['running', 'done', 'failed'] as const
export const SITE_PAGE_STATES = ['queued', 'imported', 'unchanged', 'skipped', 'failed'] as const

export const siteImports = sqliteTable('site_imports', {
  id: text('id').primaryKey(),
  tenantId: text('tenant_id').notNull(),
  baseId: text('base_id').notNull(),
  url: text('url').notNull(),
  origin: text('origin').notNull(),
  pageLimit: integer('page_limit').notNull(),
  status: text('status', { enum: SITE_IMPORT_STATES }).notNull(),
  error: text('error'),
  robots: text('robots'),
  step: integer('step').notNull(),
  createdAt: integer('created_at').notNull(),
  updatedAt: integer('updated_at').notNull(),
})

export const sitePages = sqliteTable(
  'site_pages',
  {
    importId: text('import_id').notNull(),
    tenantId: text('tenant_id').notNull(),
    n: integer('n').notNull(),
    kind: text('kind', { enum: ['page', 'sitemap'] }).notNull(),
    url: text('url').notNull(),
    status: text('status', { enum: SITE_PAGE_STATES }).notNull(),
    reason: text('reason'),
    documentId: text('document_id'),
  },
  (t) => [primaryKey({ columns: [t.importId, t.url] })],
)

export type TenantRow = typeof tenants.$inferSelect
export type ApiKeyRow = typeof apiKeys.$inferSelect
export type AuditRow = typeof audit.$inferSelect
export type AgentRow = typeof agents.$inferSelect
export type SkillRow = typeof skills.$inferSelect
export type RevisionRow = typeof revisions.$inferSelect
export type KnowledgeBaseRow = typeof knowledgeBases.$inferSelect
export type SiteImportRow = typeof siteImports.$inferSelect
export type SitePageRow = typeof sitePages.$inferSelect
export type DocumentRow = typeof documents.$inferSelect
export type UserRow = typeof users.$inferSelect
export type SpaceRow = typeof spaces.$inferSelect
export type UserProfileRow = typeof userProfiles.$inferSelect
export type AccountRow = typeof accounts.$inferSelect
export type SmtpRow = typeof tenantSmtp.$inferSelect
export type ChannelRow = typeof tenantChannels.$inferSelect
export type ChannelLinkRow = typeof channelLinks.$inferSelect
export type InboxRow = typeof channelInbox.$inferSelect
export type McpServerRow = typeof mcpServers.$inferSelect
export type OauthRow = typeof tenantOauth.$inferSelect
export type WebhookRow = typeof webhooks.$inferSelect
export type DeliveryRow = typeof webhookDeliveries.$inferSelect
export type CustomDomainRow = typeof customDomains.$inferSelect
export type AgentAppRow = typeof agentApps.$inferSelect

export type StorylineRow = typeof storylines.$inferSelect
export type StorylineRevisionRow = typeof storylineRevisions.$inferSelect
export type ScenarioRow = typeof storylineScenarios.$inferSelect
export type MigrationRow = typeof storylineMigrations.$inferSelect
export type EnrollmentRow = typeof storylineEnrollments.$inferSelect

export type ReviewRow = typeof reviews.$inferSelect
export type ReviewOriginRow = typeof reviewOrigins.$inferSelect

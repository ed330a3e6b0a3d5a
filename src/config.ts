/** Defaults, enumerations and limits of the whole product, so that changing one is a one-line change. */

export const API_VERSION = '0.1.0'

export const LANGUAGES = ['en', 'zh', 'zh-TW', 'es', 'ru', 'fr', 'ar'] as const
export type Language = (typeof LANGUAGES)[number]

export const KIB = 1024
export const MIB = 1024 * KIB
export const SECOND_MS = 1000
export const MINUTE_MS = 60 * SECOND_MS
export const HOUR_MS = 60 * MINUTE_MS
export const DAY_MS = 24 * HOUR_MS

/** Agent tools. System tools are on by default; optional ones are switched on by name. */
export const SYSTEM_TOOLS = ['current_time', 'ip_geo', 'weather'] as const
export const OPTIONAL_TOOLS = [
  'schedule_reminder',
  'search_knowledge',
  'ask_form',
  'handoff',
] as const

export const USAGE_KINDS = [
  'chat',
  'embedding',
  'rerank',
  'title',
  'memory',
  'suggest',
  'guard',
  'research',
  'storyline',
  'stt',
  'review',
  'draft',
] as const
export type UsageKind = (typeof USAGE_KINDS)[number]

export const FINISH_REASONS = [
  'stop',
  'length',
  'no_match',
  'guard',
  'clarify',
  'form',
  'handoff',
  'stopped',
  'error',
] as const
export type FinishReason = (typeof FINISH_REASONS)[number]

export const SCOPES = ['manage', 'chat', 'read'] as const

/** Page sizes: default and maximum. */
export const PAGES = {
  manage: { default: 50, max: 200 },
  audit: { default: 50, max: 200 },
  reviews: { default: 50, max: 200 },
  reminders: { default: 20, max: 100 },
  sessions: { default: 30, max: 100 },
  messages: { default: 200, max: 500 },
} as const

/** Body sizes in bytes. */
export const BODY_LIMITS = {
  json: 1 * MIB,
  chat: 25 * MIB,
  multipart: 25 * MIB,
  icon: 1 * MIB,
} as const

export const LIMITS = {
  agentsPerTenant: 200,
  skillsPerTenant: 500,
  basesPerTenant: 100,
  chunksPerBase: 100_000,
  spacesPerUser: 50,
  revisionsKept: 100,
  nameLength: 64,
  promptLength: 20_000,
  messageLength: 16_000,
  imagesPerTurn: 4,
  imageBytes: 5 * MIB,
  audioBytes: 10 * MIB,
  mediaBytesPerTurn: 15 * MIB,
  imageDimension: 4096,
  historyWindow: { default: 20, min: 0, max: 100 },
  maxOutputTokens: { default: 2048, min: 16, max: 32_768 },
  toolCallMaxTokens: { default: 4096, min: 64, max: 32_768 },
  toolSteps: 8,
  searchK: { default: 6, min: 1, max: 20 },
  menuItems: 8,
  menuItemLength: 40,
  endUserIdLength: 256,
  idempotencyKeyLength: 255,
  idempotencyHours: 24,
  streamReplayMinutes: 10,
  auditYears: 2,
  cacheTtlMs: 5 * SECOND_MS,
} as const

/** Archive and parser budgets (security requirements, section 7). */
export const ARCHIVE_LIMITS = {
  entries: 1000,
  entryBytes: 20 * MIB,
  totalBytes: 100 * MIB,
  ratio: 100,
  depth: 10,
  nameBytes: 255,
  xmlDepth: 100,
  pdfPages: 2000,
} as const

/** Ingestion: a job without progress for this long is taken up again, at most `attempts` times. */
export const INGEST = { attempts: 3, stallMs: 10 * MINUTE_MS, chunkBatch: 64 } as const

export const QUOTA = { defaultMonthlyTokens: 2_000_000, warningShare: 0.8 } as const

export const JWT = {
  defaultTtlS: 7 * 24 * 3600,
  minTtlS: 15 * 60,
  maxTtlS: 30 * 24 * 3600,
  leewayS: 60,
  maxBytes: 4096,
} as const

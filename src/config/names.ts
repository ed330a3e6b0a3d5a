/** The words that are chosen from: languages, tools, kinds, states, providers. A new one is a line here. */

export const API_VERSION = '0.1.0'

export const LANGUAGES = ['en', 'zh', 'zh-TW', 'es', 'ru', 'fr', 'ar'] as const
export type Language = (typeof LANGUAGES)[number]

/** Agent tools. System tools are on by default; optional ones are switched on by name. */
export const SYSTEM_TOOLS = ['current_time', 'ip_geo', 'weather'] as const
export const OPTIONAL_TOOLS = [
  'schedule_reminder',
  'search_knowledge',
  'ask_form',
  'handoff',
] as const

const USAGE_KINDS = [
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
  'tts',
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

/** What was wrong with an answer, as its reader says. */
export const FEEDBACK_REASONS = ['wrong', 'not_found', 'outdated', 'unclear', 'other'] as const
export type FeedbackReason = (typeof FEEDBACK_REASONS)[number]

export const STORYLINE_STATES = ['draft', 'published', 'unpublished'] as const

export const ENROLLMENT_STATES = [
  'offered',
  'active',
  'paused',
  'completed',
  'exited',
  'failed',
] as const
export type EnrollmentStatus = (typeof ENROLLMENT_STATES)[number]

/** How a storyline behaves; the first word of each is the default, and stands for every word that is not known. */
export const STORYLINE_WORDS = {
  entry: ['menu', 'offer', 'auto', 'closed'],
  enroll_trigger: ['manual', 'first_contact', 'new_chat', 'intent'],
  user_visibility: ['title', 'hidden', 'progress'],
  on_complete: ['return', 'next', 'restart', 'hold'],
  concurrency: ['exclusive', 'interrupt', 'parallel'],
} as const
export type StorylineWord<F extends keyof typeof STORYLINE_WORDS> =
  (typeof STORYLINE_WORDS)[F][number]

/** What is counted of enrollments at a node; `exit` by exit, `seconds` by class of duration. */
export const STORYLINE_COUNTS = [
  'entered',
  'completed',
  'exited',
  'failed',
  'exit',
  'seconds',
] as const
export type StorylineCount = (typeof STORYLINE_COUNTS)[number]

export const REVIEW_STATES = ['pending', 'approved', 'rejected'] as const
/** Why a question is to be reviewed. */
export const REVIEW_REASONS = ['unsourced', 'no_match', 'feedback'] as const
export type ReviewReason = (typeof REVIEW_REASONS)[number]

/** Providers of social sign-in, in the order in which they are listed. */
export const PROVIDERS = ['google', 'github'] as const
export type ProviderName = (typeof PROVIDERS)[number]

/** Where a tenant's own model may answer. */
export const BYOK_PROVIDERS = ['openai-compatible', 'workers-ai'] as const
export type ByokProvider = (typeof BYOK_PROVIDERS)[number]

/** What a webhook can be told of. */
export const WEBHOOK_EVENTS = [
  'turn.completed',
  'turn.no_match',
  'review.created',
  'document.ready',
  'document.failed',
  'storyline.completed',
  'handoff.requested',
  'quota.warning',
  'user.deleted',
] as const
export type WebhookEventType = (typeof WEBHOOK_EVENTS)[number]
/** Messaging channels. `chatapp` stands for the first of them that the tenant has set up. */
export const CHANNELS = ['telegram'] as const
export type ChannelName = (typeof CHANNELS)[number]

export const SCOPES = ['manage', 'chat', 'read'] as const

/** When a page offers to be installed. */
export const INSTALL_PROMPTS = ['off', 'manual', 'auto'] as const
export type InstallPrompt = (typeof INSTALL_PROMPTS)[number]

/** What an agent's `model` says for the answerer without a model, and what `usage.model` then names. */
export const OFFLINE_MODEL_ID = 'offline'
export const OFFLINE_MODEL_NAME = 'offline-extractive'

export type ModelProvider = 'workers-ai' | 'openai-compatible' | 'offline'

/** A conversation that waits for a person (contract, section 10). */
export const HANDOFF_STATES = ['requested', 'answered', 'closed'] as const
export type HandoffStatus = (typeof HANDOFF_STATES)[number]

/** Who wanted it: the user in their own words, the agent by its tool, or a node of a storyline. */
export const HANDOFF_REASONS = ['user', 'agent', 'storyline'] as const
export type HandoffReason = (typeof HANDOFF_REASONS)[number]

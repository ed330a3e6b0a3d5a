import {
  CHAT_APP,
  HANDOFF,
  JWT,
  KNOWLEDGE,
  QUOTA,
  RATES,
  type RateName,
  REMINDERS,
  SECOND_MS,
  STREAMS,
  WEBHOOKS,
} from './limits'

/** Variables and secrets as the Worker gets them; all strings, most optional. */
export interface EnvVars {
  ENVIRONMENT?: string
  PUBLIC_BASE?: string
  LOCAL_ORIGIN?: string
  OWN_HOSTS?: string
  CNAME_BASE?: string
  TLS_ALLOW?: string
  ADMIN_TOKEN?: string
  MASTER_KEYS?: string
  JWT_SECRET?: string
  JWT_TTL?: string
  MODEL_PROVIDER?: string
  OPENAI_BASE_URL?: string
  OPENAI_API_KEY?: string
  CHAT_MODEL?: string
  CHAT_MODELS?: string
  EMBEDDING_MODEL?: string
  STT_MODEL?: string
  TTS_MODEL?: string
  TTS_VOICE?: string
  RERANK_URL?: string
  RERANK_API_KEY?: string
  RERANK_MODEL?: string
  EGRESS_ALLOW?: string
  DOH_URL?: string
  WEATHER_URL?: string
  TELEGRAM_URL?: string
  CONSOLE_ORIGINS?: string
  MONTHLY_TOKENS?: string
  STREAM_PING_S?: string
  VECTORIZE_FROM_CHUNKS?: string
  WEBHOOK_RETRY_S?: string
  [name: `OAUTH_${string}_URL`]: string | undefined
  [name: `LIMITS_${string}`]: string | undefined
}

export interface Config {
  environment: string
  /** Origin under which end users reach this deployment; '' means the request's own. */
  publicBase: string
  /** Where a local run is reached when nothing else is said: links of work that no request waits for. */
  localOrigin: string
  /** Further host names under which this deployment is reached. */
  ownHosts: string[]
  /** Below it lie the names that custom domains point to. */
  cnameBase: string
  /** False: no reverse proxy asks here whether it may get a certificate. */
  tlsAllow: boolean
  adminToken: string
  masterKeys: string
  jwtSecret: string
  jwtTtlS: number
  monthlyTokens: number
  egressAllow: string[]
  resolverUrl: string
  weatherUrl: string
  telegramUrl: string
  consoleOrigins: string[]
  /** `OAUTH_{provider}_{endpoint}_URL`: a provider's endpoint elsewhere than in public. */
  oauthUrls: Record<string, string>
  rates: Record<RateName, { limit: number; windowS: number }>
  streamPingMs: number
  streamsPerUser: number
  reminderLeadMs: number
  /** How long a conversation waits for a person before its agent comes back. */
  handoffMs: number
  /** Seconds between the attempts of a webhook delivery. */
  webhookRetryS: readonly number[]
  /** A knowledge base of so many chunks is copied to the vector index. */
  vectorizeFromChunks: number
  claimMs: number
}

const configs = new WeakMap<object, Config>()

/** The typed configuration, read once per environment. @throws ConfigError naming what is missing. */
export function configOf(env: object): Config {
  let config = configs.get(env)
  if (!config) {
    config = readConfig(env as EnvVars)
    configs.set(env, config)
  }
  return config
}

const MIN_SECRET_BYTES = 32

/** A variable or secret that is missing or unusable; the message says what to do. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'

  constructor(
    readonly variable: string,
    message: string,
  ) {
    super(message)
  }
}

/**
 * Reads variables and secrets once per isolate.
 * @throws ConfigError naming the variable and what to do when a secret is missing or too short: no secret has a default.
 */
export function readConfig(env: EnvVars): Config {
  const rates = {} as Config['rates']
  for (const [name, rate] of Object.entries(RATES) as [
    RateName,
    { limit: number; windowS: number },
  ][]) {
    const variable = `LIMITS_${name.replace(/[A-Z]/g, (c) => `_${c}`).toUpperCase()}` as const
    const raised = env[variable]
    rates[name] = {
      limit: raised ? readInteger(variable, raised, rate.limit, 1e9) : rate.limit,
      windowS: rate.windowS,
    }
  }
  requireAddresses(env)
  if (env.MODEL_PROVIDER && !/^(?:workers-ai|openai-compatible|offline)$/.test(env.MODEL_PROVIDER))
    throw new ConfigError(
      'MODEL_PROVIDER',
      'MODEL_PROVIDER must be workers-ai, openai-compatible or offline.',
    )
  const publicBase = env.PUBLIC_BASE ? readOrigin('PUBLIC_BASE', env.PUBLIC_BASE) : ''
  return {
    environment: env.ENVIRONMENT ?? 'local',
    publicBase,
    localOrigin: env.LOCAL_ORIGIN || 'http://localhost:8787',
    ownHosts: splitList(env.OWN_HOSTS).map((host) => host.toLowerCase()),
    cnameBase: (
      env.CNAME_BASE || `domains.${URL.parse(publicBase)?.hostname ?? 'localhost'}`
    ).toLowerCase(),
    tlsAllow: env.TLS_ALLOW !== 'off',
    adminToken: requireSecret('ADMIN_TOKEN', env.ADMIN_TOKEN),
    masterKeys: requireSecret('MASTER_KEYS', env.MASTER_KEYS),
    jwtSecret: requireSecret('JWT_SECRET', env.JWT_SECRET),
    jwtTtlS: env.JWT_TTL
      ? readInteger('JWT_TTL', env.JWT_TTL, JWT.minTtlS, JWT.maxTtlS)
      : JWT.defaultTtlS,
    monthlyTokens: env.MONTHLY_TOKENS
      ? readInteger('MONTHLY_TOKENS', env.MONTHLY_TOKENS, 1, Number.MAX_SAFE_INTEGER)
      : QUOTA.defaultMonthlyTokens,
    egressAllow: splitList(env.EGRESS_ALLOW),
    resolverUrl: env.DOH_URL || 'https://cloudflare-dns.com/dns-query',
    weatherUrl: env.WEATHER_URL || 'https://api.open-meteo.com',
    telegramUrl: (env.TELEGRAM_URL || 'https://api.telegram.org').replace(/\/+$/, ''),
    consoleOrigins: splitList(env.CONSOLE_ORIGINS).map((text) =>
      readOrigin('CONSOLE_ORIGINS', text),
    ),
    oauthUrls: readOauthUrls(env),
    rates,
    streamPingMs:
      SECOND_MS *
      (env.STREAM_PING_S ? readInteger('STREAM_PING_S', env.STREAM_PING_S, 1, 300) : STREAMS.pingS),
    streamsPerUser: env.LIMITS_STREAMS_PER_USER
      ? readInteger('LIMITS_STREAMS_PER_USER', env.LIMITS_STREAMS_PER_USER, STREAMS.perUser, 1e6)
      : STREAMS.perUser,
    reminderLeadMs:
      SECOND_MS *
      (env.LIMITS_REMINDER_LEAD_S
        ? readInteger('LIMITS_REMINDER_LEAD_S', env.LIMITS_REMINDER_LEAD_S, 0, REMINDERS.leadS)
        : REMINDERS.leadS),
    handoffMs:
      SECOND_MS *
      (env.LIMITS_HANDOFF_S
        ? readInteger('LIMITS_HANDOFF_S', env.LIMITS_HANDOFF_S, 1, 30 * HANDOFF.patienceS)
        : HANDOFF.patienceS),
    webhookRetryS: env.WEBHOOK_RETRY_S
      ? splitList(env.WEBHOOK_RETRY_S).map((text) =>
          readInteger('WEBHOOK_RETRY_S', text, 0, MAX_QUEUE_DELAY_S),
        )
      : WEBHOOKS.retryS,
    vectorizeFromChunks: env.VECTORIZE_FROM_CHUNKS
      ? readInteger('VECTORIZE_FROM_CHUNKS', env.VECTORIZE_FROM_CHUNKS, 1, 1e9)
      : KNOWLEDGE.indexFromChunks,
    claimMs:
      SECOND_MS *
      (env.LIMITS_CLAIM_S
        ? readInteger('LIMITS_CLAIM_S', env.LIMITS_CLAIM_S, 1, CHAT_APP.claimS)
        : CHAT_APP.claimS),
  }
}

/** The platform delays a message by twelve hours at most. */
const MAX_QUEUE_DELAY_S = 43_200

function readOauthUrls(env: EnvVars): Record<string, string> {
  const urls: Record<string, string> = {}
  for (const [name, value] of Object.entries(env)) {
    if (/^OAUTH_\w+_URL$/.test(name) && typeof value === 'string' && value) urls[name] = value
  }
  return urls
}

/** Addresses are not quoted: some hold a token. */
function requireAddresses(env: EnvVars): void {
  for (const [name, value] of Object.entries(env)) {
    if (/_URL$/.test(name) && value && !(WEB.test(value) && URL.canParse(value)))
      throw new ConfigError(name, `${name} must begin with http:// or https://.`)
  }
}

const WEB = /^https?:\/\//

function readOrigin(name: string, value: string): string {
  const url = URL.parse(value)
  const origin = `${url?.protocol}//${url?.host}`
  if (url?.href.replace(/\/$/, '') !== origin)
    throw new ConfigError(
      name,
      `${name} must be an origin such as https://chat.example.com, not "${value}".`,
    )
  return origin
}

function requireSecret(name: string, value: string | undefined): string {
  if (!value || new TextEncoder().encode(value).length < MIN_SECRET_BYTES) {
    throw new ConfigError(
      name,
      `${name} is missing or shorter than ${MIN_SECRET_BYTES} bytes. Locally \`npm run dev\` writes it to .dev.vars; in production run \`wrangler secret put ${name} --env production\`.`,
    )
  }
  return value
}

function readInteger(name: string, value: string, min: number, max: number): number {
  const number = Number(value)
  if (!Number.isInteger(number) || number < min || number > max) {
    throw new ConfigError(
      name,
      `${name} must be a whole number from ${min} to ${max}, not "${value}".`,
    )
  }
  return number
}

function splitList(value: string | undefined): string[] {
  return (value ?? '')
    .split(',')
    .map((item) => item.trim())
    .filter(Boolean)
}

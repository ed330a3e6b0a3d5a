/** Answers of `/v1/tenant/*`. */

export interface Oauth {
  provider: 'google' | 'github'
  client_id: string | null
  configured: boolean
  enabled: boolean
}

export interface Smtp {
  host: string
  port: number
  user: string
  from_addr: string
  starttls: boolean
  has_password: boolean
}

export interface ModelStatus {
  model: string | null
  state: 'ok' | 'failing' | 'unknown'
  code:
    | 'key_refused'
    | 'key_unreadable'
    | 'model_unknown'
    | 'request_refused'
    | 'too_many_requests'
    | 'timeout'
    | 'unavailable'
    | null
  message: string | null
  since: string | null
}

export interface Settings {
  tenant_id: string
  name: string
  alias: string | null
  alias_prefix: string
  auth_mode: 'native' | 'proxy'
  privacy_mode: boolean
  status: 'active' | 'suspended' | 'deleted'
  profile: Record<string, unknown>
  onboarding_config: Record<string, unknown> | null
  daily_tokens_per_user: number | null
  oauth: Oauth[]
  smtp: Smtp | null
  logo_url: string | null
  model_status: ModelStatus
}

export interface Privacy {
  tenant_id: string
  privacy_mode: boolean
  byok_provider: 'openai-compatible' | 'workers-ai' | null
  byok: { host: string | null; model: string; has_api_key: boolean } | null
}

export interface Domain {
  domain: string
  agent_alias: string | null
  status: 'pending' | 'active' | 'error'
  cname_target: string
  record: { type: 'CNAME' | 'TXT'; name: string; value: string }
  last_checked_at: string | null
  last_error: string | null
}

export interface DomainFeature {
  enabled: boolean
  bound: boolean
  cname_target: string | null
}

export interface Key {
  id: string
  name: string
  prefix: string
  scopes: string[] | null
  revoked: boolean
  created_at: string
  last_used_at: string | null
}

export interface Webhook {
  id: string
  url: string
  events: string[]
  description: string | null
  status: 'active' | 'disabled'
  disabled_reason: 'failing' | 'gone' | null
  failing_since: string | null
  last_delivery_at: string | null
  created_at: string
  updated_at: string
}

export interface Delivery {
  id: string
  event_id: string
  type: string
  data: Record<string, string>
  status: 'pending' | 'delivered' | 'failed'
  attempts: number
  response_status: number | null
  error: string | null
  replay_of: string | null
  happened_at: string
  created_at: string
  last_attempt_at: string | null
  next_attempt_at: string | null
}

export interface Channel {
  channel: 'telegram'
  configured: boolean
  bot_id: string | null
  bot_name: string | null
  bot_username: string | null
  url: string | null
  webhook_url: string
  linked_users: number
  created_at: string | null
  updated_at: string | null
}

export interface Quota {
  period: string
  used: number
  limit: number | null
  remaining: number | null
  percent: number
  state: 'ok' | 'warning' | 'exhausted'
  resets_at: string
  unit: 'tokens'
}

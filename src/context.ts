import type { Config } from './config/read-config'
import type { Db } from './db/client'
import type { TenantRow } from './db/tables/tenants'
import type { Site } from './domains/directory'
import type { Log } from './log'
import type { UserFacts } from './users/user-facts'

/** Who does something, and through which door: what the audit trail records. */
export interface Actor {
  type: 'key' | 'operator' | 'mcp' | 'system' | 'user'
  /** `key:{name}`, `operator`, `mcp:{key}`, `system` or `user:{id}`. */
  name: string
  keyId: string | null
  /** Scopes of the key, null for all of them. */
  scopes?: string[] | null
}

export type Via = 'api' | 'console' | 'mcp'

/** What every function of the domain gets first, whichever door the call came through. */
export interface BaseContext {
  env: Env
  config: Config
  db: Db
  log: Log
  /** Milliseconds since 1970, fixed for the request. */
  now: number
  requestId: string
  /** Origin for links: the configured base, else the request's own. */
  origin: string
  waitUntil(work: Promise<unknown>): void
  /** Where the call comes from, as rates count it. */
  address?: string
  /** Set on a tenant's own domain: the only tenant whose callers are let in there. */
  ofTenant?: string
  /** The call may change nothing (HEAD): a user who is not known yet is not made. */
  readOnly?: boolean
}

export interface OperatorContext extends BaseContext {
  actor: Actor
  via: Via
}

export interface TenantContext extends OperatorContext {
  tenant: TenantRow
}

export interface UserIdentity {
  id: string
  source: string
  externalId: string
  /** The token's version where a token identified the user, else null. */
  tokenVersion: number | null
  /** When that token runs out, milliseconds since 1970; null behind a tenant key. */
  tokenExpiresAt: number | null
}

export interface SpaceIdentity {
  id: string
  tag: number
  isDefault: boolean
  /** Set while the space is merged into another one: that one, whose agents count from now on. */
  home?: { id: string; isDefault: boolean }
}

/** A user whom this very call made, and what is known of them: spares their first object to read it. */
export interface Newcomer {
  /** The user's key as it is stored. */
  wrappedKey: string
  /** When the user was made, milliseconds since 1970. */
  at: number
  facts: UserFacts
}

export interface UserContext extends TenantContext {
  user: UserIdentity
  /** Only where this call made the user. */
  newcomer?: Newcomer
  space: SpaceIdentity
  /** True when X-Space-Id chose the space. */
  spaceNamed: boolean
  /** True when a tenant key stands behind the call: it may see drafts (X-Preview) and all source fields. */
  byKey: boolean
}

/** A caller of the chat side whose end user may still have to be named. */
export interface AppContext extends TenantContext {
  /** True when a key was sent without X-End-User. */
  needsEndUser: boolean
  /** What an end user's token says, null behind a tenant key. */
  token: { user: string; version: number; home: SpaceIdentity } | null
  /** @param fallback names the end user when the headers do not; null means `openai:{key id}`. */
  withUser(fallback: string | null): Promise<UserContext>
}

export interface AppVariables {
  requestId: string
  /** The tenant's own host that the request came to, null on the deployment's own. */
  site: Site | null
  base: BaseContext
  operator: OperatorContext
  tenant: TenantContext
  user: UserContext
  app: AppContext
  form: FormData
  /** Set for a request of the Worker's own: whom it is made for. */
  adopted: Pick<TenantContext, 'tenant' | 'actor' | 'via'> | undefined
  /** Sends a request of the Worker's own through the whole application. */
  dispatch(request: Request): Promise<Response>
}

export interface AppEnv {
  Bindings: Env
  Variables: AppVariables
}

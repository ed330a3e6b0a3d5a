import type { Context, Handler } from 'hono'
import type * as z from 'zod'
import type { ReadHeader } from '../api-description/layers'
import type { RateName } from '../config/limits'
import type { AppEnv, AppVariables } from '../context'

/**
 * Who may call. `public`: anyone, credentials are ignored. `operator`: X-Admin-Token. `tenant`: a tenant key, or the
 * operator acting as the tenant. `user`: an end user's token, or a tenant key with X-End-User. `app`: the same, but the
 * end user may be named by the body.
 */
export type Layer = 'public' | 'operator' | 'tenant' | 'user' | 'app'
export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

interface LayerVariables {
  public: Pick<AppVariables, 'requestId' | 'base' | 'site'>
  operator: Pick<AppVariables, 'requestId' | 'base' | 'operator'>
  tenant: Pick<AppVariables, 'requestId' | 'base' | 'tenant' | 'form' | 'dispatch'>
  user: Pick<AppVariables, 'requestId' | 'base' | 'app' | 'user'>
  app: Pick<AppVariables, 'requestId' | 'base' | 'app'>
}

type Output<S> = S extends z.ZodType ? z.output<S> : undefined

export type RouteContext<L extends Layer, P, Q, H, J> = Context<
  { Bindings: Env; Variables: LayerVariables[L] },
  string,
  { in: object; out: { param: Output<P>; query: Output<Q>; header: Output<H>; json: Output<J> } }
>

/** What an answer carries: a JSON schema, nothing, or bytes of a media type. */
export type Answer = z.ZodType | 'empty' | { media: string }

interface RouteFacts<L extends Layer> {
  method: Method
  /** Parameters as `{name}`. */
  path: string
  /** The same operation under further paths. */
  also?: string[]
  layer: L
  tag: string
  summary: string
  answers: Record<number, Answer>
  /** Statuses beyond those of the layer (401, 403, 422, 429…). */
  errors?: number[]
  /** Largest body in bytes; a route without a body takes none. */
  bodyLimit?: number
  /** A tenant key must stand behind the call: an end user's own token is refused. */
  keyOnly?: boolean
  /** Changes nothing by itself, whatever its method: a key that may only read may call it. */
  readable?: boolean
  /**
   * The rate window that the call counts in, before its body is parsed: per tenant; on routes of end users per user; per
   * address where the caller may be anybody or comes by a token of their own.
   */
  rate?: RateName
  /** A GET that uses something up or opens something, so it must not be served as HEAD, which may change nothing. */
  takesEffect?: boolean
  /** X-End-User is part of the request: a key without it is answered 422 instead of 401. */
  asksEndUser?: boolean
  /** A public route that is served on a tenant's own domain too. */
  onSites?: boolean
  /** The call begins a turn. Key, tenant and user are then checked by the objects that admit the turn (`confirmRefused`). */
  beginsTurn?: boolean
  /** Honours Idempotency-Key. `redacted` lists answer fields (`a.b` inside an object) that are never kept for a repeat. */
  idempotent?: boolean | { redacted: string[] }
  /** The body is a multipart form with a field `file`. */
  multipart?: boolean
  /** For the description: request headers beyond those of the layer. */
  reads?: ReadHeader[]
  /** For the description: what the body is where `json` checks only that it is an object. */
  body?: z.ZodType
  /** Errors carry the OpenAI protocol's body beside ours. */
  openAi?: boolean
  /** For the description: the body may ask for server-sent events instead of JSON. */
  streams?: boolean
}

export interface Route extends RouteFacts<Layer> {
  params?: z.ZodType
  query?: z.ZodType
  headers?: z.ZodType
  json?: z.ZodType
  handler: Handler<AppEnv>
}

/**
 * One entry of the table that drives router, credentials, validation, API description, MCP tools and the tests of all
 * routes. Gives the handler the types of what its layer and its schemas guarantee; changes nothing at run time.
 */
export function defineRoute<
  L extends Layer,
  P extends z.ZodType | undefined = undefined,
  Q extends z.ZodType | undefined = undefined,
  H extends z.ZodType | undefined = undefined,
  J extends z.ZodType | undefined = undefined,
>(
  route: RouteFacts<L> & {
    params?: P
    query?: Q
    headers?: H
    json?: J
    handler: (c: RouteContext<L, P, Q, H, J>) => Response | Promise<Response>
  },
): Route {
  return route as unknown as Route
}

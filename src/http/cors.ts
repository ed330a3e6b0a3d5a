import type { Context } from 'hono'
import type { AppEnv } from '../context'
import { allowedMethods, type PathTree, routesAt } from './paths'
import type { Layer, Route } from './route'

const OPEN_LAYERS: Layer[] = ['public', 'user', 'app']
const EXPOSED =
  'X-Request-Id, Retry-After, Link, Idempotency-Replayed, x-vercel-ai-ui-message-stream'

/**
 * Rules BR1 and AU10: chat, /me and /auth for any origin without credentials; management for configured console origins; the
 * operator, in a tenant's place too, for none.
 */
function originFor(c: Context<AppEnv>, route: Route): string | null {
  if (OPEN_LAYERS.includes(route.layer)) return '*'
  const origin = c.req.header('origin')
  if (route.layer !== 'tenant' || origin === undefined || bringsAdminToken(c)) return null
  return c.get('base').config.consoleOrigins.includes(origin) ? origin : null
}

const bringsAdminToken = ({ req }: Context<AppEnv>): boolean =>
  req.header('x-admin-token') !== undefined ||
  /\bx-admin-token\b/i.test(req.header('access-control-request-headers') ?? '')

/** Adds the CORS headers that the request's route allows its origin. */
export function allowOrigin(c: Context<AppEnv>, paths: PathTree): void {
  if (c.req.header('origin') === undefined) return
  const route = routesAt(paths, c.req.path)[0]
  const origin = route && originFor(c, route)
  if (!origin) return
  c.res.headers.set('Access-Control-Allow-Origin', origin)
  c.res.headers.set('Access-Control-Expose-Headers', EXPOSED)
  if (origin !== '*') c.res.headers.append('Vary', 'Origin')
}

/** Answers OPTIONS: which methods and headers another site's script may use here; 404 where no route is. */
export function answerPreflight(c: Context<AppEnv>, paths: PathTree): Response {
  const routes = routesAt(paths, c.req.path)
  if (routes.length === 0) return c.json({ detail: 'Not Found' }, 404)
  const wanted = c.req.header('access-control-request-method')
  const route = routes.find(({ method }) => method === wanted) ?? routes[0]
  if (!route || originFor(c, route) === null)
    return c.body(null, 204, { Allow: allowedMethods(paths, c.req.path).join(', ') })
  return c.body(null, 204, {
    'Access-Control-Allow-Methods': [...new Set(routes.map(({ method }) => method))].join(', '),
    'Access-Control-Allow-Headers': c.req.header('access-control-request-headers') ?? '*',
    'Access-Control-Max-Age': '86400',
  })
}

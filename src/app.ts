import { type Context, Hono, type MiddlewareHandler } from 'hono'
import { BODY_LIMITS, OUTAGE_RETRY_S } from './config/limits'
import type { AppEnv } from './context'
import { ApiError, invalid, unavailable } from './errors'
import { adoptedCaller } from './http/adopted-call'
import { authenticate, confirmRefused, identifyUser, limitRate } from './http/authenticate'
import { createBaseContext } from './http/base-context'
import { allowOrigin, answerPreflight } from './http/cors'
import { readForm } from './http/form'
import { repeatSafely } from './http/idempotency'
import { limitBody } from './http/limit-body'
import { LiteralRouter } from './http/literal-router'
import {
  allowedMethods,
  compilePaths,
  honoPath,
  literalFirst,
  malformedParameter,
  pageBefore,
  routesAt,
} from './http/paths'
import type { Route } from './http/route'
import { findLackOfSchema, type Lack, lackOfConfig, notSetUp } from './http/setup'
import { takeRest } from './http/take-rest'
import { validate } from './http/validate'
import { validateJson } from './http/validate-json'
import { createLog } from './log'
import { readPageLanguage, readsPages, showProblem } from './pages/show-page'
import { newId } from './platform/ids'
import { isOutage } from './platform/outage'
import { serveSites } from './routes/serve-sites'
import { ROUTES } from './routes/table'
import { toOpenAiError } from './wire/openai-error'

/**
 * The whole application: every route of the table with its middleware, and the one place that turns an error into an
 * answer. It reads bindings only from the request.
 */
export function createApp(): Hono<AppEnv> {
  const literal = ROUTES.flatMap(({ path, also = [] }) => [path, ...also]).filter(
    (path) => !path.includes('{'),
  )
  const app = new Hono<AppEnv>({ router: new LiteralRouter(new Set(literal)) })
  const paths = compilePaths(ROUTES)
  const turns = new Set(
    ROUTES.flatMap(({ beginsTurn, path, also = [] }) => (beginsTurn ? [path, ...also] : [])),
  )
  /**
   * Whether the request is for a route that begins a turn. There the check for a missing schema is left to the reads of
   * the turn itself, which spares a round trip; if the turn fails, it is made up for afterwards.
   */
  const beginsTurn = (c: Context<AppEnv>) => turns.has(c.req.path)

  app.use(async (c, next) => {
    c.set('requestId', newId(Date.now()))
    const lack = lackOfConfig(c.env) ?? (beginsTurn(c) ? null : await lackBefore(c))
    if (lack !== null) {
      c.res = await answerNotSetUp(c, lack, answerError)
      return setHeaders(c)
    }
    c.set('base', createBaseContext(c))
    c.set('adopted', adoptedCaller(c.req.raw))
    c.set('dispatch', async (request) => app.fetch(request, c.env, c.executionCtx))
    await next()
    const late = beginsTurn(c) && c.res.status >= 400 ? await findLackOfSchema(c.env.DB) : null
    if (late !== null) c.res = await answerNotSetUp(c, late, answerError)
    // A refused upload whose rest nobody reads would break the connection. In production the edge sees to that.
    if (c.res.status >= 400 && c.env.ENVIRONMENT === 'local') await takeRest(c.req.raw)
    // HEAD is answered as GET: the body that is not sent must not stay open.
    if (c.req.method === 'HEAD') await c.res.body?.cancel()
    setHeaders(c)
    allowOrigin(c, paths)
  })
  app.use(serveSites(paths))
  app.options('*', (c) => answerPreflight(c, paths))

  const answerError = (c: Context<AppEnv>, error: ApiError) => {
    if (readsPages(c.req.header('accept'))) return answerPage(c, error)
    const there = routesAt(paths, c.req.path)
    // Clients of OpenAI's protocol have `/v1` as their base URL and may ask there for what we do not have.
    const speaksOpenAi =
      there.length === 0 ? c.req.path.startsWith('/v1/') : there.some((route) => route.openAi)
    const body = {
      detail: error.detail,
      ...(error.publicCode ? { code: error.publicCode } : {}),
      ...error.facts,
      ...(speaksOpenAi ? { error: toOpenAiError(error) } : {}),
    }
    return c.json(body, error.status, error.headers)
  }
  const refuseMethod = (c: Context<AppEnv>) => {
    const allowed = allowedMethods(paths, c.req.path)
    if (allowed.length === 0) return answerError(c, new ApiError('not_found', 'Not Found'))
    const headers = { Allow: allowed.join(', ') }
    return answerError(c, new ApiError('method_not_allowed', 'Method Not Allowed', { headers }))
  }

  for (const route of literalFirst(ROUTES)) {
    for (const path of [route.path, ...(route.also ?? [])]) {
      // The router serves HEAD as GET.
      if (route.takesEffect)
        app.use(honoPath(path), (c, next) =>
          c.req.method === 'HEAD' ? Promise.resolve(refuseMethod(c)) : next(),
        )
      app.on([route.method], [honoPath(path)], ...steps(route), route.handler)
    }
  }

  app.notFound((c) => {
    const page = pageBefore(paths, c.req)
    return page === null ? refuseMethod(c) : c.redirect(page, 308)
  })

  app.onError((error, c) => {
    if (error instanceof ApiError) return answerError(c, error)
    createLog('http', { request_id: c.get('requestId') }).error('request_failed', error, {
      method: c.req.method,
      version: c.env.VERSION?.id,
    })
    return answerError(
      c,
      isOutage(error)
        ? unavailable(error, OUTAGE_RETRY_S)
        : new ApiError('internal', 'Internal Server Error'),
    )
  })
  return app
}

/** What the deployment lacks, looked up before the handler runs. `/health` and `/readyz` report on the database themselves. */
const lackBefore = async (c: Context<AppEnv>): Promise<Lack | null> =>
  c.req.path === '/health' || c.req.path === '/readyz' ? null : findLackOfSchema(c.env.DB)

/** A deployment that lacks secrets or migrations answers 503 at every address but `/health`; the log says what is missing. */
function answerNotSetUp(
  c: Context<AppEnv>,
  lack: Lack,
  refuse: (c: Context<AppEnv>, error: ApiError) => Response | Promise<Response>,
): Response | Promise<Response> {
  if (c.req.path === '/health') return c.json({ status: 'ok' })
  createLog('http', { request_id: c.get('requestId') }).warn('not_set_up', { ...lack })
  if (c.req.path !== '/readyz') return refuse(c, notSetUp(c.env, lack))
  const checks = { configuration: `missing: ${lack.missing}` }
  return c.json({ status: 'unavailable', checks }, 503)
}

/** An error as a page, for somebody who opened the address in a browser: same status, same headers. */
async function answerPage(c: Context<AppEnv>, { status, headers }: ApiError): Promise<Response> {
  const { lang } = readPageLanguage(undefined, c.req.header('accept-language'))
  const page = await showProblem(lang, status)
  return new Response(page.html, { status, headers: { ...headers, ...page.headers } })
}

function setHeaders(c: Context<AppEnv>): void {
  const { headers } = c.res
  headers.set('X-Request-Id', c.get('requestId'))
  headers.set('X-Content-Type-Options', 'nosniff')
  // A tenant's own domain may have other subdomains, which are not ours to speak for.
  const below = c.get('site') === null ? '; includeSubDomains' : ''
  headers.set('Strict-Transport-Security', `max-age=31536000${below}`)
  if (!headers.has('Referrer-Policy')) headers.set('Referrer-Policy', 'no-referrer')
  if (!headers.has('Cache-Control')) headers.set('Cache-Control', 'no-store')
}

/** The middleware of one route, in the order of rule CL1: size, credential, rate, validation, user and space, repetition. */
function steps(route: Route): MiddlewareHandler<AppEnv>[] {
  const limit = route.bodyLimit ?? (route.multipart ? BODY_LIMITS.multipart : BODY_LIMITS.json)
  const hasBody = route.method !== 'GET'
  return [
    hasBody && limitBody(limit),
    authenticate(route),
    confirmRefused(route),
    limitRate(route),
    route.params && route.layer !== 'public' && requireCleanPath(route),
    route.params && validate('param', route.params),
    route.query && validate('query', route.query),
    route.headers && validate('header', route.headers),
    route.json && validateJson(route.json),
    route.multipart && readForm,
    identifyUser(route),
    repeatSafely(route),
  ].filter(
    (step) => step !== false && step !== null && step !== undefined,
  ) as MiddlewareHandler<AppEnv>[]
}

/** Rule AZ5: a path parameter that is not percent-encoded UTF-8 is refused; the router would take it literally. */
function requireCleanPath(route: Route): MiddlewareHandler<AppEnv> {
  const paths = [route.path, ...(route.also ?? [])]
  return (c, next) => {
    const name = malformedParameter(paths, new URL(c.req.url).pathname)
    if (name !== null) throw invalid(['path', name], 'not percent-encoded UTF-8')
    return next()
  }
}

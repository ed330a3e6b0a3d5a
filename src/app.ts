import { Hono, type MiddlewareHandler } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { HTTPException } from 'hono/http-exception'
import { BODY_LIMITS } from './config'
import { ApiError } from './errors'
import { authenticate, identifyUser, limitRate } from './http/authenticate'
import { createBaseContext } from './http/base-context'
import type { AppEnv } from './http/context'
import { allowOrigin, answerPreflight } from './http/cors'
import { readForm } from './http/form'
import { repeatSafely } from './http/idempotency'
import { allowedMethods, compilePaths, honoPath, literalFirst } from './http/paths'
import type { Route } from './http/route'
import { validate } from './http/validate'
import { newId } from './platform/ids'
import { createLog } from './platform/log'
import { ROUTES } from './routes/table'

/** The whole application. Reads nothing of the platform but what a request brings, so it loads in plain Node too. */
export function createApp(routes: readonly Route[] = ROUTES): Hono<AppEnv> {
  const app = new Hono<AppEnv>()
  const paths = compilePaths(routes)

  app.use(async (c, next) => {
    c.set('requestId', newId(Date.now()))
    c.set('base', createBaseContext(c))
    await next()
    const { headers } = c.res
    headers.set('X-Request-Id', c.get('requestId'))
    headers.set('X-Content-Type-Options', 'nosniff')
    headers.set('Strict-Transport-Security', 'max-age=31536000; includeSubDomains')
    if (!headers.has('Referrer-Policy')) headers.set('Referrer-Policy', 'no-referrer')
    if (!headers.has('Cache-Control')) headers.set('Cache-Control', 'no-store')
    allowOrigin(c, paths)
  })
  app.options('*', (c) => answerPreflight(c, paths))

  for (const route of literalFirst(routes)) {
    for (const path of [route.path, ...(route.also ?? [])]) {
      app.on([route.method], [honoPath(path)], ...steps(route), route.handler)
    }
  }

  app.notFound((c) => {
    const allowed = allowedMethods(paths, c.req.path)
    if (allowed.length === 0) return c.json({ detail: 'Not Found' }, 404)
    return c.json({ detail: 'Method Not Allowed' }, 405, { Allow: allowed.join(', ') })
  })

  app.onError((error, c) => {
    const known = toApiError(error)
    if (known) {
      const body = known.publicCode
        ? { detail: known.detail, code: known.publicCode }
        : { detail: known.detail }
      return c.json(body, known.status, known.headers)
    }
    createLog('http', { request_id: c.get('requestId') }).error('request_failed', error, {
      method: c.req.method,
    })
    return c.json({ detail: 'Internal Server Error' }, 500)
  })
  return app
}

/** In the order of rule CL1: size, credential, rate, validation, user and space, repetition. */
function steps(route: Route): MiddlewareHandler<AppEnv>[] {
  const limit = route.bodyLimit ?? (route.multipart ? BODY_LIMITS.multipart : BODY_LIMITS.json)
  const hasBody = route.method !== 'GET'
  return [
    hasBody && bodyLimit({ maxSize: limit, onError: () => refuseSize() }),
    authenticate(route),
    limitRate(route),
    route.params && validate('param', route.params),
    route.query && validate('query', route.query),
    route.headers && validate('header', route.headers),
    route.json && requireJson,
    route.json && validate('json', route.json),
    route.multipart && readForm,
    identifyUser(route),
    repeatSafely(route),
  ].filter(
    (step) => step !== false && step !== null && step !== undefined,
  ) as MiddlewareHandler<AppEnv>[]
}

function refuseSize(): never {
  throw new ApiError('body_too_large', 'Request body too large')
}

/** The validator reads a body only under a JSON content type; here whatever a JSON route gets is read as JSON, nothing as {}. */
const requireJson: MiddlewareHandler<AppEnv> = async (c, next) => {
  const isJson = JSON_TYPE.test(c.req.header('content-type') ?? '')
  const isEmpty = c.req.raw.body === null || c.req.header('content-length') === '0'
  if (isJson === isEmpty) {
    const headers = new Headers(c.req.raw.headers)
    headers.set('content-type', isEmpty ? 'text/plain' : 'application/json')
    c.req.raw = new Request(c.req.raw, { headers })
  }
  await next()
}
const JSON_TYPE = /^application\/([a-z.+-]+\+)?json\b/i

function toApiError(error: unknown): ApiError | null {
  if (error instanceof ApiError) return error
  if (error instanceof HTTPException && error.status === 413)
    return new ApiError('body_too_large', 'Request body too large')
  if (error instanceof HTTPException && error.status === 400) {
    return new ApiError('validation', [
      { type: 'json_invalid', loc: ['body'], msg: 'JSON decode error' },
    ])
  }
  return null
}

import { and, eq, lt } from 'drizzle-orm'
import type { Context, MiddlewareHandler } from 'hono'
import { HOUR_MS, LIMITS } from '../config'
import { idempotency } from '../db/tables'
import { conflict, invalid } from '../errors'
import { sha256, toHex, utf8 } from '../platform/crypto/bytes'
import { openField, sealField } from '../platform/crypto/field'
import { tenantKey } from '../platform/secrets'
import type { AppEnv, TenantContext } from './context'
import type { Route } from './route'

/** @returns the header's value, or null. @throws ApiError 422 when it is empty or too long. */
export function readIdempotencyKey(headers: Headers): string | null {
  const value = headers.get('idempotency-key')
  if (value === null) return null
  if (value === '' || value.length > LIMITS.idempotencyKeyLength) {
    throw invalid(['header', 'idempotency-key'], `1 to ${LIMITS.idempotencyKeyLength} characters`)
  }
  return value
}

/**
 * Idempotency-Key on creating POSTs of the tenant API (rule RE4): the same request within 24 hours gets the stored answer,
 * another body 422, one that is still running 409. Refused requests are not stored.
 */
export function repeatSafely(route: Route): MiddlewareHandler<AppEnv> | null {
  if (!route.idempotent || route.layer !== 'tenant') return null
  const redacted = typeof route.idempotent === 'object' ? route.idempotent.redacted : []
  return async (c, next) => {
    const key = readIdempotencyKey(c.req.raw.headers)
    if (key === null) return next()
    const ctx = c.get('tenant')
    const scope = toHex(
      await sha256(
        utf8(
          [ctx.tenant.id, ctx.actor.keyId ?? ctx.actor.name, route.method, c.req.path, key].join(
            '\n',
          ),
        ),
      ),
    )
    const bodyHash = toHex(await sha256(new Uint8Array(await c.req.arrayBuffer())))
    const stored = await begin(ctx, scope, bodyHash)
    if (stored) return stored
    let kept = false
    try {
      await next()
      kept = c.res.ok && !c.error
      if (kept) await keep(ctx, scope, c, redacted)
    } finally {
      if (!kept)
        await ctx.db
          .delete(idempotency)
          .where(and(eq(idempotency.scope, scope), eq(idempotency.bodyHash, bodyHash)))
    }
  }
}

async function begin(
  ctx: TenantContext,
  scope: string,
  bodyHash: string,
): Promise<Response | null> {
  const oldest = ctx.now - LIMITS.idempotencyHours * HOUR_MS
  const [, inserted] = await ctx.db.batch([
    ctx.db
      .delete(idempotency)
      .where(and(eq(idempotency.scope, scope), lt(idempotency.createdAt, oldest))),
    ctx.db
      .insert(idempotency)
      .values({ scope, tenantId: ctx.tenant.id, bodyHash, createdAt: ctx.now })
      .onConflictDoNothing()
      .returning(),
  ])
  if (inserted.length > 0) return null
  const row = (
    await ctx.db.select().from(idempotency).where(eq(idempotency.scope, scope)).limit(1)
  )[0]
  if (!row || row.status === null || row.answer === null) throw conflict('Request in progress')
  if (row.bodyHash !== bodyHash)
    throw invalid(['header', 'idempotency-key'], 'the key was used with another body')
  const body = await openField(
    await tenantKey(ctx.config, ctx.tenant),
    [ctx.tenant.id, 'idempotency', 'answer', scope],
    row.answer,
  )
  return new Response(body, {
    status: row.status,
    headers: { 'content-type': 'application/json', 'idempotency-replayed': 'true' },
  })
}

async function keep(
  ctx: TenantContext,
  scope: string,
  c: Context<AppEnv>,
  redacted: string[],
): Promise<void> {
  const body = redact(await c.res.clone().text(), redacted)
  const answer = await sealField(
    await tenantKey(ctx.config, ctx.tenant),
    [ctx.tenant.id, 'idempotency', 'answer', scope],
    body,
  )
  await ctx.db
    .update(idempotency)
    .set({ status: c.res.status, answer })
    .where(eq(idempotency.scope, scope))
}

/** A secret is shown once: the repeat says null in its place. */
function redact(body: string, fields: string[]): string {
  if (fields.length === 0) return body
  const value: unknown = JSON.parse(body)
  if (typeof value !== 'object' || value === null) return body
  return JSON.stringify({ ...value, ...Object.fromEntries(fields.map((field) => [field, null])) })
}

/** Stored answers are of use for a day. */
export async function purgeRepeats(env: Env, now: number): Promise<void> {
  await env.DB.prepare('DELETE FROM idempotency WHERE created_at < ?')
    .bind(now - LIMITS.idempotencyHours * HOUR_MS)
    .run()
}

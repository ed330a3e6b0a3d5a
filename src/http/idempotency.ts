import { and, eq, isNull, lt, or } from 'drizzle-orm'
import type { Context, MiddlewareHandler } from 'hono'
import { HOUR_MS, LIMITS } from '../config/limits'
import type { AppEnv, BaseContext } from '../context'
import { findOwn } from '../db/own'
import { idempotency } from '../db/tables/idempotency'
import { conflict, invalid } from '../errors'
import { sha256, toHex } from '../platform/crypto/bytes'
import { readSealed } from '../platform/crypto/read-sealed'
import { digestBody } from './body-digest'
import { type AnswerSeal, repeatOwner } from './repeat-owner'
import type { Route } from './route'

/** @returns the header's value, or null. @throws ApiError 422 when it is empty or too long. */
function readIdempotencyKey(headers: Headers): string | null {
  const value = headers.get('idempotency-key')
  if (value === null) return null
  if (value === '' || value.length > LIMITS.idempotencyKeyLength) {
    throw invalid(['header', 'idempotency-key'], `1 to ${LIMITS.idempotencyKeyLength} characters`)
  }
  return value
}

/** The header of an answer that was stored before and is given again. */
export const REPLAYED = { 'Idempotency-Replayed': 'true' }

/**
 * The Idempotency-Key of an operation whose repeats a space's object recognises itself (turns, reminders), hashed together
 * with the operation and the caller, so that neither another operation nor another key meets it.
 * @param request what must be the same in a repeat: its hash goes along as `bodyHash`.
 * @returns null without the header. @throws ApiError 422 when the header is empty or too long.
 */
export async function readRepeat(
  headers: Headers,
  caller: { actor: { keyId: string | null } },
  operation: string,
  request: unknown,
): Promise<{ key: string; bodyHash: string } | null> {
  const key = readIdempotencyKey(headers)
  if (key === null) return null
  const scope = [caller.actor.keyId ?? 'token', operation, key].join('\n')
  return {
    key: toHex(await sha256(scope)),
    bodyHash: toHex(await sha256(JSON.stringify(request))),
  }
}

/** One request's claim on a key, and how its answer is sealed. */
interface Claim {
  scope: string
  digest: string
  id: string
  seal: AnswerSeal
}

/**
 * Idempotency-Key on creating POSTs (rule RE4): the same request within 24 hours gets the stored answer, another body or
 * query 422, one that is still running 409. Refused requests are not stored. A request that died without an answer holds
 * its key for two minutes.
 */
export function repeatSafely(route: Route): MiddlewareHandler<AppEnv> | null {
  if (!route.idempotent) return null
  const redacted = typeof route.idempotent === 'object' ? route.idempotent.redacted : []
  return async (c, next) => {
    const key = readIdempotencyKey(c.req.raw.headers)
    if (key === null) return next()
    const ctx = c.get('base')
    const owner = repeatOwner(c, route)
    const digest = await digestBody(c)
    const path = JSON.stringify(c.req.param())
    const scope = toHex(
      await sha256([...owner.principal, route.method, route.path, path, key].join('\n')),
    )
    const claim = { scope, digest, id: ctx.requestId, seal: owner.seal }
    const stored = await begin(ctx, owner.tenantId, claim)
    if (stored) return stored
    let kept = false
    try {
      await next()
      kept = c.res.ok && !c.error
      if (kept) await keep(ctx, claim, c, redacted)
    } finally {
      if (!kept) await giveUp(ctx, claim)
    }
  }
}

const isMine = ({ scope, id }: Claim) =>
  and(eq(idempotency.scope, scope), eq(idempotency.claim, id))

async function begin(ctx: BaseContext, tenantId: string, claim: Claim): Promise<Response | null> {
  const { scope, digest } = claim
  const oldest = ctx.now - LIMITS.idempotencyHours * HOUR_MS
  const isAbandoned = and(
    isNull(idempotency.status),
    lt(idempotency.createdAt, ctx.now - LIMITS.idempotencyLeaseMs),
  )
  const [, inserted] = await ctx.db
    .batch([
      ctx.db
        .delete(idempotency)
        .where(
          and(eq(idempotency.scope, scope), or(lt(idempotency.createdAt, oldest), isAbandoned)),
        ),
      ctx.db
        .insert(idempotency)
        .values({ scope, tenantId, bodyHash: digest, claim: claim.id, createdAt: ctx.now })
        .onConflictDoNothing()
        .returning(),
    ])
    .catch(async (error: unknown) => {
      // It may have been written although the answer did not come.
      await giveUp(ctx, claim)
      throw error
    })
  if (inserted.length > 0) return null
  const row = await findOwn(ctx.db, idempotency, tenantId, eq(idempotency.scope, scope))
  if (row && row.bodyHash !== digest)
    throw invalid(['header', 'idempotency-key'], 'the key was used with another body')
  if (!row || row.status === null || row.answer === null) throw conflict('Request in progress')
  const { answer } = row
  const place = [tenantId, '', '', 'idempotency', 'answer', scope]
  const body = await readSealed(place, () => claim.seal.open(scope, answer))
  if (body === null) throw conflict('Done before, but its answer cannot be read', 'unreadable')
  return new Response(body, {
    status: row.status,
    headers: { 'content-type': 'application/json', ...REPLAYED },
  })
}

/** Another attempt may use the key at once; where that cannot be written, after the lease. What the request came to stands. */
async function giveUp(ctx: BaseContext, claim: Claim): Promise<void> {
  try {
    await ctx.db.delete(idempotency).where(isMine(claim))
  } catch (error) {
    ctx.log.error('key_not_given_up', error)
  }
}

/** What was done stands even when its answer cannot be kept: the key is then free again after the lease. */
async function keep(
  ctx: BaseContext,
  claim: Claim,
  c: Context<AppEnv>,
  redacted: string[],
): Promise<void> {
  const { status } = c.res
  const body = redact(await c.res.clone().text(), redacted)
  try {
    const answer = await claim.seal.seal(claim.scope, body)
    await ctx.db.update(idempotency).set({ status, answer }).where(isMine(claim))
  } catch (error) {
    ctx.log.error('answer_not_kept', error)
  }
}

/** A secret is shown once: the repeat says null in its place. `fields` are names, `a.b` for one inside an object. */
function redact(body: string, fields: string[]): string {
  if (fields.length === 0) return body
  const value: unknown = JSON.parse(body)
  for (const field of fields) setNull(value, field.split('.'))
  return JSON.stringify(value)
}

function setNull(value: unknown, [name, ...rest]: string[]): void {
  if (typeof value !== 'object' || value === null || name === undefined || !(name in value)) return
  const fields = value as Record<string, unknown>
  if (rest.length > 0) setNull(fields[name], rest)
  else fields[name] = null
}

/** Stored answers are of use for a day. */
export async function purgeRepeats(env: Env, now: number): Promise<void> {
  await env.DB.prepare('DELETE FROM idempotency WHERE created_at < ?')
    .bind(now - LIMITS.idempotencyHours * HOUR_MS)
    .run()
}

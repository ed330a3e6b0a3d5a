import { asc, desc, eq, inArray, sql } from 'drizzle-orm'
import { REVIEWS } from '../config/limits'
import type { ReviewReason } from '../config/names'
import { configOf } from '../config/read-config'
import { type Db, openPrimary } from '../db/client'
import { pickOwn, selectOwn } from '../db/own'
import { agents } from '../db/tables/agents'
import { knowledgeBases } from '../db/tables/knowledge'
import { type ReviewOriginRow, type ReviewRow, reviewOrigins, reviews } from '../db/tables/reviews'
import { type TenantRow, tenants } from '../db/tables/tenants'
import { cosineAt, normalize, quantize } from '../knowledge/quantize'
import { loadThesaurus } from '../language/thesaurus'
import { createLog } from '../log'
import { embed, embedderName } from '../models/embedding'
import { estimateTokens } from '../models/tokens'
import { newId, timeOf } from '../platform/ids'
import { tenantKey } from '../platform/secrets'
import { meterCall } from '../usage/meter-call'
import type { Finding } from './finding'
import { openQuestion, openVector, sealOrigin } from './review-texts'
import { analyzeQuestion, isSameQuestion } from './same-question'

const TRIES = 5

interface From {
  tenantId: string
  userId: string
}

/** A question on its way in, with what it is compared by. */
interface Incoming {
  env: Env
  db: Db
  tenant: TenantRow
  from: From
  finding: Finding
  agent: { id: string; baseId: string | null }
  vector: { embedder: string; values: Float32Array } | null
  now: number
}

type KnownOrigin = ReviewOriginRow & { review: ReviewRow }

/**
 * Takes a finding into the tenant's reviews: a new one, or one more sighting of the same question. Safe to run twice, and
 * safe beside others. Nothing in privacy mode, for a deleted user, or for an agent that is gone.
 * @returns the id of the review that this very message began, also when it is told again, else null.
 */
export async function recordReview(
  env: Env,
  from: From,
  finding: Finding,
  now: number,
): Promise<string | null> {
  const db = openPrimary(env.DB)
  const found = await findTenantAndAgent(db, from.tenantId, finding)
  if (found?.tenant.status !== 'active' || found.tenant.privacyMode) return null
  const [vector] = await Promise.all([
    embedQuestion(env, found.tenant, from, found.agent.id, finding),
    loadThesaurus(),
  ])
  const incoming: Incoming = { env, db, from, finding, vector, now, ...found }
  for (let attempt = 0; attempt < TRIES; attempt++) {
    const outcome = await store(incoming)
    if (outcome !== 'again') return outcome
  }
  throw new Error('The reviews of the tenant changed all the time')
}

async function findTenantAndAgent(db: Db, tenantId: string, { agentId, agentName }: Finding) {
  const [[tenant], [agent], bases] = await db.batch([
    db.select().from(tenants).where(eq(tenants.id, tenantId)).limit(1),
    selectOwn(
      db,
      agents,
      tenantId,
      agentId === null ? eq(agents.name, agentName) : eq(agents.id, agentId),
    ).limit(1),
    pickOwn(db, knowledgeBases, tenantId, { id: knowledgeBases.id, name: knowledgeBases.name }),
  ])
  if (!tenant || !agent) return null
  const used = agent.config.knowledge_bases ?? []
  const base = bases.find(({ name }) => used.includes(name))
  return { tenant, agent: { id: agent.id, baseId: base?.id ?? null } }
}

/** Null without an embedder, without quota, or when it fails: the words alone are compared then. */
async function embedQuestion(
  env: Env,
  tenant: TenantRow,
  from: From,
  agentId: string,
  { messageId, question }: Finding,
): Promise<Incoming['vector']> {
  const embedder = embedderName(env)
  if (embedder === null) return null
  const tokens = estimateTokens(question)
  const call = { id: `${messageId}:review`, agentId, userId: from.userId, kind: 'review' as const }
  try {
    return await meterCall(env, tenant, call, tokens, async () => {
      const embedded = await embed([question], env)
      const values = embedded?.vectors[0]
      return {
        value: embedded && values ? { embedder: embedded.model, values: normalize(values) } : null,
        model: embedder,
        inputTokens: embedded?.tokens ?? 0,
        outputTokens: 0,
        estimatedTokens: embedded?.estimated ? embedded.tokens : 0,
      }
    })
  } catch (error) {
    createLog('reviews').warn('question_not_embedded', { reason: String((error as Error).name) })
    return null
  }
}

async function store(incoming: Incoming): Promise<string | null | 'again'> {
  const { db, tenant, finding } = incoming
  // Read first: a review that comes in behind it makes the insert fail, and the questions are read again.
  const last = await pickOwn(db, reviews, tenant.id, {
    seq: sql<number>`coalesce(max(${reviews.seq}), 0)`,
  }).get()
  const known = await pickOwn(
    db,
    reviewOrigins,
    tenant.id,
    { origin: reviewOrigins, review: reviews },
    eq(reviews.agentId, incoming.agent.id),
  )
    .innerJoin(reviews, eq(reviews.id, reviewOrigins.reviewId))
    .orderBy(desc(reviewOrigins.lastSeenAt))
    .limit(REVIEWS.compared)
  const same = await findSame(
    incoming,
    known.map(({ origin, review }) => ({ ...origin, review })),
  )
  if (same === null) return insertReview(incoming, last?.seq ?? 0)
  await addSighting(incoming, same)
  return same.firstMessageId === finding.messageId ? same.id : null
}

/**
 * The review of the same question that this one belongs to: a pending or a rejected one, or an approved one while the
 * question was asked before the approval. Asked again later, the approval did not help: a new review.
 */
async function findSame(incoming: Incoming, known: KnownOrigin[]): Promise<ReviewRow | null> {
  const { env, tenant, finding, vector } = incoming
  const key = await tenantKey(configOf(env), tenant)
  const asked = analyzeQuestion(finding.question)
  const askedAt = timeOf(finding.messageId)
  for (const origin of known) {
    const { review } = origin
    if (review.status === 'approved' && askedAt > (review.decidedAt ?? 0)) continue
    if (review.firstMessageId === finding.messageId) return review
    const comparable = vector !== null && origin.embedder === vector.embedder
    const [question, other] = await Promise.all([
      openQuestion(key, origin),
      comparable ? openVector(key, origin) : null,
    ])
    const cosine =
      vector && other?.bytes.length === vector.values.length
        ? cosineAt(vector.values, new Int8Array(other.bytes.buffer), 0, other.scale)
        : null
    if (question !== null && isSameQuestion(asked, analyzeQuestion(question), cosine)) return review
  }
  return null
}

/** @returns the new review's id; `again` when another one came in meanwhile; null when the user is gone. */
async function insertReview(incoming: Incoming, lastSeq: number): Promise<string | null | 'again'> {
  const { db, tenant, from, finding, agent, now } = incoming
  const id = newId(now)
  const sealed = await sealFor(incoming, id)
  const isActive = sql`EXISTS (SELECT 1 FROM users WHERE tenant_id = ${tenant.id} AND id = ${from.userId} AND status = 'active')`
  const [inserted, , user] = await db.batch([
    db
      .insert(reviews)
      .select(sql`
        SELECT NULL, ${id}, ${tenant.id}, ${agent.id}, ${finding.agentName}, ${agent.baseId}, ${JSON.stringify(finding.reasons)}, 'pending', 1,
          ${finding.messageId}, ${finding.messageId}, NULL, NULL, NULL, NULL, ${now}, ${now}, NULL
        WHERE ${isActive} AND (SELECT coalesce(max(seq), 0) FROM reviews WHERE tenant_id = ${tenant.id}) = ${lastSeq}`)
      .returning({ id: reviews.id }),
    insertOrigin(incoming, id, sealed),
    db
      .select({ active: sql<number>`${isActive}` })
      .from(tenants)
      .limit(1),
  ])
  if (inserted.length > 0) {
    await makeRoom(db, tenant.id)
    return id
  }
  return user[0]?.active ? 'again' : null
}

async function addSighting(incoming: Incoming, review: ReviewRow): Promise<void> {
  const { db, finding, now } = incoming
  const sealed = await sealFor(incoming, review.id)
  const reasons: ReviewReason[] = [...new Set([...review.reasons, ...finding.reasons])]
  await db.batch([
    db
      .update(reviews)
      .set({
        count: sql`${reviews.count} + (${reviews.lastMessageId} < ${finding.messageId})`,
        lastMessageId: sql`max(${reviews.lastMessageId}, ${finding.messageId})`,
        lastSeenAt: sql`max(${reviews.lastSeenAt}, ${now})`,
        reasons,
      })
      .where(eq(reviews.id, review.id)),
    insertOrigin(incoming, review.id, sealed),
  ])
}

type SealedOrigin = Awaited<ReturnType<typeof sealOrigin>>

async function sealFor(incoming: Incoming, reviewId: string): Promise<SealedOrigin> {
  const { env, tenant, from, finding, vector } = incoming
  const key = await tenantKey(configOf(env), tenant)
  const origin = { tenantId: tenant.id, reviewId, userId: from.userId }
  const quantized = vector && quantize([...vector.values])
  return sealOrigin(key, origin, finding.question, finding.body, quantized)
}

/** The user's own words, the first ones; a thumb down says more and replaces them. Late jobs of a deleted user write nothing. */
function insertOrigin(incoming: Incoming, reviewId: string, sealed: SealedOrigin) {
  const { db, tenant, from, finding, vector, now } = incoming
  const isFeedback = finding.reasons.includes('feedback') ? 1 : 0
  return db
    .insert(reviewOrigins)
    .select(sql`
      SELECT ${reviewId}, ${tenant.id}, ${from.userId}, ${sealed.question}, ${sealed.body}, ${sealed.vector}, ${vector?.embedder ?? null}, ${now}, ${now}
      WHERE EXISTS (SELECT 1 FROM reviews WHERE id = ${reviewId})
        AND EXISTS (SELECT 1 FROM users WHERE tenant_id = ${tenant.id} AND id = ${from.userId} AND status = 'active')
        AND (SELECT count(*) FROM review_origins WHERE review_id = ${reviewId} AND user_id <> ${from.userId}) < ${REVIEWS.origins}`)
    .onConflictDoUpdate({
      target: [reviewOrigins.reviewId, reviewOrigins.userId],
      set: {
        lastSeenAt: sql`excluded.last_seen_at`,
        question: sql`CASE WHEN ${isFeedback} THEN excluded.question ELSE question END`,
        body: sql`CASE WHEN ${isFeedback} THEN excluded.body ELSE body END`,
      },
    })
}

/** Each new review adds one, so what is beyond the cap shrinks by every one of them. */
const ROOM_STEP = 500

/** A tenant's reviews stay bounded: what was asked least and longest ago goes first, popular questions stay. */
async function makeRoom(db: Db, tenantId: string): Promise<void> {
  const beyond = (status: ReviewRow['status'][], kept: number) =>
    pickOwn(db, reviews, tenantId, { id: reviews.id }, inArray(reviews.status, status))
      .orderBy(desc(reviews.count), desc(reviews.lastSeenAt), asc(reviews.seq))
      .limit(ROOM_STEP)
      .offset(kept)
  const ids = (
    await db.batch([
      beyond(['pending'], REVIEWS.pending),
      beyond(['approved', 'rejected'], REVIEWS.decided),
    ])
  )
    .flat()
    .map(({ id }) => id)
  if (ids.length === 0) return
  const list = sql`(SELECT value FROM json_each(${JSON.stringify(ids)}))`
  await db.batch([
    db.delete(reviewOrigins).where(sql`${reviewOrigins.reviewId} IN ${list}`),
    db.delete(reviews).where(sql`${reviews.id} IN ${list}`),
  ])
}

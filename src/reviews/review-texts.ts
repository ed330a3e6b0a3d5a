import type { ReviewOriginRow, ReviewRow } from '../db/tables/reviews'
import { fromBase64url, toBase64url } from '../platform/crypto/base64url'
import { NO_SPACE, openField, sealField } from '../platform/crypto/field'
import type { TenantKey } from '../platform/crypto/keys'
import { readSealed } from '../platform/crypto/read-sealed'
import type { FindingBody } from './finding'

type OriginId = Pick<ReviewOriginRow, 'tenantId' | 'reviewId' | 'userId'>
type OriginColumn = 'question' | 'body' | 'vector'

/** A vector of length one, in bytes and what one byte stands for. */
export interface QuestionVector {
  scale: number
  bytes: Uint8Array
}

const originContext = ({ tenantId, reviewId, userId }: OriginId, column: OriginColumn) =>
  [tenantId, 'review_origins', column, `${reviewId}:${userId}`] as const
const draftContext = ({ tenantId, id }: Pick<ReviewRow, 'tenantId' | 'id'>) =>
  [tenantId, 'reviews', 'draft', id] as const

/** Everything that a user's words went into, sealed under the tenant's key for this one row. */
export async function sealOrigin(
  key: TenantKey,
  origin: OriginId,
  question: string,
  body: FindingBody,
  vector: QuestionVector | null,
): Promise<{ question: string; body: string; vector: string | null }> {
  const seal = (column: OriginColumn, text: string) =>
    sealField(key, originContext(origin, column), text)
  return {
    question: await seal('question', question),
    body: await seal('body', JSON.stringify(body)),
    vector:
      vector &&
      (await seal('vector', `${vector.scale} ${toBase64url(Uint8Array.from(vector.bytes))}`)),
  }
}

/** Null when it does not open. */
export function openQuestion(
  key: TenantKey,
  origin: OriginId & Pick<ReviewOriginRow, 'question'>,
): Promise<string | null> {
  return read(key, origin, 'question', origin.question)
}

/** Null when it does not open. */
export async function openFinding(
  key: TenantKey,
  origin: OriginId & Pick<ReviewOriginRow, 'body'>,
): Promise<FindingBody | null> {
  const body = await read(key, origin, 'body', origin.body)
  return body === null ? null : JSON.parse(body)
}

/** Null when the origin has no vector, or none that opens. */
export async function openVector(
  key: TenantKey,
  origin: OriginId & Pick<ReviewOriginRow, 'vector'>,
): Promise<QuestionVector | null> {
  if (origin.vector === null) return null
  const text = await read(key, origin, 'vector', origin.vector)
  if (text === null) return null
  const [scale, encoded] = text.split(' ')
  const bytes = fromBase64url(encoded ?? '')
  return bytes && { scale: Number(scale), bytes }
}

export function sealDraft(
  key: TenantKey,
  review: Pick<ReviewRow, 'tenantId' | 'id'>,
  text: string,
): Promise<string> {
  return sealField(key, draftContext(review), text)
}

/** Null when there is no draft, or none that opens. */
export async function openDraft(
  key: TenantKey,
  review: Pick<ReviewRow, 'tenantId' | 'id' | 'draft'>,
): Promise<string | null> {
  const { draft } = review
  if (draft === null) return null
  return readSealed([review.tenantId, '', NO_SPACE, 'reviews', 'draft', review.id], () =>
    openField(key, draftContext(review), draft),
  )
}

function read(
  key: TenantKey,
  origin: OriginId,
  column: OriginColumn,
  sealed: string,
): Promise<string | null> {
  const { tenantId, userId, reviewId } = origin
  return readSealed([tenantId, userId, NO_SPACE, 'review_origins', column, reviewId], () =>
    openField(key, originContext(origin, column), sealed),
  )
}

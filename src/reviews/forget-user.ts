import { and, eq, sql } from 'drizzle-orm'
import type { Db } from '../db/client'
import { reviewOrigins, reviews } from '../db/tables/reviews'

/**
 * Statements that take a user's words out of the tenant's reviews, for a batch: what came from that user alone goes, what others
 * asked too stays in their words. Safe to repeat.
 */
export function forgetReviewsOf(db: Db, tenantId: string, userId: string) {
  return [
    // A draft may lean on the words that go.
    db
      .update(reviews)
      .set({ draft: null })
      .where(
        and(
          eq(reviews.tenantId, tenantId),
          sql`${reviews.id} IN (SELECT review_id FROM review_origins WHERE tenant_id = ${tenantId} AND user_id = ${userId})`,
        ),
      ),
    db
      .delete(reviews)
      .where(
        and(
          eq(reviews.tenantId, tenantId),
          sql`${reviews.id} IN (SELECT review_id FROM review_origins WHERE tenant_id = ${tenantId} AND user_id = ${userId})`,
          sql`NOT EXISTS (SELECT 1 FROM review_origins other WHERE other.review_id = ${reviews.id} AND other.user_id <> ${userId})`,
        ),
      ),
    db
      .delete(reviewOrigins)
      .where(and(eq(reviewOrigins.tenantId, tenantId), eq(reviewOrigins.userId, userId))),
  ] as const
}

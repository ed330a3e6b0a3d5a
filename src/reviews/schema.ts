import * as z from 'zod'
import { PAGES, REVIEWS } from '../config/limits'
import { FEEDBACK_REASONS, REVIEW_REASONS, REVIEW_STATES } from '../config/names'
import { idField, isoTime, nameSought, pageQuery } from '../wire/fields'

export const ReviewQuery = z.object({
  status: z.enum(REVIEW_STATES).optional(),
  agent: nameSought.optional(),
  kb: nameSought.optional(),
  q: z.string().max(200).optional(),
  ...pageQuery(PAGES.reviews),
})

export const DraftQuery = z.object({
  lang: z
    .string()
    .max(35)
    .refine(isLanguageTag, { error: 'a language tag such as en, es or zh-TW' })
    .nullable()
    .optional(),
})

function isLanguageTag(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length === 1
  } catch {
    return false
  }
}

/** A title may be empty to mean none: the question is the title then. */
export const ApproveIn = z.object({
  kb_name: nameSought,
  title: z.string().max(REVIEWS.titleLength).nullable().optional(),
  text: z.string().max(REVIEWS.textLength).nullable().optional(),
})
export type ApproveIn = z.output<typeof ApproveIn>

export const ReviewOut = z.object({
  id: idField,
  /** Null, as the answer, when what is stored does not open. */
  question: z.string().nullable(),
  answer: z.string().nullable(),
  source_url: z.string().nullable(),
  source_title: z.string().nullable(),
  unsourced: z.array(z.string()),
  source_text: z.string().nullable(),
  agent_name: z.string().nullable(),
  kb_name: z.string().nullable(),
  status: z.enum(REVIEW_STATES),
  created_at: isoTime,
  /** What is beyond the specification's fields. */
  reasons: z.array(z.enum(REVIEW_REASONS)),
  comment: z.string().nullable(),
  feedback_reasons: z.array(z.enum(FEEDBACK_REASONS)),
  count: z.int(),
  last_seen_at: isoTime,
  document_id: z.string().nullable(),
  verified: z.boolean().nullable(),
  decided_at: isoTime.nullable(),
})

export const DraftOut = z.object({
  text: z.string().nullable(),
  reason: z.enum(['no_evidence', 'already_covered']).nullable(),
  sources: z.array(
    z.object({
      document_id: z.string(),
      title: z.string(),
      url: z.string().nullable(),
      quote: z.string(),
    }),
  ),
})

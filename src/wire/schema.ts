import * as z from 'zod'

/** A passage that a reply cites; end users of an agent without public sources see the first fields only. */
export const SourceOut = z.object({
  document_id: z.string(),
  distance: z.number(),
  n: z.int().optional(),
  chunk_id: z.string().optional(),
  title: z.string().optional(),
  url: z.string().nullable().optional(),
  page: z.int().nullable().optional(),
  quote: z.string().nullable().optional(),
  start: z.int().nullable().optional(),
  end: z.int().nullable().optional(),
})

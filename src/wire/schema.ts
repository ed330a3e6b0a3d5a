import * as z from 'zod'

/** A passage that a reply cites; end users of an agent without public sources see the first fields only. */
export const SourceOut = z.object({
  document_id: z.string(),
  distance: z.number(),
  n: z.int().optional(),
  chunk_id: z.string().optional(),
  title: z.string().optional(),
  heading: z.string().nullable().optional(),
  url: z.string().nullable().optional(),
  page: z.int().nullable().optional(),
  quote: z.string().nullable().optional(),
  start: z.int().nullable().optional(),
  end: z.int().nullable().optional(),
  quotes: z
    .array(
      z.object({
        quote: z.string(),
        start: z.int(),
        end: z.int(),
        sentences: z.array(z.object({ start: z.int(), end: z.int() })),
      }),
    )
    .optional()
    .describe(
      'The places of the passage that the reply cites, and the sentences of `reply` that rest on each (UTF-16 offsets).',
    ),
})

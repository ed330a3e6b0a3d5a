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
      'What the reply cites, by its place in the text of the document, as search tells passages; in the passage, the address of the source tells it. With each the sentences of `reply` that rest on it. All are UTF-16 offsets.',
    ),
})

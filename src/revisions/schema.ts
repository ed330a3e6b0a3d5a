import * as z from 'zod'

/** The state of an agent or a skill after a write. */
export const Revision = z.object({
  id: z.string(),
  created_at: z.string(),
  actor: z.string().nullable(),
  snapshot: z.record(z.string(), z.unknown()),
})

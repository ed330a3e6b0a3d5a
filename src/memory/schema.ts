import * as z from 'zod'

export const MyRememberedOut = z.object({
  agent_name: z.string(),
  agent_display_name: z.string(),
  content: z.string(),
  points: z.array(z.string()),
  from_anonymous: z.boolean(),
  updated_at: z.string(),
})

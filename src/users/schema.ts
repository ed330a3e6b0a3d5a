import * as z from 'zod'

export const TokenOut = z.object({
  access_token: z.string(),
  token_type: z.literal('bearer'),
  expires_in: z.int(),
  user_id: z.string(),
  email_verified: z.boolean(),
  /** What POST /me/onboarding still has to say; after a sign-in at a provider alone. */
  onboarding: z.array(z.string()).optional(),
})

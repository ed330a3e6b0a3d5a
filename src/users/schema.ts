import * as z from 'zod'
import { PROVIDERS } from '../config/names'

export const TokenOut = z.object({
  access_token: z.string(),
  token_type: z.literal('bearer'),
  expires_in: z.int(),
  user_id: z.string(),
  email_verified: z.boolean(),
  /** What POST /me/onboarding still has to say; after a sign-in at a provider alone. */
  onboarding: z.array(z.string()).optional(),
})

export const AuthMethodsOut = z.object({
  tenant_id: z.string(),
  name: z.string(),
  logo_url: z.string().nullable(),
  auth_mode: z.enum(['native', 'proxy']),
  password: z.boolean(),
  registration: z.boolean(),
  oauth: z.array(z.enum(PROVIDERS)),
})

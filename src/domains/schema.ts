import * as z from 'zod'
import { notAnId } from '../wire/fields'

export const CustomDomainIn = z.object({
  domain: z.string().min(1).max(1024),
  agent_alias: z.string().min(1).max(64).check(notAnId).nullable().optional(),
})
export type CustomDomainIn = z.output<typeof CustomDomainIn>

export const CustomDomainOut = z.object({
  domain: z.string(),
  agent_alias: z.string().nullable(),
  status: z.enum(['pending', 'active', 'error']),
  cname_target: z.string(),
  record: z
    .object({ type: z.enum(['CNAME', 'TXT']), name: z.string(), value: z.string() })
    .describe('What to set where the domain is managed.'),
  last_checked_at: z.string().nullable(),
  last_error: z.string().nullable(),
})

export const CustomDomainFeature = z.object({
  enabled: z.boolean(),
  bound: z.boolean(),
  cname_target: z.string().nullable(),
})

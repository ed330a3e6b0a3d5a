import * as z from 'zod'
import { SCOPES } from '../config/names'
import { notAnId, shownText } from '../wire/fields'
import { freeObject } from '../wire/free-object'
import { pageOf } from '../wire/paging'

/** Words that are addresses of the product, so nobody's alias. */
export const RESERVED_ALIASES = new Set([
  'a',
  'admin',
  'api',
  'app',
  'assets',
  'auth',
  'chat',
  'console',
  'docs',
  'health',
  'help',
  'internal',
  'login',
  'me',
  'new',
  'openapi',
  'parley',
  'public',
  'readyz',
  'static',
  'status',
  'support',
  'system',
  'tenant',
  'v1',
  'widget',
  'www',
])

export const aliasField = z
  .string()
  .regex(/^[a-z0-9][a-z0-9-]{1,61}[a-z0-9]$/, {
    error: '3 to 63 lower-case letters, digits and hyphens, with a letter or digit at both ends',
  })
  .refine((alias) => !RESERVED_ALIASES.has(alias), { error: 'this word is reserved' })
  .check(notAnId)

export const Features = z.object({
  custom_domain: z.boolean().optional(),
  storylines: z.boolean().optional(),
})
const ceiling = z.int().min(0).max(1e15).nullable()
export const tenantName = shownText(120)

export const TenantIn = z.object({
  name: tenantName,
  alias: aliasField.nullable().optional(),
  auth_mode: z.enum(['native', 'proxy']).nullable().optional(),
  monthly_token_ceiling: ceiling.optional(),
  features: Features.nullable().optional(),
})
export type TenantIn = z.output<typeof TenantIn>

export const TenantPatch = z.object({
  name: tenantName.nullable().optional(),
  status: z.enum(['active', 'suspended']).nullable().optional(),
  monthly_token_ceiling: ceiling.optional(),
  features: Features.nullable().optional(),
})
export type TenantPatch = z.output<typeof TenantPatch>

export const TenantOut = z.object({
  id: z.string(),
  tenant_id: z.string(),
  name: z.string(),
  alias: z.string().nullable(),
  auth_mode: z.enum(['native', 'proxy']),
  status: z.enum(['active', 'suspended', 'deleted']),
  monthly_token_ceiling: z.int().nullable(),
  features: Features,
  privacy_mode: z.boolean(),
  created_at: z.string(),
  updated_at: z.string(),
})
export const TenantCreated = TenantOut.extend({
  key: z.object({ id: z.string(), api_key: z.string().nullable() }),
})
export const TenantPage = pageOf(TenantOut)

export const TenantIdentity = z.object({
  tenant_id: z.string(),
  name: z.string(),
  auth_mode: z.enum(['native', 'proxy']),
  alias: z.string().nullable(),
  public_base: z.string().nullable(),
})

export const KeyIn = z.object({
  name: shownText(80),
  scopes: z.array(z.enum(SCOPES)).min(1).max(3).nullable().optional(),
})
export type KeyIn = z.output<typeof KeyIn>
export const KeyOut = z.object({
  id: z.string(),
  name: z.string(),
  prefix: z.string(),
  scopes: z.array(z.string()).nullable(),
  revoked: z.boolean(),
  created_at: z.string(),
  last_used_at: z.string().nullable(),
})
export const KeyMinted = z.object({ id: z.string(), api_key: z.string().nullable() })

export const Quota = z.object({
  period: z.string(),
  used: z.int(),
  limit: z.int().nullable(),
  remaining: z.int().nullable(),
  percent: z.number(),
  state: z.enum(['ok', 'warning', 'exhausted']),
  resets_at: z.string(),
  unit: z.literal('tokens'),
})

export const profileField = freeObject(32_768)

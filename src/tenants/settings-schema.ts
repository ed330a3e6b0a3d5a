import * as z from 'zod'
import { EGRESS, LIMITS } from '../config/limits'
import { BYOK_PROVIDERS, PROVIDERS } from '../config/names'
import { MODEL_FAILURES } from '../models/model-failure'
import { isMailValue } from '../platform/mail/send-mail'
import { addressField } from '../wire/fields'
import { OnboardingConfig } from './onboarding'
import { aliasField, profileField, tenantName } from './schema'

export const SettingsPatch = z.object({
  name: tenantName.nullable().optional(),
  alias: aliasField.nullable().optional(),
  auth_mode: z.enum(['native', 'proxy']).nullable().optional(),
  profile: profileField.nullable().optional(),
  onboarding_config: OnboardingConfig.nullable().optional(),
  daily_tokens_per_user: z
    .int()
    .min(LIMITS.dailyTokensPerUser.min)
    .max(LIMITS.dailyTokensPerUser.max)
    .nullable()
    .optional(),
})
export type SettingsPatch = z.output<typeof SettingsPatch>

const mailValue = z.string().refine(isMailValue, {
  error: 'at most 998 bytes, without line breaks and NUL',
})

export const SmtpIn = z
  .object({
    host: mailValue,
    /** Which ports are called is checked with the host: a form that clears the host may send any. */
    port: z.int().min(0).max(65_535).default(587),
    user: mailValue.default(''),
    password: mailValue.nullable().optional(),
    from_addr: mailValue.default(''),
    starttls: z.boolean().default(true),
  })
  .superRefine((input, ctx) => {
    if (input.host === '') return
    if (!addressField.safeParse(input.from_addr).success) {
      ctx.addIssue({ code: 'custom', path: ['from_addr'], message: 'not an e-mail address' })
    }
  })
export type SmtpIn = z.output<typeof SmtpIn>

const SmtpOut = z.object({
  host: z.string(),
  port: z.int(),
  user: z.string(),
  from_addr: z.string(),
  starttls: z.boolean(),
  has_password: z.boolean(),
})

const secretText = z
  .string()
  .min(1)
  .max(998)
  .refine((text) => !/[\p{Cc}\s]/u.test(text), { error: 'no white space or control characters' })

export const OauthIn = z.object({ client_id: secretText, client_secret: secretText })
export type OauthIn = z.output<typeof OauthIn>

const OauthOut = z.object({
  provider: z.enum(PROVIDERS),
  client_id: z.string().nullable(),
  configured: z.boolean(),
  enabled: z.boolean(),
})

export const SettingsOut = z.object({
  tenant_id: z.string(),
  name: z.string(),
  alias: z.string().nullable(),
  alias_prefix: z.string(),
  auth_mode: z.enum(['native', 'proxy']),
  privacy_mode: z.boolean(),
  status: z.enum(['active', 'suspended', 'deleted']),
  profile: z.record(z.string(), z.unknown()),
  onboarding_config: z.record(z.string(), z.unknown()).nullable(),
  daily_tokens_per_user: z.int().nullable(),
  oauth: z.array(OauthOut),
  smtp: SmtpOut.nullable(),
  logo_url: z.string().nullable(),
  /** How the model did when it was called last; of several the one that fails. */
  model_status: z.object({
    model: z.string().nullable(),
    state: z.enum(['ok', 'failing', 'unknown']),
    code: z.enum(MODEL_FAILURES).nullable(),
    message: z.string().nullable(),
    since: z.string().nullable(),
  }),
})

const byokText = (max: number) => z.string().max(max).nullable().optional()

export const ByokIn = z.object({
  provider: z.enum(BYOK_PROVIDERS),
  /** Where `/chat/completions` is, without it. */
  base_url: byokText(EGRESS.urlLength),
  /** Omitted: the stored one is kept while the address stays. Empty: none. */
  api_key: z
    .string()
    .max(1024)
    .regex(/^[\x21-\x7e]*$/, { error: 'printable ASCII without blanks' })
    .nullable()
    .optional(),
  model: byokText(200),
})
export type ByokIn = z.output<typeof ByokIn>

export const PrivacyIn = z.object({
  privacy_mode: z.boolean(),
  /** Omitted: stays as it is. Null: the platform's models again. */
  byok_config: ByokIn.nullable().optional(),
})
export type PrivacyIn = z.output<typeof PrivacyIn>

export const PrivacyOut = z.object({
  tenant_id: z.string(),
  privacy_mode: z.boolean(),
  byok_provider: z.enum(BYOK_PROVIDERS).nullable(),
  byok: z
    .object({ host: z.string().nullable(), model: z.string(), has_api_key: z.boolean() })
    .nullable(),
})

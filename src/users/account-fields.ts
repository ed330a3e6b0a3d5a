import * as z from 'zod'
import { checkPassword } from '../platform/crypto/password'
import { addressField, shownOrEmpty, tenantName } from '../wire/fields'
import { phoneField } from './profile'

const FAULTS = {
  too_short: 'a password has at least 8 characters',
  too_long: 'a password has at most 256 characters',
}

export const newPasswordField = z.string().superRefine((password, ctx) => {
  const fault = checkPassword(password)
  if (fault) ctx.addIssue({ code: 'custom', message: FAULTS[fault] })
})

export const EmailIn = z.object({ tenant_id: tenantName, email: addressField })

/** Any password may be tried: what the rules say today is nothing an answer to a login tells. */
export const LoginIn = EmailIn.extend({ password: z.string().max(1024) })
export type LoginIn = z.output<typeof LoginIn>

const asked = {
  pref_name: z.string().trim().max(80).check(shownOrEmpty).nullable().optional(),
  contact_phone: phoneField,
  pref_city: z.string().trim().max(80).check(shownOrEmpty).nullable().optional(),
  consent: z.boolean().nullable().optional(),
}

/** What a tenant may ask of people who come in by a provider. */
export const OnboardingIn = z.object(asked)
export type OnboardingIn = z.output<typeof OnboardingIn>

export const RegisterIn = EmailIn.extend({
  password: newPasswordField,
  ...asked,
  lang: z.string().max(35).nullable().optional(),
  anonymous_token: z.string().max(4096).nullable().optional(),
})
export type RegisterIn = z.output<typeof RegisterIn>

export const ResetIn = z.object({ token: z.string().max(512), new_password: newPasswordField })

export const OwnPasswordIn = z.object({
  current_password: z.string().max(1024),
  new_password: newPasswordField,
})
export type OwnPasswordIn = z.output<typeof OwnPasswordIn>

export const OwnEmailIn = z.object({ email: addressField, password: z.string().max(1024) })
export type OwnEmailIn = z.output<typeof OwnEmailIn>

export const DeleteMeIn = z.object({
  confirm: z.string().max(64),
  /** Needed where there is one. */
  password: z.string().max(1024).nullable().optional(),
})
export type DeleteMeIn = z.output<typeof DeleteMeIn>

/** What every request for a mail is answered, whoever asks. */
export const Accepted = z.object({ status: z.literal('ok') })

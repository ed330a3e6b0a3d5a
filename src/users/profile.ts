import { eq } from 'drizzle-orm'
import * as z from 'zod'
import type { UserContext } from '../context'
import { findOwn } from '../db/own'
import { type UserProfileRow, userProfiles } from '../db/tables/users'
import { zoneNamed } from '../reminders/zone-time'
import { westernDigits } from '../text/western-digits'
import { addressField, shownOrEmpty } from '../wire/fields'
import { forgetUserFacts } from './user-facts'
import { UserFields } from './user-fields'

const E164 = /^\+[1-9]\d{6,14}$/

/** An empty string or null clears a field. */
const clearable = (schema: z.ZodType<string, string>) =>
  z
    .union([z.literal(''), schema], { error: describe })
    .nullable()
    .optional()
const describe = ({ input, errors }: { input?: unknown; errors?: unknown }) => {
  if (typeof input !== 'string') return 'a text is expected'
  const [found] = (errors as { message?: string }[][] | undefined)?.at(-1) ?? []
  return found?.message ?? 'the value has the wrong form or length'
}

const zoneField = z
  .string()
  .max(64)
  .transform((text, ctx) => {
    const zone = zoneNamed(text)
    if (zone !== null) return zone
    ctx.addIssue({ code: 'custom', message: 'not an IANA time zone such as Europe/Paris' })
    return z.NEVER
  })

/** Numbers are written with signs between their digits, and with 00 for the plus. */
export const phoneField = clearable(
  z
    .string()
    .max(64)
    .transform((text) =>
      westernDigits(text)
        .replaceAll(/[\s()./\p{Cf}\u2010-\u2015-]/gu, '')
        .replace(/^00/u, '+'),
    )
    .pipe(z.string().regex(E164, { error: 'a phone number as +4915112345678' })),
)

export const MyProfileIn = z.object({
  pref_name: z.string().max(80).check(shownOrEmpty).nullable().optional(),
  contact_email: clearable(addressField),
  contact_phone: phoneField,
  pref_city: z.string().max(80).check(shownOrEmpty).nullable().optional(),
  pref_timezone: clearable(zoneField),
})
export type MyProfileIn = z.output<typeof MyProfileIn>

const text = z.string().nullable()
export const MyProfileOut = z.object({
  pref_name: text,
  contact_email: text,
  contact_phone: text,
  pref_city: text,
  pref_timezone: text,
  suggestion: z.object({ city: text, timezone: text, country: text }).nullable(),
})

export interface Profile {
  prefName: string | null
  contactEmail: string | null
  contactPhone: string | null
  prefCity: string | null
  prefTimezone: string | null
}

const EMPTY: Profile = {
  prefName: null,
  contactEmail: null,
  contactPhone: null,
  prefCity: null,
  prefTimezone: null,
}
const SEALED = ['prefName', 'contactEmail', 'contactPhone'] as const

/** The user's own fields, opened. */
export async function readProfile(ctx: UserContext): Promise<Profile> {
  const row = await findRow(ctx)
  if (!row) return EMPTY
  const fields = await UserFields.load(ctx, ctx.tenant, ctx.user.id)
  return openProfile(fields, row)
}

export async function openProfile(fields: UserFields, row: UserProfileRow): Promise<Profile> {
  const profile: Profile = { ...EMPTY, prefCity: row.prefCity, prefTimezone: row.prefTimezone }
  for (const name of SEALED) {
    const sealed = row[name]
    profile[name] = sealed === null ? null : await fields.read('user_profiles', name, sealed)
  }
  return profile
}

/** Only what is sent changes, so that two writers of different fields both stay. */
export async function updateProfile(ctx: UserContext, input: MyProfileIn): Promise<Profile> {
  const fields = await UserFields.load(ctx, ctx.tenant, ctx.user.id)
  const seal = (name: (typeof SEALED)[number], value: string | null | undefined) => {
    const text = cleared(value)
    return text ? fields.seal('user_profiles', name, text) : text
  }
  const stored = {
    prefName: await seal('prefName', input.pref_name),
    contactEmail: await seal('contactEmail', input.contact_email),
    contactPhone: await seal('contactPhone', input.contact_phone),
    prefCity: cleared(input.pref_city),
    prefTimezone: cleared(input.pref_timezone),
    updatedAt: ctx.now,
  }
  const row = await ctx.db
    .insert(userProfiles)
    .values({ userId: ctx.user.id, tenantId: ctx.tenant.id, ...stored })
    .onConflictDoUpdate({ target: userProfiles.userId, set: stored })
    .returning()
    .get()
  await forgetUserFacts(ctx)
  return openProfile(fields, row)
}

/** Undefined stays, an empty text is null. */
const cleared = (value: string | null | undefined) =>
  value === undefined ? undefined : value?.trim() || null

async function findRow(ctx: UserContext): Promise<UserProfileRow | undefined> {
  return findOwn(ctx.db, userProfiles, ctx.tenant.id, eq(userProfiles.userId, ctx.user.id))
}

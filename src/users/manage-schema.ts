import * as z from 'zod'
import { PAGES } from '../config/limits'
import { SpaceOut } from '../spaces/manage-schema'
import { pageQuery } from '../wire/fields'
import { pageOf } from '../wire/paging'
import { newPasswordField } from './account-fields'

const USER_SORTS = ['recent', 'tokens24h'] as const
export type UserSort = (typeof USER_SORTS)[number]

export const UsersQuery = z.object({
  ...pageQuery(PAGES.manage),
  q: z.string().trim().max(320).optional(),
  sort: z.enum(USER_SORTS).default('recent'),
})

const text = z.string().nullable()

const UserOut = z.object({
  id: z.string(),
  external_user_id: z.string(),
  pref_name: text,
  email: text,
  auth: z.string(),
  created_at: z.string(),
  last_active_at: z.string(),
  session_count: z.int(),
  tokens_24h: z.int(),
})
export const UserPage = pageOf(UserOut)

export const UserDetail = z.object({
  id: z.string(),
  external_user_id: z.string(),
  pref_name: text,
  created_at: z.string(),
  space_count: z.int(),
  session_count: z.int(),
  document_count: z.int(),
  auth: z.string(),
  email: text,
  email_verified: z.boolean().nullable(),
  tokens_24h: z.int(),
  spaces: z.array(SpaceOut),
  contact_email: text,
  contact_phone: text,
  pref_city: text,
  pref_timezone: text,
  /** When the user agreed to the tenant's text, and its SHA-256. */
  consent: z.object({ at: z.string(), text_hash: z.string() }).nullable(),
  recent_refs: z.array(
    z.object({
      type: z.enum(['session', 'document']),
      id: z.string(),
      title: text,
      at: z.string(),
    }),
  ),
})

export const PasswordIn = z.object({ new_password: newPasswordField })

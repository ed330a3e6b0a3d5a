import type * as z from 'zod'
import * as agents from '../agents/schema'
import * as audit from '../audit/schema'
import * as channels from '../channels/schema'
import * as chat from '../chat/schema'
import * as knowledge from '../knowledge/schema'
import * as revisions from '../revisions/schema'
import * as skills from '../skills/schema'
import * as tenants from '../tenants/schema'
import * as usage from '../usage/schema'
import * as users from '../users/schema'
import { namesOf } from './names-of'

const MODULES: Record<string, unknown>[] = [
  agents,
  audit,
  channels,
  chat,
  knowledge,
  revisions,
  skills,
  tenants,
  usage,
  users,
]

/** A schema is named in the description as it is exported by its domain. */
export const nameSchemas = (): Map<z.ZodType, string> => namesOf(MODULES)

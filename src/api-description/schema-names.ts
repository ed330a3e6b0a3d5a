import type * as z from 'zod'
import * as agents from '../agents/schema'
import * as apps from '../apps/schema'
import * as audit from '../audit/schema'
import * as channels from '../channels/schema'
import * as chat from '../chat/schema'
import * as domains from '../domains/schema'
import * as handoffs from '../handoffs/schema'
import * as knowledge from '../knowledge/schema'
import * as graph from '../knowledge-graph/schema'
import * as mcp from '../mcp/schema'
import * as memory from '../memory/schema'
import * as reminders from '../reminders/schema'
import * as reviews from '../reviews/schema'
import * as revisions from '../revisions/schema'
import * as skills from '../skills/schema'
import * as spacesManaged from '../spaces/manage-schema'
import * as spaces from '../spaces/schema'
import * as storylines from '../storylines/schema'
import * as tenants from '../tenants/schema'
import * as settings from '../tenants/settings-schema'
import * as usage from '../usage/schema'
import * as accounts from '../users/account-fields'
import * as usersManaged from '../users/manage-schema'
import * as profile from '../users/profile'
import * as users from '../users/schema'
import * as webhooks from '../webhooks/schema'
import * as wire from '../wire/schema'
import { namesOf } from './names-of'

const MODULES: Record<string, unknown>[] = [
  agents,
  apps,
  audit,
  channels,
  chat,
  domains,
  handoffs,
  graph,
  knowledge,
  mcp,
  memory,
  reminders,
  reviews,
  revisions,
  skills,
  spacesManaged,
  spaces,
  storylines,
  tenants,
  settings,
  usage,
  accounts,
  usersManaged,
  profile,
  users,
  webhooks,
  wire,
]

/** A schema is named in the description as it is exported by its domain. */
export const nameSchemas = (): Map<z.ZodType, string> => namesOf(MODULES)

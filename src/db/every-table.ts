import { is } from 'drizzle-orm'
import { SQLiteTable } from 'drizzle-orm/sqlite-core'
import * as agents from './tables/agents'
import * as audit from './tables/audit'
import * as channels from './tables/channels'
import * as deletions from './tables/deletions'
import * as domains from './tables/domains'
import * as exports from './tables/exports'
import * as handoffs from './tables/handoffs'
import * as idempotency from './tables/idempotency'
import * as knowledge from './tables/knowledge'
import * as mcpServers from './tables/mcp-servers'
import * as reviews from './tables/reviews'
import * as revisions from './tables/revisions'
import * as skills from './tables/skills'
import * as spaces from './tables/spaces'
import * as storylines from './tables/storylines'
import * as tenants from './tables/tenants'
import * as usage from './tables/usage'
import * as users from './tables/users'
import * as webhooks from './tables/webhooks'

/** Every table that our statements name; `test/api/schema-parity.test.ts` holds them against the migrated database. */
export const everyTable = (): SQLiteTable[] =>
  [
    agents,
    audit,
    channels,
    deletions,
    domains,
    exports,
    handoffs,
    idempotency,
    knowledge,
    mcpServers,
    reviews,
    revisions,
    skills,
    spaces,
    storylines,
    tenants,
    usage,
    users,
    webhooks,
  ]
    .flatMap((area): unknown[] => Object.values(area))
    .filter((table) => is(table, SQLiteTable))

import { eq, type SQL } from 'drizzle-orm'
import { tenants } from '../db/tables/tenants'
import { isUuid } from '../platform/ids'

/** The tenant that a public address names by its id or its alias. What has an id's form is an id, whatever aliases there are. */
export const isNamed = (name: string): SQL =>
  isUuid(name) ? eq(tenants.id, name.toLowerCase()) : eq(tenants.alias, name)

import { sql } from 'drizzle-orm'
import type { UserContext } from '../context'
import { pickOwn } from '../db/own'
import { agents } from '../db/tables'
import { pickLanguage } from '../wire/accept-language'
import { withDefaults } from './agent-config'
import { shownName } from './localize'

interface OfAgent {
  agent_name: string | null
}

/**
 * Adds to each item what people call its agent, in the language of the request. An agent that is gone is called by the name
 * that it had.
 */
export async function withShownNames<T extends OfAgent>(
  { db, tenant }: Pick<UserContext, 'db' | 'tenant'>,
  acceptLanguage: string | undefined,
  items: readonly T[],
): Promise<(T & { agent_display_name: T['agent_name'] })[]> {
  const names = JSON.stringify([...new Set(items.map((item) => item.agent_name))])
  const rows =
    items.length === 0
      ? []
      : await pickOwn(
          db,
          agents,
          tenant.id,
          { name: agents.name, config: agents.config },
          sql`${agents.name} IN (SELECT value FROM json_each(${names}))`,
        )
  const lang = pickLanguage(acceptLanguage)
  const shown = new Map(
    rows.map(({ name, config }) => [name, shownName({ name, config: withDefaults(config) }, lang)]),
  )
  return items.map((item) => ({
    ...item,
    agent_display_name: shown.get(item.agent_name ?? '') ?? item.agent_name,
  }))
}

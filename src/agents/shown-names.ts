import { sql } from 'drizzle-orm'
import type { Language } from '../config/names'
import type { UserContext } from '../context'
import { pickOwn } from '../db/own'
import { agents } from '../db/tables/agents'
import { pickLanguage } from '../wire/accept-language'
import { withDefaults } from './agent-config'
import { shownName } from './localize'

interface OfAgent {
  agent_name: string | null
}

/** What people call agents in a language, by the names that the API knows them by; all of the tenant's where none are named. */
export async function readShownNames(
  { db, tenant }: Pick<UserContext, 'db' | 'tenant'>,
  lang: Language,
  names: readonly string[] | null = null,
): Promise<Map<string, string>> {
  const wanted = names && JSON.stringify([...new Set(names)])
  const rows = await pickOwn(
    db,
    agents,
    tenant.id,
    { name: agents.name, config: agents.config },
    wanted === null ? undefined : sql`${agents.name} IN (SELECT value FROM json_each(${wanted}))`,
  )
  return new Map(
    rows.map(({ name, config }) => [name, shownName({ name, config: withDefaults(config) }, lang)]),
  )
}

/**
 * Adds to each item what people call its agent, in the language of the request. An agent that is gone is called by the name
 * that it had.
 */
export async function withShownNames<T extends OfAgent>(
  ctx: Pick<UserContext, 'db' | 'tenant'>,
  acceptLanguage: string | undefined,
  items: readonly T[],
): Promise<(T & { agent_display_name: T['agent_name'] })[]> {
  const names = items.flatMap((item) => item.agent_name ?? [])
  const lang = pickLanguage(acceptLanguage)
  const shown = names.length === 0 ? new Map() : await readShownNames(ctx, lang, names)
  return items.map((item) => ({
    ...item,
    agent_display_name: shown.get(item.agent_name ?? '') ?? item.agent_name,
  }))
}

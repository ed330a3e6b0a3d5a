import type { Language } from '../config/names'
import { isUnseen } from '../text/unseen'
import type { AgentConfig } from './schema'

/** What people read of an agent: in their language where its tenant wrote it, else the field itself. Pure. */
export function localize(config: AgentConfig, lang: Language | null) {
  const own = lang === null ? null : config.translations?.[lang]
  return {
    displayName: own?.display_name ?? config.display_name,
    greeting: seen(own?.greeting) ?? seen(config.greeting),
    menuItems: (own?.menu_items ?? config.menu_items)?.filter(seen) ?? null,
    noMatchReply: seen(own?.no_match_reply) ?? seen(config.no_match_reply),
  }
}

/** Words with nothing to see say nothing. */
const seen = (words: string | null = null) => (words === null || isUnseen(words) ? null : words)

/** The name that people see. Pure. */
export const shownName = (agent: { name: string; config: AgentConfig }, lang: Language): string =>
  localize(agent.config, lang).displayName ?? agent.name

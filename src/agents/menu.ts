import { openReplica } from '../db/client'
import { pickOwn } from '../db/own'
import type { AgentRow } from '../db/tables/agents'
import { skills } from '../db/tables/skills'

/** A button before the first message: what it shows and what it sends. */
export interface MenuChoice {
  label: string
  prompt: string
}

/** An item that equals a skill's name shows its label and sends its prompt; any other is said as it is. */
export async function readMenu(
  d1: D1Database,
  { tenantId, config }: Pick<AgentRow, 'tenantId' | 'config'>,
): Promise<(items: readonly string[]) => MenuChoice[]> {
  const all = [config, ...Object.values(config.translations ?? {})]
  const rows = all.some((words) => words?.menu_items?.length)
    ? await pickOwn(openReplica(d1), skills, tenantId, { name: skills.name, config: skills.config })
    : []
  return (items) =>
    items.map((item) => {
      const skill = rows.find((row) => row.name === item)?.config
      return { label: skill?.menu_label || item, prompt: skill?.menu_prompt || item }
    })
}

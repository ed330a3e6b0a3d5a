import type { AgentRow } from '../db/tables/agents'
import { withDefaults } from './agent-config'
import { EXPORT_FIELDS } from './schema'

const EXPORT_VERSION = 1

export function presentAgent(row: AgentRow) {
  return {
    name: row.name,
    id: row.id,
    alias: row.alias,
    ...withDefaults(row.config),
    published: row.published,
    source: row.source,
  }
}

export function presentAgentListItem(row: AgentRow) {
  const config = withDefaults(row.config)
  return {
    name: row.name,
    id: row.id,
    alias: row.alias,
    published: row.published,
    source: row.source,
    model: config.model,
    task: config.task,
    tools_count: config.tools.length,
    skills_count: config.skills.length,
    tools: config.tools,
    skills: config.skills,
    knowledge_bases: config.knowledge_bases,
  }
}

/** Exactly the export's keys: no tenant or version data. */
export function presentExport(row: AgentRow) {
  const config = withDefaults(row.config)
  return {
    schema_version: EXPORT_VERSION,
    kind: 'agent' as const,
    name: row.name,
    ...(Object.fromEntries(EXPORT_FIELDS.map((field) => [field, config[field]])) as Pick<
      typeof config,
      (typeof EXPORT_FIELDS)[number]
    >),
  }
}

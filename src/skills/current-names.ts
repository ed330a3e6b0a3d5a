import { desc } from 'drizzle-orm'
import type { TenantContext } from '../context'
import { pickOwn } from '../db/own'
import { knowledgeBases } from '../db/tables/knowledge'
import { mcpServers } from '../db/tables/mcp-servers'
import { currentReference } from '../mcp/tool-reference'

/** What an agent or a skill once was, with the present names of the bases and servers that it names. Skills keep theirs. */
export async function withCurrentNames<C extends { knowledge_bases: string[]; tools: string[] }>(
  { db, tenant }: TenantContext,
  config: C,
): Promise<C> {
  const read = (table: typeof knowledgeBases | typeof mcpServers) =>
    pickOwn(db, table, tenant.id, {
      id: table.id,
      name: table.name,
      formerNames: table.formerNames,
    }).orderBy(desc(table.updatedAt))
  const [bases, servers] = await db.batch([read(knowledgeBases), read(mcpServers)])
  const base = (wanted: string) =>
    (
      bases.find(({ name }) => name === wanted) ??
      bases.find(({ formerNames }) => formerNames.includes(wanted))
    )?.name ?? wanted
  const tool = (name: string) => currentReference(name, undefined, servers)
  return {
    ...config,
    knowledge_bases: [...new Set(config.knowledge_bases.map(base))],
    tools: [...new Set(config.tools.map(tool))],
  }
}

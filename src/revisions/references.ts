import { and, eq, type SQL, sql } from 'drizzle-orm'
import type { OperatorContext } from '../context'
import { pickOwn } from '../db/own'
import { agents } from '../db/tables/agents'
import { skills } from '../db/tables/skills'
import { storylines } from '../db/tables/storylines'

type List = 'skills' | 'knowledge_bases' | 'tools'

const isNamed = (name: string): SQL => sql`value = ${name}`

/** An SQL condition: the row's configuration has, in this list, a value that meets `isIt`. */
export const holds = (table: typeof agents | typeof skills, list: List, isIt: SQL): SQL =>
  sql`EXISTS (SELECT 1 FROM json_each(${table.config}, ${`$.${list}`}) WHERE ${isIt})`

/** Names of the agents and skills whose list holds the name, or a value that meets `isIt`. */
export async function listHolders(
  { db }: OperatorContext,
  { tenantId, name }: { tenantId: string; name: string },
  list: List,
  isIt = isNamed(name),
): Promise<Record<'agents' | 'skills', string[]>> {
  const [ofAgents, ofSkills] = await db.batch([
    pickOwn(db, agents, tenantId, { name: agents.name }, holds(agents, list, isIt)),
    pickOwn(db, skills, tenantId, { name: skills.name }, holds(skills, list, isIt)),
  ])
  const namesOf = (rows: { name: string }[]) => rows.map((row) => row.name).sort()
  return { agents: namesOf(ofAgents), skills: namesOf(ofSkills) }
}

/**
 * Statements for the batch of a rename or deletion: in the lists of every agent and skill the new name takes the place of
 * the old one, or the old one is taken out.
 * @param after null for a deletion
 */
export function replaceReferences(
  ctx: OperatorContext,
  list: List,
  before: { tenantId: string; name: string },
  after: { name: string } | null,
) {
  const { tenantId, name: from } = before
  const to = after?.name ?? null
  if (from === to) return []
  const path = `$.${list}`
  const tables = list === 'skills' ? [agents] : [agents, skills]
  return tables.map((table) =>
    ctx.db
      .update(table)
      .set({
        config: sql`json_set(${table.config}, ${path}, (
          SELECT json_group_array(CASE WHEN value = ${from} THEN ${to} ELSE value END)
          FROM json_each(${table.config}, ${path}) WHERE ${to} IS NOT NULL OR value <> ${from}))`,
        updatedAt: sql`max(${ctx.now}, ${table.updatedAt} + 1)`,
      })
      .where(and(eq(table.tenantId, tenantId), holds(table, list, isNamed(from)))),
  )
}

/** The same for the nodes of working copies. What is published never changes: it has the ids behind its names. */
export function renameInStorylines(
  ctx: OperatorContext,
  before: { tenantId: string; name: string },
  after: { name: string },
) {
  const isIt = sql`atom = ${before.name} AND instr(path, 'knowledge_bases') > 0`
  return before.name === after.name
    ? []
    : replaceInStorylines(ctx, before.tenantId, isIt, sql`${after.name}`)
}

/**
 * Statements by which values in the nodes of working copies get another one.
 * @param isIt which, and @param to what: of a row of `json_tree`
 */
export function replaceInStorylines(ctx: OperatorContext, tenantId: string, isIt: SQL, to: SQL) {
  const { graph } = storylines
  const places = sql`json_tree(${graph}, '$.nodes') WHERE ${isIt}`
  return [
    ctx.db
      .update(storylines)
      .set({
        graph: sql`(WITH RECURSIVE places (n, place, value) AS (SELECT row_number() OVER (), fullkey, ${to} FROM ${places}),
          steps (n, made) AS (SELECT 0, ${graph} UNION ALL
            SELECT places.n, json_replace(made, place, places.value) FROM steps JOIN places ON places.n = steps.n + 1)
          SELECT made FROM steps ORDER BY n DESC LIMIT 1)`,
        updatedAt: sql`max(${ctx.now}, ${storylines.updatedAt} + 1)`,
      })
      .where(and(eq(storylines.tenantId, tenantId), sql`EXISTS (SELECT 1 FROM ${places})`)),
  ]
}

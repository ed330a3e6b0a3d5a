import { and, eq, type SQL, sql } from 'drizzle-orm'
import type { OperatorContext } from '../context'
import { pickOwn } from '../db/own'
import { agents } from '../db/tables/agents'
import { skills } from '../db/tables/skills'
import { storylines } from '../db/tables/storylines'

type List = 'skills' | 'knowledge_bases' | 'tools'

const isNamed = (name: string): SQL => sql`value = ${name}`

/** An SQL condition: the row's configuration has, in this list, a value that meets `isIt`. */
const holds = (table: typeof agents | typeof skills, list: List, isIt: SQL): SQL =>
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
  if (from === after?.name) return []
  const to = after && sql`${after.name}`
  const tables = list === 'skills' ? [agents] : [agents, skills]
  return tables.map((table) => replaceInLists(ctx, table, tenantId, list, isNamed(from), to))
}

/**
 * A statement by which the values of a list that meet `isIt` become others, or are taken out (null). A name is kept before
 * anything is called so, so the new one may be in the list already: each is there once, where it was first.
 */
export function replaceInLists(
  ctx: OperatorContext,
  table: typeof agents | typeof skills,
  tenantId: string,
  list: List,
  isIt: SQL,
  to: SQL | null,
) {
  const values = sql`json_each(${table.config}, ${`$.${list}`})`
  const left =
    to === null
      ? sql`SELECT value AS listed, key AS place FROM ${values} WHERE NOT ${isIt}`
      : sql`SELECT CASE WHEN ${isIt} THEN ${to} ELSE value END AS listed, min(key) AS place FROM ${values} GROUP BY listed`
  return ctx.db
    .update(table)
    .set({
      config: sql`json_set(${table.config}, ${`$.${list}`}, (SELECT json_group_array(listed) FROM (${left} ORDER BY place)))`,
      updatedAt: sql`max(${ctx.now}, ${table.updatedAt} + 1)`,
    })
    .where(and(eq(table.tenantId, tenantId), holds(table, list, isIt)))
}

/** The same for the nodes of working copies. What is published never changes: it has the ids behind its names. */
export function renameInStorylines(
  ctx: OperatorContext,
  before: { tenantId: string; name: string },
  after: { name: string },
) {
  if (before.name === after.name) return []
  const places = { list: '$.knowledge_bases', field: null }
  return replaceInStorylines(ctx, before.tenantId, places, isNamed(before.name), sql`${after.name}`)
}

/**
 * Statements by which texts in the nodes of working copies get another one. Of nodes that are none nothing is changed.
 * An `expected_version` of before is refused: it would give the former name back.
 * @param places paths in a node: of a list of texts, and of one text
 * @param isIt which, and @param to what: of a row of `json_each`
 */
export function replaceInStorylines(
  ctx: OperatorContext,
  tenantId: string,
  { list, field }: { list: string; field: string | null },
  isIt: SQL,
  to: SQL,
) {
  const { graph } = storylines
  const has = (path: string) =>
    sql`(EXISTS (SELECT 1 FROM json_each(node.value, ${path}) WHERE type = 'text' AND ${isIt})
      AND NOT EXISTS (SELECT 1 FROM json_each(node.value, ${path}) WHERE type <> 'text'))`
  const hasList = sql`(json_type(node.value, ${list}) = 'array' AND ${has(list)})`
  const hasField =
    field === null ? sql`0` : sql`(json_type(node.value, ${field}) = 'text' AND ${has(field)})`
  // A node is written once, however much of it changes: each is as long as it is, the graph as long as all of them.
  const named = sql`json_replace(node.value, ${field ?? list}, (SELECT ${to} FROM json_each(node.value, ${field ?? list})))`
  const withField = sql`CASE WHEN ${hasField} THEN ${named} ELSE node.value END`
  const changed = sql`CASE WHEN ${hasList} THEN json_replace(${withField}, ${list}, (
      SELECT json_group_array(CASE WHEN ${isIt} THEN ${to} ELSE value END) FROM json_each(node.value, ${list})))
    ELSE ${withField} END`
  const nodes = sql`json_each(${graph}, '$.nodes') AS node`
  return [
    ctx.db
      .update(storylines)
      .set({
        graph: sql`json_replace(${graph}, '$.nodes', (SELECT json_group_object(node.key, json(${changed})) FROM ${nodes}))`,
        version: sql`${storylines.version} + 1`,
        updatedAt: sql`max(${ctx.now}, ${storylines.updatedAt} + 1)`,
      })
      .where(
        and(
          eq(storylines.tenantId, tenantId),
          sql`json_type(${graph}, '$.nodes') = 'object'`,
          sql`NOT EXISTS (SELECT 1 FROM ${nodes} WHERE node.type <> 'object')`,
          sql`EXISTS (SELECT 1 FROM ${nodes} WHERE ${hasList} OR ${hasField})`,
        ),
      ),
  ]
}

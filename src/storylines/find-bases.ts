import { desc, inArray, or, sql } from 'drizzle-orm'
import type { Db } from '../db/client'
import { pickOwn } from '../db/own'
import { knowledgeBases } from '../db/tables/knowledge'

/**
 * Bases of a tenant by their names: a node may search others than its agent does. A name that no base has now is that of a
 * base which had it; where several had, of the one that was changed last.
 */
export async function findBases(
  db: Db,
  tenantId: string,
  names: readonly string[],
): Promise<{ id: string; name: string; instructions: string; rerank: boolean }[]> {
  const { id, name, instructions, rerank, formerNames, updatedAt } = knowledgeBases
  const rows = await pickOwn(
    db,
    knowledgeBases,
    tenantId,
    { id, name, instructions, rerank, formerNames },
    or(
      inArray(name, [...names]),
      sql`EXISTS (SELECT 1 FROM json_each(${formerNames}) WHERE value IN (SELECT value FROM json_each(${JSON.stringify(names)})))`,
    ),
  ).orderBy(desc(updatedAt))
  const meant = names.map(
    (wanted) =>
      rows.find((row) => row.name === wanted) ??
      rows.find((row) => row.formerNames.includes(wanted)),
  )
  return rows.filter((row) => meant.includes(row)).map(({ formerNames: _, ...base }) => base)
}

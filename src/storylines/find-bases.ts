import { desc, inArray, or, sql } from 'drizzle-orm'
import type { Db } from '../db/client'
import { pickOwn } from '../db/own'
import { knowledgeBases } from '../db/tables/knowledge'

/** A base as a node names it, with the id that publishing found behind the name. */
export interface NamedBase {
  name: string
  id: string | undefined
}

/**
 * Bases of a tenant that a node names: it may search others than its agent does. The id decides. Where it is not known, or
 * its base is gone, the name does; one that no base has now is that of a base which had it, where several had, of the one
 * that was changed last.
 */
export async function findBases(
  db: Db,
  tenantId: string,
  named: readonly NamedBase[],
): Promise<{ id: string; name: string; instructions: string; rerank: boolean }[]> {
  const { id, name, instructions, rerank, formerNames, updatedAt } = knowledgeBases
  const wanted = (list: unknown[]) => sql`(SELECT value FROM json_each(${JSON.stringify(list)}))`
  const names = wanted(named.map((one) => one.name))
  const rows = await pickOwn(
    db,
    knowledgeBases,
    tenantId,
    { id, name, instructions, rerank, formerNames },
    or(
      inArray(id, wanted(named.map((one) => one.id))),
      inArray(name, names),
      sql`EXISTS (SELECT 1 FROM json_each(${formerNames}) WHERE value IN ${names})`,
    ),
  ).orderBy(desc(updatedAt))
  const meant = named.map(
    (one) =>
      rows.find((row) => row.id === one.id) ??
      rows.find((row) => row.name === one.name) ??
      rows.find((row) => row.formerNames.includes(one.name)),
  )
  return rows.filter((row) => meant.includes(row)).map(({ formerNames: _, ...base }) => base)
}

import { inArray } from 'drizzle-orm'
import type { Db } from '../db/client'
import { pickOwn } from '../db/own'
import { knowledgeBases } from '../db/tables/knowledge'

/** Bases of a tenant by their names: a node may search others than its agent does. */
export async function findBases(
  db: Db,
  tenantId: string,
  names: readonly string[],
): Promise<{ id: string; name: string; instructions: string; rerank: boolean }[]> {
  const { id, name, instructions, rerank } = knowledgeBases
  return await pickOwn(
    db,
    knowledgeBases,
    tenantId,
    { id, name, instructions, rerank },
    inArray(name, [...names]),
  )
}

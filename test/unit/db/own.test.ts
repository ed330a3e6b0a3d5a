import { and, asc, eq } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/d1'
import { describe, expect, it } from 'vitest'
import { pickOwn, selectOwn } from '../../../src/db/own'
import { agents } from '../../../src/db/tables/agents'
import { spaces } from '../../../src/db/tables/spaces'
import { users } from '../../../src/db/tables/users'

/** Statements are only written here, never run. */
const db = drizzle({} as D1Database)

describe('reads of a tenant’s own rows', () => {
  it('are the statements that would be written by hand, with the tenant before every condition', () => {
    const byHand = db
      .select()
      .from(agents)
      .where(and(eq(agents.tenantId, 't'), eq(agents.name, 'a')))
      .orderBy(asc(agents.name))
      .limit(1)
    const read = selectOwn(db, agents, 't', eq(agents.name, 'a')).orderBy(asc(agents.name)).limit(1)
    expect(read.toSQL()).toEqual(byHand.toSQL())
  })

  it('take single columns and joined tables', () => {
    const columns = { id: spaces.id, user: users.id }
    const byHand = db
      .select(columns)
      .from(spaces)
      .innerJoin(users, eq(users.id, spaces.userId))
      .where(and(eq(spaces.tenantId, 't'), eq(users.status, 'active')))
    const read = pickOwn(db, spaces, 't', columns, eq(users.status, 'active')).innerJoin(
      users,
      eq(users.id, spaces.userId),
    )
    expect(read.toSQL()).toEqual(byHand.toSQL())
  })

  it('name the tenant when there is no condition, and when all of them are left out', () => {
    for (const read of [selectOwn(db, agents, 't'), selectOwn(db, agents, 't', undefined)])
      expect(read.toSQL()).toMatchObject({
        sql: expect.stringMatching(/where "agents"\."tenant_id" = \?$/),
        params: ['t'],
      })
  })
})

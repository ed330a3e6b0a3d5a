import { describe, expect, it } from 'vitest'
import { ownedTables, strayReads } from '../../../scripts/check-reads.mjs'

const SCHEMA = `
export const tenants = sqliteTable('tenants', { id: text('id') })
export const agents = sqliteTable('agents', {
  tenantId: text('tenant_id').notNull(),
})
`

describe('reads of tenants\u2019 tables', () => {
  it('are told by the column of the tenant', () => {
    expect(ownedTables(SCHEMA)).toEqual(['agents'])
  })

  it('past db/own are reported where the list does not say just so', () => {
    const text = 'db.select().from(agents); db.select().from(tenants)'
    const source = { file: 'src/x.ts', text }
    expect(strayReads([source], ['agents'], new Map())).toEqual([
      expect.stringMatching(/^src\/x\.ts reads .* 1 times .* 0 are listed/),
    ])
    expect(strayReads([source], ['agents'], new Map([['src/x.ts', 1]]))).toEqual([])
    expect(strayReads([source], ['agents'], new Map([['src/x.ts', 2]]))).toHaveLength(1)
  })
})

import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, it } from 'vitest'
import { NodeDirectory } from '../../support/node-directory'

const MIGRATION = readFileSync(
  resolve(import.meta.dirname, '../../../migrations/0075_lost_enrollments.sql'),
  'utf8',
)

it('enrollments of spaces that were deleted before are ended, those of others stay', () => {
  const directory = new NodeDirectory()
  directory.insert('tenants', { id: 'firm' })
  directory.insert('users', { id: 'ada', tenant_id: 'firm' })
  directory.insert('spaces', { id: 'home', tenant_id: 'firm', user_id: 'ada' })
  for (const space of ['home', 'deleted'])
    directory.insert('storyline_enrollments', {
      id: `in ${space}`,
      tenant_id: 'firm',
      user_id: 'ada',
      space_id: space,
      status: 'active',
    })
  directory.db.exec(MIGRATION)
  const left = directory.db.prepare('SELECT id FROM storyline_enrollments').all()
  expect(left).toEqual([{ id: 'in home' }])
})

import { describe, expect, it } from 'vitest'
import { strayWriters } from '../../../scripts/check-writers.mjs'

const statement = (sql: string) => `this.#sql.exec('${sql}')`

describe('the writers of an object’s tables', () => {
  it('are one file a table, however often it writes, and reads are free', () => {
    expect(
      strayWriters([
        {
          file: 'session-store.ts',
          text:
            statement('INSERT OR REPLACE INTO sessions (id) VALUES (?)') +
            statement(
              'INSERT INTO sessions (id) VALUES (?) ON CONFLICT (id) DO UPDATE SET id = 1',
            ) +
            statement('DELETE FROM sessions'),
        },
        { file: 'message-store.ts', text: statement('SELECT * FROM sessions') },
      ]),
    ).toEqual([])
  })

  it.each([
    'INSERT INTO sessions (id) VALUES (?)',
    'INSERT OR IGNORE INTO sessions (id) VALUES (?)',
    'REPLACE INTO sessions (id) VALUES (?)',
    'UPDATE sessions SET id = 1',
    'DELETE\n FROM sessions',
  ])('are reported when another file holds %s', (sql) => {
    expect(
      strayWriters([
        { file: 'session-store.ts', text: statement('DELETE FROM sessions') },
        { file: 'turns.ts', text: statement(sql) },
      ]),
    ).toEqual(['sessions is written by session-store.ts and turns.ts'])
  })

  it('name what they write', () => {
    expect(
      strayWriters([{ file: 'turns.ts', text: ['exec(`DELETE FROM $', '{table}`)'].join('') }]),
    ).toEqual(['turns.ts writes a table that it does not name'])
  })
})

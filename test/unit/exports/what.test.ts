import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it } from 'vitest'
import { SPACE_MIGRATIONS } from '../../../durable-objects/user-space/core/schema'
import { EXPORTED, NOT_EXPORTED, type Row, showRow } from '../../../src/exports/what'
import { partOf } from '../../../src/spaces/movable-parts'

const db = new DatabaseSync(':memory:')
for (const step of SPACE_MIGRATIONS) db.exec(step)
const namesOf = (sql: string, ...values: string[]) =>
  db
    .prepare(sql)
    .all(...values)
    .map(({ name }) => String(name))

describe('what is exported of a space', () => {
  it('is every table, but for those that say why not', () => {
    const tables = namesOf("SELECT name FROM sqlite_master WHERE type = 'table'")
    const named = [...EXPORTED.map(({ table }) => table), ...Object.keys(NOT_EXPORTED)]
    expect(named.toSorted()).toEqual(tables.toSorted())
  })

  it.each(EXPORTED.map((what) => [what.table, what] as const))(
    '%s: every column is read or left out, and no key is read',
    (table, { columns, leftOut, hasFiles }) => {
      const all = namesOf('SELECT name FROM pragma_table_info(?)', table)
      expect([...columns, ...leftOut].toSorted()).toEqual(all.toSorted())
      expect(columns.filter((name) => name.startsWith('wrapped_'))).toEqual([])
      expect(partOf(table).table).toBe(table)
      expect(hasFiles).toBe(partOf(table).wrappedKey === undefined ? undefined : table)
    },
  )
})

const NAMES = new Map([['desk', 'Iris at the desk']])

describe('a row of an export', () => {
  const shown = (table: string, row: Row, shows = false) => {
    const what = EXPORTED.find((one) => one.table === table)
    if (!what) throw new Error(table)
    return JSON.parse(
      JSON.stringify(showRow(what, row, { showsSources: () => shows, shownNames: NAMES })),
    )
  }
  const source = { document_id: 'd', distance: 0.1, n: 1, title: 'Inside', url: null, quote: 'q' }
  const message = (body: object, more: Row = {}): Row => ({
    role: 'assistant',
    agent_name: 'desk',
    body: JSON.stringify(body),
    left_with: null,
    feedback_reasons: '["wrong"]',
    created_at: 0,
    ...more,
  })

  it('shows of sources what its agent shows of them', () => {
    const row = message({ content: 'Yes.', sources: [source] })
    expect(shown('messages', row)).toMatchObject({
      content: 'Yes.',
      author: 'agent',
      sources: [{ document_id: 'd', distance: 0.1, n: 1 }],
      in_history: true,
      feedback_reasons: ['wrong'],
      created_at: '1970-01-01T00:00:00.000Z',
    })
    expect(shown('messages', row).sources[0]).not.toHaveProperty('title')
    expect(shown('messages', row, true).sources).toEqual([source])
  })

  it('calls its agent as people do, and one that is gone by the name that it had', () => {
    const row = message({ content: 'Yes.' })
    expect(shown('messages', row).agent_display_name).toBe('Iris at the desk')
    expect(shown('messages', { ...row, agent_name: 'gone' }).agent_display_name).toBe('gone')
    expect(shown('messages', { ...row, agent_name: null }).agent_display_name).toBeNull()
    expect(shown('attachments', { id: 'a' })).not.toHaveProperty('agent_display_name')
  })

  it('keeps to itself what was not said, and what waits', () => {
    const row = message({ content: 'Yes.', unsourced: ['No.'], pending: { args: 'x' }, usage: {} })
    const said = shown('messages', row)
    for (const name of ['unsourced', 'pending', 'usage', 'body', 'left_with'])
      expect(said).not.toHaveProperty(name)
  })

  it('says that nothing can be read where it does not open', () => {
    const row = message({}, { body: null, feedback_reasons: null })
    expect(shown('messages', row)).toMatchObject({ content: null, sources: [] })
    expect(shown('memories', { body: null })).toEqual({ topic: null, content: null })
    expect(shown('enrollments', { kept: null })).toEqual({ noted: null })
  })

  it('names none of the people who are asked for help', () => {
    const body = JSON.stringify({ summary: 'Help me', notify: ['staff@shop.example'], lang: 'en' })
    expect(shown('handoffs', { body })).toEqual({ summary: 'Help me' })
  })
})

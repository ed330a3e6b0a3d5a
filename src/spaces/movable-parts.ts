/** One column that holds an envelope, and the place that it is sealed for. */
export interface SealedColumn {
  column: string
  /** The column as the seal names it. */
  name: string
  form: 'text' | 'blob'
}

export type PartRow = Record<string, string | number | null | ArrayBuffer>

/**
 * A table of a space's object that goes over to another space. What a later feature keeps in the object joins this list; a
 * test fails for a table that is neither here nor among `KEPT_BEHIND`.
 */
export interface MovablePart {
  table: string
  /** Primary key; rows are read in its order. */
  key: readonly [string, ...string[]]
  /** Constant SQL for tables of which only some rows move. */
  only?: string
  sealed: readonly SealedColumn[]
  /** The row as the seals name it. */
  sealedRow: (row: PartRow) => string
  /** A column with a key of its own, wrapped by the space's: bytes that it seals stay where they are. */
  wrappedKey?: string
  /**
   * Rows that nothing finds but through a row of another part are written to their place at once. All others wait apart,
   * so that the whole becomes visible in one step.
   */
  foundThrough?: { table: string; column: string }
  /** Columns that may clash with a row of the target: constant SQL over `row` (JSON) for what is stored instead. */
  instead?: Readonly<Record<string, string>>
}

const text = (column: string, name = column.replace(/_sealed$/, '')): SealedColumn => ({
  column,
  name,
  form: 'text',
})
const byId = (row: PartRow): string => String(row.id)

/** In this order: a row comes after the one it is found through. */
export const MOVABLE_PARTS: readonly MovablePart[] = [
  {
    table: 'sessions',
    key: ['id'],
    sealed: [
      text('title_sealed'),
      text('title_vector_sealed'),
      text('prefill_sealed'),
      text('summary_sealed'),
    ],
    sealedRow: byId,
    // A foreign conversation id goes on leading to the target's own session.
    instead: { alias: unlessTaken('sessions', 'alias'), outbox: 'NULL' },
  },
  {
    table: 'messages',
    key: ['session_id', 'id'],
    sealed: [text('body_sealed'), text('comment_sealed')],
    sealedRow: byId,
    foundThrough: { table: 'sessions', column: 'session_id' },
  },
  {
    table: 'attachments',
    key: ['id'],
    sealed: [text('name_sealed')],
    sealedRow: byId,
    wrappedKey: 'wrapped_key',
    foundThrough: { table: 'sessions', column: 'session_id' },
  },
  { table: 'repeats', key: ['key'], sealed: [], sealedRow: (row) => String(row.key) },
  {
    table: 'memories',
    key: ['id'],
    sealed: [text('body_sealed'), text('vector_sealed')],
    sealedRow: byId,
    instead: { carried_from: unlessTaken('memories', 'carried_from') },
  },
  {
    table: 'remembered',
    key: ['agent_name'],
    sealed: [text('body_sealed')],
    sealedRow: (row) => String(row.agent_name),
  },
  { table: 'reminders', key: ['id'], sealed: [text('text_sealed')], sealedRow: byId },
  {
    table: 'reminder_channels',
    key: ['reminder_id', 'channel'],
    sealed: [],
    sealedRow: (row) => String(row.reminder_id),
    foundThrough: { table: 'reminders', column: 'reminder_id' },
  },
  { table: 'handoffs', key: ['id'], sealed: [text('body_sealed')], sealedRow: byId },
  {
    table: 'enrollments',
    key: ['id'],
    sealed: [text('kept_sealed')],
    sealedRow: byId,
    // A person goes through a storyline once at a time: where both spaces do, the target's goes on.
    instead: {
      status: unlessGoingOn('status', "'exited'"),
      due_at: unlessGoingOn('due_at', 'NULL'),
      unreported: unlessGoingOn('unreported', '1'),
    },
  },
  {
    table: 'enrollment_steps',
    key: ['enrollment_id', 'n'],
    sealed: [text('body_sealed')],
    sealedRow: (row) => `${row.enrollment_id}:${row.n}`,
    foundThrough: { table: 'enrollments', column: 'enrollment_id' },
  },
  {
    table: 'enrollment_calls',
    key: ['enrollment_id', 'step'],
    sealed: [text('body_sealed')],
    sealedRow: (row) => `${row.enrollment_id}:${row.step}`,
    foundThrough: { table: 'enrollments', column: 'enrollment_id' },
  },
  {
    table: 'enrollment_reports',
    key: ['enrollment_id', 'n'],
    sealed: [],
    sealedRow: (row) => `${row.enrollment_id}:${row.n}`,
    foundThrough: { table: 'enrollments', column: 'enrollment_id' },
  },
  {
    table: 'space_documents',
    key: ['id'],
    sealed: [text('name_sealed'), text('title_sealed'), text('common_sealed')],
    sealedRow: byId,
    wrappedKey: 'wrapped_key',
  },
  {
    table: 'space_chunks',
    key: ['document_id', 'n'],
    sealed: [text('body_sealed')],
    sealedRow: (row) => `${row.document_id}:${row.n}`,
    foundThrough: { table: 'space_documents', column: 'document_id' },
  },
  {
    table: 'space_indexes',
    key: ['document_id', 'part'],
    sealed: [{ column: 'index_sealed', name: 'index', form: 'blob' }],
    sealedRow: (row) => `${row.document_id}:${row.part}`,
    foundThrough: { table: 'space_documents', column: 'document_id' },
  },
  {
    // What nobody is known to have heard still waits for its listener. The target numbers it anew.
    table: 'events',
    key: ['id'],
    only: "heard = 0 AND type IN ('reminder', 'followup')",
    sealed: [text('body_sealed')],
    sealedRow: (row) => String(row.ref),
  },
  {
    // Sessions that nothing is remembered of.
    table: 'facts',
    key: ['name'],
    only: "name >= 'stateless ' AND name < 'stateless!'",
    sealed: [],
    sealedRow: (row) => String(row.name),
  },
]

/** Tables of which nothing moves, and why. */
export const KEPT_BEHIND: Readonly<Record<string, string>> = {
  turn_slots: 'nothing waits in it when a merge begins: every turn has ended and was handed on',
  incoming: 'a space that takes another one in is not merged away meanwhile',
  staged: 'as incoming',
  schema_version: 'of the object itself',
}

/** @throws Error for a table that is no movable part. */
export function partOf(table: string): MovablePart {
  const part = MOVABLE_PARTS.find((one) => one.table === table)
  if (!part) throw new Error(`${table} does not move`)
  return part
}

/** What tells rows of a part apart, as one text. */
export function keyText(part: MovablePart, row: PartRow): string {
  return JSON.stringify(part.key.map((column) => row[column]))
}

function unlessTaken(table: string, column: string): string {
  return `iif(row->>'$.${column}' IN (SELECT ${column} FROM ${table} WHERE ${column} IS NOT NULL), NULL, row->>'$.${column}')`
}

/** Another value for an open enrollment whose storyline the target's user is in already. */
function unlessGoingOn(column: string, instead: string): string {
  const open = "('offered', 'active', 'paused')"
  return `iif(row->>'$.status' IN ${open} AND EXISTS (SELECT 1 FROM enrollments e WHERE e.storyline_id = row->>'$.storyline_id' AND e.status IN ${open}), ${instead}, row->>'$.${column}')`
}

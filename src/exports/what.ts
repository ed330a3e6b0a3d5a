import type { Source } from '../chat/events'
import { isoOf } from '../time'
import { hideDetails } from '../wire/present-source'

type Value = string | number | null
export type Row = Readonly<Record<string, Value>>

export interface ExportRules {
  /** Whether the sources of an agent are shown in full. */
  showsSources: (agent: string | null) => boolean
  /** What people call agents; one that is gone is missing. */
  shownNames: ReadonlyMap<string, string>
}

/** What is exported of a table of a space's object. */
export interface ExportedTable {
  table: string
  /** What the files are called that its rows are in. */
  file: string
  /** All that is read of it; `*_sealed` is opened. */
  columns: readonly string[]
  /** Columns that are not the user's, or say nothing to anybody outside, and are not read. */
  leftOut: readonly string[]
  /** What becomes of columns that are not shown as they are. */
  show?: (row: Row, rules: ExportRules) => Record<string, unknown>
  /** Its rows have bytes in the object store. */
  hasFiles?: 'attachments' | 'space_documents'
}

const MARKS = ['feedback', 'comment_sealed', 'feedback_reasons']

/** In this order. A test holds it against the tables and columns that there are. */
export const EXPORTED: readonly ExportedTable[] = [
  {
    table: 'sessions',
    file: 'sessions',
    columns: [
      'id',
      'agent_name',
      'channel',
      'title_sealed',
      'title_by_user',
      'summary_sealed',
      'message_count',
      'read_count',
      'forked_from',
      'prefill_sealed',
      'created_at',
      'updated_at',
    ],
    leftOut: [
      'agent_id',
      'alias',
      'title_vector_sealed',
      'title_embedder',
      'summary_upto',
      'handoff_id',
      'misses',
      'outbox',
      'ranked_at',
      'cta_from',
    ],
    show: (row) => ({ title_by_user: row.title_by_user === 1 }),
  },
  {
    table: 'messages',
    file: 'messages',
    columns: [
      'session_id',
      'id',
      'role',
      'agent_name',
      'status',
      'body_sealed',
      'variant_of',
      ...MARKS,
      'left_with',
      'created_at',
      'edited_at',
    ],
    leftOut: [],
    show: showMessage,
  },
  {
    table: 'attachments',
    file: 'attachments',
    columns: [
      'id',
      'session_id',
      'message_id',
      'mime',
      'name_sealed',
      'size_bytes',
      'voice',
      'created_at',
    ],
    leftOut: ['wrapped_key'],
    hasFiles: 'attachments',
  },
  {
    table: 'memories',
    file: 'memories',
    columns: [
      'id',
      'kind',
      'importance',
      'agent_name',
      'session_id',
      'message_id',
      'body_sealed',
      'superseded_by',
      'created_at',
      'updated_at',
    ],
    leftOut: ['made_by', 'vector_sealed', 'embedder', 'carried_from'],
    show: ({ body }) => pick(body, ['topic', 'content']),
  },
  {
    table: 'remembered',
    file: 'remembered',
    columns: ['agent_name', 'body_sealed', 'updated_at'],
    leftOut: [],
    show: ({ body = null }) => ({ body: undefined, content: body }),
  },
  {
    table: 'reminders',
    file: 'reminders',
    columns: [
      'id',
      'kind',
      'status',
      'due_at',
      'timezone',
      'source',
      'agent_name',
      'session_id',
      'text_sealed',
      'created_at',
      'delivered_at',
      'cancelled_at',
    ],
    leftOut: ['repeat_key', 'repeat_hash', 'away', 'handed_on', 'handed_at'],
  },
  {
    table: 'enrollments',
    file: 'storylines',
    columns: [
      'id',
      'storyline_id',
      'status',
      'session_id',
      'kept_sealed',
      'last_turn_at',
      'created_at',
      'updated_at',
    ],
    leftOut: [
      'revision_id',
      'agent_id',
      'paused_by',
      'node',
      'due_at',
      'holds',
      'reports',
      'unreported',
      'entered_node_at',
    ],
    show: ({ kept }) => ({ kept: undefined, noted: parse<Kept>(kept)?.state?.profile ?? null }),
  },
  {
    table: 'handoffs',
    file: 'handoffs',
    columns: [
      'id',
      'session_id',
      'status',
      'reason',
      'body_sealed',
      'created_at',
      'answered_at',
      'closed_at',
    ],
    leftOut: ['due_at', 'n', 'told'],
    show: ({ body }) => pick(body, ['summary']),
  },
  {
    table: 'space_documents',
    file: 'documents',
    columns: [
      'id',
      'name_sealed',
      'mime',
      'size_bytes',
      'title_sealed',
      'status',
      'created_at',
      'updated_at',
    ],
    leftOut: [
      'kind',
      'wrapped_key',
      'common_sealed',
      'progress',
      'error',
      'attempts',
      'chunk_count',
      'progressed_at',
    ],
    hasFiles: 'space_documents',
  },
]

/** Tables of which nothing is exported, and why. */
export const NOT_EXPORTED: Readonly<Record<string, string>> = {
  repeats: 'keys of repeated requests',
  reminder_channels: 'by which ways a reminder went: it is there as delivered',
  enrollment_steps:
    'how the storyline, which is the tenant’s, went on; what was said is in the messages',
  enrollment_calls: 'as enrollment_steps',
  enrollment_reports: 'as enrollment_steps',
  space_chunks: 'made of the documents, whose originals are there',
  space_indexes: 'as space_chunks',
  events: 'what was told of reminders and messages that are there',
  facts: 'what the object notes of itself',
  turn_slots: 'turns under way',
  incoming: 'a merge under way',
  staged: 'as incoming',
}

/** A row as it stands in its file. */
export function showRow(what: ExportedTable, row: Row, rules: ExportRules): object {
  const plain = Object.entries(row).map(([name, value]) => [
    name,
    name.endsWith('_at') && typeof value === 'number' ? isoOf(value) : value,
  ])
  const agent = agentOf(row)
  return {
    ...Object.fromEntries(plain),
    ...('agent_name' in row && {
      agent_display_name: agent && (rules.shownNames.get(agent) ?? agent),
    }),
    ...what.show?.(row, rules),
  }
}

interface Kept {
  state?: { profile?: Record<string, unknown> }
}
interface Said {
  content?: string
  sources?: Source[]
  author?: 'staff'
  transcript?: string | null
}

/** What was said, of whom, and what it rests on; `in_history` is false for what was said in another way since. */
function showMessage(row: Row, { showsSources }: ExportRules): Record<string, unknown> {
  const said = parse<Said>(row.body)
  const sources = said?.sources ?? []
  const author = said?.author ?? 'agent'
  return {
    body: undefined,
    left_with: undefined,
    content: said?.content ?? null,
    author: row.role === 'user' ? null : author,
    sources: showsSources(agentOf(row)) ? sources : sources.map(hideDetails),
    ...(said?.transcript ? { transcript: said.transcript } : {}),
    in_history: row.left_with === null,
    feedback_reasons: parse(row.feedback_reasons) ?? [],
  }
}

const agentOf = ({ agent_name }: Row): string | null =>
  typeof agent_name === 'string' ? agent_name : null

/** Some fields of what is sealed as one. */
function pick(body: Value | undefined, names: readonly string[]) {
  const open = parse<Record<string, unknown>>(body)
  const fields = names.map((name) => [name, open?.[name] ?? null])
  return { body: undefined, ...Object.fromEntries(fields) }
}

function parse<T>(text: Value | undefined): T | null {
  return typeof text === 'string' ? (JSON.parse(text) as T) : null
}

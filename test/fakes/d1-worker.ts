interface Query {
  sql: string
  params?: unknown[] | null
}

type Format = 'ARRAY_OF_OBJECTS' | 'ROWS_AND_COLUMNS'

const CHANGES = 'SELECT total_changes() AS total, last_insert_rowid() AS lastRow'

/** A database of D1 on the runtime's own SQLite; answers what miniflare's does. */
export class D1DatabaseObject {
  readonly #storage: DurableObjectStorage

  constructor({ storage }: DurableObjectState) {
    this.#storage = storage
  }

  async fetch(request: Request): Promise<Response> {
    const asked = await request.json<Query | Query[]>()
    const format = new URL(request.url).searchParams.get('resultsFormat') as Format | null
    try {
      const run = () => [asked].flat().map((query) => this.#run(query, format))
      return Response.json(this.#storage.transactionSync(run))
    } catch (error) {
      return Response.json({ success: false, error: (error as Error).message })
    }
  }

  #run({ sql, params }: Query, format: Format | null) {
    const { sql: database } = this.#storage
    const size = database.databaseSize
    const [before] = database.exec(CHANGES)
    const began = performance.now()
    const cursor = database.exec(sql, ...(params ?? []).map(bound))
    const columns = cursor.columnNames
    const rows = Array.from(cursor.raw(), (row) => row.map(shown))
    const duration = performance.now() - began
    const [after] = database.exec(CHANGES)
    const isChanged = after?.total !== before?.total || after?.lastRow !== before?.lastRow
    return {
      success: true,
      results:
        format === 'ROWS_AND_COLUMNS'
          ? { columns, rows }
          : rows.map((row) => Object.fromEntries(columns.map((name, at) => [name, row[at]]))),
      meta: {
        served_by: 'miniflare.db',
        served_by_primary: true,
        total_attempts: 1,
        timings: { sql_duration_ms: duration },
        duration,
        changes: Number(after?.total) - Number(before?.total),
        last_row_id: after?.lastRow,
        changed_db: isChanged || database.databaseSize !== size,
        size_after: database.databaseSize,
        rows_read: cursor.rowsRead,
        rows_written: cursor.rowsWritten,
      },
    }
  }
}

/** Bytes come and go as lists of numbers. */
const bound = (value: unknown) => (Array.isArray(value) ? new Uint8Array(value).buffer : value)
const shown = (value: unknown) =>
  value instanceof ArrayBuffer ? Array.from(new Uint8Array(value)) : value

interface Env {
  MINIFLARE_OBJECT: DurableObjectNamespace
}

export default {
  fetch(request, env, { props }) {
    const { MINIFLARE_OBJECT: databases } = env
    const id = databases.idFromName(props.MINIFLARE_NAMESPACE)
    return databases.get(id).fetch(request)
  },
} satisfies ExportedHandler<Env, unknown, unknown, { MINIFLARE_NAMESPACE: string }>

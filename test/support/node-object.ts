import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'

/** /durable-objects/platform/limits: bytes of a string or a row. The local runtime takes more. */
const MOST_BYTES = 2_000_000

/** The part of an object's storage that our classes use, over SQLite in plain Node. Blobs come back as ArrayBuffer, as they do there. */
export class NodeStorage {
  readonly db = new DatabaseSync(':memory:')
  alarm: number | null = null
  #depth = 0

  /** Storage of its own with the same content. */
  copy(): NodeStorage {
    const copy = new NodeStorage()
    copy.db.deserialize(this.db.serialize())
    copy.alarm = this.alarm
    return copy
  }

  /** @param guard runs before every statement; it throws when whoever holds this storage is dead. */
  open(guard: () => void): DurableObjectStorage {
    // As an object does: a statement that comes again is not read again.
    const statements = new Map<string, StatementSync>()
    const exec = (query: string, ...bindings: unknown[]) => {
      guard()
      if (bindings.some((value) => typeof value === 'string' && value.length > MOST_BYTES))
        throw new Error(`string or blob too big: ${query}`)
      const values = bindings.map((value) =>
        value instanceof ArrayBuffer ? new Uint8Array(value) : value,
      ) as SQLInputValue[]
      if (bindings.length === 0 && query.includes(';')) {
        this.db.exec(query)
        return cursorOf([], 0)
      }
      const statement = statements.get(query) ?? this.db.prepare(query)
      statements.set(query, statement)
      if (/^\s*(SELECT|WITH|PRAGMA)|\bRETURNING\b/i.test(query)) {
        return cursorOf(statement.all(...values).map(asStored), 0)
      }
      return cursorOf([], Number(statement.run(...values).changes))
    }
    return {
      sql: { exec },
      transactionSync: (work: () => unknown) => {
        guard()
        const name = `t${this.#depth++}`
        this.db.exec(`SAVEPOINT ${name}`)
        try {
          const result = work()
          this.db.exec(`RELEASE ${name}`)
          return result
        } catch (error) {
          this.db.exec(`ROLLBACK TO ${name}; RELEASE ${name}`)
          throw error
        } finally {
          this.#depth -= 1
        }
      },
      getAlarm: async () => this.alarm,
      setAlarm: async (time: number) => {
        guard()
        this.alarm = time
      },
      deleteAlarm: async () => {
        this.alarm = null
      },
      deleteAll: async () => {
        guard()
        const tables = this.db.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all()
        for (const { name } of tables) this.db.exec(`DROP TABLE "${name}"`)
        this.alarm = null
      },
      sync: async () => guard(),
    } as unknown as DurableObjectStorage
  }
}

function asStored(row: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => [
      name,
      value instanceof Uint8Array ? Uint8Array.from(value).buffer : value,
    ]),
  )
}

function cursorOf(rows: Record<string, unknown>[], rowsWritten: number) {
  return {
    rowsWritten,
    toArray: () => rows,
    one: () => {
      if (rows.length !== 1) throw new Error(`Expected one row, not ${rows.length}`)
      return rows[0]
    },
    [Symbol.iterator]: () => rows[Symbol.iterator](),
  }
}

/** Called before and after each round trip, which either may lose by throwing. */
interface Trips {
  asked?(): void
  answered?(): void
}

const noop = () => {}

/** The part of D1 that our statements use, over SQLite in plain Node. */
export function nodeD1(
  db: DatabaseSync,
  { asked = noop, answered = noop }: Trips = {},
): D1Database {
  const run = ({ query, values }: { query: string; values: unknown[] }) => ({
    results: db.prepare(query).all(...(values as SQLInputValue[])),
  })
  const trip = async <T>(work: () => T): Promise<T> => {
    asked()
    const result = work()
    answered()
    return result
  }
  const prepare = (query: string, values: unknown[] = []): unknown => ({
    query,
    values,
    bind: (...bound: unknown[]) => prepare(query, bound),
    all: () => trip(() => run({ query, values })),
    run: () => trip(() => run({ query, values })),
    raw: () =>
      trip(() => {
        const statement = db.prepare(query)
        statement.setReturnArrays(true)
        return statement.all(...(values as SQLInputValue[]))
      }),
  })
  const session = {
    prepare,
    batch: (statements: { query: string; values: unknown[] }[]) =>
      trip(() => {
        db.exec('BEGIN')
        try {
          const results = statements.map(run)
          db.exec('COMMIT')
          return results
        } catch (error) {
          db.exec('ROLLBACK')
          throw error
        }
      }),
  }
  return { ...session, withSession: () => session } as unknown as D1Database
}

import { byteLength, D1_LIMITS, holdTo } from '../config/platform-limits'

/** What drizzle uses of a database. */
type Asked = Pick<D1Database, 'batch'> & {
  prepare(statement: string): Pick<D1PreparedStatement, 'bind'>
}

/** Statements that change who may call: after them an isolate must not believe what it remembers of keys and tenants. */
const CHANGES_CALLERS = /^\s*(?:insert into|update|delete from) "(?:tenants|api_keys)"/i

let callersChanged = 0

/**
 * A counter that rises before this isolate writes a key or a tenant, and again afterwards. Whoever remembers such a row
 * remembers the counter with it, and drops the row when it has risen.
 */
export const callerChanges = (): number => callersChanged

/** Holds a session to the limits of production's D1 (statement, parameters, row), which the local one does not enforce. */
export function guardD1(session: D1DatabaseSession): Asked {
  let changesCallers = false
  return {
    async batch(statements) {
      try {
        return await session.batch(statements)
      } finally {
        if (changesCallers) callersChanged++
      }
    },
    prepare(statement) {
      if (CHANGES_CALLERS.test(statement)) {
        changesCallers = true
        callersChanged++
      }
      holdTo('bytes of a statement', byteLength(statement), D1_LIMITS.statementBytes)
      const prepared = session.prepare(statement)
      return {
        bind(...values) {
          holdTo('parameters of a statement', values.length, D1_LIMITS.parameters)
          holdTo('bytes of a row', sizeOf(values), D1_LIMITS.rowBytes)
          return prepared.bind(...values)
        },
      }
    },
  }
}

/** Counted as text only where it could matter: a UTF-16 unit is three bytes at most. */
function sizeOf(values: readonly unknown[]): number {
  const most = values.reduce<number>((sum, value) => sum + 3 * lengthOf(value), 0)
  if (most <= D1_LIMITS.rowBytes) return most
  return values.reduce<number>(
    (sum, value) => sum + (typeof value === 'string' ? byteLength(value) : lengthOf(value)),
    0,
  )
}

function lengthOf(value: unknown): number {
  if (typeof value === 'string') return value.length
  return value instanceof ArrayBuffer || ArrayBuffer.isView(value) ? value.byteLength : 8
}

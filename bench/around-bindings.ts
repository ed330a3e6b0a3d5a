/** Bindings whose calls go through a function, which counts them or has them fail. What is wrapped knows nothing of it. */

export type Method = (...args: unknown[]) => unknown

/** @param call makes the call. @returns what the caller gets. */
type Around<T extends unknown[]> = (call: () => unknown, ...about: T) => unknown

/** An object whose methods are called on the original. */
export function aroundMethods<T extends object>(
  target: T,
  around: Around<[name: string, args: unknown[]]>,
): T {
  const methods = target as Record<string, Method>
  return new Proxy(target, {
    get(_, name) {
      const value: unknown = Reflect.get(target, name)
      if (typeof value !== 'function' || typeof name !== 'string') return value
      // A stub's methods have no `apply`: reading it would be another remote call.
      return (...args: unknown[]) => around(() => methods[name]?.(...args), name, args)
    },
  })
}

/** What leads to objects: their methods go through `around`, with the name of the object. */
export function aroundNamespace<T extends Rpc.DurableObjectBranded>(
  space: DurableObjectNamespace<T>,
  around: Around<[name: string, args: unknown[], object: string | undefined]>,
): DurableObjectNamespace<T> {
  return new Proxy(space, {
    get(_, name) {
      const value: unknown = Reflect.get(space, name)
      if (typeof value !== 'function') return value
      return (...args: unknown[]) => {
        const result = (value as Method).apply(space, args)
        if (name !== 'get') return result
        const { name: object } = args[0] as DurableObjectId
        return aroundMethods(result as DurableObjectStub<T>, (call, method, given) =>
          around(call, method, given, object),
        )
      }
    },
  })
}

/** Each way to D1 and back, with its statements. */
type AroundTrip = Around<[statements: string[], isBatch: boolean]>

const RUNS = new Set(['run', 'all', 'first', 'raw'])
const originals = new WeakMap<object, { statement: D1PreparedStatement; text: string }>()

export function aroundDatabase<T extends D1Database | D1DatabaseSession>(
  db: T,
  around: AroundTrip,
): T {
  return new Proxy(db, {
    get(_, name) {
      const value: unknown = Reflect.get(db, name)
      if (typeof value !== 'function') return value
      return (...args: unknown[]) => {
        if (name === 'batch') {
          const statements = (args[0] as D1PreparedStatement[]).map((one) => originals.get(one))
          return around(
            () => db.batch(statements.flatMap((one) => one?.statement ?? [])),
            statements.map((one) => one?.text ?? ''),
            true,
          )
        }
        const result = (value as Method).apply(db, args)
        if (name === 'prepare')
          return aroundStatement(result as D1PreparedStatement, String(args[0]), around)
        return name === 'withSession' ? aroundDatabase(result as D1DatabaseSession, around) : result
      }
    },
  })
}

function aroundStatement(statement: D1PreparedStatement, text: string, around: AroundTrip) {
  const wrapped: D1PreparedStatement = new Proxy(statement, {
    get(_, name) {
      const value: unknown = Reflect.get(statement, name)
      if (typeof value !== 'function') return value
      return (...args: unknown[]) => {
        const call = () => (value as Method).apply(statement, args)
        if (RUNS.has(String(name))) return around(call, [text], false)
        const result = call()
        return name === 'bind'
          ? aroundStatement(result as D1PreparedStatement, text, around)
          : result
      }
    },
  })
  originals.set(wrapped, { statement, text })
  return wrapped
}

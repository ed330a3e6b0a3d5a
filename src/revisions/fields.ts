import type * as z from 'zod'

/** How a configuration with defaults (an agent's, a skill's) is completed, changed and read again. All pure. */

type Sent<C> = { [K in keyof C]?: C[K] | null | undefined }

/** POST and PUT: what is omitted or null takes its default; a list that is never null holds each name once, as after a PATCH. */
export function completeFields<C extends object>(defaults: C, input: Sent<C>): C {
  const config = structuredClone(defaults)
  for (const name of namesOf(defaults)) {
    assign(config, name, input[name])
    const value: unknown = config[name]
    if (Array.isArray(value) && Array.isArray(defaults[name]))
      config[name] = [...new Set(value)] as C[typeof name]
  }
  return config
}

/** PATCH: only what is sent changes, null resets. A stored configuration may lack fields that were added later. */
export function patchFields<C extends object>(defaults: C, config: C, patch: Sent<C>): C {
  const next = { ...structuredClone(defaults), ...structuredClone(config) }
  for (const name of namesOf(defaults)) {
    if (patch[name] === null) next[name] = structuredClone(defaults[name])
    else assign(next, name, patch[name])
  }
  return next
}

const namesOf = <C extends object>(defaults: C) => Object.keys(defaults) as (keyof C)[]

function assign<C, K extends keyof C>(config: C, name: K, value: C[K] | null | undefined): void {
  if (value !== undefined && value !== null) config[name] = value
}

/** A snapshot's fields, but for what an earlier release took and this one does not: that takes its default. */
export function readSnapshot<S extends Record<string, z.ZodType>>(
  config: z.ZodObject<S>,
  snapshot: Record<string, unknown>,
): Partial<z.output<z.ZodObject<S>>> {
  const fields = Object.entries<z.ZodType>(config.shape).map(([name, schema]) => [
    name,
    schema.safeParse(snapshot[name]).data,
  ])
  return Object.fromEntries(fields)
}

/** Keeps order, adds each name once. */
export function changeList(
  list: string[],
  add: string[] | null | undefined,
  remove: string[] | null | undefined,
): string[] {
  const gone = new Set(remove ?? [])
  return [...new Set([...list, ...(add ?? [])])].filter((name) => !gone.has(name))
}

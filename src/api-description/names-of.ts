import * as z from 'zod'

/** The schemas that modules export, each with the name of its export. */
export function namesOf(modules: readonly Record<string, unknown>[]): Map<z.ZodType, string> {
  const names = new Map<z.ZodType, string>()
  for (const module of modules) {
    for (const [name, value] of Object.entries(module)) {
      if (value instanceof z.ZodType && /^[A-Z]/.test(name)) names.set(value, name)
    }
  }
  return names
}

export type Json = Record<string, unknown>

/** Whether a value of JSON is an object: no list, and not null. */
export function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** What a text says as JSON; null where it is none. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** A model's answer without the code fence that many set around it. */
export const unfenced = (said: string): string =>
  said
    .trim()
    .replace(/^```\w*/u, '')
    .replace(/```$/u, '')
    .trim()

/** A model's answer whose whole is to be JSON; null where it is none. */
export const parseAnswer = (said: string): unknown => parseJson(unfenced(said))

/** The object in a model's answer, whatever words stand around it; null where there is none. */
export function findObject(said: string): Json | null {
  const value = parseJson(said.slice(said.indexOf('{'), said.lastIndexOf('}') + 1))
  return isObject(value) ? value : null
}

/** A list as it was asked for, or the first one in an object. */
export const listIn = (value: unknown): unknown[] | undefined =>
  Array.isArray(value)
    ? value
    : isObject(value)
      ? Object.values(value).find(Array.isArray)
      : undefined

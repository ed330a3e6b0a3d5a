import { isDeepStrictEqual } from 'node:util'
import type { Route } from '../../src/http/route'
import { ROUTES } from '../../src/routes/table'
import type { Answer, CallOptions } from './harness'
import { EXAMPLES, type Example, type Filled } from './route-examples'

export { ROUTES }

export const keyOf = (route: Pick<Route, 'method' | 'path'>): string =>
  `${route.method} ${route.path}`

/** @throws Error for a route without an example: whoever adds one says how it is called. */
export function exampleOf(route: Route): Example {
  const example = EXAMPLES[keyOf(route)]
  if (!example) throw new Error(`${keyOf(route)} has no example in route-examples.ts`)
  return example
}

/** Examples of routes that are gone. */
export function staleExamples(): string[] {
  const known = new Set(ROUTES.map(keyOf))
  return Object.keys(EXAMPLES).filter((key) => !known.has(key))
}

export function pathOf(template: string, filled: Filled): string {
  const path = template.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(filled.params?.[name] ?? `no-${name}`),
  )
  const query = new URLSearchParams(filled.query).toString()
  return query === '' ? path : `${path}?${query}`
}

export function bodyOf(filled: Filled): Pick<CallOptions, 'body'> {
  const body = filled.form ?? filled.body
  return body === undefined ? {} : { body }
}

/** What is wrong with a successful answer by the route's own declaration; null when nothing is. */
export function checkAnswer(route: Route, answer: Answer): string | null {
  const declared = route.answers[answer.status]
  if (declared === undefined)
    return `undeclared status ${answer.status}: ${answer.text.slice(0, 200)}`
  if (declared === 'empty') return answer.text === '' ? null : 'a body where none is declared'
  const type = answer.headers.get('content-type') ?? ''
  if ('media' in declared)
    return type.startsWith(declared.media.replace('*', '')) ? null : `content type ${type}`
  if (!type.startsWith('application/json')) return `content type ${type}`
  const parsed = declared.safeParse(answer.json)
  if (!parsed.success) return `not as declared: ${JSON.stringify(parsed.error.issues)}`
  // Undeclared fields are stripped by the parse, so a leaked one shows as a difference.
  return isDeepStrictEqual(parsed.data, answer.json)
    ? null
    : `more than is declared: ${answer.text.slice(0, 500)}`
}

/**
 * A refusal in our own form. On OpenAI-compatible routes it must also stand in that protocol's form, which is taken off here;
 * where it does not, or stands elsewhere, all of it is returned and equals nothing.
 */
export function refusalBody(route: Route, { json }: Pick<Answer, 'json'>): unknown {
  if (!route.openAi) return json
  const { error, ...own } = json ?? {}
  const isError =
    typeof error?.message === 'string' &&
    Object.keys(error).join() === 'message,type,param,code' &&
    (typeof own.detail !== 'string' || error.message === own.detail)
  return isError ? own : json
}

/** Headers that every answer carries (BR2, E1); null when all are there. */
export function checkHeaders({ headers }: Pick<Answer, 'headers'>): string | null {
  const wanted: [string, RegExp][] = [
    ['x-request-id', /^[0-9a-f-]{36}$/],
    ['x-content-type-options', /^nosniff$/],
    ['referrer-policy', /^no-referrer$/],
    ['strict-transport-security', /^max-age=\d{8,}/],
    ['cache-control', /no-store|no-cache/],
  ]
  const bad = wanted.filter(([name, form]) => !form.test(headers.get(name) ?? ''))
  return bad.length === 0
    ? null
    : `headers ${bad.map(([name]) => `${name}: ${headers.get(name)}`).join('; ')}`
}

/** Runs some at a time: the Worker under test has two cores to share. */
export async function inBatches<T, R>(
  items: readonly T[],
  run: (item: T) => Promise<R>,
  size = 6,
): Promise<R[]> {
  const results: R[] = []
  for (let i = 0; i < items.length; i += size) {
    results.push(...(await Promise.all(items.slice(i, i + size).map(run))))
  }
  return results
}

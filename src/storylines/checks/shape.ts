import { Validator } from '@cfworker/json-schema'
import { GRAPH_SCHEMA } from '../graph-schema'
import type { Examined } from './findings'

let shape: Validator | undefined
/** Made at the first check: the schema is the same for all, and following its references takes longer than a check. */
const graphShape = (): Validator => {
  shape ??= new Validator(GRAPH_SCHEMA, '2020-12', false)
  return shape
}

/** @returns whether the graph has a shape that the other checks can read. */
export function checkShape(examined: Examined): boolean {
  const { valid, errors } = graphShape().validate(examined.graph)
  if (!valid) {
    for (const { location, message, keyword } of deepest(errors)) {
      examined.add(
        keyword.startsWith('max') ? 'limit_exceeded' : 'schema',
        ['graph', ...location],
        message,
      )
    }
    return false
  }
  if (!Object.hasOwn(examined.graph.nodes, examined.graph.start)) {
    const message = `there is no node ${examined.graph.start} to start at`
    examined.add('start_missing', ['graph', 'start'], message)
  }
  return true
}

/** Those fields of a graph, or of a node, that are as format 1 has them. */
export function fittingFields(
  fields: Readonly<Record<string, unknown>>,
  isNode: boolean,
): Record<string, unknown> {
  const end = { type: 'end' }
  const graph = { schema: 1, start: 'a', nodes: { a: isNode ? { ...end, ...fields } : end } }
  const { errors } = graphShape().validate(isNode ? graph : { ...graph, ...fields })
  const wrong = errors.map(({ instanceLocation }) => instanceLocation.split('/')[isNode ? 3 : 1])
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !wrong.includes(name)))
}

interface SchemaError {
  instanceLocation: string
  keyword: string
  error: string
}

/** Where the library only says that something within does not fit; what it is comes after. */
const AROUND: ReadonlySet<string> = new Set([
  '$ref',
  'properties',
  'items',
  'additionalProperties',
  'propertyNames',
])

/** Where the library's own sentence tells an author nothing. */
const WORDS: Readonly<Record<string, string>> = {
  false: 'This field is not part of the format.',
  anyOf: 'Expected text, or texts by language, none of them empty.',
  pattern:
    'Not a key: small letters, digits and underscores, a letter first, at most 48 characters.',
  minProperties: 'At least one entry is needed.',
  minItems: 'At least one entry is needed.',
  maxProperties: 'There are more entries here than the format takes.',
}

/** The library reports each level on the way down; the deepest names the place. At most 20 are told. */
function deepest(
  errors: readonly SchemaError[],
): { location: string[]; message: string; keyword: string }[] {
  const places = errors.map(({ instanceLocation, keyword, error }) => ({
    location: instanceLocation.split('/').slice(1).map(decodePart),
    message: WORDS[keyword] ?? error,
    keyword,
    place: instanceLocation,
  }))
  const leaves = places.filter(
    ({ place }) => !places.some((other) => other.place.startsWith(`${place}/`)),
  )
  const first = new Map<string, (typeof leaves)[number]>()
  for (const leaf of leaves) {
    const told = first.get(leaf.place)
    const isTooLong = leaf.keyword === 'maxLength'
    if (!told || isTooLong || (AROUND.has(told.keyword) && !AROUND.has(leaf.keyword)))
      first.set(leaf.place, leaf)
  }
  return [...first.values()].slice(0, 20)
}

const decodePart = (part: string): string =>
  decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~')

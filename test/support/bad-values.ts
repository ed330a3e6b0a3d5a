import * as z from 'zod'

/** The part of JSON Schema that zod writes for our inputs. */
interface Node {
  type?: string | string[]
  anyOf?: Node[]
  enum?: unknown[]
  const?: unknown
  format?: string
  pattern?: string
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
  minItems?: number
  maxItems?: number
  items?: Node
  properties?: Record<string, Node>
  additionalProperties?: Node | boolean
  required?: string[]
}

/** One thing wrong: where, with which value (`undefined`: left out), and which types of the 422 may name it. */
export interface BadValue {
  path: (string | number)[]
  value: unknown
  types: string[]
}

/** In texts that must not come back. */
export const SENTINEL = 'zq-sentinel-91'
const BELOW_BODY_LIMIT = 1_000_000

/** Every single fault that a schema forbids, one at a time. */
export function badValues(schema: z.ZodType): BadValue[] {
  return ofNode(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Node, [])
}

/** Fields of a schema of strings (path or query): what a client can write there. */
export function fieldsOf(schema: z.ZodType): Record<string, Node> {
  const node = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Node
  return node.properties ?? {}
}

/** A nullable or optional part comes as a union; its members are alternatives. */
function membersOf(node: Node): Node[] {
  if (node.anyOf) return node.anyOf.flatMap(membersOf)
  if (Array.isArray(node.type)) return node.type.map((type) => ({ ...node, type }))
  return [node]
}

function ofNode(node: Node, path: (string | number)[]): BadValue[] {
  const members = membersOf(node)
  const kinds = members.filter((member) => member.type !== 'null')
  const nullable = kinds.length < members.length
  const kind = kinds[0]
  // A union of several kinds or an unknown accepts too much to say what is wrong with it.
  if (
    !kind ||
    kinds.length > 1 ||
    (kind.type === undefined && !kind.enum && kind.const === undefined)
  )
    return []
  const bad = (value: unknown, ...types: string[]): BadValue => ({ path, value, types })
  const faults = faultsOf(kind, bad)
  if (!nullable && path.length > 0) faults.push(bad(null, typeFault(kind)))
  return [...faults, ...ofChildren(kind, path)]
}

function typeFault(node: Node): string {
  if (node.enum || node.const !== undefined) return 'literal_error'
  const faults: Record<string, string> = {
    string: 'string_type',
    integer: 'int_type',
    boolean: 'bool_parsing',
    array: 'list_type',
    object: 'dict_type',
  }
  return faults[String(node.type)] ?? 'value_error'
}

function faultsOf(node: Node, bad: (value: unknown, ...types: string[]) => BadValue): BadValue[] {
  const wrong = typeFault(node)
  if (node.enum || node.const !== undefined)
    return [SENTINEL, 7, true, [], {}].map((value) => bad(value, wrong))
  switch (node.type) {
    case 'string':
      return [
        ...[7, 1e300, true, [SENTINEL], { a: SENTINEL }].map((value) => bad(value, wrong)),
        ...lengths(node, bad),
        ...forms(node, bad),
      ]
    case 'integer':
      return [
        ...[SENTINEL, '7.5', '', '1e3'].map((value) => bad(value, 'int_parsing')),
        ...[true, [7], { a: 7 }, 1.5].map((value) => bad(value, wrong)),
        ...(node.minimum === undefined
          ? []
          : [
              bad(node.minimum - 1, 'greater_than_equal'),
              bad(-1e300, wrong, 'greater_than_equal'),
            ]),
        ...(node.maximum === undefined
          ? []
          : [bad(node.maximum + 1, 'less_than_equal'), bad(1e300, wrong, 'less_than_equal')]),
      ]
    case 'boolean':
      return [SENTINEL, 'perhaps', 2, 0.5, [], {}].map((value) => bad(value, wrong))
    case 'array':
      return [
        ...[SENTINEL, 7, true, { 0: 'a', length: 1 }].map((value) => bad(value, wrong)),
        ...(node.minItems ? [bad([], 'too_short')] : []),
        ...(node.maxItems === undefined
          ? []
          : [
              bad(
                Array.from({ length: node.maxItems + 1 }, () => 'x'),
                'too_long',
              ),
            ]),
      ]
    default:
      return [
        ...[SENTINEL, 7, true, [SENTINEL]].map((value) => bad(value, wrong)),
        ...(holdsAnything(node) ? [bad({ deep: JSON.parse(DEEP) }, 'value_error')] : []),
      ]
  }
}

/** What could be read, but not written out again, if it were nested without end. */
const DEEP = '['.repeat(200) + ']'.repeat(200)
const holdsAnything = ({ additionalProperties: any }: Node) =>
  typeof any === 'object' && Object.keys(any).length === 0

function lengths(node: Node, bad: (value: unknown, ...types: string[]) => BadValue): BadValue[] {
  const faults: BadValue[] = []
  if (node.minLength) faults.push(bad('', 'string_too_short'))
  const tooLong = (node.maxLength ?? Number.POSITIVE_INFINITY) + 1
  if (tooLong < BELOW_BODY_LIMIT) faults.push(bad(SENTINEL.padEnd(tooLong, 'x'), 'string_too_long'))
  return faults
}

function forms(node: Node, bad: (value: unknown, ...types: string[]) => BadValue): BadValue[] {
  if (node.format === 'uuid')
    return [
      SENTINEL,
      '',
      '01890a5d-ac96-774b-bcce-b302099a805',
      '01890a5dac96774bbcceb302099a8057',
    ].map((value) => bad(value, 'uuid_parsing'))
  if (node.format ?? node.pattern) return [bad(`${SENTINEL} \u0007`, 'value_error')]
  return []
}

function ofChildren(node: Node, path: (string | number)[]): BadValue[] {
  if (node.type === 'array' && node.items) {
    return ofNode(node.items, [...path, 0])
  }
  return Object.entries(node.properties ?? {}).flatMap(([name, child]) => [
    ...(node.required?.includes(name)
      ? [{ path: [...path, name], value: undefined, types: ['missing'] }]
      : []),
    ...ofNode(child, [...path, name]),
  ])
}

/** The body with one value changed; objects and lists on the way are made when they are not there. */
export function withValue(body: unknown, path: (string | number)[], value: unknown): unknown {
  const [head, ...rest] = path
  if (head === undefined) return value
  if (typeof head === 'number')
    return [withValue(Array.isArray(body) ? body[0] : undefined, rest, value)]
  const object = typeof body === 'object' && body !== null && !Array.isArray(body) ? body : {}
  const next = {
    ...object,
    [head]: withValue((object as Record<string, unknown>)[head], rest, value),
  }
  if (rest.length === 0 && value === undefined) delete next[head]
  return next
}

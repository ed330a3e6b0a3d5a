import { type ASTNode, Environment } from '@marcbachmann/cel-js'
import { GRAPH_LIMITS } from './graph'
import type { Profile, Slot, Slots, SlotValue } from './slots'

/**
 * Conditions and assignments of storylines: CEL (Common Expression Language, github.com/google/cel-spec), type-checked
 * against the slots and bounded, so that an expression can neither loop nor build code.
 */

export type ConditionCode =
  | 'condition_syntax'
  | 'condition_type'
  | 'condition_not_boolean'
  | 'function_not_allowed'
  | 'limit_exceeded'

/** What an expression can read; one moment of one enrollment. */
export interface Scope {
  profile: Profile
  turn: { text: string; lang: string; images: number; audio: boolean; count: number }
  node: { turns: number; visits: number; attempts: number; seconds: number }
  user: { registered: boolean; lang: string; timezone: string; city: string }
  /** Of the last tool node. */
  tool: { ok: boolean; status: number; data: unknown }
  /** Milliseconds since 1970, one value for the whole turn. */
  now: number
}

export type Outcome =
  | { ok: true; value: SlotValue | Date | null }
  /** The expression raised, for example because a slot is not set. */
  | { ok: false; why: string }

export interface Expression {
  /** CEL's name of the type: `bool`, `int`, `double`, `string`, `list<string>`, `dyn`, … */
  type: string
  run: (scope: Scope) => Outcome
}

export type Compiled =
  | { ok: true; expression: Expression }
  | { ok: false; code: ConditionCode; message: string }

/** Compiles expressions against one set of slots; one that is asked for twice is compiled once. */
export interface Conditions {
  compile: (source: string) => Compiled
  /** As `compile`, for an expression that must be a boolean. */
  compileCondition: (source: string) => Compiled
}

/** Functions and macros that storylines may call; told by `GET /storylines/feature`. */
export const FUNCTIONS = [
  'has',
  'size',
  'int',
  'double',
  'string',
  'timestamp',
  'duration',
  'contains',
  'startsWith',
  'endsWith',
  'lowerAscii',
  'exists',
  'all',
] as const

const MACROS: ReadonlySet<string> = new Set(['exists', 'all'])
const ALLOWED: ReadonlySet<string> = new Set(FUNCTIONS)

const FIXED = {
  turn: { text: 'string', lang: 'string', images: 'int', audio: 'bool', count: 'int' },
  node: { turns: 'int', visits: 'int', attempts: 'int', seconds: 'int' },
  user: { registered: 'bool', lang: 'string', timezone: 'string', city: 'string' },
  tool: { ok: 'bool', status: 'int', data: 'dyn' },
} as const

const CEL_TYPES: Readonly<Record<Slot['type'], string>> = {
  string: 'string',
  integer: 'int',
  number: 'double',
  boolean: 'bool',
  array: 'list<string>',
}

/** The type that a slot takes from an assignment. */
export const celTypeOf = (slot: Slot): string => CEL_TYPES[slot.type]

export function conditionsFor(slots: Slots): Conditions {
  const environment = environmentFor(slots)
  const known = new Map<string, Compiled>()
  const compile = (source: string): Compiled => {
    const found = known.get(source)
    if (found) return found
    const compiled = compileIn(environment, slots, source)
    known.set(source, compiled)
    return compiled
  }
  return {
    compile,
    compileCondition: (source) => {
      const compiled = compile(source)
      if (!compiled.ok || ['bool', 'dyn'].includes(compiled.expression.type)) return compiled
      const message = `a condition is true or false; this is ${compiled.expression.type}`
      return { ok: false, code: 'condition_not_boolean', message }
    },
  }
}

let fixed: Environment | undefined

/** What the expressions of every storyline know; made when the first are read. */
function fixedEnvironment(): Environment {
  if (fixed) return fixed
  const environment = new Environment({
    limits: {
      maxAstNodes: GRAPH_LIMITS.expressionNodes,
      maxDepth: GRAPH_LIMITS.expressionDepth,
      maxListElements: 50,
      maxMapEntries: 0,
      maxCallArguments: 8,
    },
  })
  for (const [name, schema] of Object.entries(FIXED)) environment.registerVariable({ name, schema })
  fixed = environment.registerVariable('now', 'google.protobuf.Timestamp')
  return fixed
}

function environmentFor(slots: Slots): Environment {
  const profile = Object.fromEntries([...slots].map(([key, slot]) => [key, celTypeOf(slot)]))
  return fixedEnvironment().clone().registerVariable({ name: 'profile', schema: profile })
}

function compileIn(environment: Environment, slots: Slots, source: string): Compiled {
  if (source.length > GRAPH_LIMITS.expressionLength) {
    const message = `at most ${GRAPH_LIMITS.expressionLength} characters`
    return { ok: false, code: 'limit_exceeded', message }
  }
  let parsed: ReturnType<Environment['parse']>
  try {
    parsed = environment.parse(source)
  } catch (error) {
    const message = summaryOf(error)
    const code = codeOf(error) === 'limit_exceeded' ? 'limit_exceeded' : 'condition_syntax'
    return { ok: false, code, message }
  }
  const foreign = foreignCall(parsed.ast)
  if (foreign !== null) {
    const message = `${foreign} is not allowed; there are ${FUNCTIONS.join(', ')}`
    return { ok: false, code: 'function_not_allowed', message }
  }
  if (depthOfMacros(parsed.ast) > 1) {
    const message = 'exists and all cannot stand inside each other'
    return { ok: false, code: 'limit_exceeded', message }
  }
  const checked = parsed.check()
  if (!checked.valid) {
    return { ok: false, code: 'condition_type', message: summaryOf(checked.error) }
  }
  const run = (scope: Scope): Outcome => {
    try {
      return { ok: true, value: fromCel(parsed(toCel(scope, slots))) }
    } catch (error) {
      return { ok: false, why: summaryOf(error) }
    }
  }
  return { ok: true, expression: { type: checked.type ?? 'dyn', run } }
}

/** @returns the first thing that is outside the allowed part of the language, or null. */
function foreignCall(ast: ASTNode): string | null {
  if (ast.op === 'map') return 'a map'
  if (ast.op === '.?' || ast.op === '[?]') return 'an optional'
  if (ast.op === 'value') return ast.args instanceof Uint8Array ? 'a byte string' : null
  const called = ast.op === 'call' || ast.op === 'rcall' ? ast.args[0] : null
  if (called !== null && !ALLOWED.has(called)) return `${called}()`
  for (const child of childrenOf(ast)) {
    const found = foreignCall(child)
    if (found !== null) return found
  }
  return null
}

/** Walks over lists inside walks over lists multiply: the only way in which an expression could take long. */
function depthOfMacros(ast: ASTNode): number {
  if (ast.op === 'value' || ast.op === 'id') return 0
  const inner = Math.max(0, ...childrenOf(ast).map(depthOfMacros))
  return ast.op === 'rcall' && MACROS.has(ast.args[0]) ? inner + 1 : inner
}

function childrenOf(ast: ASTNode): readonly ASTNode[] {
  switch (ast.op) {
    case 'value':
    case 'id':
    case 'map':
      return []
    case '.':
    case '.?':
      return [ast.args[0]]
    case 'call':
      return ast.args[1]
    case 'rcall':
      return [ast.args[1], ...ast.args[2]]
    case '!_':
    case '-_':
      return [ast.args]
    default:
      return ast.args
  }
}

function toCel(scope: Scope, slots: Slots): Record<string, unknown> {
  const profile: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(scope.profile)) {
    const integer = slots.get(key)?.type === 'integer' && typeof value === 'number'
    profile[key] = integer ? BigInt(Math.trunc(value)) : value
  }
  const { turn, node, user, tool } = scope
  return {
    profile,
    turn: { ...turn, images: BigInt(turn.images), count: BigInt(turn.count) },
    node: Object.fromEntries(
      Object.entries(node).map(([key, value]) => [key, BigInt(Math.trunc(value))]),
    ),
    user,
    tool: { ...tool, status: BigInt(Math.trunc(tool.status)) },
    now: new Date(scope.now),
  }
}

function fromCel(value: unknown): SlotValue | Date | null {
  if (typeof value === 'bigint') return Number(value)
  if (value instanceof Date) {
    if (Number.isNaN(value.getTime())) throw new RangeError('the calendar has no such moment')
    return value
  }
  if (Array.isArray(value)) return value.map((one) => String(one))
  if (['string', 'number', 'boolean'].includes(typeof value)) return value as SlotValue
  return null
}

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : ''

/** The library's sentence without the excerpt of the source below it. */
function summaryOf(error: unknown): string {
  if (error instanceof Error && 'summary' in error) return String(error.summary)
  return error instanceof Error ? error.message : String(error)
}

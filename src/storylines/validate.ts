import { Validator } from '@cfworker/json-schema'
import { STORYLINE_WORDS } from '../config/names'
import { type ConditionCode, type Conditions, celTypeOf, conditionsFor } from './conditions'
import {
  COMMON_FIELDS,
  type Exit,
  type ExitEvent,
  type Graph,
  NODE_RULES,
  type StoryNode,
  type StoryText,
} from './graph'
import { GRAPH_SCHEMA } from './graph-schema'
import { pathProblems } from './paths'
import { readGraph, withUsedSlots } from './read-graph'
import { readSlots, type Slot, type SlotCode, type Slots } from './slots'

/** The checks before a storyline is published (storyline-model, section 6). */

export type Code =
  | 'schema'
  | 'start_missing'
  | 'unknown_target'
  | 'field_required'
  | 'field_not_allowed'
  | 'end_has_exits'
  | 'duplicate_exit_id'
  | 'limit_exceeded'
  | SlotCode
  | 'unknown_slot'
  | 'slot_computed'
  | 'unknown_placeholder'
  | ConditionCode
  | 'set_type'
  | 'dead_end'
  | 'no_default_exit'
  | 'event_unhandled'
  | 'event_not_allowed'
  | 'judge_not_allowed'
  | 'exit_shadowed'
  | 'global_exit_unconditional'
  | 'no_end'
  | 'cannot_end'
  | 'sync_cycle'
  | 'unknown_tool'
  | 'unknown_knowledge_base'
  | 'agent_missing'
  | 'next_missing'
  | 'next_unpublished'
  | 'menu_hidden'
  | 'enum'
  | 'unreachable'
  | 'judge_only_tool'
  | 'trigger_ignored'
  | 'never_starts'
  | 'sensitive_in_text'
  | 'missing_language'

export interface Finding {
  code: Code
  severity: 'error' | 'warning'
  /** JSON Pointer (RFC 6901) into the storyline record. */
  path: string
  node?: string
  exit?: string
  message: string
}

export interface Validation {
  /** No finding is an error. */
  ok: boolean
  errors: readonly Finding[]
}

/** The fields of a storyline that decide whether it can run. */
export interface Subject {
  graph: unknown
  profile_schema: unknown
  entry: string
  enroll_trigger: string
  user_visibility: string
  on_complete: string
  concurrency: string
  allow_agent_enroll: boolean
  is_default: boolean
}

/** What the storyline names outside itself, looked up by the caller. */
export interface Surroundings {
  agentExists: boolean
  /** The agent's effective tools; `mcp:{server}` stands for all of a server's. */
  tools: ReadonlySet<string>
  knowledgeBases: ReadonlySet<string>
  /** Of `next_storyline_id`; null when none is named, `missing` when it is not there. */
  next: 'published' | 'unpublished' | 'missing' | null
}

const PLACEHOLDER = /\{\{([^{}]*)\}\}/g
const PROFILE_PLACEHOLDER = /^profile\.([a-z][a-z0-9_]*)$/
/** Events that a node of the type must answer; those of `converse` hang on its fields. */
const MUST_HANDLE: Partial<Record<StoryNode['type'], readonly ExitEvent[]>> = {
  tool: ['done', 'error'],
  handoff: ['done', 'error'],
  collect: ['done'],
  wait: ['due'],
}

/** Checks a working copy. Never throws, whatever is stored. */
export function validate(subject: Subject, around: Surroundings): Validation {
  const check = new Check(subject, around)
  const errors = check.run()
  return { ok: errors.every(({ severity }) => severity !== 'error'), errors }
}

class Check {
  readonly #findings: Finding[] = []
  readonly #subject: Subject
  readonly #around: Surroundings
  readonly #graph: Graph
  readonly #slots: Slots
  readonly #conditions: Conditions

  constructor(subject: Subject, around: Surroundings) {
    this.#subject = subject
    this.#around = around
    const { slots, problems } = readSlots(subject.profile_schema)
    const { graph, foreign } = readGraph(subject.graph, slots)
    this.#graph = graph
    this.#slots = foreign ? withUsedSlots(slots, graph) : slots
    this.#conditions = conditionsFor(this.#slots)
    for (const { code, path, message } of problems) {
      this.#add(code, ['profile_schema', ...path], message)
    }
  }

  run(): readonly Finding[] {
    this.#references()
    // Past a graph of the wrong shape, further findings would only speak of its ruins.
    if (this.#shape()) {
      for (const [key, node] of this.#nodes) this.#node(key, node)
      this.#exits(this.#graph.exits ?? [], ['graph', 'exits'], null)
      this.#trigger()
      for (const { code, node, message, warning } of pathProblems(this.#graph)) {
        const at = node === null ? {} : { node }
        this.#add(code, ['graph', 'nodes', ...(node === null ? [] : [node])], message, {
          ...at,
          warning,
        })
      }
    }
    return this.#findings
  }

  get #nodes(): [string, StoryNode][] {
    return Object.entries(this.#graph.nodes)
  }

  #add(
    code: Code,
    path: readonly (string | number)[],
    message: string,
    at: { node?: string; exit?: string; warning?: boolean } = {},
  ): void {
    const { warning, ...where } = at
    this.#findings.push({
      code,
      severity: warning ? 'warning' : 'error',
      path: pointer(path),
      ...where,
      message,
    })
  }

  // Shape -----------------------------------------------------------------------------------------------------------

  #shape(): boolean {
    const { valid, errors } = new Validator(GRAPH_SCHEMA, '2020-12', false).validate(this.#graph)
    if (!valid) {
      for (const { location, message, keyword } of deepest(errors)) {
        this.#add(
          keyword.startsWith('max') ? 'limit_exceeded' : 'schema',
          ['graph', ...location],
          message,
        )
      }
      return false
    }
    if (!Object.hasOwn(this.#graph.nodes, this.#graph.start)) {
      const message = `there is no node ${this.#graph.start} to start at`
      this.#add('start_missing', ['graph', 'start'], message)
    }
    return true
  }

  #node(key: string, node: StoryNode): void {
    const path = ['graph', 'nodes', key]
    const { fields, required } = NODE_RULES[node.type]
    const allowed = new Set<string>([...COMMON_FIELDS, ...fields])
    for (const field of Object.keys(node)) {
      if (allowed.has(field)) continue
      const message = `a ${node.type} node has no ${field}`
      this.#add('field_not_allowed', [...path, field], message, { node: key })
    }
    for (const field of required) {
      if (node[field] !== undefined) continue
      this.#add('field_required', path, `a ${node.type} node needs ${field}`, { node: key })
    }
    if (node.type === 'wait' && (node.minutes === undefined) === (node.until === undefined)) {
      const message = 'a wait node needs either minutes or until'
      this.#add('field_required', path, message, { node: key })
    }
    this.#nodeSlots(key, node, path)
    this.#nodeExpressions(key, node, path)
    this.#nodeTexts(key, node, path)
    this.#nodeReferences(key, node, path)
    this.#nodeExits(key, node, path)
  }

  #nodeSlots(key: string, node: StoryNode, path: string[]): void {
    for (const [index, { slot }] of (node.slots ?? []).entries()) {
      const at = [...path, 'slots', index, 'slot']
      const found = this.#knownSlot(slot, at, key)
      if (found?.computed) {
        const message = `${slot} is computed and cannot be asked for`
        this.#add('slot_computed', at, message, { node: key })
      }
    }
    for (const [index, slot] of (node.extract ?? []).entries()) {
      const at = [...path, 'extract', index]
      if (this.#knownSlot(slot, at, key)?.computed) {
        const message = `${slot} is computed and cannot be taken from what the user says`
        this.#add('slot_computed', at, message, { node: key })
      }
    }
    for (const [index, slot] of (node.clear ?? []).entries()) {
      this.#knownSlot(slot, [...path, 'clear', index], key)
    }
  }

  #knownSlot(slot: string, path: (string | number)[], node?: string): Slot | undefined {
    const found = this.#slots.get(slot)
    if (!found) {
      const message = `profile_schema has no slot ${slot}`
      this.#add('unknown_slot', path, message, node === undefined ? {} : { node })
    }
    return found
  }

  // Expressions -----------------------------------------------------------------------------------------------------

  #nodeExpressions(key: string, node: StoryNode, path: string[]): void {
    const at = { node: key }
    this.#assignments(node.set, [...path, 'set'], at)
    this.#assignments(node.save, [...path, 'save'], at)
    for (const [name, source] of Object.entries(node.args ?? {})) {
      this.#expression(source, [...path, 'args', name], at)
    }
    if (node.until === undefined) return
    const type = this.#expression(node.until, [...path, 'until'], at)
    if (type !== null && !['google.protobuf.Timestamp', 'dyn'].includes(type)) {
      const message = `until is a timestamp; this is ${type}`
      this.#add('condition_type', [...path, 'until'], message, at)
    }
  }

  #assignments(
    assignments: Readonly<Record<string, string>> | undefined,
    path: (string | number)[],
    at: { node?: string; exit?: string },
  ): void {
    for (const [slot, source] of Object.entries(assignments ?? {})) {
      const found = this.#knownSlot(slot, [...path, slot], at.node)
      const type = this.#expression(source, [...path, slot], at)
      if (!found || type === null || fits(type, celTypeOf(found))) continue
      const message = `${slot} takes ${celTypeOf(found)}; this is ${type}`
      this.#add('set_type', [...path, slot], message, at)
    }
  }

  /** @returns the type of the expression, or null when it was reported. */
  #expression(
    source: string,
    path: (string | number)[],
    at: { node?: string; exit?: string },
    condition = false,
  ): string | null {
    const compiled = condition
      ? this.#conditions.compileCondition(source)
      : this.#conditions.compile(source)
    if (compiled.ok) return compiled.expression.type
    this.#add(compiled.code, path, compiled.message, at)
    return null
  }

  // Texts -----------------------------------------------------------------------------------------------------------

  #nodeTexts(key: string, node: StoryNode, path: string[]): void {
    const used = new Set((node.slots ?? []).map(({ slot }) => slot))
    const texts: [StoryText | undefined, (string | number)[]][] = [
      [node.say, [...path, 'say']],
      ...(node.slots ?? []).map(
        ({ ask }, index) => [ask, [...path, 'slots', index, 'ask']] as [StoryText, string[]],
      ),
    ]
    for (const [text, at] of texts) {
      if (text === undefined) continue
      const entries = typeof text === 'string' ? [['', text] as const] : Object.entries(text)
      for (const [lang, one] of entries) {
        this.#placeholders(one, lang === '' ? at : [...at, lang], key, used)
      }
    }
    this.#languages(texts, key)
  }

  #placeholders(
    text: string,
    path: (string | number)[],
    node: string,
    used: ReadonlySet<string>,
  ): void {
    for (const [whole, inner = ''] of text.matchAll(PLACEHOLDER)) {
      const slot = PROFILE_PLACEHOLDER.exec(inner.trim())?.[1]
      const found = slot === undefined ? undefined : this.#slots.get(slot)
      if (!found) {
        const message = `${whole} is not {{profile.<slot>}} of a declared slot`
        this.#add('unknown_placeholder', path, message, { node })
      } else if (found.sensitive && !used.has(found.key)) {
        const message = `the text shows ${found.key}, which is sensitive`
        this.#add('sensitive_in_text', path, message, { node, warning: true })
      }
    }
  }

  /** Exact wording is wanted in the same languages wherever it is given. */
  #languages(texts: readonly [StoryText | undefined, (string | number)[]][], node: string): void {
    const all = this.#allLanguages()
    for (const [text, path] of texts) {
      if (text === undefined || typeof text === 'string') continue
      const missing = all.filter((lang) => !Object.hasOwn(text, lang))
      if (missing.length === 0) continue
      const message = `other texts also have ${missing.join(', ')}`
      this.#add('missing_language', path, message, { node, warning: true })
    }
  }

  #languagesSeen: readonly string[] | null = null
  #allLanguages(): readonly string[] {
    this.#languagesSeen ??= [
      ...new Set(
        this.#nodes.flatMap(([, node]) =>
          [node.say, ...(node.slots ?? []).map(({ ask }) => ask)].flatMap((text) =>
            typeof text === 'object' ? Object.keys(text) : [],
          ),
        ),
      ),
    ]
    return this.#languagesSeen
  }

  // References ------------------------------------------------------------------------------------------------------

  #nodeReferences(key: string, node: StoryNode, path: string[]): void {
    const { tools, knowledgeBases } = this.#around
    const named: [string, (string | number)[]][] = (node.tools ?? []).map((tool, index) => [
      tool,
      [...path, 'tools', index],
    ])
    if (node.tool !== undefined) named.push([node.tool, [...path, 'tool']])
    for (const [tool, at] of named) {
      if (tools.has(tool) || tools.has(serverOf(tool))) continue
      this.#add('unknown_tool', at, `the agent has no tool ${tool}`, { node: key })
    }
    for (const [index, base] of (node.knowledge_bases ?? []).entries()) {
      if (knowledgeBases.has(base)) continue
      const message = `there is no knowledge base ${base}`
      this.#add('unknown_knowledge_base', [...path, 'knowledge_bases', index], message, {
        node: key,
      })
    }
  }

  #references(): void {
    const { agentExists, next } = this.#around
    const { on_complete, entry, user_visibility, enroll_trigger, allow_agent_enroll } =
      this.#subject
    if (!agentExists) this.#add('agent_missing', ['agent_name'], 'there is no agent of this name')
    if (next === 'missing' || (next === null && on_complete === 'next')) {
      const message = 'the next storyline is not there'
      this.#add('next_missing', ['next_storyline_id'], message)
    }
    if (next === 'unpublished' && on_complete === 'next') {
      const message = 'the next storyline is not published'
      this.#add('next_unpublished', ['next_storyline_id'], message)
    }
    if (entry === 'menu' && user_visibility === 'hidden') {
      const message = 'a storyline that users pick from a menu cannot be hidden from them'
      this.#add('menu_hidden', ['user_visibility'], message)
    }
    for (const [field, values] of Object.entries(STORYLINE_WORDS)) {
      const value = this.#subject[field as keyof typeof STORYLINE_WORDS]
      if ((values as readonly string[]).includes(value)) continue
      const message = `${value} is not known: ${values[0]} applies; there are ${values.join(', ')}`
      this.#add('enum', [field], message, { warning: true })
    }
    const automatic = entry === 'offer' || entry === 'auto'
    if (automatic && !allow_agent_enroll && enroll_trigger === 'manual') {
      const message = `with enroll_trigger manual nothing ${entry === 'auto' ? 'starts' : 'offers'} it`
      this.#add('never_starts', ['enroll_trigger'], message, { warning: true })
    }
  }

  #trigger(): void {
    const { trigger } = this.#graph
    if (!trigger) return
    const path = ['graph', 'trigger']
    if (trigger.when !== undefined) this.#expression(trigger.when, [...path, 'when'], {}, true)
    const { entry, enroll_trigger } = this.#subject
    const considered = ['offer', 'auto'].includes(entry) && enroll_trigger !== 'manual'
    if (considered) return
    const message = `entry ${entry} with enroll_trigger ${enroll_trigger} never looks at the trigger`
    this.#add('trigger_ignored', path, message, { warning: true })
  }

  // Exits -----------------------------------------------------------------------------------------------------------

  #nodeExits(key: string, node: StoryNode, path: string[]): void {
    const exits = node.exits ?? []
    if (node.type === 'end') {
      if (exits.length > 0) {
        const message = 'an end node has no exits'
        this.#add('end_has_exits', [...path, 'exits'], message, { node: key })
      }
      return
    }
    if (exits.length === 0) {
      const lastWord = node.type === 'converse'
      const message = lastWord
        ? 'without exits this is a last word: its first reply completes the enrollment'
        : 'nothing leads on from here'
      this.#add('dead_end', path, message, { node: key, warning: lastWord })
      return
    }
    this.#exits(exits, [...path, 'exits'], { key, node })
    this.#defaults(key, node, exits, [...path, 'exits'])
  }

  #exits(
    exits: readonly Exit[],
    path: (string | number)[],
    owner: { key: string; node: StoryNode } | null,
  ): void {
    const ids = new Set<string>()
    let shadowed = false
    for (const [index, exit] of exits.entries()) {
      const at = { ...(owner ? { node: owner.key } : {}), exit: exit.id }
      const here = [...path, index]
      if (ids.has(exit.id)) {
        this.#add('duplicate_exit_id', [...here, 'id'], `${exit.id} stands twice`, at)
      }
      ids.add(exit.id)
      if (!Object.hasOwn(this.#graph.nodes, exit.to)) {
        this.#add('unknown_target', [...here, 'to'], `there is no node ${exit.to}`, at)
      }
      if (shadowed) {
        const message = 'an exit before this one always holds'
        this.#add('exit_shadowed', here, message, at)
      }
      if (isDefault(exit)) {
        if (owner) shadowed = true
        else this.#add('global_exit_unconditional', here, 'needs when or judge', at)
      }
      if (!owner && exit.on !== undefined && exit.when === undefined && exit.judge === undefined) {
        this.#add('global_exit_unconditional', here, 'needs when or judge', at)
      }
      this.#exitConditions(exit, here, at, owner)
    }
  }

  #exitConditions(
    exit: Exit,
    path: (string | number)[],
    at: { node?: string; exit: string },
    owner: { key: string; node: StoryNode } | null,
  ): void {
    const rule = owner ? NODE_RULES[owner.node.type] : null
    if (exit.on !== undefined && rule && !rule.events.includes(exit.on)) {
      const message = `a ${owner?.node.type} node has no event ${exit.on}`
      this.#add('event_not_allowed', [...path, 'on'], message, at)
    }
    if (exit.judge !== undefined && rule && !rule.mayJudge) {
      const message = 'only collect and converse nodes and global exits are judged'
      this.#add('judge_not_allowed', [...path, 'judge'], message, at)
    }
    if (exit.when !== undefined) this.#expression(exit.when, [...path, 'when'], at, true)
    this.#assignments(exit.set, [...path, 'set'], at)
    const target = this.#graph.nodes[exit.to]
    if (target?.type === 'tool' && exit.judge !== undefined && exit.when === undefined) {
      const message = 'a verdict alone leads to a tool; add a when for anything that matters'
      this.#add('judge_only_tool', path, message, { ...at, warning: true })
    }
  }

  #defaults(key: string, node: StoryNode, exits: readonly Exit[], path: (string | number)[]): void {
    const hasDefault = exits.some(isDefault)
    const at = { node: key }
    const needsDefault = ['message', 'branch'].includes(node.type)
    if (needsDefault && !hasDefault) {
      this.#add('no_default_exit', path, 'the last exit must hold always', at)
    }
    if (hasDefault) return
    const handled = (event: ExitEvent) =>
      exits.some((exit) => exit.on === event && exit.when === undefined && exit.judge === undefined)
    for (const event of MUST_HANDLE[node.type] ?? []) {
      if (handled(event)) continue
      const message = `no exit is sure to hold when ${event} comes`
      this.#add('event_unhandled', path, message, at)
    }
    if (node.type === 'collect' && !handled('failed')) {
      const message = 'nothing is said for when the attempts are used up'
      this.#add('event_unhandled', path, message, { ...at, warning: true })
    }
    if (node.type === 'converse' && node.max_turns !== undefined && !handled('limit')) {
      const message = 'max_turns is set, but no exit is sure to hold at the limit'
      this.#add('event_unhandled', path, message, at)
    }
  }
}

const isDefault = ({ on, when, judge }: Exit): boolean =>
  on === undefined && when === undefined && judge === undefined

/** Whether a slot takes a value of the type; what only shows when it runs is checked then. */
function fits(type: string, slotType: string): boolean {
  if (type === slotType || type === 'dyn') return true
  if (slotType === 'double') return type === 'int'
  if (slotType === 'list<string>') return type.startsWith('list')
  return slotType === 'string' && type === 'google.protobuf.Timestamp'
}

/** `mcp:{server}/{tool}` is known where the agent has `mcp:{server}`. */
function serverOf(tool: string): string {
  return tool.startsWith('mcp:') ? (tool.split('/')[0] ?? tool) : tool
}

function pointer(path: readonly (string | number)[]): string {
  return path.map((part) => `/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
}

interface SchemaError {
  instanceLocation: string
  keyword: string
  error: string
}

/** The library reports each level on the way down; the deepest names the place. At most 20 are told. */
function deepest(
  errors: readonly SchemaError[],
): { location: string[]; message: string; keyword: string }[] {
  const places = errors.map(({ instanceLocation, keyword, error }) => ({
    location: instanceLocation.split('/').slice(1).map(decodePart),
    message: error,
    keyword,
    place: instanceLocation,
  }))
  const leaves = places.filter(
    ({ place }) => !places.some((other) => other.place.startsWith(`${place}/`)),
  )
  const first = new Map(leaves.reverse().map((leaf) => [leaf.place, leaf]))
  return [...first.values()].reverse().slice(0, 20)
}

const decodePart = (part: string): string =>
  decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~')

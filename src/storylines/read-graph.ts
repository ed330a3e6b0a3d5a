import { isObject } from '../text/json'
import { fittingFields } from './checks/shape'
import { type Conditions, conditionsFor } from './conditions'
import {
  type AskedSlot,
  COMMON_FIELDS,
  EXIT_EVENTS,
  type Exit,
  type ExitEvent,
  type Graph,
  NODE_RULES,
  NODE_TYPES,
  type NodeType,
  type StoryNode,
  type StoryText,
} from './graph'
import {
  firstText,
  isArrayOfObjects,
  isTextMap,
  type Loose,
  minutesOf,
  textOf,
} from './loose-fields'
import { type Slots, textSlot } from './slots'

/**
 * Reads a graph that is not written in format 1, as hand-written drafts and other tools' exports are (storyline-model,
 * section 2). The stored graph is never rewritten: this is what is validated, frozen and run instead.
 */

export interface ReadGraph {
  /** Format 1 as far as it could be read: the validator says what is missing. */
  graph: Graph
  /** Whether the graph came in another shape. */
  foreign: boolean
}

const COMMON_NAMES: Readonly<Record<string, NodeType>> = {
  text: 'message',
  say: 'message',
  send: 'message',
  question: 'collect',
  ask: 'collect',
  input: 'collect',
  form: 'collect',
  llm: 'converse',
  ai: 'converse',
  agent: 'converse',
  chat: 'converse',
  prompt: 'converse',
  if: 'branch',
  condition: 'branch',
  switch: 'branch',
  router: 'branch',
  action: 'tool',
  function: 'tool',
  api: 'tool',
  delay: 'wait',
  timer: 'wait',
  human: 'handoff',
  escalate: 'handoff',
  transfer: 'handoff',
  finish: 'end',
  stop: 'end',
  exit: 'end',
}
const START_NAMES = ['start', 'begin', 'entry', 'trigger']
const DEFAULTS = ['else', 'always', 'true', 'default', 'otherwise']
/** A converse node with nothing but a way on says one thing. */
const ONE_TURN = 1
const MIN_GOAL = 8
const MIN_JUDGE = 8

/** @param slots those of the storyline's `profile_schema`: what type-checks against them is a condition. */
export function readGraph(stored: unknown, slots: Slots): ReadGraph {
  if (isObject(stored) && stored.schema === 1) return { graph: stored as never, foreign: false }
  const source = isObject(stored) ? stored : {}
  // Conditions are read against the slots that the graph asks for, too; those show in a first reading.
  const used = withUsedSlots(slots, new Reader(source, slots).read())
  return { graph: new Reader(source, used).read(), foreign: true }
}

/** Slots that a graph asks for, extracts or writes, whether declared or not. */
export function slotsUsed(graph: Graph): readonly string[] {
  const nodes = Object.values(graph.nodes ?? {}).filter(isObject) as unknown as StoryNode[]
  const exits = [...(graph.exits ?? []), ...nodes.flatMap((node) => node.exits ?? [])]
  const used = [
    ...nodes.flatMap((node) => [
      ...(node.clear ?? []),
      ...(node.slots ?? []).map(({ slot }) => slot),
      ...(node.extract ?? []),
      ...Object.keys(node.set ?? {}),
      ...Object.keys(node.save ?? {}),
    ]),
    ...exits.flatMap((exit) => Object.keys(exit.set ?? {})),
  ]
  return [...new Set(used)]
}

/** A foreign graph declares few of its slots: those it uses take any text. */
export function withUsedSlots(slots: Slots, graph: Graph): Slots {
  const missing = slotsUsed(graph).filter((key) => !slots.has(key))
  return new Map([...slots, ...missing.map((key) => [key, textSlot(key)] as const)])
}

class Reader {
  readonly #keys = new Map<string, string>()
  readonly #source: Loose
  readonly #conditions: Conditions

  constructor(source: Loose, slots: Slots) {
    this.#source = source
    this.#conditions = conditionsFor(slots)
  }

  read(): Graph {
    const listed = this.#listNodes()
    for (const [name] of listed) this.#keys.set(name, toKey(name, new Set(this.#keys.values())))
    const edges = this.#edges()
    const nodes: Record<string, StoryNode> = {}
    for (const [name, loose] of listed) {
      const exits = [...this.#exitsOf(loose), ...(edges.get(name) ?? [])]
      nodes[this.#key(name)] = this.#node(loose, numbered(exits))
    }
    const global = isArrayOfObjects(this.#source.exits)
      ? { exits: numbered(this.#source.exits.map((one) => this.#exit(one))) }
      : {}
    const same = fieldsOf(this.#source, ['settings', 'trigger'], false)
    return { schema: 1, start: this.#start(listed), nodes, ...global, ...same }
  }

  #listNodes(): [string, Loose][] {
    const { nodes, steps, states } = this.#source
    const found = nodes ?? steps ?? states
    if (Array.isArray(found)) {
      return found.filter(isObject).map((node, index) => {
        const name = firstText(node, ['key', 'id', 'name']) ?? `node_${index + 1}`
        return [name, node]
      })
    }
    if (!isObject(found)) return []
    return Object.entries(found).filter((entry): entry is [string, Loose] => isObject(entry[1]))
  }

  #start(listed: readonly [string, Loose][]): string {
    const named = firstText(this.#source, ['start', 'entry', 'start_node', 'initial'])
    if (named !== undefined) return this.#key(named)
    const typed = listed.find(([, node]) => START_NAMES.includes(typeName(node)))
    return this.#key((typed ?? listed[0])?.[0] ?? '')
  }

  /** The key that a name was given; an unknown one is kept, so that the validator can name it. */
  #key(name: string): string {
    return this.#keys.get(name) ?? name
  }

  #edges(): Map<string, Exit[]> {
    const bySource = new Map<string, Exit[]>()
    const edges = this.#source.edges ?? this.#source.transitions ?? this.#source.connections
    if (!isArrayOfObjects(edges)) return bySource
    for (const edge of edges) {
      const from = firstText(edge, ['from', 'source'])
      if (from === undefined) continue
      bySource.set(from, [...(bySource.get(from) ?? []), this.#exit(edge)])
    }
    return bySource
  }

  #exitsOf(node: Loose): Exit[] {
    const found = node.exits ?? node.exit ?? node.transitions ?? node.next ?? node.branches
    if (typeof found === 'string') return [{ id: '', to: this.#key(found) }]
    if (Array.isArray(found)) {
      return found.flatMap((one) => {
        if (typeof one === 'string') return [{ id: '', to: this.#key(one) }]
        return isObject(one) ? [this.#exit(one)] : []
      })
    }
    if (!isObject(found)) return []
    // A map is written from condition to target.
    return Object.entries(found).flatMap(([condition, to]) => {
      if (typeof to === 'string') return [this.#exit({ condition, to })]
      return isObject(to) ? [this.#exit({ id: condition, ...to })] : []
    })
  }

  #exit(loose: Loose): Exit {
    const target = firstText(loose, ['to', 'target', 'next', 'node', 'goto']) ?? ''
    const exit: Exit = { id: firstText(loose, ['id', 'key']) ?? '', to: this.#key(target) }
    const label = firstText(loose, ['label', 'title'])
    if (label !== undefined) exit.label = label.slice(0, 80)
    if (isEvent(loose.on)) exit.on = loose.on
    if (typeof loose.judge === 'string') exit.judge = loose.judge
    if (isTextMap(loose.set)) exit.set = loose.set
    const condition = loose.when ?? loose.condition ?? loose.if ?? loose.expression
    if (typeof condition === 'string') this.#addCondition(exit, condition.trim())
    return exit
  }

  #addCondition(exit: Exit, condition: string): void {
    if (condition === '' || DEFAULTS.includes(condition.toLowerCase())) return
    if (isEvent(condition)) exit.on = condition
    else if (this.#conditions.compileCondition(condition).ok) exit.when = condition
    else if (condition.length >= MIN_JUDGE) exit.judge = condition.slice(0, 300)
    else exit.judge = `The user says: ${condition}`
  }

  #node(loose: Loose, exits: readonly Exit[]): StoryNode {
    const type = typeOf(loose, exits)
    const fields = [...COMMON_FIELDS, ...NODE_RULES[type].fields]
    const node: StoryNode = { ...fieldsOf(loose, fields, true), type }
    delete node.exits
    const title = firstText(loose, ['title', 'name', 'label'])
    if (title !== undefined) node.title = title.slice(0, 80)
    if (type !== 'end') node.exits = exits
    const say = textOf(loose)
    const goal = firstText(loose, ['goal', 'objective', 'prompt', 'instructions', 'instruction'])
    if (type === 'converse' && node.instructions === goal) delete node.instructions
    this.#fill(node, loose, say, goal)
    return node
  }

  #fill(node: StoryNode, loose: Loose, say: StoryText | undefined, goal: string | undefined): void {
    switch (node.type) {
      case 'collect':
        node.slots = askedSlots(loose, say)
        break
      case 'converse':
        node.goal = sentence(goal ?? (typeof say === 'string' ? say : '') ?? '')
        if ((node.exits ?? []).length > 0 && (node.exits ?? []).every(isDefault)) {
          node.max_turns ??= ONE_TURN
        }
        break
      case 'tool':
        node.tool = firstText(loose, ['tool', 'function', 'name', 'action']) ?? ''
        break
      case 'wait':
        if (node.until === undefined) node.minutes = minutesOf(loose)
        break
      case 'end':
        node.outcome ??= toKey(firstText(loose, ['outcome', 'result']) ?? 'done', new Set())
    }
    const speaks = ['message', 'wait', 'handoff', 'end'].includes(node.type)
    if (speaks && say !== undefined) node.say = say
  }
}

/** What a graph of another shape, or its node, has as format 1 has it. */
const fieldsOf = (loose: Loose, names: readonly string[], isNode: boolean): Loose =>
  fittingFields(
    Object.fromEntries(Object.entries(loose).filter(([name]) => names.includes(name))),
    isNode,
  )

const typeName = (loose: Loose): string => (firstText(loose, ['type', 'kind']) ?? '').toLowerCase()

function typeOf(loose: Loose, exits: readonly Exit[]): NodeType {
  const named = typeName(loose)
  if ((NODE_TYPES as readonly string[]).includes(named)) return named as NodeType
  const common = Object.hasOwn(COMMON_NAMES, named) ? COMMON_NAMES[named] : undefined
  if (common) return common
  if (loose.slots ?? loose.fields ?? loose.variable) return 'collect'
  if (typeof loose.tool === 'string') return 'tool'
  const goal = firstText(loose, ['goal', 'objective', 'prompt', 'instructions', 'instruction'])
  if (goal !== undefined) return 'converse'
  if (exits.length === 0) return 'end'
  return textOf(loose) === undefined ? 'branch' : 'message'
}

function askedSlots(loose: Loose, say: StoryText | undefined): readonly AskedSlot[] {
  const found = loose.slots ?? loose.fields ?? loose.variable ?? loose.slot
  const names = Array.isArray(found) ? found : [found ?? 'answer']
  return names.slice(0, 12).flatMap((one) => {
    const name = isObject(one) ? firstText(one, ['slot', 'key', 'id', 'name']) : one
    if (typeof name !== 'string' || name === '') return []
    const ask =
      (isObject(one) ? textOf({ ...one, say: one.ask ?? one.question }) : undefined) ?? say
    const optional = isObject(one) && one.required === false ? { required: false } : {}
    return [{ slot: toKey(name, new Set()), ...(ask === undefined ? {} : { ask }), ...optional }]
  })
}

/** Exits without an id get one; one that another exit has already is numbered. */
function numbered(exits: readonly Exit[]): Exit[] {
  const taken = new Set<string>()
  return exits.map((exit, index) => {
    const id = toKey(exit.id === '' ? `exit_${index + 1}` : exit.id, taken)
    taken.add(id)
    return { ...exit, id }
  })
}

/** A name as a key of format 1, other than those that are taken. */
function toKey(name: string, taken: ReadonlySet<string>): string {
  const plain = name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^[_\d]+|_+$/g, '')
    .slice(0, 44)
  const base = plain === '' ? 'node' : plain
  let key = base
  for (let n = 2; taken.has(key); n++) key = `${base}_${n}`
  return key
}

const sentence = (goal: string): string =>
  (goal.length >= MIN_GOAL ? goal : `Goal: ${goal === '' ? 'help' : goal}`).slice(0, 1000)

const isDefault = ({ on, when, judge }: Exit): boolean =>
  on === undefined && when === undefined && judge === undefined

const isEvent = (value: unknown): value is ExitEvent =>
  (EXIT_EVENTS as readonly unknown[]).includes(value)

/** A text of a storyline: one string, which a model may restate, or exact wording by language. */
export type StoryText = string | Readonly<Record<string, string>>

/** Slot → CEL expression whose value it takes. */
export type Assignments = Readonly<Record<string, string>>

export const EXIT_EVENTS = ['done', 'failed', 'limit', 'error', 'due', 'reply'] as const
export type ExitEvent = (typeof EXIT_EVENTS)[number]

/** A way out of a node. What of `on`, `when` and `judge` is given must all hold; with none it is the default. */
export interface Exit {
  id: string
  to: string
  label?: string
  on?: ExitEvent
  /** CEL, a boolean. */
  when?: string
  /** A statement about the conversation that a model answers with yes, no or unsure. */
  judge?: string
  set?: Assignments
}

export interface AskedSlot {
  slot: string
  ask?: StoryText
  /** True when absent. */
  required?: boolean
}

export const NODE_TYPES = [
  'message',
  'collect',
  'converse',
  'branch',
  'tool',
  'wait',
  'handoff',
  'end',
] as const
export type NodeType = (typeof NODE_TYPES)[number]

/** A node of the graph; which fields its type takes is in `NODE_RULES`. */
export interface StoryNode {
  type: NodeType
  title?: string
  milestone?: boolean
  /** Positions in an editor: never read here. */
  ui?: Readonly<Record<string, unknown>>
  say?: StoryText
  instructions?: string
  knowledge_bases?: readonly string[]
  tools?: readonly string[]
  set?: Assignments
  clear?: readonly string[]
  exits?: readonly Exit[]
  slots?: readonly AskedSlot[]
  form?: boolean
  confirm?: boolean
  max_attempts?: number
  goal?: string
  extract?: readonly string[]
  min_turns?: number
  max_turns?: number
  tool?: string
  args?: Assignments
  save?: Assignments
  timeout_s?: number
  minutes?: number
  /** CEL, a timestamp. */
  until?: string
  notify?: readonly string[]
  outcome?: string
  result?: 'completed' | 'exited'
}

/** Graph format 1: what is validated, frozen by publishing and run. */
export interface Graph {
  schema: 1
  start: string
  nodes: Readonly<Record<string, StoryNode>>
  /** Global exits: tried before those of the node that waits. */
  exits?: readonly Exit[]
  trigger?: { when?: string; examples?: readonly string[] }
  settings?: {
    stall_days?: number
    offer_cooldown_days?: number
    digression?: 'answer' | 'steer'
  }
  ui?: Readonly<Record<string, unknown>>
}

interface NodeRule {
  /** Whether the node waits for the user. */
  waits: boolean
  events: readonly ExitEvent[]
  /** Fields of its own; those of every node are in `COMMON_FIELDS`. */
  fields: readonly (keyof StoryNode)[]
  required: readonly (keyof StoryNode)[]
  /** Whether an exit without conditions always holds; else it needs an event. */
  defaultHolds: boolean
  mayJudge: boolean
}

export const COMMON_FIELDS: readonly (keyof StoryNode)[] = [
  'type',
  'title',
  'milestone',
  'ui',
  'instructions',
  'knowledge_bases',
  'tools',
  'set',
  'clear',
  'exits',
]

export const NODE_RULES: Readonly<Record<NodeType, NodeRule>> = {
  message: {
    waits: false,
    events: [],
    fields: ['say'],
    required: ['say'],
    defaultHolds: true,
    mayJudge: false,
  },
  collect: {
    waits: true,
    events: ['done', 'failed'],
    fields: ['slots', 'form', 'confirm', 'max_attempts'],
    required: ['slots'],
    defaultHolds: false,
    mayJudge: true,
  },
  converse: {
    waits: true,
    events: ['limit'],
    fields: ['goal', 'extract', 'min_turns', 'max_turns'],
    required: ['goal'],
    defaultHolds: false,
    mayJudge: true,
  },
  branch: {
    waits: false,
    events: [],
    fields: [],
    required: [],
    defaultHolds: true,
    mayJudge: false,
  },
  tool: {
    waits: false,
    events: ['done', 'error'],
    fields: ['tool', 'args', 'save', 'timeout_s'],
    required: ['tool'],
    defaultHolds: true,
    mayJudge: false,
  },
  wait: {
    waits: true,
    events: ['due', 'reply'],
    fields: ['minutes', 'until', 'say'],
    required: [],
    defaultHolds: false,
    mayJudge: false,
  },
  handoff: {
    waits: false,
    events: ['done', 'error'],
    fields: ['say', 'notify'],
    required: [],
    defaultHolds: true,
    mayJudge: false,
  },
  end: {
    waits: false,
    events: [],
    fields: ['outcome', 'say', 'result'],
    required: [],
    defaultHolds: false,
    mayJudge: false,
  },
}

/** What a node does where the graph does not say. */
export const NODE_DEFAULTS = { maxAttempts: 3, toolTimeoutS: 20 } as const

/** Bounds of the format, told by `GET /storylines/feature`. */
export const GRAPH_LIMITS = {
  bytes: 262_144,
  nodes: 500,
  exits: 12,
  globalExits: 8,
  slots: 60,
  expressionLength: 500,
  expressionNodes: 200,
  expressionDepth: 24,
  movesPerTurn: 16,
} as const

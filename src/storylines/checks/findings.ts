import type { ConditionCode, Conditions } from '../conditions'
import type { Graph, StoryNode } from '../graph'
import type { SlotCode, Slots } from '../slots'

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

/** From the storyline record down. */
export type Path = readonly (string | number)[]

/** Where a finding is, besides its path. */
export interface At {
  node?: string
  exit?: string
  warning?: boolean
}

/** What is being checked, and what was found so far. */
export class Examined {
  readonly findings: Finding[] = []
  #languages: readonly string[] | null = null

  constructor(
    readonly subject: Subject,
    readonly around: Surroundings,
    readonly graph: Graph,
    readonly slots: Slots,
    readonly conditions: Conditions,
  ) {}

  /** Every language that any text of the nodes is given in. */
  get languages(): readonly string[] {
    this.#languages ??= [
      ...new Set(
        this.nodes.flatMap(([, node]) =>
          [node.say, ...(node.slots ?? []).map(({ ask }) => ask)].flatMap((text) =>
            typeof text === 'object' ? Object.keys(text) : [],
          ),
        ),
      ),
    ]
    return this.#languages
  }

  get nodes(): [string, StoryNode][] {
    return Object.entries(this.graph.nodes)
  }

  add(code: Code, path: Path, message: string, at: At = {}): void {
    const { warning, ...where } = at
    this.findings.push({
      code,
      severity: warning ? 'warning' : 'error',
      path: pointer(path),
      ...where,
      message,
    })
  }
}

function pointer(path: readonly (string | number)[]): string {
  return path.map((part) => `/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
}

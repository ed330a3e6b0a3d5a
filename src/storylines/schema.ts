import * as z from 'zod'
import { STORYLINES } from '../config/limits'
import { ENROLLMENT_STATES, STORYLINE_STATES } from '../config/names'
import { nameSought } from '../wire/fields'
import { boundedJson, freeObject } from '../wire/free-object'
import { GRAPH_LIMITS } from './graph'
import { MIGRATIONS } from './migrate'

/** A word that is not known is kept too: it acts as the default, and `validate` says so. */
const word = z.string().min(1).max(STORYLINES.wordLength)
const title = z.string().max(STORYLINES.nameLength)
const keyField = z
  .string()
  .max(STORYLINES.keyLength)
  .refine((key) => /^[a-z][a-z0-9_-]*$/.test(key), {
    error: 'a key has a-z, 0-9, _ and -, and begins with a letter',
  })

const behaviour = {
  user_visibility: word,
  entry: word,
  display_name: title,
  allow_exit: z.boolean(),
  show_profile: z.boolean(),
  on_complete: word,
  allow_agent_enroll: z.boolean(),
  enroll_trigger: word,
}
const content = {
  name: title,
  description: z.string().max(STORYLINES.descriptionLength),
  graph: freeObject(GRAPH_LIMITS.bytes),
  profile_schema: freeObject(STORYLINES.schemaBytes),
}

function optional<S extends Record<string, z.ZodType>>(shape: S) {
  return Object.fromEntries(
    Object.entries(shape).map(([name, schema]) => [name, schema.nullable().optional()]),
  ) as { [K in keyof S]: z.ZodOptional<z.ZodNullable<S[K]>> }
}

const sent = optional({ ...content, ...behaviour, learner_visibility: word })

/** `null` says nothing, but for `next_storyline_id`, which it takes away. */
export const StorylineIn = z.object({
  agent_name: nameSought,
  key: keyField,
  ...sent,
  ...optional({
    is_default: z.boolean(),
    concurrency: word,
    next_storyline_id: z.string().min(1).max(STORYLINES.wordLength),
    position: z.int().min(-STORYLINES.maxPosition).max(STORYLINES.maxPosition),
    expected_version: z.int(),
  }),
})
export type StorylineIn = z.output<typeof StorylineIn>

/** What a storyline is to do, in the tenant's words. */
export const DraftIn = z.object({
  agent_name: nameSought,
  goal: z
    .string()
    .max(STORYLINES.goalLength)
    .refine((goal) => goal.trim().length >= 8, { error: 'at least 8 characters' }),
})
export type DraftIn = z.output<typeof DraftIn>

export const StorylineImport = z.object({
  schema_version: z.int().nullable().optional(),
  kind: z.string().nullable().optional(),
  key: keyField.nullable().optional(),
  agent_name: nameSought.nullable().optional(),
  override_agent_name: nameSought.nullable().optional(),
  ...sent,
})
export type StorylineImport = z.output<typeof StorylineImport>

export const StorylineOut = z.object({
  id: z.string(),
  agent_name: z.string(),
  key: z.string(),
  ...content,
  graph: z.record(z.string(), z.unknown()),
  profile_schema: z.record(z.string(), z.unknown()),
  status: z.enum(STORYLINE_STATES),
  published_revision_id: z.string().nullable(),
  is_default: z.boolean(),
  ...behaviour,
  learner_visibility: z.string(),
  concurrency: z.string(),
  next_storyline_id: z.string().nullable(),
  position: z.int(),
  version: z.int(),
  updated_at: z.string(),
})

export const StorylineExport = z.object({
  schema_version: z.literal(1),
  kind: z.literal('storyline'),
  key: z.string(),
  ...content,
  graph: z.record(z.string(), z.unknown()),
  profile_schema: z.record(z.string(), z.unknown()),
  agent_name: z.string(),
  is_default: z.boolean(),
  ...behaviour,
})

export const StorylineRevisionOut = z.object({
  id: z.string(),
  version: z.int(),
  actor: z.string().nullable(),
  created_at: z.string(),
})

/** What a revision froze: a graph of another shape stands here as format 1. */
export const StorylineRevisionFull = StorylineRevisionOut.extend({
  key: z.string(),
  ...content,
  graph: z.record(z.string(), z.unknown()),
  profile_schema: z.record(z.string(), z.unknown()),
  ...behaviour,
  concurrency: z.string(),
  next_storyline_id: z.string().nullable(),
})

export const EnrollmentOut = z.object({
  id: z.string(),
  user_id: z.string(),
  current_node_key: z.string(),
  status: z.enum(ENROLLMENT_STATES),
  entered_node_at: z.string(),
  updated_at: z.string(),
})

export const ValidationOut = z.object({
  ok: z.boolean(),
  errors: z.array(
    z.object({
      code: z.string(),
      severity: z.enum(['error', 'warning']),
      path: z.string(),
      node: z.string().optional(),
      exit: z.string().optional(),
      message: z.string(),
    }),
  ),
})

export const FeatureOut = z.object({
  enabled: z.boolean(),
  graph_format: z.literal(1),
  limits: z.record(z.string(), z.int()),
  node_types: z.array(z.string()),
  functions: z.array(z.string()),
})

export const FunnelOut = z.object({
  nodes: z.record(
    z.string(),
    z.object({
      title: z.string().nullable(),
      type: z.string().nullable(),
      milestone: z.boolean(),
      retired: z.boolean(),
      entered: z.int(),
      active: z.int(),
      completed: z.int(),
      exited: z.int(),
      failed: z.int(),
      stalled: z.int(),
      median_seconds: z.int().nullable(),
      exits: z.record(z.string(), z.int()),
    }),
  ),
})

const nodeKey = z.string().min(1).max(48)
export const MigrationIn = z.object({
  action: z.enum(MIGRATIONS),
  from_node: nodeKey.nullable().optional(),
  to_node: nodeKey.nullable().optional(),
  /** For `map`: where the people of each node go on. */
  nodes: z
    .record(nodeKey, nodeKey)
    .refine((nodes) => Object.keys(nodes).length <= GRAPH_LIMITS.nodes, {
      error: `at most ${GRAPH_LIMITS.nodes} nodes`,
    })
    .nullable()
    .optional(),
})
export type MigrationIn = z.output<typeof MigrationIn>

const Skipped = z.array(z.object({ id: z.string(), reason: z.string() }))
export const MigrationOut = z.object({
  action: z.string(),
  matched: z.int(),
  changed: z.int(),
  skipped: Skipped,
  revision_id: z.string(),
  /** What the order is taken back by; a dry run is none. */
  job_id: z.string().optional(),
})
export const ProposalOut = z.object({
  revision_id: z.string(),
  /** What `map` takes. */
  nodes: z.record(z.string(), z.string()),
  proposals: z.array(
    z.object({
      from: z.string(),
      to: z.string().nullable(),
      by: z.enum(['key', 'title', 'neighbours']).nullable(),
      people: z.int(),
    }),
  ),
})
export const MigrationBegun = z.object({ job_id: z.string() })
export const MigrationState = MigrationOut.extend({
  job_id: z.string(),
  status: z.enum(['running', 'done', 'undone']),
  created_at: z.string(),
  updated_at: z.string(),
})

const slotValue = z.union(
  [
    z.string().max(STORYLINES.messageLength),
    z.number(),
    z.boolean(),
    z.array(z.string().max(STORYLINES.messageLength)).max(100),
  ],
  { error: 'a text, a number, true or false, or a list of up to 100 texts' },
)
const mapped = <S extends z.ZodType>(value: S, most: number) =>
  z
    .record(z.string().min(1).max(200), value)
    .refine((map) => Object.keys(map).length <= most, { error: `at most ${most} entries` })

/** Null is as if it were not sent. */
const mayBeNull = <S extends z.ZodType>(schema: S) =>
  schema
    .nullable()
    .optional()
    .transform((value) => value ?? undefined)

const simulated = {
  /** What the person writes, a form as its fields, or time that passes. */
  messages: z
    .array(
      z.union(
        [
          z.string().min(1).max(STORYLINES.messageLength),
          z.object({ form: mapped(slotValue, 60) }),
          z.object({ wait_minutes: z.int().min(1).max(STORYLINES.waitMinutes) }),
        ],
        { error: 'a text, {"form": {…}} or {"wait_minutes": number}' },
      ),
    )
    .min(1)
    .max(STORYLINES.simulatedMessages),
  /** What is known before the first message, by slot. */
  profile: mayBeNull(mapped(slotValue, 60)),
  /** What tools answer, by name; `handoff` stands for the handing over itself. */
  tools: mayBeNull(
    mapped(
      z.object({
        ok: z.boolean().default(true),
        status: z.int().min(0).max(999).default(200),
        data: z.unknown().default(null),
      }),
      100,
    ),
  ),
  /** What judged exits are answered, by `exit`, `global:exit` or `node.exit`. */
  judge: mayBeNull(mapped(z.enum(['yes', 'no']), 500)),
}
const bounded = <S extends z.ZodType>(schema: S) => boundedJson(schema, STORYLINES.scenarioBytes)

export const SimulateIn = bounded(z.object(simulated))
export type SimulateIn = z.output<typeof SimulateIn>

/** What is expected of a turn; what is not named may be anything. */
const Expectation = z.object({
  turn: z.int().min(1).max(STORYLINES.simulatedMessages),
  node: z.string().min(1).max(48).optional(),
  status: z.enum(ENROLLMENT_STATES).optional(),
  /** A part of what is said or asked. */
  says: z.string().min(1).max(4000).optional(),
  slots: mapped(slotValue.nullable(), 60).optional(),
})
export const ScenarioIn = bounded(
  z.object({
    ...simulated,
    expect: z.array(Expectation).min(1).max(STORYLINES.simulatedMessages),
  }),
)
export type ScenarioIn = z.output<typeof ScenarioIn>

export const ScenarioOut = z.object({
  name: z.string(),
  messages: z.array(z.unknown()),
  profile: z.record(z.string(), z.unknown()).optional(),
  tools: z.record(z.string(), z.unknown()).optional(),
  judge: z.record(z.string(), z.unknown()).optional(),
  expect: z.array(z.unknown()),
  updated_at: z.string(),
})

export const ScenariosRun = z.object({
  ok: z.boolean(),
  /** Of each that fails, the first turn that is not as it was expected. */
  scenarios: z.array(
    z.object({
      name: z.string(),
      turn: z.int(),
      expected: z.record(z.string(), z.unknown()),
      got: z.record(z.string(), z.unknown()),
    }),
  ),
})

const shownOption = z.object({ label: z.string(), value: z.string() })
export const SimulationOut = z.object({
  /** The model that judged; null where none did. */
  model: z.string().nullable(),
  turns: z.array(
    z.object({
      turn: z.int(),
      message: z.string().nullable(),
      said: z.array(z.string()),
      question: z.string().nullable(),
      clarify: z.object({ question: z.string(), options: z.array(shownOption) }).nullable(),
      form: z
        .object({
          title: z.string(),
          fields: z.array(
            z.object({
              name: z.string(),
              label: z.string(),
              type: z.string(),
              required: z.boolean(),
              options: z.array(shownOption).optional(),
            }),
          ),
        })
        .nullable(),
      leads: z.string().nullable(),
      status: z.enum(ENROLLMENT_STATES),
      node: z.string(),
      slots: z.record(z.string(), z.unknown()),
      moves: z.array(z.object({ from: z.string(), exit: z.string(), to: z.string() })),
      tried: z.array(
        z.object({ node: z.string(), exit: z.string(), held: z.boolean(), why: z.string() }),
      ),
      judged: z.array(
        z.object({
          exit: z.string(),
          answer: z.enum(['yes', 'no', 'unsure']).nullable(),
          by: z.string().nullable(),
          quote: z.string().nullable(),
          proven: z.boolean(),
        }),
      ),
      calls: z.array(
        z.object({
          node: z.string(),
          tool: z.string(),
          args: z.record(z.string(), z.unknown()),
          result: z.enum(['simulated', 'not_simulated']),
          ok: z.boolean(),
        }),
      ),
      digression: z.boolean(),
      handoff: z.boolean(),
      due_at: z.string().nullable(),
    }),
  ),
})

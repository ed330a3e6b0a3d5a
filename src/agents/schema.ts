import * as z from 'zod'
import { AGENT_DRAFT, LIMITS } from '../config/limits'
import { LANGUAGES, type Language, SYSTEM_TOOLS } from '../config/names'
import { nameField, referenceField, shownText } from '../wire/fields'

const nameList = (max: number) => z.array(referenceField).max(max)
const text = z.string().max(LIMITS.promptLength)
const bounded = (range: { min: number; max: number }) => z.int().min(range.min).max(range.max)

/** What people read of an agent. */
const words = {
  display_name: shownText(LIMITS.displayNameLength)
    .nullable()
    .describe('What people read; the name by default.'),
  greeting: z.string().max(4000).nullable(),
  menu_items: z
    .array(z.string().normalize('NFC').min(1).max(LIMITS.menuItemLength))
    .max(LIMITS.menuItems)
    .nullable()
    .describe('Buttons; one that is called like a skill shows that skill’s label.'),
  no_match_reply: z
    .string()
    .max(4000)
    .nullable()
    .describe('By default a sentence in the user’s language.'),
}
const Words = z.object(words).partial().nullable().optional()
const Translations = z.strictObject(
  Object.fromEntries(LANGUAGES.map((lang) => [lang, Words])) as Record<Language, typeof Words>,
)

/** The writable fields of an agent except alias and name, with their defaults: the one place that lists them. */
const fields = {
  soul: { schema: text.describe('Who the agent is: its prompt begins with it.'), default: '' },
  task: { schema: text.describe('What it does.'), default: '' },
  tools: {
    schema: nameList(100).describe(
      'By default `current_time`, `ip_geo` and `weather`. There are also `schedule_reminder`, `search_knowledge`, `ask_form`, `handoff`, and `mcp:{server}` or `mcp:{server}/{tool}`.',
    ),
    default: [...SYSTEM_TOOLS] as string[],
  },
  skills: {
    schema: nameList(100).describe('Unknown names are kept and skipped.'),
    default: [] as string[],
  },
  knowledge_bases: {
    schema: nameList(20).describe('Unknown names are kept and skipped.'),
    default: [] as string[],
  },
  history_window: {
    schema: bounded(LIMITS.historyWindow)
      .nullable()
      .describe(
        `How many messages of the session the model is shown; ${LIMITS.historyWindow.default} by default.`,
      ),
    default: null,
  },
  max_output_tokens: {
    schema: bounded(LIMITS.maxOutputTokens)
      .nullable()
      .describe(`${LIMITS.maxOutputTokens.default} by default.`),
    default: null,
  },
  tool_call_max_tokens: {
    schema: bounded(LIMITS.toolCallMaxTokens)
      .nullable()
      .describe(
        `What one tool call may put into the conversation; ${LIMITS.toolCallMaxTokens.default} by default.`,
      ),
    default: null,
  },
  daily_tokens_per_user: {
    schema: bounded(LIMITS.dailyTokensPerUser)
      .nullable()
      .describe('What one user may use in a day of the tenant’s time zone.'),
    default: null,
  },
  handoff_hours: {
    schema: bounded(LIMITS.handoffHours)
      .nullable()
      .describe('How long a conversation waits for a person; 24 by default.'),
    default: null,
  },
  model: {
    schema: z
      .string()
      .min(1)
      .max(200)
      .nullable()
      .describe('By default the tenant’s, else the platform’s.'),
    default: null,
  },
  published: {
    schema: z.boolean().describe('An unpublished agent is 404 to end users.'),
    default: false,
  },
  display_name: { schema: words.display_name, default: null },
  greeting: { schema: words.greeting, default: null },
  auto_greeting: {
    schema: z.boolean().describe('The model writes the greeting, once a session.'),
    default: false,
  },
  auto_suggest: {
    schema: z.boolean().describe('Suggests follow-up questions after an answer.'),
    default: false,
  },
  suggest_prompt: {
    schema: z.string().max(4000).nullable().describe('How these are chosen.'),
    default: null,
  },
  ask_forms: {
    schema: z.boolean().describe('The agent may ask for several values by a form.'),
    default: false,
  },
  proactive_cta: {
    schema: z.boolean().describe('At most one call to action in five turns.'),
    default: false,
  },
  cta_prompt: {
    schema: z
      .string()
      .max(4000)
      .nullable()
      .describe('What it may call to; no other links are shown.'),
    default: null,
  },
  no_match_reply: { schema: words.no_match_reply, default: null },
  reasoning: { schema: z.boolean().describe('The model’s reasoning is streamed.'), default: false },
  grounding_required: {
    schema: z
      .boolean()
      .describe(
        'Each sentence must be supported by a source; where nothing fits, `no_match_reply` is said.',
      ),
    default: false,
  },
  injection_guard: {
    schema: z
      .boolean()
      .describe('Leaves out passages that give the model orders; true by default.'),
    default: true,
  },
  public_sources: {
    schema: z
      .boolean()
      .describe('End users see title, link and quote of a source, not its id alone.'),
    default: false,
  },
  ambiguity_check: {
    schema: z.boolean().describe('Asks back where a message has several meanings.'),
    default: false,
  },
  deep_research: {
    schema: z.boolean().describe('Large questions are answered in parts.'),
    default: false,
  },
  on_demand_context: {
    schema: z.boolean().describe('The model decides when to search.'),
    default: false,
  },
  menu_items: { schema: words.menu_items, default: null },
  translations: {
    schema: Translations.nullable().describe('What people read, by language.'),
    default: null,
  },
} as const

type AgentFieldName = keyof typeof fields

const shape = Object.fromEntries(
  Object.entries(fields).map(([name, field]) => [name, field.schema]),
) as {
  [K in AgentFieldName]: (typeof fields)[K]['schema']
}

/** Everything an agent is but its identity; stored as one JSON column. */
export const AgentConfig = z.object(shape)
export type AgentConfig = z.output<typeof AgentConfig>

export const AGENT_DEFAULTS = Object.fromEntries(
  Object.entries(fields).map(([name, field]) => [name, field.default]),
) as unknown as AgentConfig

/** POST and PUT: what is omitted (or null) takes its default. */
const writable = Object.fromEntries(
  Object.entries(shape).map(([name, schema]) => [name, schema.nullable().optional()]),
) as { [K in AgentFieldName]: z.ZodOptional<z.ZodNullable<(typeof shape)[K]>> }
export const AgentIn = z.object(writable)
export type AgentIn = z.output<typeof AgentIn>

/** PATCH: only what is sent changes; null resets; lists are set, then added to, then removed from. */
export const AgentPatch = AgentIn.extend({
  name: nameField.nullable().optional(),
  tools_add: nameList(100).nullable().optional(),
  tools_remove: nameList(100).nullable().optional(),
  skills_add: nameList(100).nullable().optional(),
  skills_remove: nameList(100).nullable().optional(),
  knowledge_bases_add: nameList(20).nullable().optional(),
  knowledge_bases_remove: nameList(20).nullable().optional(),
})
export type AgentPatch = z.output<typeof AgentPatch>

export const AgentDraftIn = z.object({
  description: z
    .string()
    .max(AGENT_DRAFT.descriptionLength)
    .refine((wish) => wish.trim().length >= 8, { error: 'at least 8 characters' }),
})
export type AgentDraftIn = z.output<typeof AgentDraftIn>

export const AgentTemplateOut = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string(),
  agent: AgentIn,
})

export const AgentOut = z.object({
  name: z.string(),
  id: z.string(),
  alias: z.string().nullable(),
  ...shape,
  source: z.enum(['tenant', 'system']),
})

export const AgentListItem = z.object({
  name: z.string(),
  id: z.string(),
  alias: z.string().nullable(),
  published: z.boolean(),
  source: z.enum(['tenant', 'system']),
  model: z.string().nullable(),
  task: z.string(),
  tools_count: z.int(),
  skills_count: z.int(),
  tools: z.array(z.string()),
  skills: z.array(z.string()),
  knowledge_bases: z.array(z.string()),
})

/** Exactly the export's keys (specification 2.1). */
export const EXPORT_FIELDS = [
  'soul',
  'task',
  'tools',
  'skills',
  'knowledge_bases',
  'history_window',
  'max_output_tokens',
  'tool_call_max_tokens',
  'model',
  'greeting',
  'auto_greeting',
  'auto_suggest',
  'suggest_prompt',
  'ask_forms',
  'proactive_cta',
  'cta_prompt',
  'no_match_reply',
  'reasoning',
  'grounding_required',
] as const satisfies readonly AgentFieldName[]

const exportShape = Object.fromEntries(EXPORT_FIELDS.map((name) => [name, shape[name]])) as Pick<
  typeof shape,
  (typeof EXPORT_FIELDS)[number]
>
export const AgentExport = z.object({
  schema_version: z.int(),
  kind: z.literal('agent'),
  name: z.string(),
  ...exportShape,
})
export const AgentImport = AgentIn.extend({
  schema_version: z.int(),
  kind: z.string().nullable().optional(),
  name: nameField,
  override_name: nameField.nullable().optional(),
})
export type AgentImport = z.output<typeof AgentImport>

export const AliasOut = z.object({
  alias: z.string().nullable(),
  url: z.string().nullable(),
  url_prefix: z.string(),
})

const ChipOut = z.object({ label: z.string(), value: z.string() })
export const OpeningOut = z.object({
  agent: z.string(),
  display_name: z.string(),
  lang: z.enum(LANGUAGES),
  greeting: z.string().nullable(),
  greeting_id: z
    .string()
    .nullable()
    .describe('Sent with the first message, it has the session begin with the greeting.'),
  chips: z.array(ChipOut).describe('What a button shows, and what it sends.'),
  storylines: z.array(ChipOut.extend({ id: z.string() })),
  can_hand_off: z.boolean(),
  can_speak: z.boolean().describe('Whether answers can be read aloud.'),
})

export const PlanOut = z.object({
  plan: z.object({
    steps: z.array(
      z.object({
        n: z.int(),
        type: z.enum(['clarify', 'retrieve', 'tool', 'skill', 'storyline', 'answer']),
        name: z.string(),
        reason: z.string(),
      }),
    ),
    knowledge_bases: z.array(z.string()),
    estimated_tokens: z.int(),
  }),
  backend: z.enum(['llm', 'rules']),
  warnings: z.array(z.string()),
})

import type { JSONSchema7 } from '@ai-sdk/provider'
import { jsonSchema, type Tool, tool } from '@ai-sdk/provider-utils'
import type { AgentFacts } from '../agents/resolve-agent'
import { LIMITS, REMINDERS } from '../config/limits'
import type { Passage } from '../knowledge/types'
import { cutToTokens, estimateTokens } from '../models/tokens'
import { isZone } from '../reminders/zone-time'
import { type FencedText, fence } from '../text/fence'
import { unframe } from '../text/frame'
import { neutralise } from '../text/neutralise'
import type { UserFacts } from '../users/user-facts'
import { PASSAGE_CHARS } from './compose'
import { scanForInjection } from './guard'
import { momentIn } from './moment'
import type { EdgePlace, ScheduleKind, ScheduleRequest, ScheduleResult } from './turn'

/** What the tools of a turn may reach; every id in it comes from the verified caller, none from the model. */
export interface ToolScope {
  agent: AgentFacts
  now: number
  nonce: string
  place: EdgePlace | null
  /** What the user told of themselves; it goes before what the edge guesses. */
  profile: UserFacts
  /** The zone whose clock the turn goes by, as the prompt tells it. */
  zone: string
  fetchWeather(query: { city: string | null; place: EdgePlace | null }): Promise<unknown>
  /** Searches the agent's bases and adds what is new to the turn's passages. */
  searchKnowledge(query: string): Promise<Passage[]>
  /** Keeps a reminder or a follow-up in the caller's own space. */
  schedule(kind: ScheduleKind, request: ScheduleRequest): Promise<ScheduleResult>
  /** Asks for a person, who takes over once the reply is said. */
  handOff(): void
  /** Starts a storyline behind the reply. */
  startStoryline(key: string): void
  onSkill(name: string): void
  onInjection(rule: string): void
  /** What a tool said: the reply may repeat its figures without citing. */
  onResult(text: string): void
}

/** Text that is already safe to show the model, and that knows how to be shorter. */
interface SafeText {
  within(maxTokens: number): string
}

const isSafeText = (value: unknown): value is SafeText =>
  typeof value === 'object' &&
  value !== null &&
  'within' in value &&
  typeof value.within === 'function'

const cutNote = (maxTokens: number) => `[cut: the result was longer than ${maxTokens} tokens]`

/** What the tenant wrote is an order, not data: it is only cut. */
const ownText = (text: string): SafeText => ({
  within: (maxTokens) => {
    const cut = cutToTokens(text, maxTokens)
    return cut.length < text.length ? `${cut}\n${cutNote(maxTokens)}` : cut
  },
})

/** Passages, as many as have room; of one that alone has none its beginning. Every fence that is opened is closed. */
const fencedTexts = (texts: readonly FencedText[], nonce: string): SafeText => ({
  within: (maxTokens) => {
    const whole = fence(texts, nonce, PASSAGE_CHARS)
    if (estimateTokens(whole) <= maxTokens) return whole
    const [first] = texts
    for (let count = texts.length - 1; count > 0; count--) {
      const some = fence(texts.slice(0, count), nonce, PASSAGE_CHARS)
      if (estimateTokens(some) <= maxTokens) return `${some}\n${cutNote(maxTokens)}`
    }
    if (!first) return ''
    const frame = estimateTokens(fence([{ ...first, text: '' }], nonce, PASSAGE_CHARS))
    const text = cutToTokens(first.text, Math.max(0, maxTokens - frame))
    return `${fence([{ ...first, text }], nonce, PASSAGE_CHARS)}\n${cutNote(maxTokens)}`
  },
})

export const SKILL_TOOL = 'use_skill'
export const SEARCH_TOOL = 'search_knowledge'
export const REMINDER_TOOL = 'schedule_reminder'
/** Comes with `schedule_reminder`: an agent that may remind may also come back to a conversation. */
export const FOLLOWUP_TOOL = 'schedule_followup'

export const START_TOOL = 'start_storyline'

/** Storylines that the agent itself may start. */
export const startableOf = ({ storylines = [] }: AgentFacts) =>
  storylines.filter(({ allowAgentEnroll }) => allowAgentEnroll)

/** The tools that the agent's effective list names; anything else the model asks for is refused by the tool loop. */
export function buildTools(scope: ToolScope, names: ReadonlySet<string>): Record<string, Tool> {
  const { agent } = scope
  const limit = agent.config.tool_call_max_tokens ?? LIMITS.toolCallMaxTokens.default
  const tools: Record<string, Tool> = {}
  const add = <I>(
    name: string,
    description: string,
    schema: JSONSchema7,
    execute: (input: I) => unknown,
  ) => {
    tools[name] = tool({
      description,
      inputSchema: jsonSchema<I>(schema, { validate: (value) => checkInput<I>(value, schema) }),
      execute: async (input: I) => {
        if (estimateTokens(JSON.stringify(input)) > limit)
          throw new Error(`The arguments are longer than ${limit} tokens; shorten them.`)
        return asData(name, await execute(input), limit, scope)
      },
    }) as Tool
  }

  if (names.has('current_time')) {
    add<{ timezone?: string }>(
      'current_time',
      'The current date and time. Give an IANA time zone such as Europe/Paris to get it there; without one it is the user’s zone, else UTC.',
      inputOf({ timezone: { type: 'string', maxLength: 64 } }, []),
      ({ timezone }) => currentTime(scope.now, timezone ?? scope.zone),
    )
  }
  if (names.has('ip_geo')) {
    add<object>(
      'ip_geo',
      'Where the user probably is, judged from their network address: city, region, country and time zone, or unknown.',
      inputOf({}),
      () => describePlace(scope.place),
    )
  }
  if (names.has('weather')) {
    add<{ city?: string }>(
      'weather',
      'Current weather and a three-day forecast for a city; without one, in the user’s own, else where they probably are.',
      inputOf({ city: { type: 'string', maxLength: 100 } }, []),
      ({ city }) => scope.fetchWeather({ city: city ?? scope.profile.city, place: scope.place }),
    )
  }
  if (names.has(SEARCH_TOOL)) {
    add<{ query: string }>(
      SEARCH_TOOL,
      'Searches the knowledge bases. Returns numbered passages to answer from and cite.',
      inputOf({ query: { type: 'string', minLength: 1, maxLength: 1000 } }),
      async ({ query }) => {
        const passages = await scope.searchKnowledge(query)
        if (passages.length === 0) return ownText('Nothing was found.')
        const texts = passages.map((passage) => ({
          n: passage.n,
          label: passage.title || passage.documentName,
          text: passage.text,
        }))
        return fencedTexts(texts, scope.nonce)
      },
    )
  }
  if (names.has(REMINDER_TOOL)) {
    add<ScheduleInput>(
      REMINDER_TOOL,
      `Sets a reminder for the user. ${DUE_HELP}`,
      scheduleSchema('What to remind the user of, in their words and language.'),
      (input) => keepSchedule(scope, 'reminder', input),
    )
    add<ScheduleInput>(
      FOLLOWUP_TOOL,
      `Schedules a message of yours in this conversation, for when you have promised to come back to something. ${DUE_HELP}`,
      scheduleSchema('The message to say then, in the language of the conversation.'),
      (input) => keepSchedule(scope, 'followup', input),
    )
  }
  if (names.has(START_TOOL)) {
    const startable = startableOf(agent)
    const list = startable.map(({ key, name, description }) => `${key}: ${name}. ${description}`)
    add<{ key: string }>(
      START_TOOL,
      `Starts a guided flow when the user wants what it is for. It begins behind your reply, so lead to it in one short sentence.\n${list.join('\n')}`,
      inputOf({ key: { type: 'string', enum: startable.map(({ key }) => key) } }),
      ({ key }) => {
        scope.startStoryline(key)
        return ownText('It begins behind your reply.')
      },
    )
  }
  if (names.has('handoff')) {
    add<object>(
      'handoff',
      'Asks a person of the team to take over this conversation. Use it when the user wants a person, or needs what you cannot do. The user is told.',
      inputOf({}),
      () => {
        scope.handOff()
        return ownText('A person has been asked, and the user is told so. End your answer here.')
      },
    )
  }
  if (agent.skills.length > 0) {
    add<{ name: string }>(
      SKILL_TOOL,
      'Loads the instructions of a skill by its name. Follow them for this request.',
      inputOf({ name: { type: 'string', enum: agent.skills.map((skill) => skill.name) } }),
      ({ name }) => {
        const skill = agent.skills.find((candidate) => candidate.name === name)
        if (!skill) throw new Error('There is no such skill.')
        scope.onSkill(name)
        return ownText(unframe(skill.instructions))
      },
    )
  }
  return tools
}

interface ScheduleInput {
  text: string
  due_at: string
  timezone?: string
}

const DUE_HELP =
  'due_at is either a duration from now such as PT45M, PT2H or P1D, or a local date and time such as 2026-11-21T09:00, read in the given time zone, else in the user’s own; at least 30 seconds and at most a year ahead.'

const scheduleSchema = (description: string) =>
  inputOf(
    {
      text: { type: 'string', minLength: 1, maxLength: REMINDERS.textLength, description },
      due_at: { type: 'string', minLength: 1, maxLength: 64 },
      timezone: {
        type: 'string',
        maxLength: 64,
        description: 'An IANA time zone such as Europe/Paris.',
      },
    },
    ['text', 'due_at'],
  )

async function keepSchedule(
  scope: ToolScope,
  kind: ScheduleKind,
  { text, due_at, timezone }: ScheduleInput,
): Promise<unknown> {
  const result = await scope.schedule(kind, {
    text,
    dueAt: due_at,
    timezone: timezone || scope.zone,
  })
  if (!result.ok) throw new Error(result.problem)
  const { ok: _, ...kept } = result
  return { status: 'scheduled', ...kept }
}

/** What a tool takes: texts, all of them required unless `required` names those that are. */
const inputOf = (
  properties: NonNullable<JSONSchema7['properties']>,
  required = Object.keys(properties),
): JSONSchema7 => ({
  type: 'object',
  properties,
  ...(required.length > 0 ? { required } : {}),
  additionalProperties: false,
})

type SimpleSchema = { properties?: Record<string, unknown>; required?: string[] }

/** Arguments that do not fit are a tool error the model can mend, never a crash. */
function checkInput<I>(
  value: unknown,
  schema: JSONSchema7,
): { success: true; value: I } | { success: false; error: Error } {
  const { properties = {}, required = [] } = schema as SimpleSchema
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return refuse('the arguments must be an object')
  const input = value as Record<string, unknown>
  for (const name of required)
    if (typeof input[name] !== 'string') return refuse(`"${name}" is required and must be a text`)
  for (const [name, given] of Object.entries(input)) {
    const rule = properties[name] as
      | { maxLength?: number; minLength?: number; enum?: string[] }
      | undefined
    if (!rule) return refuse(`"${name}" is not an argument`)
    if (given === null || given === undefined) continue
    if (typeof given !== 'string') return refuse(`"${name}" must be a text`)
    if (
      given.length > (rule.maxLength ?? Number.POSITIVE_INFINITY) ||
      given.length < (rule.minLength ?? 0)
    )
      return refuse(`"${name}" is too long or empty`)
    if (rule.enum && !rule.enum.includes(given))
      return refuse(`"${name}" must be one of ${rule.enum.join(', ')}`)
  }
  return {
    success: true,
    value: Object.fromEntries(Object.entries(input).filter(([, given]) => given !== null)) as I,
  }
}

const refuse = (reason: string) => ({
  success: false as const,
  error: new Error(`Invalid arguments: ${reason}.`),
})

/** A result is data, its texts may be a stranger's: cleaned, fenced, capped with a note, and dropped where it tries to give orders. */
function asData(tool: string, result: unknown, maxTokens: number, scope: ToolScope): unknown {
  if (isSafeText(result)) return result.within(maxTokens)
  const text = neutralise(JSON.stringify(result), PASSAGE_CHARS)
  const hit = scope.agent.config.injection_guard ? scanForInjection(text) : null
  if (hit) {
    scope.onInjection(hit.rule)
    return { error: 'The result was withheld because it contained instructions.' }
  }
  scope.onResult(text)
  return fencedTexts([{ n: null, label: tool, text }], scope.nonce).within(maxTokens)
}

/** @param timezone an IANA name. */
export function currentTime(now: number, timezone: string) {
  const zone = isZone(timezone) ? timezone : 'UTC'
  return {
    timezone: zone,
    ...momentIn(now, zone),
    utc: new Date(now).toISOString(),
    ...(zone === timezone ? {} : { note: `"${timezone}" is not a known time zone; this is UTC.` }),
  }
}

function describePlace(place: EdgePlace | null) {
  const unknown = 'unknown'
  return {
    city: place?.city ?? unknown,
    region: place?.region ?? unknown,
    country: place?.country ?? unknown,
    timezone: place?.timezone ?? unknown,
  }
}

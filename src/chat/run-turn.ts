import { LIMITS } from '../config/limits'
import type { FinishReason } from '../config/names'
import type { HandoffDesk, HandoffRequest } from '../handoffs/handoff'
import { loadThesaurus } from '../language/thesaurus'
import type { McpCallResult } from '../mcp/turn-servers'
import type { McpServerFacts, ToolDefinition } from '../mcp/types'
import type { ResolvedModel } from '../models/chat-model'
import type { Clarify, Form } from '../storylines/speak'
import { loadWishes } from '../text/asks-anew'
import { PassageReadings } from '../text/passage-reading'
import { NO_FACTS, type UserFacts } from '../users/user-facts'
import { moveSentences } from '../wire/present-source'
import type { Acts } from './acts'
import type { Pending, Reading } from './asking/asked'
import type { CitedSource, OpenClaim } from './check'
import type { Choice } from './choose-reading'
import type { HistoryMessage } from './compose'
import type { CallToAction } from './cta'
import type { Chip, Closest, TurnEvent } from './events'
import type { KnownMessage } from './known-message'
import type { SearchBase } from './retrieve'
import { type ModelUsage, NO_USAGE, type SpentTokens } from './spent-tokens'
import { type Exit, hasEvents, messageOf, type Turn, type TurnSteps } from './steps/step'
import { StopSequences, untilStop } from './stop-sequences'
import type { StorylineTurn } from './storyline/storyline-turn'
import type { ScheduleKind, ScheduleRequest, ScheduleResult, TurnRequest } from './turn'

/** What a turn may reach beyond its input; the user's object provides it, a test may too. */
export interface TurnPorts {
  model: ResolvedModel
  resolveModel(name: string): ResolvedModel | null
  search: SearchBase
  /** What is remembered of the user that may help with this message, best first. Never throws. */
  recall(message: string): Promise<string[]>
  /** What the user told of themselves. Never throws. */
  profile(): Promise<UserFacts>
  fetchWeather(query: { city: string | null; place: TurnRequest['place'] }): Promise<unknown>
  /** Raises the reservation before a further model step. */
  reserveStep(tokens: number): Promise<boolean>
  /** Plans a reminder or follow-up. @param former the id of one that this replaces, if it is still pending. */
  schedule(
    kind: ScheduleKind,
    request: ScheduleRequest,
    former?: string | null,
  ): Promise<ScheduleResult>
  /** A remote server's tools, where none are known yet: null when it does not answer within ten seconds. */
  discoverRemote(server: McpServerFacts): Promise<ToolDefinition[] | null>
  /** @throws McpError when the server fails. */
  callRemote(
    server: McpServerFacts,
    tool: string,
    args: Record<string, unknown>,
    id?: string,
  ): Promise<McpCallResult>
  /** Whether the evidence supports claims that the rules leave open, by their ids. Never throws. */
  verify(claims: readonly OpenClaim[]): Promise<ReadonlyMap<number, boolean>>
  /** A follow-up as a question that stands alone; null when nobody can say. Never throws. */
  rewrite(message: string, history: readonly HistoryMessage[]): Promise<string | null>
  /** Which of several things a question may mean; null when nobody can say. Never throws. */
  choose(choice: Choice): Promise<readonly Reading[] | null>
  onInjection(rule: string): void
  /** What the reply before this message waits for; null for nothing. */
  pending(): Promise<Pending | null>
  /** Where the session stands with people. */
  handoff: HandoffDesk
  /** Calls of tools that act: those of this turn, and those of an earlier attempt, which must not be made again. */
  acts: Acts
  signal: AbortSignal
  nonce: string
  /** What the turn's model calls use; whoever runs the turn reads it also when the turn does not end. */
  spent: SpentTokens
}

export interface TurnInput {
  request: TurnRequest
  history: HistoryMessage[]
  summary: string
  /** What the message is, where somebody has read it before. */
  known?: KnownMessage
}

/** What a turn comes to: what is saved, and what follows from it. */
export interface TurnOutcome {
  reply: string
  finishReason: FinishReason
  cited: CitedSource[]
  model: string
  usage: ModelUsage
  /** Sentences that no source supported, for the reviews. */
  unsourced: string[]
  /** Where nothing matched: the documents that came nearest. */
  closest: Closest[]
  /** What the user may ask next. */
  suggestions?: readonly string[]
  /** Skills that the reply speaks of. */
  chips?: readonly Chip[]
  /** What the user may do next. */
  cta?: CallToAction
  /** What is shown and moved with the reply. */
  storyline?: StorylineTurn
  /** A person who was asked for. */
  handoff?: HandoffRequest
  /** What is asked behind the reply. */
  clarify?: Clarify
  form?: Form
  pending?: Pending
  offeredPerson?: true
  /** The question was split and looked up part by part (deep research). */
  researched?: true
}

/**
 * One turn: the steps before the answer, until one of them ends it; else the answer; then what is added behind it. Yields
 * what listeners see and returns what is to be saved.
 */
export async function* runTurn(
  steps: TurnSteps,
  model: ResolvedModel,
  input: TurnInput,
): AsyncGenerator<TurnEvent, TurnOutcome> {
  await Promise.all([loadThesaurus(), input.history.length > 0 && loadWishes()])
  const turn = beginTurn(model, { ...input, known: messageOf(input).readLetters() })
  const all = allOf(turn, steps)
  return yield* turn.stop ? untilStop(turn.stop, all) : all
}

async function* allOf(turn: Turn, steps: TurnSteps): AsyncGenerator<TurnEvent, TurnOutcome> {
  let outcome = yield* prefaced(turn, replyTo(turn, steps))
  for (const add of steps.after) {
    const told = add(turn, outcome)
    outcome = hasEvents(told) ? yield* told : await told
  }
  return outcome
}

function beginTurn(model: ResolvedModel, input: TurnInput): Turn {
  const { agent, message, lang, stop = [] } = input.request
  return {
    ...input,
    model,
    lang: messageOf(input).talkLang ?? lang,
    onDemand: agent.config.on_demand_context && agent.bases.length > 0,
    stop: stop.length === 0 ? null : new StopSequences(stop),
    preface: '',
    smallTalk: false,
    question: message,
    context: '',
    passages: [],
    results: [],
    searchFailed: false,
    readings: new PassageReadings(),
    lookups: {
      memories: Promise.resolve([]),
      profile: Promise.resolve(NO_FACTS),
      remote: Promise.resolve([]),
    },
    begun: Promise.withResolvers(),
    research: null,
    suggested: Promise.resolve([]),
    call: null,
    waitsUntil: null,
    storyline: null,
    start: null,
    handoff: null,
    filledIn: '',
    wasAskedBack: false,
    picked: null,
    confirmed: null,
    asked: null,
  }
}

async function* replyTo(turn: Turn, steps: TurnSteps): AsyncGenerator<TurnEvent, TurnOutcome> {
  for (const step of steps.before) {
    const told = step(turn)
    const exit = hasEvents(told) ? yield* told : await told
    if (exit === null) continue
    yield { type: 'token', text: exit.reply }
    return leave(turn, exit)
  }
  if (turn.research && steps.report) return yield* steps.report(turn, turn.research)
  return yield* steps.answer(turn)
}

const leave = (turn: Turn, exit: Exit): TurnOutcome => ({
  ...exit,
  cited: [],
  model: turn.model.name,
  usage: NO_USAGE,
  unsourced: [],
  closest: [],
})

/** A reply with the turn's preface before its first words. */
async function* prefaced(
  turn: Turn,
  reply: AsyncGenerator<TurnEvent, TurnOutcome>,
): AsyncGenerator<TurnEvent, TurnOutcome> {
  let said = ''
  for (;;) {
    const step = await reply.next()
    if (step.done) {
      const cited = moveSentences(step.value.cited, (offset) => offset + said.length)
      return { ...step.value, cited, reply: said + step.value.reply }
    }
    if (step.value.type === 'token' && said === '' && turn.preface !== '') {
      said = turn.preface
      yield { type: 'token', text: said }
    }
    yield step.value.type === 'replace'
      ? { type: 'replace', text: said + step.value.text }
      : step.value
  }
}

/** The most tokens that a reply may have. */
export function outputLimit(request: TurnRequest): number {
  const own = request.agent.config.max_output_tokens ?? LIMITS.maxOutputTokens.default
  return request.maxOutputTokens === null ? own : Math.min(own, request.maxOutputTokens)
}

import { localize } from '../agents/localize'
import { LIMITS } from '../config/limits'
import { type FinishReason, type Language, OPTIONAL_TOOLS, SYSTEM_TOOLS } from '../config/names'
import { readGate } from '../knowledge/gate'
import type { IdfTable, Passage, SearchResult } from '../knowledge/types'
import type { McpCallResult } from '../mcp/turn-servers'
import type { McpServerFacts, ToolDefinition } from '../mcp/types'
import type { ResolvedModel } from '../models/chat-model'
import { ModelCallError } from '../models/model-failure'
import { thinkingRoom } from '../models/steer-thinking'
import { estimateTokens } from '../models/tokens'
import { detectLanguage } from '../text/detect-language'
import { fence } from '../text/fence'
import { detectIntent } from '../text/intents'
import { findContext } from '../text/question'
import { mergeIdf } from '../text/score-sentences'
import { detectSmallTalk } from '../text/small-talk'
import type { UserFacts } from '../users/user-facts'
import { moveSentences } from '../wire/present-source'
import {
  type CheckedPiece,
  type Checker,
  type CheckResult,
  type CitedSource,
  createChecker,
  type OpenClaim,
} from './check'
import { closestTo } from './closest'
import { compose, type HistoryMessage } from './compose'
import type { Closest, TurnEvent } from './events'
import { type GenerateEvent, type GenerateInput, generate, sizeOf } from './generate'
import { refusal, scanForInjection, scanUserMessage } from './guard'
import { homeZone } from './moment'
import { phrase } from './phrases'
import {
  buildRemoteTools,
  discoverRemote,
  listRemoteTools,
  type RemoteTool,
  resolveNames,
} from './remote-tools'
import { retrieve, type SearchBase, searchQuery } from './retrieve'
import { createReplySanitizer } from './sanitize-reply'
import { type ModelUsage, NO_USAGE, type SpentTokens } from './spent-tokens'
import { buildTools, FOLLOWUP_TOOL, REMINDER_TOOL, SEARCH_TOOL, SKILL_TOOL } from './tools'
import type { ScheduleKind, ScheduleRequest, ScheduleResult, TurnRequest } from './turn'
import { whileChecking } from './while-checking'

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
  schedule(kind: ScheduleKind, request: ScheduleRequest): Promise<ScheduleResult>
  /** A remote server's tools, where none are known yet: null when it does not answer within ten seconds. */
  discoverRemote(server: McpServerFacts): Promise<ToolDefinition[] | null>
  /** @throws McpError when the server fails. */
  callRemote(
    server: McpServerFacts,
    tool: string,
    args: Record<string, unknown>,
  ): Promise<McpCallResult>
  /** Whether the evidence supports claims that the rules leave open, by their ids. Never throws. */
  verify(claims: readonly OpenClaim[]): Promise<ReadonlyMap<number, boolean>>
  onInjection(rule: string): void
  signal: AbortSignal
  nonce: string
  /** What the turn's model calls use; whoever runs the turn reads it also when the turn does not end. */
  spent: SpentTokens
}

export interface TurnInput {
  request: TurnRequest
  history: HistoryMessage[]
  summary: string
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
}

/** A turn with pictures that the model cannot see says so before it answers the words. */
export async function* runTurn(
  ports: TurnPorts,
  input: TurnInput,
): AsyncGenerator<TurnEvent, TurnOutcome> {
  const { message, images, lang } = input.request
  const turn = takeTurn(ports, input)
  if (images.length === 0 || ports.model.info.vision || message.trim() === '') return yield* turn
  const note = `${phrase('images_left_out', detectLanguage(message) ?? lang)}\n\n`
  let noted = false
  for (;;) {
    const step = await turn.next()
    if (step.done && noted) {
      const cited = moveSentences(step.value.cited, (offset) => offset + note.length)
      return { ...step.value, cited, reply: note + step.value.reply }
    }
    if (step.done) return step.value
    if (step.value.type === 'token' && !noted) {
      noted = true
      yield { type: 'token', text: note }
    }
    yield step.value.type === 'replace'
      ? { type: 'replace', text: note + step.value.text }
      : step.value
  }
}

/** One turn: guard → retrieve → compose → generate → check. Yields what listeners see and returns what is to be saved. */
async function* takeTurn(
  ports: TurnPorts,
  input: TurnInput,
): AsyncGenerator<TurnEvent, TurnOutcome> {
  const { request } = input
  const { config } = request.agent
  const lang = detectLanguage(request.message) ?? request.lang
  const fixed = (
    name: Parameters<typeof phrase>[0],
    finishReason: FinishReason,
    own: string | null = null,
  ) => sayFixed(own ?? phrase(name, lang), finishReason, ports)

  if (config.injection_guard && scanUserMessage(request.message))
    return yield* sayFixed(refusal(lang), 'guard', ports)
  if (request.message.trim() === '' && request.images.length > 0 && !ports.model.info.vision)
    return yield* fixed('images_unseen', 'stop')

  const smallTalk = detectSmallTalk(request.message) !== null
  const context = smallTalk ? '' : findContext(request.message, input.history)
  // Runs beside the retrieval; the prompt waits for both.
  const recalled = ports.recall(request.message)
  const profile = ports.profile()
  const discovered = discoverRemote(request.agent.mcp, ports.discoverRemote)
  const onDemand = config.on_demand_context && request.agent.bases.length > 0
  let passages: Passage[] = []
  let results: SearchResult[] = []
  const mustLook = !onDemand && !smallTalk && request.message.trim() !== ''
  if (mustLook && request.agent.bases.length > 0) {
    yield { type: 'status', stage: 'retrieving' }
    const found = await retrieve(
      ports.search,
      request.agent.bases,
      searchQuery(request.message, context),
      request.k,
    )
    if (found.failed && config.grounding_required) return yield* fixed('search_failed', 'error')
    passages = config.injection_guard ? dropHostile(found.passages, ports) : found.passages
    results = found.results
  }
  // An agent whose bases are all gone has nothing that could match; it must not begin to answer freely.
  if (mustLook && config.grounding_required) {
    const plainRequest = config.tools.includes(detectIntent(request.message)?.tool ?? '')
    if (!plainRequest && !results.some((result) => readGate(request.message, result, context).open))
      return {
        ...(yield* fixed('no_match', 'no_match', localize(config, lang).noMatchReply)),
        closest: closestTo(passages),
      }
  }

  const state: TurnState = {
    idf: mergeIdf(results.map((result) => result.idf)),
    passages,
    memories: await recalled,
    profile: await profile,
    remote: listRemoteTools(await discovered),
    skill: null,
    checker: createChecker({
      passages,
      idf: mergeIdf(results.map((result) => result.idf)),
      grounded: config.grounding_required,
      question: request.message,
      noMatchReply: localize(config, lang).noMatchReply,
      exempt: smallTalk,
      templated: ports.model.info.reads === 'facts',
    }),
  }
  yield { type: 'status', stage: 'answering' }
  return yield* answer(ports, input, state, lang, onDemand)
}

interface TurnState {
  idf: IdfTable
  passages: Passage[]
  memories: string[]
  profile: UserFacts
  /** Tools of remote servers that the agent or its skills may use. */
  remote: RemoteTool[]
  /** The skill loaded last: its tools and model join from the next step. */
  skill: string | null
  checker: Checker
}

async function* answer(
  ports: TurnPorts,
  input: TurnInput,
  state: TurnState,
  lang: Language,
  onDemand: boolean,
): AsyncGenerator<TurnEvent, TurnOutcome> {
  const { request } = input
  const { config } = request.agent
  const { greeting, noMatchReply } = localize(config, lang)
  const { instructions, messages } = compose({
    agent: request.agent,
    tenant: request.tenant,
    history: input.history,
    summary: input.summary,
    passages: state.passages,
    memories: state.memories,
    profile: state.profile,
    message: request.message,
    images: ports.model.info.vision ? request.images : [],
    lang,
    now: request.now,
    zone: zoneOf(request, state),
    nonce: ports.nonce,
    onDemand,
    searches: mayEverUse(request, SEARCH_TOOL, onDemand),
  })
  const tools = offeredTools(ports, input, state, onDemand)
  const maxOutputTokens = outputLimit(request)
  let reply = ''
  let sanitizer = createReplySanitizer(sanitizerOptions(request))
  const say = function* (pieces: CheckedPiece[]): Generator<TurnEvent> {
    for (const piece of pieces) {
      const text = sanitizer.push(piece.text)
      if (text === '') continue
      reply += text
      yield { type: 'token', text }
    }
  }
  let verifier = new Verifying(ports, state.checker)
  let heard = ''
  /** On all that was found so far, another reply from its beginning. */
  const beginAgain = () => {
    state.checker = state.checker.again()
    verifier = new Verifying(ports, state.checker)
    sanitizer = createReplySanitizer(sanitizerOptions(request))
    heard = ''
    reply = ''
  }
  /** What was thought leaves no trace in the reply: what was said before it is checked and shown anew. */
  const takeBack = function* (chars: number): Generator<TurnEvent> {
    const kept = heard.slice(0, heard.length - chars)
    const shown = reply
    beginAgain()
    heard = kept
    const said = [...say(state.checker.push(kept))]
    if (shown !== '') yield { type: 'replace', text: reply }
    else yield* said
  }
  const speak = async function* (call: GenerateInput): AsyncGenerator<TurnEvent, Finish> {
    for await (const event of generate(call)) {
      if (event.type === 'text') {
        heard += event.text
        yield* say(state.checker.push(event.text))
        yield* say(verifier.listen(reply === ''))
      } else if (event.type === 'retract') yield* takeBack(event.chars)
      else if (event.type === 'tool') yield { ...event, name: shownName(event.name, state) }
      else if (event.type === 'reasoning') {
        if (config.reasoning) yield event
      } else return event
    }
    return { reason: 'stop', ran: [] }
  }
  /** What is still open is decided, and the last of the reply shown. */
  const conclude = async function* (): AsyncGenerator<TurnEvent, CheckResult> {
    yield* say(state.checker.close())
    yield* say(yield* verifier.finish())
    const result = state.checker.end()
    yield* say(result.pieces)
    const rest = sanitizer.end()
    if (rest !== '') {
      reply += rest
      yield { type: 'token', text: rest }
    }
    return result
  }
  let call: GenerateInput = {
    model: ports.model,
    instructions,
    messages,
    tools,
    activeTools: () => resolveNames(activeTools(request, state, onDemand), state.remote),
    stepModel: () => skillModel(ports, request, state),
    forceTool: onDemand && config.grounding_required ? SEARCH_TOOL : null,
    maxOutputTokens,
    reasoning: config.reasoning,
    signal: ports.signal,
    spent: ports.spent,
    reserveStep: (promptTokens) => ports.reserveStep(promptTokens + maxOutputTokens),
    facts: () => ({
      task: 'answer',
      lang,
      passages: state.passages,
      idf: state.idf,
      hasKnowledge: request.agent.bases.length > 0,
      greeting,
      noMatchReply,
    }),
  }
  let finish = yield* speak(call)
  if (heard.trim() === '' && finish.reason !== 'quota') {
    const again = askAgain(call, finish)
    if (await again.reserveStep(sizeOf(again.messages))) {
      call = again
      finish = yield* speak(call)
    }
  }
  let checked = yield* conclude()
  if (reply.trim() === '' && mayRepair(state, checked, finish, call)) {
    const fallen = checked.unsourced
    const repair = askRepair(call, finish, heard, fallen, ports.nonce)
    if (await repair.reserveStep(estimateTokens(instructions) + sizeOf(repair.messages))) {
      beginAgain()
      yield { type: 'status', stage: 'answering' }
      try {
        finish = yield* speak(repair)
      } catch (error) {
        // A failed second attempt leaves what the first came to: nothing.
        if (!(error instanceof ModelCallError) || reply !== '') throw error
        finish = { reason: 'stop', ran: [] }
      }
      checked = yield* conclude()
      checked = { ...checked, unsourced: [...new Set([...fallen, ...checked.unsourced])] }
    }
  }

  const outcome = {
    cited: moveSentences(checked.cited, (offset) => sanitizer.placeOf(offset)),
    model: ports.model.name,
    usage: ports.spent.total(),
    unsourced: checked.unsourced,
  }
  if (reply.trim() === '') {
    const unsupported = checked.unsourced.length > 0
    const text = unsupported
      ? (noMatchReply ?? phrase('no_match', lang))
      : phrase('no_answer', lang)
    const finishReason = unsupported ? 'no_match' : finish.reason === 'quota' ? 'length' : 'error'
    yield { type: 'token', text }
    const closest = unsupported ? closestTo(state.passages) : []
    return { ...outcome, reply: text, finishReason, cited: [], closest }
  }
  if (checked.foundNothing)
    return { ...outcome, reply, finishReason: 'no_match', closest: closestTo(state.passages) }
  return {
    ...outcome,
    reply,
    finishReason: finish.reason === 'stop' ? 'stop' : 'length',
    closest: [],
  }
}

/**
 * Asks about open claims: once at the end, and once as soon as the very first claim is open, because nothing can be
 * shown before it is decided.
 */
class Verifying {
  readonly #ports: TurnPorts
  readonly #checker: Checker
  #early: Promise<void> | null = null
  #answered = false
  #answer: ReadonlyMap<number, boolean> | null = null

  constructor(ports: TurnPorts, checker: Checker) {
    this.#ports = ports
    this.#checker = checker
  }

  /** While the model writes: starts the early call, and takes its answer once it is there. */
  listen(nothingSaid: boolean): CheckedPiece[] {
    const open = nothingSaid && this.#early === null ? this.#checker.open() : []
    if (open.length > 0) {
      this.#early = this.#ports.verify(open).then((answer) => {
        this.#answer = answer
        this.#answered = true
      })
    }
    return this.#take()
  }

  /** When the model has ended: what is still open is decided, or falls. */
  async *finish(): AsyncGenerator<TurnEvent, CheckedPiece[]> {
    if (this.#early !== null && !this.#answered) yield* whileChecking(this.#early)
    const pieces = this.#take()
    const open = this.#checker.open()
    if (open.length === 0) return pieces
    const answer = yield* whileChecking(this.#ports.verify(open))
    return [...pieces, ...this.#checker.settle(answer)]
  }

  #take(): CheckedPiece[] {
    const answer = this.#answer
    this.#answer = null
    return answer === null ? [] : this.#checker.settle(answer)
  }
}

type Finish = Pick<Extract<GenerateEvent, { type: 'finish' }>, 'reason' | 'ran'>

/**
 * The call to make once more when nothing came: without thinking, and with nothing to call where something was called
 * already, so that nothing is done twice.
 */
function askAgain(call: GenerateInput, { ran }: Finish): GenerateInput {
  const model = call.stepModel() ?? call.model
  const maxOutputTokens = call.maxOutputTokens + thinkingRoom(model.info)
  const again = { ...call, model, maxOutputTokens, reasoning: false }
  if (ran.length === 0) return again
  return { ...again, messages: [...call.messages, ...ran], tools: {}, forceTool: null }
}

/** When all that a model said fell although there was something to say: once more, with the reason. */
function mayRepair(
  { passages, checker }: TurnState,
  { unsourced }: CheckResult,
  { reason }: Finish,
  call: GenerateInput,
): boolean {
  const { info } = call.stepModel() ?? call.model
  const found = passages.length > 0 || checker.hasToolResults
  return unsourced.length > 0 && found && reason !== 'quota' && info.reads === 'prompt'
}

const MOST_NAMED = 12

/** The same call, without thinking or doing anything twice, after the reply that fell and why it did. */
function askRepair(
  call: GenerateInput,
  finish: Finish,
  said: string,
  fallen: readonly string[],
  nonce: string,
): GenerateInput {
  const named = fallen.slice(0, MOST_NAMED).map((text) => ({ n: null, label: 'sentence', text }))
  const reason = `Your reply was not shown: the sources prove none of these sentences.
${fence(named, nonce, 1_000)}
Answer the same question once more. Say only what the sources say, as near to their words as you can, and behind each sentence put its mark with an exact quote from that source. Do not speak of this correction.`
  const again = askAgain(call, finish)
  return {
    ...again,
    messages: [
      ...again.messages,
      { role: 'assistant', content: said },
      { role: 'user', content: reason },
    ],
  }
}

/** A sentence of the platform's own: the model is not called. */
async function* sayFixed(
  text: string,
  finishReason: FinishReason,
  ports: TurnPorts,
): AsyncGenerator<TurnEvent, TurnOutcome> {
  yield { type: 'token', text }
  return {
    reply: text,
    finishReason,
    cited: [],
    model: ports.model.name,
    usage: NO_USAGE,
    unsourced: [],
    closest: [],
  }
}

function dropHostile(passages: Passage[], ports: TurnPorts): Passage[] {
  const kept = passages.filter((passage) => {
    const hit = scanForInjection(passage.text)
    if (hit) ports.onInjection(hit.rule)
    return !hit
  })
  return kept.map((passage, index) => ({ ...passage, n: index + 1 }))
}

function offeredTools(
  ports: TurnPorts,
  { request }: TurnInput,
  state: TurnState,
  onDemand: boolean,
) {
  const names = new Set<string>(
    [...SYSTEM_TOOLS, ...OPTIONAL_TOOLS].filter((name) => mayEverUse(request, name, onDemand)),
  )
  const remote = buildRemoteTools(
    {
      agent: request.agent,
      nonce: ports.nonce,
      callRemote: ports.callRemote,
      onInjection: ports.onInjection,
      onResult: (text) => state.checker.addToolResult(text),
    },
    state.remote,
  )
  if (names.size === 0 && request.agent.skills.length === 0) return remote
  const own = buildTools(
    {
      agent: request.agent,
      now: request.now,
      nonce: ports.nonce,
      place: request.place,
      profile: state.profile,
      zone: zoneOf(request, state),
      fetchWeather: ports.fetchWeather,
      searchKnowledge: (query) => searchMore(ports, request, state, query),
      // What is said later is made as safe to show as what is said now.
      schedule: (kind, { text, ...when }) =>
        ports.schedule(kind, { ...when, text: sanitize(request, text) }),
      onSkill: (name) => {
        state.skill = name
      },
      onInjection: ports.onInjection,
      onResult: (text) => state.checker.addToolResult(text),
    },
    names,
  )
  return { ...remote, ...own }
}

/** Listeners hear of a remote tool by the name that the tenant gave it. */
const shownName = (name: string, { remote }: TurnState): string =>
  remote.find((tool) => tool.name === name)?.reference ?? name

const sanitizerOptions = ({ origin }: TurnRequest) => ({ imagePrefixes: [`${origin}/`] })

function sanitize(request: TurnRequest, text: string): string {
  const sanitizer = createReplySanitizer(sanitizerOptions(request))
  return sanitizer.push(text) + sanitizer.end()
}

const zoneOf = ({ place, tenant }: TurnRequest, { profile }: TurnState): string =>
  homeZone(profile, place, tenant)

function mayEverUse(request: TurnRequest, name: string, onDemand: boolean): boolean {
  if (name === SEARCH_TOOL && request.agent.bases.length === 0) return false
  if (name === SEARCH_TOOL && onDemand) return true
  return (
    request.agent.config.tools.includes(name) ||
    request.agent.skills.some((skill) => skill.tools.includes(name))
  )
}

/** The agent's own tools, and those of a skill once it is loaded. */
function activeTools(
  request: TurnRequest,
  state: TurnState,
  onDemand: boolean,
): ReadonlySet<string> {
  const skill = request.agent.skills.find((candidate) => candidate.name === state.skill)
  const names = new Set([...request.agent.config.tools, ...(skill?.tools ?? [])])
  if (onDemand) names.add(SEARCH_TOOL)
  if (request.agent.bases.length === 0) names.delete(SEARCH_TOOL)
  if (request.agent.skills.length > 0) names.add(SKILL_TOOL)
  if (names.has(REMINDER_TOOL)) names.add(FOLLOWUP_TOOL)
  return names
}

function skillModel(ports: TurnPorts, request: TurnRequest, state: TurnState) {
  const skill = request.agent.skills.find((candidate) => candidate.name === state.skill)
  return skill?.model ? ports.resolveModel(skill.model) : null
}

/** Passages found in the middle of a turn are numbered on, so that marks stay unambiguous. */
async function searchMore(
  ports: TurnPorts,
  request: TurnRequest,
  state: TurnState,
  query: string,
): Promise<Passage[]> {
  const found = await retrieve(ports.search, request.agent.bases, query, request.k)
  const safe = request.agent.config.injection_guard
    ? dropHostile(found.passages, ports)
    : found.passages
  const known = new Map(state.passages.map((passage) => [passage.chunkId, passage]))
  const fresh = safe
    .filter((passage) => !known.has(passage.chunkId))
    .map((passage, index) => ({ ...passage, n: state.passages.length + index + 1 }))
  state.passages = [...state.passages, ...fresh]
  state.checker.addPassages(fresh, mergeIdf(found.results.map((result) => result.idf)))
  return safe.map(
    (passage) =>
      known.get(passage.chunkId) ??
      fresh.find((candidate) => candidate.chunkId === passage.chunkId) ??
      passage,
  )
}

export function outputLimit(request: TurnRequest): number {
  const own = request.agent.config.max_output_tokens ?? LIMITS.maxOutputTokens.default
  return request.maxOutputTokens === null ? own : Math.min(own, request.maxOutputTokens)
}

import { localize } from '../agents/localize'
import { loadOpposites } from '../language/opposites'
import { loadAsking } from '../lazy'
import { isFiltered } from '../models/filtered'
import { causesOf, ModelCallError } from '../models/model-failure'
import { estimateTokens } from '../models/tokens'
import { mergeIdf } from '../text/term-weights'
import type { PendingCall } from './asking/asked'
import { toolMessages } from './call-tools'
import { type CheckResult, createChecker } from './check'
import { compose } from './compose'
import type { TurnEvent } from './events'
import { type GenerateInput, generate, sizeOf } from './generate'
import { refusal } from './guard'
import { homeZone } from './moment'
import { nothingFound } from './nothing-found'
import { FORM_TOOL, mayConfirm, mayEverUse, OfferedTools, type ToolPorts } from './offer-tools'
import { phrase } from './phrases'
import { SpokenReply } from './reply/spoken-reply'
import { outputLimit, type TurnOutcome, type TurnPorts } from './run-turn'
import { askAgain, askRepair, type Finish } from './second-call'
import { tellUnseen } from './steps/notice-pictures'
import { type Exit, messageOf, type Turn } from './steps/step'
import { SEARCH_TOOL } from './tools'

type AnswerPorts = ToolPorts & Pick<TurnPorts, 'reserveStep' | 'verify' | 'signal' | 'spent'>

interface Answering {
  turn: Turn
  tools: OfferedTools
  call: GenerateInput
  reply: SpokenReply
  /** The model was found to take no pictures. */
  unseen: boolean
}

/** The middle of a turn: composes the prompt, has the model write, and checks each sentence while it streams. */
export const answer = (ports: AnswerPorts) =>
  async function* (turn: Turn): AsyncGenerator<TurnEvent, TurnOutcome> {
    const answering = await prepare(ports, turn)
    yield { type: 'status', stage: 'answering' }
    if (turn.confirmed) yield* carryOut(answering, turn.confirmed)
    let finish: Finish
    try {
      finish = yield* speakOnceMore(answering, yield* speak(answering))
    } catch (error) {
      if (answering.reply.heard !== '' || !causesOf(error).some(isFiltered)) throw error
      return { ...(yield* refuse(turn)), usage: ports.spent.total() }
    }
    const checked = yield* answering.reply.conclude(
      finish.reason === 'length' || turn.stop?.found === true,
    )
    // Nothing but marks, or markup that is not shown, is no answer, but no failure either.
    const wrote = answering.reply.heard.trim() !== ''
    const last = yield* repaired(answering, finish, checked, ports.nonce)
    const outcome = yield* conclude(answering, last.finish, last.checked, wrote)
    return { ...outcome, usage: ports.spent.total() }
  }

/** A provider's own content filter is treated as our guard is: the same refusal, and no second try, which would end the same way. */
async function* refuse({
  model,
  lang,
}: Turn): AsyncGenerator<TurnEvent, Omit<TurnOutcome, 'usage'>> {
  const text = refusal(lang)
  yield { type: 'token', text }
  const outcome = { model: model.name, unsourced: [], closest: [], cited: [] }
  return { ...outcome, reply: text, finishReason: 'guard' }
}

async function prepare(ports: AnswerPorts, turn: Turn): Promise<Answering> {
  const { request, lang, model, onDemand } = turn
  const { agent, message, now } = request
  const { greeting, noMatchReply } = localize(agent.config, lang)
  const { passages } = turn
  const idf = mergeIdf(turn.results.map((result) => result.idf))
  const memories = await turn.lookups.memories
  const profile = await turn.lookups.profile
  const remote = await turn.lookups.remote
  if (remote.length > 0) await ports.acts.recall()
  const zone = homeZone(profile, request.place, request.tenant)
  const checker = createChecker({
    passages,
    idf,
    grounded: agent.config.grounding_required,
    question: message,
    noMatchReply,
    readings: turn.readings,
    exempt: turn.smallTalk,
    templated: model.info.reads === 'facts',
  })
  if (turn.filledIn !== '') checker.addToolResult(turn.filledIn)
  const asks = mayEverUse(turn, FORM_TOOL) || mayConfirm(turn)
  const checks = agent.config.grounding_required && !turn.smallTalk
  const [asking] = await Promise.all([asks ? loadAsking() : null, checks ? loadOpposites() : null])
  const tools = new OfferedTools(ports, { turn, profile, zone, remote, checker, asking })
  const { instructions, messages } = compose({
    agent,
    tenant: request.tenant,
    history: turn.history,
    summary: turn.summary,
    passages,
    memories,
    profile,
    guide: turn.storyline?.guide ?? null,
    message,
    images: model.info.vision ? request.images : [],
    lang,
    now,
    zone,
    nonce: ports.nonce,
    onDemand,
    searches: mayEverUse(turn, SEARCH_TOOL),
  })
  const maxOutputTokens = outputLimit(request)
  const call: GenerateInput = {
    model,
    instructions,
    messages,
    tools: tools.all,
    activeTools: () => tools.active(),
    stepModel: () => tools.model(),
    forceTool: onDemand && agent.config.grounding_required ? SEARCH_TOOL : null,
    maxOutputTokens,
    reasoning: agent.config.reasoning,
    seed: request.seed ?? null,
    signal: ports.signal,
    spent: ports.spent,
    reserveStep: (promptTokens) => ports.reserveStep(promptTokens + maxOutputTokens),
    hasAsked: () => turn.asked !== null,
    isOver: () => answering.reply.isOver || turn.stop?.found === true,
    facts: () => ({
      task: 'answer',
      lang,
      question: messageOf(turn).about.message,
      context: turn.context,
      passages: turn.passages,
      idf,
      hasKnowledge: agent.bases.length > 0,
      greeting,
      noMatchReply,
    }),
  }
  const context = {
    tools: Object.keys(tools.all),
    titles: passages.map(({ title, documentName }) => title || documentName),
  }
  const reply = new SpokenReply(checker, ports.verify, request, context)
  const answering: Answering = { turn, tools, call, reply, unseen: false }
  return answering
}

/** What the user has confirmed is done before the model goes on, which is told of it like of any call. */
async function* carryOut(
  { tools, call }: Answering,
  confirmed: PendingCall,
): AsyncGenerator<TurnEvent> {
  const { id, reference: name } = confirmed
  yield { type: 'tool', id, name, state: 'running' }
  const done = await tools.carryOut(confirmed, call.signal)
  yield { type: 'tool', id, name, state: done.ok ? 'done' : 'failed' }
  call.messages = [...call.messages, ...toolMessages({ text: '', reasoning: '' }, [done])]
}

/** One call of the model, its words on their way to the listeners. */
async function* speak(answering: Answering): AsyncGenerator<TurnEvent, Finish> {
  const { turn, tools, call } = answering
  for await (const event of generate(call)) {
    turn.begun.resolve()
    if (event.type === 'text') yield* answering.reply.hear(event.text)
    else if (event.type === 'retract')
      answering.reply = yield* answering.reply.takeBack(event.chars)
    else if (event.type === 'tool') yield { ...event, name: tools.shownName(event.name) }
    else if (event.type === 'unseen') {
      answering.unseen = true
      if (!tellUnseen(turn)) break
    } else if (event.type === 'finish') {
      answering.reply = yield* answering.reply.rest()
      return event
    } else if (turn.request.agent.config.reasoning) yield event
  }
  return { reason: 'stop', ran: [] }
}

/** A model that said nothing at all is asked once more. */
async function* speakOnceMore(
  answering: Answering,
  finish: Finish,
): AsyncGenerator<TurnEvent, Finish> {
  const { turn, reply } = answering
  if (answering.unseen && !tellUnseen(turn)) return finish
  if (reply.heard.trim() !== '' || finish.reason === 'quota' || turn.asked) return finish
  const again = askAgain(answering.call, finish)
  if (!(await again.reserveStep(sizeOf(again.messages)))) return finish
  answering.call = again
  return yield* speak(answering)
}

/** When nothing is left of what a model said although there was something to say: once more, with the reason. */
async function* repaired(
  answering: Answering,
  finish: Finish,
  checked: CheckResult,
  nonce: string,
): AsyncGenerator<TurnEvent, { finish: Finish; checked: CheckResult }> {
  const { call, reply } = answering
  const asIs = { finish, checked }
  if (reply.text.trim() !== '' || !mayRepair(answering, finish)) return asIs
  const { unsourced } = checked
  const repair = askRepair(call, finish, reply.heard, unsourced, nonce)
  const tokens = estimateTokens(call.instructions) + sizeOf(repair.messages)
  if (!(await repair.reserveStep(tokens))) return asIs
  answering.call = repair
  answering.reply = reply.again()
  yield { type: 'status', stage: 'answering' }
  let last: Finish = { reason: 'stop', ran: [] }
  try {
    last = yield* speak(answering)
  } catch (error) {
    // A failed second attempt leaves what the first came to: nothing.
    if (!(error instanceof ModelCallError) || answering.reply.text !== '') throw error
  }
  const second = yield* answering.reply.conclude(last.reason === 'length')
  const fallen = [...new Set([...unsourced, ...second.unsourced])]
  return { finish: last, checked: { ...second, unsourced: fallen } }
}

function mayRepair({ turn, call, reply }: Answering, { reason }: Finish): boolean {
  if (turn.asked || reply.heard.trim() === '') return false
  const { info } = call.stepModel() ?? call.model
  const found = turn.passages.length > 0 || reply.checker.hasToolResults
  const { grounding_required } = turn.request.agent.config
  return grounding_required && found && reason !== 'quota' && info.reads === 'prompt'
}

/**
 * What the turn comes to; where nothing of the reply is left, a sentence of the platform's own.
 * @param wrote whether the model wrote anything, shown or not.
 */
async function* conclude(
  { turn, reply, unseen }: Answering,
  finish: Finish,
  { cited, unsourced, foundNothing }: CheckResult,
  wrote: boolean,
): AsyncGenerator<TurnEvent, Omit<TurnOutcome, 'usage'>> {
  const outcome = { model: turn.model.name, unsourced, closest: [] }
  if (turn.asked) return { ...outcome, reply: reply.text, cited, finishReason: 'stop' }
  if (reply.text.trim() !== '') {
    const said = finish.reason === 'stop' ? 'stop' : 'length'
    const finishReason = foundNothing && !turn.searchFailed ? 'no_match' : said
    return { ...outcome, reply: reply.text, cited, finishReason }
  }
  if (unseen && !tellUnseen(turn)) {
    const asked = phrase('images_unseen', turn.lang)
    yield { type: 'token', text: asked }
    return { ...outcome, reply: asked, cited: [], finishReason: 'stop' }
  }
  const { grounding_required } = turn.request.agent.config
  const unsupported = unsourced.length > 0 || (wrote && grounding_required)
  const otherwise = finish.reason === 'quota' ? 'length' : wrote ? 'stop' : 'error'
  const exit: Exit = unsupported
    ? nothingFound(turn)
    : { reply: phrase('no_answer', turn.lang), finishReason: otherwise }
  yield { type: 'token', text: exit.reply }
  return { ...outcome, ...exit, cited: [] }
}

import type { Acts } from '../../../src/chat/acts'
import type { ChatResponse } from '../../../src/chat/events'
import type { FailedTurn, TurnRequest } from '../../../src/chat/turn'
import { LIMITS } from '../../../src/config/limits'
import type { Job } from '../../../src/jobs/job'
import { createLog } from '../../../src/log'
import { hideDetails, presentSource } from '../../../src/wire/present-source'
import type { LiveEvents } from '../core/live-events'
import type { SpaceCore } from '../core/space-core'
import type { SpaceKeys } from '../core/space-keys'
import type { Enrollments } from '../enrollments/enrollments'
import type { Handoffs } from '../handoffs/handoffs'
import { type MessageBody, sealBody } from '../sessions/message-body'
import { relearnJobs } from '../sessions/relearn-jobs'
import type { SessionRow } from '../sessions/session-row'
import type { NewTurn } from './admission'
import type { Following } from './following'
import { leavesWork } from './leaves-work'
import type { LiveTurn } from './live-turn'
import { countTurn, dispatch, type Outbox, whyGone, withOthers } from './outbox'
import { usageEntries } from './prompt-bound'
import type { LiveOutcome } from './run-live-turn'
import type { RunningTurns } from './running-turns'
import type { Settlements } from './settlements'

type Ended = Pick<
  NewTurn,
  'request' | 'questionId' | 'replacing' | 'live' | 'known' | 'mayWait'
> & { acts: Acts }

/** Stores what a turn came to, and tells everybody. */
export class TurnEnd {
  readonly #core: SpaceCore
  readonly #running: RunningTurns
  readonly #events: LiveEvents
  readonly #enrollments: Enrollments
  readonly #handoffs: Handoffs
  readonly #settlements: Settlements
  readonly #following: Following

  constructor(
    core: SpaceCore,
    running: RunningTurns,
    events: LiveEvents,
    enrollments: Enrollments,
    handoffs: Handoffs,
    settlements: Settlements,
    following: Following,
  ) {
    this.#core = core
    this.#running = running
    this.#events = events
    this.#enrollments = enrollments
    this.#handoffs = handoffs
    this.#settlements = settlements
    this.#following = following
  }

  /** Reply, session and outbox commit together; only then do listeners hear that the turn is done. */
  async finish(
    keys: SpaceKeys,
    ended: Ended,
    result: LiveOutcome,
    listens: boolean | null,
  ): Promise<void> {
    const { request, replacing, live, known, acts } = ended
    const { stores, storage } = this.#core
    const { sessionId, messageId } = live
    const { outcome, status } = result
    const response = responseOf(request, live, outcome)
    const sealed = await sealBody(keys, messageId, bodyOf(response, live, acts, result))
    const { moves, handoff } = await this.#prepare(keys, ended, result)
    const now = Date.now()
    const outbox: Outbox = {
      turn: messageId,
      settle: usageEntries(request, result),
      ...healthOf(result),
      jobs: [],
      endedAt: now,
    }
    // Nobody else comes between this and the transaction.
    const session = this.#core.isClosed ? undefined : stores.sessions.get(sessionId)
    if (!session) return this.#discard(live, outbox)
    // What is said anew may leave the summary and the title as they were, or not.
    const isFollowed = this.#following.isAwaited(sessionId, now)
    if (
      replacing ||
      leavesWork(this.#core, session, { request, known }, result, listens, isFollowed)
    ) {
      this.#following.begin(sessionId, now)
      outbox.jobs.push(jobAfter(ended, result, listens, now))
    }
    storage.transactionSync(() => {
      this.#store(session, ended, result, sealed, outbox)
      if (handoff) this.#handoffs.open(handoff, now)
      this.#enrollments.commit(moves, now)
    })
    this.#remember(ended, result)
    await storage.sync()
    this.#running.release(sessionId)
    this.#events.hint({
      type: 'message',
      id: messageId,
      session_id: sessionId,
      role: 'assistant',
      change: 'created',
    })

    if (status === 'failed') tellFailed(live, 'upstream', result.failure?.retryable ?? true)
    else tellDone(live, response, seesDetails(request))
    if (moves.length > 0) await this.#enrollments.follow()
    if (handoff) await this.#handoffs.follow()
    if (outbox.waits) this.#settlements.hold(outbox)
    else await dispatch(this.#core, outbox)
  }

  /** Seals what a complete turn moves beside its reply: its storylines, and a person who was asked for. */
  async #prepare(
    keys: SpaceKeys,
    { request, live, known }: Ended,
    { outcome: { storyline, handoff }, status }: LiveOutcome,
  ) {
    if (status !== 'complete') return { moves: [], handoff: null }
    return {
      moves: storyline ? await this.#enrollments.prepare(keys, storyline.changes) : [],
      handoff: handoff
        ? await this.#handoffs.seal(keys, handoff, {
            sessionId: live.sessionId,
            message: request.message,
            lang: known.talkLang ?? request.lang,
            hours: request.agent.config.handoff_hours,
          })
        : null,
    }
  }

  /** The reply and what its session knows of it. Within the transaction. */
  #store(
    session: SessionRow,
    { request, questionId, replacing, live, mayWait }: Ended,
    { outcome, status }: LiveOutcome,
    sealed: string,
    outbox: Outbox,
  ): void {
    const { sessions, messages } = this.#core.stores
    const { sessionId, messageId } = live
    const now = outbox.endedAt
    // It may have been renamed while the model spoke.
    const agentName = this.#core.agents.nameOf(request.agent)
    const remade = replacing?.questionId ? replacing : null
    // A failed attempt leaves the answer that was there.
    const stands = remade === null || status !== 'failed'
    const left = remade && stands ? messages.leave(sessionId, remade.leaves, messageId) : []
    if (left.length > 0) sessions.dropSummary(sessionId, left[0]?.id ?? messageId)
    messages.add({
      sessionId,
      id: messageId,
      role: 'assistant',
      agentName,
      status,
      sealed,
      now,
      variantOf: remade?.variantOf ?? null,
      leftWith: stands ? null : messageId,
    })
    outbox.jobs.push(...relearnJobs(request.caller.address, sessionId, left))
    if (mayWait && status === 'complete' && outbox.jobs.length === 0) outbox.waits = true
    const replaced = stands ? 1 - left.length : 0
    sessions.closeTurn(sessionId, {
      agentId: request.agent.id,
      agentName,
      now,
      added: remade ? replaced : countTurn(this.#core, sessionId, questionId),
      found: foundBy(outcome),
      outbox: withOthers(this.#core, session, outbox),
    })
    if (outcome.cta) sessions.noteCall(sessionId)
  }

  /** Keeps the reply at hand for the next turn; of an answer made anew the messages are read again. */
  #remember({ replacing, live }: Ended, { outcome, status }: LiveOutcome): void {
    const { recent } = this.#core
    const { sessionId, messageId } = live
    if (replacing?.questionId) recent.forget(sessionId)
    else
      recent.add(sessionId, {
        id: messageId,
        role: 'assistant',
        status,
        content: outcome.reply,
        refused: outcome.finishReason === 'guard',
      })
  }

  /** The session, the space or its user was deleted while the model spoke: what was used is booked, what was said goes nowhere. */
  async #discard(live: LiveTurn, { settle }: Outbox): Promise<void> {
    this.#running.release(live.sessionId)
    const detail = 'Session not found'
    live.publish({ type: 'error', code: 'interrupted', detail, retryable: false })
    live.end({ ok: false, refusal: whyGone(this.#core) })
    await dispatch(this.#core, { turn: live.messageId, settle, jobs: [], endedAt: Date.now() })
  }

  /** What the turn came to could not be stored. The alarm ends it as one that a crash cut off. */
  fail(live: LiveTurn, error: unknown): void {
    createLog('turn', { message_id: live.messageId }).error('turn_not_saved', error)
    this.#running.release(live.sessionId)
    tellFailed(live, 'internal', true)
  }
}

/** What is done once the turn is told. */
const jobAfter = (
  { request: { agent, caller }, live: { sessionId, messageId } }: Ended,
  { outcome, status }: LiveOutcome,
  listens: boolean | null,
  endedAt: number,
): Job => ({
  type: 'turn.after',
  ...caller.address,
  sessionId,
  messageId,
  historyWindow: agent.config.history_window ?? LIMITS.historyWindow.default,
  agentName: agent.name,
  finishReason: status === 'failed' ? null : outcome.finishReason,
  endedAt,
  listens,
})

const FAILURES = { upstream: 'Upstream error', internal: 'Internal Server Error' } as const

function tellFailed(live: LiveTurn, code: keyof typeof FAILURES, retryable: boolean): void {
  live.publish({ type: 'error', code, detail: FAILURES[code], retryable })
  live.end({ ok: false, failed: namesOf(live) })
}

/** @param details whether the caller may know more of the sources than which they are; each listener has its own leave. */
function tellDone(live: LiveTurn, response: ChatResponse, details: boolean): void {
  const bare = { ...response, sources: response.sources.map(hideDetails), closest: [] }
  const tell = ({ sources }: ChatResponse) => ({ type: 'sources' as const, sources })
  live.publish(tell(response), false, tell(bare))
  live.publish({ type: 'done', response }, false, { type: 'done', response: bare })
  live.end({ ok: true, response: details ? response : bare })
}

const namesOf = ({ sessionId, messageId }: LiveTurn): FailedTurn => ({
  session_id: sessionId,
  message_id: messageId,
})

/** The whole answer, with every detail of its sources. */
const responseOf = (
  { agent, transcript }: TurnRequest,
  live: LiveTurn,
  outcome: LiveOutcome['outcome'],
): ChatResponse => ({
  ...namesOf(live),
  agent: agent.name,
  reply: outcome.reply,
  sources: outcome.cited.map(presentSource),
  transcript,
  suggestions: outcome.suggestions ?? [],
  ...(outcome.chips ? { chips: outcome.chips } : {}),
  closest: outcome.closest,
  finish_reason: outcome.finishReason,
  usage: {
    model: outcome.model,
    input_tokens: outcome.usage.inputTokens,
    output_tokens: outcome.usage.outputTokens,
    estimated: outcome.usage.estimatedTokens > 0,
  },
  ...shownBy(outcome),
})

/** What the message keeps: the answer, and what later turns and reviews need to know of it. */
const bodyOf = (
  { reply, sources, transcript, suggestions, chips, finish_reason, usage }: ChatResponse,
  live: LiveTurn,
  acts: Acts,
  { outcome, rewritten }: LiveOutcome,
): MessageBody => ({
  content: reply,
  sources,
  finishReason: finish_reason,
  usage,
  suggestions,
  ...(chips ? { chips } : {}),
  transcript,
  ...(outcome.closest.length > 0 ? { closest: outcome.closest } : {}),
  ...(outcome.unsourced.length > 0 ? { unsourced: outcome.unsourced } : {}),
  ...(rewritten ? { rewritten } : {}),
  ...(live.publicSources ? { publicSources: true } : {}),
  ...(outcome.pending ? { pending: outcome.pending } : {}),
  ...(acts.all.length > 0 ? { acts: acts.all } : {}),
  ...shownBy(outcome),
})

/** What is shown and asked beside the reply. */
function shownBy({
  storyline,
  clarify: offered,
  form: sent,
  cta,
}: LiveOutcome['outcome']): Pick<ChatResponse, 'storyline' | 'clarify' | 'form' | 'cta'> {
  const { shown } = storyline ?? {}
  const clarify = storyline?.clarify ?? offered
  const form = storyline?.form ?? sent
  return {
    ...(shown ? { storyline: shown } : {}),
    ...(clarify ? { clarify } : {}),
    ...(form ? { form } : {}),
    ...(cta ? { cta } : {}),
  }
}

/** Whether the user found what they asked for. */
const foundBy = ({ finishReason, offeredPerson }: LiveOutcome['outcome']) => {
  if (offeredPerson) return 'offered'
  return finishReason === 'no_match' ? 'missed' : 'found'
}

/** A failed call, or one that used something; a sentence of the platform's own tells nothing of the model. */
function healthOf({ outcome: { model, usage }, failure }: LiveOutcome): Pick<Outbox, 'health'> {
  if (failure) return { health: { model, code: failure.code } }
  return usage.outputTokens > 0 ? { health: { model, code: null } } : {}
}

/** Whether the caller of a turn may know more of its sources than which they are. */
export const seesDetails = (request: TurnRequest): boolean =>
  request.seesSources || request.agent.config.public_sources

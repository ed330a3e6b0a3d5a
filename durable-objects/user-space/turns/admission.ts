import { dayRules } from '../../../src/chat/day-rules'
import { KnownMessage } from '../../../src/chat/known-message'
import { searchedAhead, searchWidth } from '../../../src/chat/retrieve'
import { outputLimit } from '../../../src/chat/run-turn'
import type { TurnRequest } from '../../../src/chat/turn'
import { HOUR_MS, LIMITS, RERANKING } from '../../../src/config/limits'
import { configOf } from '../../../src/config/read-config'
import { loadVariants } from '../../../src/lazy'
import { createLog } from '../../../src/log'
import { tenantMeter } from '../../../src/platform/stubs'
import type { Replacing } from '../../../src/sessions/variants.lazy'
import type { TurnRefusal } from '../../../src/spaces/caller'
import type { DayRule } from '../../../src/usage/meter-types'
import type { LiveEvents } from '../core/live-events'
import type { SpaceCore } from '../core/space-core'
import type { SpaceKeys } from '../core/space-keys'
import { SPACE_BASE } from '../documents/document-search'
import type { Memories } from '../memories/memories'
import { readBody } from '../sessions/message-body'
import { readBytes } from '../sessions/read-bytes'
import type { SessionRow } from '../sessions/session-row'
import { LiveTurn } from './live-turn'
import { dispatch, leftBy } from './outbox'
import { boundPrompt, boundQuestion } from './prompt-bound'
import { Questions } from './questions'
import { RESERVED_MS } from './run-live-turn'
import type { RunningTurns } from './running-turns'
import type { Settlements } from './settlements'
import { isStateless, storeQuestion } from './store-question'

/** A turn that may run, and what it knows of the talk before it. */
export interface NewTurn {
  /** What is answered. */
  request: TurnRequest
  /** Id of the user's message. Where an answer is made anew nothing is stored under it. */
  questionId: string
  /** What it stands in the place of, null for nothing. */
  replacing: Replacing | null
  live: LiveTurn
  history: NonNullable<TurnRequest['history']>
  summary: string
  known: KnownMessage
  questions: Questions
  /** Whether a webhook waits for turns, null when the meter was never told. */
  listens: boolean | null
  /** Whether its settlement may go with the next turn's admission. */
  mayWait: boolean
}

/** A turn that was begun before, by the same Idempotency-Key. */
export interface Repeat {
  sessionId: string
  messageId: string
}

export type Admitted = NewTurn | { repeat: Repeat } | { refusal: TurnRefusal }

/** Lets turns in: look-ups first, then rate and quota in one call, then the question is stored and the model may be called. */
export class Admission {
  readonly #core: SpaceCore
  readonly #running: RunningTurns
  readonly #events: LiveEvents
  readonly #memories: Memories
  readonly #settlements: Settlements
  /** Idempotency keys of turns that are being admitted, and the digest of what was asked: not stored yet. */
  readonly #admitting = new Map<string, string>()
  /** Whether the last turn was refused for its rate or quota: then nothing is looked up ahead for the next one. */
  #refused = false
  /** Names that clients gave to sessions whose first turn is being admitted: not stored yet. */
  readonly #opening = new Set<string>()

  constructor(
    core: SpaceCore,
    running: RunningTurns,
    events: LiveEvents,
    memories: Memories,
    settlements: Settlements,
  ) {
    this.#core = core
    this.#running = running
    this.#events = events
    this.#memories = memories
    this.#settlements = settlements
  }

  async admit(keys: SpaceKeys, request: TurnRequest): Promise<Admitted> {
    const repeat = this.#findRepeat(request)
    if (repeat) return repeat
    if (request.replayOnly) return { refusal: { reason: 'repeat_running' } }
    const { idempotency } = request
    if (idempotency) this.#admitting.set(idempotency.key, idempotency.bodyHash)
    try {
      return await this.#admitNew(keys, request)
    } finally {
      if (idempotency) this.#admitting.delete(idempotency.key)
    }
  }

  knows(request: Pick<TurnRequest, 'idempotency' | 'now'>): boolean {
    return this.#findRepeat(request) !== null
  }

  /** Without await: between this look and the note that the key is taken nobody else may look. */
  #findRepeat({ idempotency, now }: Pick<TurnRequest, 'idempotency' | 'now'>): Admitted | null {
    if (!idempotency) return null
    const { turns, messages } = this.#core.stores
    turns.dropRepeats(now - LIMITS.idempotencyHours * HOUR_MS)
    const row = turns.repeat(idempotency.key)
    const bodyHash = this.#admitting.get(idempotency.key) ?? row?.body_hash
    if (bodyHash === undefined) return null
    if (bodyHash !== idempotency.bodyHash) return { refusal: { reason: 'repeat_differs' } }
    if (
      !row ||
      this.#admitting.has(idempotency.key) ||
      this.#running.isRunning(row.session_id, row.message_id)
    ) {
      return { refusal: { reason: 'repeat_running' } }
    }
    const reply = messages.get(row.session_id, row.message_id)
    const wasCutOff =
      !reply && turns.all().some((turn) => turn.id === row.message_id && !leftBy(this.#core, turn))
    // A failed attempt is no answer: the same request is a new attempt.
    if (reply?.status === 'failed' || wasCutOff) return null
    return { repeat: { sessionId: row.session_id, messageId: row.message_id } }
  }

  async #admitNew(keys: SpaceKeys, request: TurnRequest): Promise<Admitted> {
    if (this.#core.agents.isWithdrawn(request.agent.id, Date.now()))
      return { refusal: { reason: 'agent_withdrawn' } }
    const session = findSession(this.#core, request)
    if (request.sessionId !== null && !session) return { refusal: { reason: 'session' } }
    if (session && !request.agentNamed && session.agent_id !== request.agent.id) {
      return { refusal: { reason: 'agent', agentId: session.agent_id } }
    }
    const sessionId = session?.id ?? this.#core.mint(request.now)
    const opened = session ? null : request.sessionAlias
    if (this.#running.isBusy(sessionId) || (opened !== null && this.#opening.has(opened)))
      return { refusal: { reason: 'busy' } }

    const greeting = session ? null : (request.greeting ?? null)
    // Minted in this order: within a session, ids sort as the messages were said.
    const greeted =
      greeting === null ? null : { id: this.#core.mint(request.now), content: greeting }
    const questionId = this.#core.mint(request.now)
    const live = new LiveTurn(
      this.#core.mint(request.now),
      sessionId,
      configOf(this.#core.env).streamPingMs,
      request.agent.config.public_sources,
    )
    this.#running.occupy(live)
    if (opened !== null) this.#opening.add(opened)
    try {
      const admitted = await this.#letIn(keys, request, session, live, questionId, greeted)
      if ('refusal' in admitted) this.#running.release(sessionId)
      return admitted
    } catch (error) {
      this.#running.release(sessionId)
      throw error
    } finally {
      if (opened !== null) this.#opening.delete(opened)
    }
  }

  /** A turn whose session is held for it: reads what it needs of the talk, reserves, and stores the question. */
  async #letIn(
    keys: SpaceKeys,
    sent: TurnRequest,
    session: SessionRow | undefined,
    live: LiveTurn,
    questionId: string,
    greeted: { id: string; content: string } | null,
  ): Promise<NewTurn | { refusal: TurnRefusal }> {
    const replacing = await this.#readReplaced(keys, session, sent)
    if (replacing && 'reason' in replacing) return { refusal: replacing }
    const request = replacing?.request ?? sent
    const before = replacing?.before ?? null
    const told = await this.#core.recent.history(keys, request, session?.id ?? null, before)
    const history =
      greeted === null || isStateless(request)
        ? told
        : [{ role: 'assistant' as const, content: greeted.content }]
    const summary = await summaryOf(keys, request, session, before)
    const remembered = isStateless(request) ? 0 : await this.#memories.ready(keys)
    const known = new KnownMessage(request.message, history, request.lang)
    const questions = this.#askAhead(request, live, known, session?.handoff_id != null)
    const admitted = await this.#reserve(
      request,
      live,
      boundPrompt(request, history, summary, remembered),
    )
    this.#refused = !admitted.ok
    if (!admitted.ok) return { refusal: admitted }
    const isNew = session === undefined
    const question = { request, live, id: questionId, isNew, greeted, replacing }
    const refusal = await storeQuestion(this.#core, this.#events, keys, question)
    if (refusal) {
      const endedAt = Date.now()
      await dispatch(this.#core, { turn: live.messageId, settle: [], jobs: [], endedAt })
      return { refusal }
    }
    this.#running.dropOld()
    this.#running.add(live)
    live.publish({
      type: 'session',
      session_id: live.sessionId,
      message_id: live.messageId,
      agent: request.agent.name,
    })
    if (request.transcript !== null) live.publish({ type: 'transcript', text: request.transcript })
    const { listens, mayWait } = admitted
    return {
      request,
      questionId,
      replacing,
      live,
      history,
      summary,
      known,
      questions,
      listens,
      mayWait,
    }
  }

  /**
   * The bases are asked while the turn is being admitted: that writes nothing. For somebody who was just refused nothing is
   * done before it is known that they may come in.
   */
  #askAhead(
    request: TurnRequest,
    live: LiveTurn,
    known: KnownMessage,
    isSilent: boolean,
  ): Questions {
    const { env } = this.#core
    const fields = { message_id: live.messageId, agent_id: request.agent.id }
    const questions = new Questions(env, request.caller.address.tenantId, createLog('turn', fields))
    const query = searchedAhead(request, known)
    if (query === null || this.#refused || isSilent) return questions
    for (const { id, rerank } of request.agent.bases) {
      const k = rerank ? RERANKING.candidates : searchWidth(query, request.k)
      if (id !== SPACE_BASE.id) void questions.search(id, query, k)
    }
    return questions
  }

  /** Rate and quota in one call, which takes along what earlier turns used. */
  async #reserve(request: TurnRequest, live: LiveTurn, promptBound: number) {
    const { tenantId, userId } = request.caller.address
    const settled = this.#settlements.all
    const { user, tenant, address } = request.rates
    const { booked, ...admitted } = await tenantMeter(this.#core.env, tenantId).admit({
      id: live.messageId,
      keyId: request.keyId,
      windows: [
        { name: `chat ${userId}`, ...user },
        ...(address ? [address] : []),
        { name: 'chat', ...tenant },
      ],
      days: daysOf(request),
      tokens: promptBound + boundQuestion(this.#core.env, request) + outputLimit(request),
      space: request.caller.address,
      settled,
      ceiling: request.ceiling,
      expiresAt: Date.now() + RESERVED_MS,
    })
    this.#settlements.told(settled, booked)
    return admitted
  }

  /** What the turn is to stand in the place of, with what it answers then; null for nothing. */
  async #readReplaced(
    keys: SpaceKeys,
    session: SessionRow | undefined,
    request: TurnRequest,
  ): Promise<Replacing | TurnRefusal | null> {
    const { replaces } = request
    // Only an id says that there was something.
    if (replaces === null || (!session && (replaces === 'last' || typeof replaces === 'object')))
      return null
    if (!session) return { reason: 'message' }
    const { readReplaced } = await loadVariants()
    const { env, stores } = this.#core
    return readReplaced(
      {
        stores,
        keys,
        readBody: (row) => readBody(keys, row),
        readImage: (row) => readBytes(env, keys, request.caller.address, row),
      },
      session,
      request,
    )
  }
}

/** What was said before the history; '' where the caller brought its own, or where the turn goes back to before its end. */
async function summaryOf(
  keys: SpaceKeys,
  request: TurnRequest,
  session: SessionRow | undefined,
  before: string | null,
): Promise<string> {
  if (!session?.summary_sealed || request.history !== null) return ''
  if (before !== null && (session.summary_upto ?? '') >= before) return ''
  return (await keys.read('sessions', 'summary', session.id, session.summary_sealed)) ?? ''
}

/** The session that a request names by its id, or by a name of another system's. */
export function findSession(
  { stores: { sessions } }: SpaceCore,
  { sessionId, sessionAlias }: Pick<TurnRequest, 'sessionId' | 'sessionAlias'>,
) {
  if (sessionId !== null) return sessions.get(sessionId)
  return sessionAlias === null ? undefined : sessions.byAlias(sessionAlias)
}

const daysOf = ({ userCeiling, agent, caller, tenant, now }: TurnRequest): DayRule[] =>
  dayRules(
    {
      userId: caller.address.userId,
      agentId: agent.id,
      ceiling: userCeiling,
      ofAgent: agent.config.daily_tokens_per_user,
      timezone: tenant.timezone,
    },
    now,
  )

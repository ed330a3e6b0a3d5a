import { outputLimit } from '../../src/chat/run-turn'
import type { FinishedTurn, StartedTurn, TurnRequest } from '../../src/chat/turn'
import { HOUR_MS, LIMITS, MINUTE_MS } from '../../src/config/limits'
import { configOf } from '../../src/config/read-config'
import { createLog } from '../../src/log'
import { attachmentPath } from '../../src/platform/files'
import { tenantMeter } from '../../src/platform/stubs'
import { type Answer, ok, refuse } from '../../src/spaces/answer'
import type { SpaceCaller, TurnRefusal } from '../../src/spaces/caller'
import { hideDetails, presentSource } from '../../src/wire/present-source'
import type { Access } from './core/freeze'
import type { LiveEvents } from './core/live-events'
import type { SpaceCore } from './core/space-core'
import type { SpaceKeys } from './core/space-keys'
import type { Visit } from './core/visit'
import { type DocumentSearch, SPACE_BASE } from './documents/document-search'
import { type Authority, LiveTurn } from './live-turn'
import type { Memories } from './memories/memories'
import { dispatch, failTurn, type Outbox, WATCH_MS } from './outbox'
import { boundPrompt, boundQuestion, usageEntries } from './prompt-bound'
import type { Reminders } from './reminders/reminders'
import { type LiveOutcome, runLiveTurn, STOPPED, TURN_DEADLINE_MS } from './run-live-turn'
import { sealBody } from './sessions/message-store'
import { readStoredTurn, replayStoredTurn } from './stored-turn'

const REPLAY_MS = LIMITS.streamReplayMinutes * MINUTE_MS

/** A turn that was begun before, by the same Idempotency-Key. */
interface Repeat {
  sessionId: string
  messageId: string
}

const REPLAYED = { replayed: true } as const

type Begun = { live: LiveTurn } | { repeat: Repeat } | { refusal: TurnRefusal }
type Refusable<T> = ({ ok: true } & T) | { ok: false; refusal: TurnRefusal }

/** The turns of one space: admits them, runs them detached from whoever asked, stores them, and finds what a crash left. */
export class Turns {
  readonly #core: SpaceCore
  readonly #events: LiveEvents
  readonly #reminders: Reminders
  readonly #memories: Memories
  readonly #documents: DocumentSearch
  readonly #live = new Map<string, LiveTurn>()
  /** Idempotency keys of turns that are being admitted, and the digest of what was asked: not stored yet. */
  readonly #admitting = new Map<string, string>()
  /** Sessions with a turn under way, and its message id: one at a time. */
  readonly #busy = new Map<string, string>()
  #recovered = false

  constructor(
    core: SpaceCore,
    live: LiveEvents,
    reminders: Reminders,
    memories: Memories,
    documents: DocumentSearch,
  ) {
    this.#core = core
    this.#events = live
    this.#reminders = reminders
    this.#memories = memories
    this.#documents = documents
  }

  async start(request: TurnRequest): Promise<StartedTurn> {
    const begun = await this.#begin(request)
    if ('refusal' in begun) return { ok: false, refusal: begun.refusal }
    const turn = 'live' in begun ? begun.live : begun.repeat
    const stream =
      'live' in begun
        ? this.#listenTo(begun.live, 0, authorityOf(request))
        : await this.#listen(begun.repeat.messageId, 0, authorityOf(request), seesDetails(request))
    if (!stream) return { ok: false, refusal: { reason: 'session' } }
    const { sessionId, messageId } = turn
    return { ok: true, sessionId, messageId, stream, ...('live' in begun ? {} : REPLAYED) }
  }

  async complete(request: TurnRequest): Promise<FinishedTurn> {
    const begun = await this.#begin(request)
    if ('refusal' in begun) return { ok: false, refusal: begun.refusal }
    if ('live' in begun) return begun.live.finished
    const { messageId } = begun.repeat
    const stored = await readStoredTurn(this.#core, messageId, seesDetails(request))
    return stored.ok ? { ...stored, ...REPLAYED } : stored
  }

  async resume(
    caller: SpaceCaller,
    messageId: string,
    afterId: number,
    keyId: string | null,
  ): Promise<Refusable<{ stream: ReadableStream<Uint8Array> }>> {
    const visit = await this.#enter(caller, 'read')
    if (!visit.ok) return visit
    const stream = await this.#listen(messageId, afterId, authorityOf({ caller, keyId }))
    return stream ? { ok: true, stream } : { ok: false, refusal: { reason: 'session' } }
  }

  /** All frames of a session's running turn, null when none runs. */
  async resumeRunning(
    caller: SpaceCaller,
    session: Pick<TurnRequest, 'sessionId' | 'sessionAlias'>,
    keyId: string | null,
  ): Promise<Refusable<{ stream: ReadableStream<Uint8Array> | null }>> {
    const visit = await this.#enter(caller, 'read')
    if (!visit.ok) return visit
    const found = this.#findSession(session)
    if (!found && session.sessionId !== null) return { ok: false, refusal: { reason: 'session' } }
    const live = this.#live.get(this.#busy.get(found?.id ?? '') ?? '')
    if (!live) return { ok: true, stream: null }
    return { ok: true, stream: this.#listenTo(live, 0, authorityOf({ caller, keyId })) }
  }

  /** Stops a session's running turn and keeps what was said. @returns whether there was one. */
  async stop(_visit: Visit, sessionId: string): Promise<Answer<boolean>> {
    if (!this.#core.stores.sessions.get(sessionId)) return refuse('session')
    return ok(await this.end(sessionId))
  }

  /** Ends a session's running turn. @returns whether there was one. */
  async end(sessionId: string): Promise<boolean> {
    const live = this.#live.get(this.#busy.get(sessionId) ?? '')
    if (!live || live.ended) return false
    live.abort.abort(STOPPED)
    await live.finished
    return true
  }

  /** Ends every running turn and forgets what was opened: the user's key is gone. */
  abandon(): void {
    this.#core.recent.forgetAll()
    for (const live of this.#live.values()) live.abort.abort(STOPPED)
  }

  /** Turns that a crash cut off end as failed; turns that were stored but not handed on are handed on. Safe to run twice. */
  async recover(): Promise<void> {
    this.#dropOldTurns()
    for (const turn of this.#core.stores.turns.all()) {
      if (this.#busy.get(turn.session_id) === turn.id) continue
      if (turn.outbox !== null) {
        await dispatch(this.#core, turn.id, JSON.parse(turn.outbox) as Outbox)
      } else {
        this.#core.recent.forget(turn.session_id)
        await failTurn(this.#core, turn)
      }
    }
    if (this.#core.stores.turns.all().length > 0) await this.#core.wakeAt(Date.now() + WATCH_MS)
  }

  async #enter(caller: SpaceCaller, access: Access): Promise<Answer<Visit, TurnRefusal>> {
    const visit = await this.#core.as(caller, access)
    if (visit.ok) await this.prepare()
    return visit
  }

  /** The first who comes finds what a crash left. */
  async prepare(): Promise<void> {
    if (this.#recovered || this.#core.freeze.isFrozen) return
    this.#recovered = true
    await this.recover()
  }

  async #listen(
    messageId: string,
    afterId: number,
    authority: Authority,
    details = false,
  ): Promise<ReadableStream<Uint8Array> | null> {
    const live = this.#live.get(messageId)
    return live
      ? this.#listenTo(live, afterId, authority)
      : replayStoredTurn(this.#core, messageId, afterId, details)
  }

  #listenTo(live: LiveTurn, afterId: number, authority: Authority): ReadableStream<Uint8Array> {
    const stream = live.listen(afterId, authority)
    // The token may have ended while the turn was being admitted.
    this.dismissEnded()
    return stream
  }

  /** Ends the answers that are open to tokens which no longer stand, and all of them once the user is gone. */
  dismissEnded(): void {
    for (const live of this.#live.values())
      live.dismiss(
        'token',
        ({ tokenVersion }) => this.#core.isClosed || this.#core.isEnded(tokenVersion),
      )
  }

  #begin(request: TurnRequest): Promise<Begun> {
    return this.#core.freeze.during(() => this.#admitAndRun(request))
  }

  /** Look-ups first, then rate and quota in one call, then the user's message is stored and the model may be called. */
  async #admitAndRun(request: TurnRequest): Promise<Begun> {
    const visit = await this.#enter(request.caller, 'write')
    if (!visit.ok) return { refusal: visit.refusal }
    const { keys } = visit.value
    this.#core.setCeiling(request.ceiling)
    request = { ...request, agent: { ...request.agent, name: this.#core.nameOf(request.agent) } }
    if (this.#documents.searchable) request = withSpaceBase(request)
    const repeat = this.#findRepeat(request)
    if (repeat) return repeat
    const { idempotency } = request
    if (idempotency) this.#admitting.set(idempotency.key, idempotency.bodyHash)
    try {
      return await this.#beginNew(keys, request)
    } finally {
      if (idempotency) this.#admitting.delete(idempotency.key)
    }
  }

  async #beginNew(keys: SpaceKeys, request: TurnRequest): Promise<Begun> {
    if (this.#core.isWithdrawn(request.agent.id, Date.now()))
      return { refusal: { reason: 'agent_withdrawn' } }
    const session = this.#findSession(request)
    if (request.sessionId !== null && !session) return { refusal: { reason: 'session' } }
    if (session && !request.agentNamed && session.agent_id !== request.agent.id) {
      return { refusal: { reason: 'agent', agentName: session.agent_name } }
    }
    const sessionId = session?.id ?? this.#core.mint(request.now)
    if (this.#busy.has(sessionId)) return { refusal: { reason: 'busy' } }

    // Minted in this order: within a session, ids sort as the messages were said.
    const userMessageId = this.#core.mint(request.now)
    const live = new LiveTurn(
      this.#core.mint(request.now),
      sessionId,
      configOf(this.#core.env).streamPingMs,
    )
    this.#busy.set(sessionId, live.messageId)
    try {
      const history = await this.#core.recent.history(keys, request, session?.id ?? null)
      const summary =
        session?.summary_sealed && request.history === null
          ? ((await keys.read('sessions', 'summary', session.id, session.summary_sealed)) ?? '')
          : ''
      const remembered = isStateless(request) ? 0 : await this.#memories.ready(keys)
      const admitted = await this.#admit(
        request,
        live,
        boundPrompt(request, history, summary, remembered),
      )
      if (!admitted.ok) {
        this.#busy.delete(sessionId)
        return { refusal: admitted }
      }
      if (!(await this.#storeQuestion(keys, request, live, userMessageId, session === undefined))) {
        this.#busy.delete(sessionId)
        await dispatch(this.#core, live.messageId, { settle: [], jobs: [] })
        return { refusal: { reason: 'user_gone' } }
      }
      this.#dropOldTurns()
      this.#live.set(live.messageId, live)
      live.publish({
        type: 'session',
        session_id: sessionId,
        message_id: live.messageId,
        agent: request.agent.name,
      })
      if (request.transcript !== null) {
        live.publish({ type: 'transcript', text: request.transcript })
      }
      void this.#core.freeze.during(() => this.#run(keys, request, live, history, summary))
      return { live }
    } catch (error) {
      this.#busy.delete(sessionId)
      throw error
    }
  }

  #findSession({ sessionId, sessionAlias }: Pick<TurnRequest, 'sessionId' | 'sessionAlias'>) {
    if (sessionId !== null) return this.#core.stores.sessions.get(sessionId)
    return sessionAlias === null ? undefined : this.#core.stores.sessions.byAlias(sessionAlias)
  }

  /** Without await: between this look and the note that the key is taken nobody else may look. */
  #findRepeat({ idempotency, now }: TurnRequest): Begun | null {
    if (!idempotency) return null
    const { turns, messages } = this.#core.stores
    turns.dropRepeats(now - LIMITS.idempotencyHours * HOUR_MS)
    const row = turns.repeat(idempotency.key)
    const bodyHash = this.#admitting.get(idempotency.key) ?? row?.body_hash
    if (bodyHash === undefined) return null
    if (bodyHash !== idempotency.bodyHash) return { refusal: { reason: 'repeat_differs' } }
    if (!row || this.#admitting.has(idempotency.key) || this.#isRunning(row)) {
      return { refusal: { reason: 'repeat_running' } }
    }
    const reply = messages.get(row.session_id, row.message_id)
    const wasCutOff = !reply && turns.all().some((turn) => turn.id === row.message_id)
    // A failed attempt is no answer: the same request is a new attempt.
    if (reply?.status === 'failed' || wasCutOff) return null
    return { repeat: { sessionId: row.session_id, messageId: row.message_id } }
  }

  #isRunning(row: { session_id: string; message_id: string }): boolean {
    return this.#busy.get(row.session_id) === row.message_id
  }

  #admit(request: TurnRequest, live: LiveTurn, promptBound: number) {
    const { tenantId, userId } = request.caller.address
    return tenantMeter(this.#core.env, tenantId).admit({
      id: live.messageId,
      keyId: request.keyId,
      windows: [
        { name: `chat ${userId}`, ...request.rates.user },
        { name: 'chat', ...request.rates.tenant },
      ],
      tokens: promptBound + boundQuestion(this.#core.env, request) + outputLimit(request),
      ceiling: request.ceiling,
      expiresAt: Date.now() + TURN_DEADLINE_MS + MINUTE_MS,
    })
  }

  /** @returns false when space or user were deleted meanwhile: then nothing is stored. */
  async #storeQuestion(
    keys: SpaceKeys,
    request: TurnRequest,
    live: LiveTurn,
    userMessageId: string,
    isNew: boolean,
  ): Promise<boolean> {
    const { stores, storage } = this.#core
    const { now, agent, transcript } = request
    const { sessionId } = live
    const body = { content: request.message, ...(transcript === null ? {} : { transcript }) }
    const sealed = await sealBody(keys, userMessageId, body)
    const attachments = await this.#storeImages(keys, request)
    if (this.#core.isClosed) return false
    storage.transactionSync(() => {
      if (isStateless(request)) this.#core.setStateless(sessionId)
      if (isNew) {
        const { channel, sessionAlias } = request
        const by = { agentId: agent.id, agentName: agent.name }
        stores.sessions.add({ id: sessionId, ...by, channel, alias: sessionAlias, now })
      }
      stores.messages.add({
        sessionId,
        id: userMessageId,
        role: 'user',
        agentName: null,
        status: 'complete',
        sealed,
        now,
      })
      for (const image of attachments) {
        stores.attachments.add({ ...image, sessionId, messageId: userMessageId, now })
      }
      stores.turns.begin({
        id: live.messageId,
        session_id: sessionId,
        user_message_id: userMessageId,
        agent_id: agent.id,
        agent_name: agent.name,
        started_at: now,
      })
      if (request.idempotency) {
        const { key, bodyHash } = request.idempotency
        stores.turns.addRepeat(key, bodyHash, live.messageId, sessionId, now)
      }
    })
    await this.#core.wakeAt(Date.now() + WATCH_MS)
    if (isNew) this.#events.hint({ type: 'session', id: sessionId, change: 'created' })
    this.#hintMessage(sessionId, userMessageId, 'user')
    const said = { role: 'user' as const, status: 'complete' as const, content: request.message }
    this.#core.recent.add(sessionId, { id: userMessageId, ...said }, isNew)
    return true
  }

  #storeImages(keys: SpaceKeys, request: TurnRequest) {
    return Promise.all(
      request.images.map(async (image) => {
        const id = this.#core.mint(request.now)
        const { sealed, wrappedKey } = await keys.sealAttachment(id, image.bytes)
        await this.#core.putFile(attachmentPath(request.caller.address, id), sealed)
        const nameSealed = await keys.seal('attachments', 'name', id, image.name)
        return { id, mime: image.mime, nameSealed, size: image.bytes.length, wrappedKey }
      }),
    )
  }

  async #run(
    keys: SpaceKeys,
    request: TurnRequest,
    live: LiveTurn,
    history: NonNullable<TurnRequest['history']>,
    summary: string,
  ): Promise<void> {
    const result = await runLiveTurn(
      this.#core.env,
      live,
      { request, history, summary },
      (kind, wanted) =>
        this.#reminders.scheduleByAgent(kind, wanted, {
          agentName: this.#core.nameOf(request.agent),
          sessionId: live.sessionId,
        }),
      {
        recall: async (message, embedMessage) =>
          this.#core.remembers(live.sessionId)
            ? this.#memories.recall(keys, message, embedMessage, request.now)
            : [],
        search: (query, k) => this.#documents.search(keys, query, k),
        profile: () => this.#core.profile(keys),
      },
      () => this.#core.ownModel(),
    )
    try {
      await this.#finish(keys, request, live, result)
    } catch (error) {
      createLog('turn', { message_id: live.messageId }).error('turn_not_saved', error)
      this.#busy.delete(live.sessionId)
      const detail = 'Internal Server Error'
      live.publish({ type: 'error', code: 'internal', detail, retryable: true })
      live.end({ ok: false, failed: { code: 'internal', detail } })
    }
  }

  /** Reply, session and outbox commit together; only then do listeners hear that the turn is done. */
  async #finish(
    keys: SpaceKeys,
    request: TurnRequest,
    live: LiveTurn,
    result: LiveOutcome,
  ): Promise<void> {
    const { stores, storage } = this.#core
    const { sessionId, messageId } = live
    const { agent, transcript } = request
    const { outcome, status, failure, rewritten } = result
    const sources = outcome.cited.map(presentSource)
    const usage = {
      model: outcome.model,
      input_tokens: outcome.usage.inputTokens,
      output_tokens: outcome.usage.outputTokens,
      estimated: outcome.usage.estimatedTokens > 0,
    }
    const sealed = await sealBody(keys, messageId, {
      content: outcome.reply,
      sources,
      finishReason: outcome.finishReason,
      usage,
      suggestions: [],
      transcript,
      ...(outcome.closest.length > 0 ? { closest: outcome.closest } : {}),
      ...(outcome.unsourced.length > 0 ? { unsourced: outcome.unsourced } : {}),
      ...(rewritten ? { rewritten } : {}),
    })
    const historyWindow = agent.config.history_window ?? LIMITS.historyWindow.default
    const now = Date.now()
    const outbox: Outbox = {
      settle: usageEntries(request, result),
      ...healthOf(result),
      jobs: [
        {
          type: 'turn.after',
          ...request.caller.address,
          sessionId,
          messageId,
          historyWindow,
          keyId: request.keyId,
          agentName: agent.name,
          finishReason: status === 'failed' ? null : outcome.finishReason,
          endedAt: now,
        },
      ],
    }
    if (this.#core.isClosed) return this.#discard(live, outbox)
    // It may have been renamed while the model spoke.
    const agentName = this.#core.nameOf(agent)
    storage.transactionSync(() => {
      const role = 'assistant'
      stores.messages.add({ sessionId, id: messageId, role, agentName, status, sealed, now })
      stores.sessions.closeTurn(sessionId, agent.id, agentName, now)
      stores.turns.fillOutbox(messageId, JSON.stringify(outbox))
    })
    this.#core.recent.add(sessionId, {
      id: messageId,
      role: 'assistant',
      status,
      content: outcome.reply,
    })
    await storage.sync()
    this.#busy.delete(sessionId)
    this.#hintMessage(sessionId, messageId, 'assistant')

    if (status === 'failed') {
      const detail = 'Upstream error'
      const retryable = failure?.retryable ?? true
      live.publish({ type: 'error', code: 'upstream', detail, retryable })
      live.end({ ok: false, failed: { code: 'upstream', detail } })
    } else {
      const details = seesDetails(request)
      const visible = details ? sources : sources.map(hideDetails)
      const response = {
        session_id: sessionId,
        message_id: messageId,
        agent: agent.name,
        reply: outcome.reply,
        sources: visible,
        transcript,
        suggestions: [],
        closest: details ? outcome.closest : [],
        finish_reason: outcome.finishReason,
        usage,
      }
      live.publish({ type: 'sources', sources: visible })
      live.publish({ type: 'done', response })
      live.end({ ok: true, response })
    }
    await dispatch(this.#core, messageId, outbox)
  }

  /** The user was deleted while the model spoke: what was used is booked, what was said goes nowhere. */
  async #discard(live: LiveTurn, { settle }: Outbox): Promise<void> {
    this.#busy.delete(live.sessionId)
    const detail = 'Session not found'
    live.publish({ type: 'error', code: 'interrupted', detail, retryable: false })
    live.end({ ok: false, failed: { code: 'interrupted', detail } })
    await dispatch(this.#core, live.messageId, { settle, jobs: [] })
  }

  #hintMessage(session_id: string, id: string, role: 'user' | 'assistant'): void {
    this.#events.hint({ type: 'message', id, session_id, role, change: 'created' })
  }

  /** Frames of finished turns stay in memory for the replay's time, as long as the object happens to be awake. */
  #dropOldTurns(): void {
    const oldest = Date.now() - REPLAY_MS
    for (const [id, live] of this.#live) {
      if (live.endedAt !== null && live.endedAt < oldest) this.#live.delete(id)
    }
  }
}

/** The space's own documents are searched as one more base of the agent. */
function withSpaceBase(request: TurnRequest): TurnRequest {
  const { agent } = request
  return { ...request, agent: { ...agent, bases: [...agent.bases, SPACE_BASE] } }
}

const authorityOf = ({ caller, keyId }: Pick<TurnRequest, 'caller' | 'keyId'>): Authority => ({
  tokenVersion: caller.tokenVersion,
  keyId,
})
/** A failed call, or one that used something; a sentence of the platform's own tells nothing of the model. */
function healthOf({ outcome: { model, usage }, failure }: LiveOutcome): Pick<Outbox, 'health'> {
  if (failure) return { health: { model, code: failure.code } }
  return usage.outputTokens > 0 ? { health: { model, code: null } } : {}
}

/** An agent without history is told of nothing earlier and leaves nothing behind. */
const isStateless = (request: TurnRequest) => request.agent.config.history_window === 0

/** Whether the caller of a turn may know more of its sources than which they are. */
const seesDetails = (request: TurnRequest): boolean =>
  request.seesSources || request.agent.config.public_sources

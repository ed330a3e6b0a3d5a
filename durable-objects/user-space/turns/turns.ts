import { Acts } from '../../../src/chat/acts'
import type { FinishedTurn, StartedTurn, TurnRequest } from '../../../src/chat/turn'
import { type Answer, ok, refuse } from '../../../src/spaces/answer'
import type { SpaceCaller, TurnRefusal } from '../../../src/spaces/caller'
import type { Access } from '../core/freeze'
import type { LiveEvents } from '../core/live-events'
import type { SpaceCore } from '../core/space-core'
import type { SpaceKeys } from '../core/space-keys'
import type { Visit } from '../core/visit'
import { type DocumentSearch, SPACE_BASE } from '../documents/document-search'
import type { Enrollments } from '../enrollments/enrollments'
import type { Handoffs } from '../handoffs/handoffs'
import type { Memories } from '../memories/memories'
import type { Reminders } from '../reminders/reminders'
import { Admission, type Admitted, findSession, type NewTurn } from './admission'
import { readEarlierActs } from './earlier-acts'
import type { Following } from './following'
import type { Authority, LiveTurn } from './live-turn'
import { dispatch, failTurn, leftBy } from './outbox'
import { readPending } from './pending'
import { runLiveTurn } from './run-live-turn'
import { RunningTurns } from './running-turns'
import { LOOK_MS, Settlements } from './settlements'
import { readStoredTurn, replayStoredTurn } from './stored-turn'
import { seesDetails, TurnEnd } from './turn-end'

const REPLAYED = { replayed: true } as const
/** An Idempotency-Key is repeated whose answer was deleted, or left out by an edit. */
const REPEAT_GONE = { ok: false, refusal: { reason: 'repeat_gone' } } as const

/** The turns of one space: admits them, runs them detached from whoever asked, stores them, and finds what a crash left. */
export class Turns {
  readonly #core: SpaceCore
  readonly #reminders: Reminders
  readonly #memories: Memories
  readonly #documents: DocumentSearch
  readonly #enrollments: Enrollments
  readonly #handoffs: Handoffs
  readonly #running = new RunningTurns()
  readonly #settlements: Settlements
  readonly #admission: Admission
  readonly #end: TurnEnd
  #recovered = false

  constructor(
    core: SpaceCore,
    live: LiveEvents,
    reminders: Reminders,
    memories: Memories,
    documents: DocumentSearch,
    enrollments: Enrollments,
    handoffs: Handoffs,
    following: Following,
  ) {
    this.#core = core
    this.#reminders = reminders
    this.#memories = memories
    this.#documents = documents
    this.#enrollments = enrollments
    this.#handoffs = handoffs
    this.#settlements = new Settlements(core)
    this.#admission = new Admission(core, this.#running, live, memories, this.#settlements)
    this.#end = new TurnEnd(
      core,
      this.#running,
      live,
      enrollments,
      handoffs,
      this.#settlements,
      following,
    )
  }

  async start(request: TurnRequest): Promise<StartedTurn> {
    const begun = await this.#begin(request)
    if ('refusal' in begun) return { ok: false, refusal: begun.refusal }
    const turn = 'live' in begun ? begun.live : begun.repeat
    const stream =
      'live' in begun
        ? this.#listenTo(begun.live, 0, authorityOf(request))
        : await this.#listen(begun.repeat.messageId, 0, authorityOf(request), seesDetails(request))
    if (!stream) return REPEAT_GONE
    const { sessionId, messageId } = turn
    return { ok: true, sessionId, messageId, stream, ...('live' in begun ? {} : REPLAYED) }
  }

  async complete(request: TurnRequest): Promise<FinishedTurn> {
    const begun = await this.#begin(request)
    if ('refusal' in begun) return { ok: false, refusal: begun.refusal }
    if ('live' in begun) return begun.live.finished
    const { messageId } = begun.repeat
    const stored = await readStoredTurn(this.#core, messageId, seesDetails(request))
    if ('refusal' in stored) return REPEAT_GONE
    return stored.ok ? { ...stored, ...REPLAYED } : stored
  }

  async resume(
    caller: SpaceCaller,
    messageId: string,
    afterId: number,
    keyId: string | null,
  ): Promise<Answer<ReadableStream<Uint8Array>>> {
    const visit = await this.#enter(caller, 'read')
    if (!visit.ok) return visit
    const authority = authorityOf({ caller, keyId })
    const stream = await this.#listen(messageId, afterId, authority, keyId !== null || undefined)
    return stream ? ok(stream) : refuse('message')
  }

  /** All frames of a session's running turn, null when none runs. */
  async resumeRunning(
    caller: SpaceCaller,
    session: Pick<TurnRequest, 'sessionId' | 'sessionAlias'>,
    keyId: string | null,
  ): Promise<Answer<ReadableStream<Uint8Array> | null>> {
    const visit = await this.#enter(caller, 'read')
    if (!visit.ok) return visit
    const found = findSession(this.#core, session)
    if (!found && session.sessionId !== null) return refuse('session')
    const live = found && this.#running.inSession(found.id)
    return ok(live ? this.#listenTo(live, 0, authorityOf({ caller, keyId })) : null)
  }

  /** Whether a request with an Idempotency-Key is answered, or refused, without a new turn. */
  async knows(
    _visit: Visit,
    idempotency: NonNullable<TurnRequest['idempotency']>,
    now: number,
  ): Promise<Answer<boolean>> {
    return ok(this.#admission.knows({ idempotency, now }))
  }

  /** Stops a session's running turn and keeps what was said. @returns whether there was one. */
  async stop(_visit: Visit, sessionId: string): Promise<Answer<boolean>> {
    if (!this.#core.stores.sessions.has(sessionId)) return refuse('session')
    return ok(await this.end(sessionId))
  }

  /** Whether a session's turn is being admitted, runs or is being stored. */
  isBusy(sessionId: string): boolean {
    return this.#running.isBusy(sessionId)
  }

  /** Ends a session's running turn. @returns whether there was one. */
  async end(sessionId: string): Promise<boolean> {
    const live = this.#running.stop(sessionId)
    // One that is being admitted may still be refused, and nobody would hear that it is over.
    if (this.#running.inSession(sessionId)) await live?.finished
    return live !== undefined
  }

  /** Ends every running turn and forgets what was opened: the user's key is gone. */
  abandon(): void {
    this.#core.recent.forgetAll()
    this.#running.stopAll()
  }

  /**
   * Turns that a crash cut off end as failed; turns that were stored but not handed on are handed on, but for what waits for
   * the next turn. Safe to run twice.
   */
  async recover(): Promise<void> {
    this.#running.dropOld()
    for (const turn of this.#core.stores.turns.all()) {
      if (this.#running.isRunning(turn.session_id, turn.id)) continue
      const outbox = leftBy(this.#core, turn)
      if (outbox?.waits) {
        this.#settlements.hold(outbox)
      } else if (outbox) {
        await dispatch(this.#core, outbox)
      } else if (this.#core.stores.messages.has(turn.session_id, turn.id)) {
        // It was handed on, as a later turn of its session knew that took another slot.
        this.#core.stores.turns.end(turn.id)
      } else {
        this.#core.recent.forget(turn.session_id)
        await failTurn(this.#core, turn)
      }
    }
    if (this.#core.stores.turns.all().length > 0) await this.#core.wakeAt(Date.now() + LOOK_MS)
  }

  /** Tells the meter what waits for the next turn. @returns whether it heard of all: else the alarm comes again */
  async settle(): Promise<boolean> {
    if (this.#core.isGone) return true
    for (const turn of this.#core.stores.turns.all()) {
      const outbox = leftBy(this.#core, turn)
      if (outbox?.waits) this.#settlements.hold(outbox)
    }
    return this.#settlements.settle()
  }

  /** Called by the alarm: recovers, settles, and notes which turns are over, so that a later wake need not look at them. */
  async lookAfter(): Promise<void> {
    await this.recover()
    await this.#settlements.lookAfter()
    this.#core.stores.turns.noteEnded()
  }

  #enter(
    caller: SpaceCaller,
    access: Access,
    storesFirst = false,
  ): Promise<Answer<Visit, TurnRefusal>> {
    return this.#core.as(caller, access, () => this.prepare(), storesFirst)
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
    details: boolean | undefined,
  ): Promise<ReadableStream<Uint8Array> | null> {
    const live = this.#running.get(messageId)
    // What was deleted or edited since is not told as it was.
    const row = live?.isStored ? this.#core.stores.messages.find(messageId) : undefined
    return live && (!live.isStored || row?.edited_at === null)
      ? this.#listenTo(live, afterId, authority)
      : replayStoredTurn(this.#core, messageId, afterId, details)
  }

  #listenTo(live: LiveTurn, afterId: number, authority: Authority): ReadableStream<Uint8Array> {
    const stream = live.listen(afterId, authority)
    // The token may have ended while the turn was being admitted.
    this.#dismissFrom(live)
    return stream
  }

  /** Ends the answers that are open to tokens which no longer stand, and all of them once the user is gone. */
  dismissEnded(): void {
    for (const live of this.#running.all()) this.#dismissFrom(live)
  }

  #dismissFrom(live: LiveTurn): void {
    live.dismiss(
      'token',
      ({ tokenVersion }) => this.#core.isClosed || this.#core.isEnded(tokenVersion),
    )
  }

  #begin(request: TurnRequest): Promise<Admitted> {
    const core = this.#core
    // A new object's owner is stored in one commit with its first question; if the turn was refused, here.
    return core.freeze.during(() => this.#admit(request).finally(() => core.storeFirst()))
  }

  async #admit(request: TurnRequest): Promise<Admitted> {
    const visit = await this.#enter(request.caller, 'write', true)
    if (!visit.ok) return { refusal: visit.refusal }
    const { keys } = visit.value
    this.#core.setCeiling(request.ceiling)
    const agent = { ...request.agent, name: this.#core.agents.nameOf(request.agent) }
    const named = { ...request, agent }
    const whole = this.#documents.searchable ? withSpaceBase(named) : named
    const admitted = await this.#admission.admit(keys, whole)
    if ('live' in admitted) void this.#core.freeze.during(() => this.#run(keys, admitted))
    return admitted
  }

  async #run(keys: SpaceKeys, turn: NewTurn): Promise<void> {
    const { request, replacing, live, history, summary, known, questions, listens } = turn
    const place = (replacing?.questionId && replacing.variantOf) || live.messageId
    const acts = new Acts(place, () => readEarlierActs(this.#core, keys, live, replacing))
    const result = await runLiveTurn(
      this.#core.env,
      live,
      { request, history, summary, known },
      questions,
      (kind, wanted, former = null) =>
        this.#reminders.scheduleByAgent(kind, wanted, {
          agentName: this.#core.agents.nameOf(request.agent),
          sessionId: live.sessionId,
          former,
        }),
      {
        recall: async (message, embedMessage) =>
          this.#core.remembers(live.sessionId)
            ? this.#memories.recall(keys, message, embedMessage, request.now)
            : [],
        search: (query, k) => this.#documents.search(keys, query, k),
        profile: () => this.#core.profile.facts(keys),
        storylines: this.#enrollments.desk(keys, request, live.sessionId, live.messageId),
        handoff: this.#handoffs.desk(live.sessionId),
        pending: () => readPending(this.#core, keys, live, replacing),
        acts,
        mayCall: () => this.#core.stores.sessions.mayCall(live.sessionId),
      },
      () => this.#core.ownModel(),
    )
    try {
      await this.#end.finish(keys, { ...turn, acts }, result, listens)
    } catch (error) {
      this.#end.fail(live, error)
    } finally {
      this.#enrollments.end(live.messageId)
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

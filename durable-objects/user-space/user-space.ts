import { DurableObject } from 'cloudflare:workers'
import type { FinishedTurn, StartedTurn, TurnRequest } from '../../src/chat/turn'
import { MERGE, MINUTE_MS } from '../../src/config/limits'
import type { SpaceIdentity } from '../../src/context'
import { createLog, type Log } from '../../src/log'
import { userSpace } from '../../src/platform/stubs'
import type { Answer } from '../../src/spaces/answer'
import type { SpaceCaller } from '../../src/spaces/caller'
import { LiveEvents, type StreamOpening } from './core/live-events'
import { SpaceCore } from './core/space-core'
import { ASKED, type AskedPart, callVerb, verbOf, WORK, type WorkPart } from './core/verbs'
import { MergeSource } from './merge/merge-source'
import { type BuiltParts, buildParts } from './parts'

const RETRY_MS = MINUTE_MS

/**
 * One user's space of one tenant. People come in by `ask`, background work by `work`, each with the name of a part and of
 * what it is to do (`core/verbs.ts`); turns and streams, which outlive the call, have methods of their own.
 */
export class UserSpace extends DurableObject<Env> {
  readonly #core: SpaceCore
  readonly #live: LiveEvents
  readonly #parts: BuiltParts
  readonly #departure: MergeSource

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env)
    this.#core = new SpaceCore(ctx, env)
    this.#live = new LiveEvents(this.#core, ctx)
    this.#parts = buildParts(this.#core, this.#live)
    const { turns } = this.#parts
    this.#departure = new MergeSource(this.#core, {
      settleTurns: async () => {
        await turns.recover()
        await turns.settle()
        return this.#core.stores.turns.all().length === 0
      },
      left: () => this.#forgetOpened('space'),
    })
    void ctx.blockConcurrencyWhile(() => this.#core.open())
  }

  /** What people ask, after the guard let them in; `ASKED` says whether it changes the space. */
  async ask(
    caller: SpaceCaller,
    name: AskedPart,
    verb: string,
    args: unknown[],
  ): Promise<Answer<unknown>> {
    const access = verbOf(ASKED, name, verb)
    const part = this.#parts[name]
    return this.#core.freeze.during(async () => {
      const prepare = 'prepare' in part ? () => part.prepare() : undefined
      const visit = await this.#core.as(caller, access, prepare)
      if (!visit.ok) return visit
      return callVerb(part, verb, [visit.value, ...args]) as Promise<Answer<unknown>>
    })
  }

  /** Work that no caller waits for; `WORK` says whether it goes where the space went. */
  async work(name: WorkPart, verb: string, args: unknown[]): Promise<unknown> {
    const place = verbOf(WORK, name, verb)
    const run = async () => callVerb(this.#parts[name], verb, args)
    if (place === 'here') return run()
    const { freeze, env } = this.#core
    await freeze.settled()
    if (!freeze.movedTo) return freeze.during(run)
    const { address } = this.#core.callerHere()
    return userSpace(env, { ...address, spaceId: freeze.movedTo.id }).work(name, verb, args)
  }

  /** Admits a turn, runs it detached from the caller, and returns its frames as server-sent events. */
  async startTurn(request: TurnRequest): Promise<StartedTurn> {
    return this.#parts.turns.start(request)
  }

  /** As `startTurn`, but answers once the turn is over. The turn goes on if the caller leaves. */
  async completeTurn(request: TurnRequest): Promise<FinishedTurn> {
    return this.#parts.turns.complete(request)
  }

  /** Frames of a turn after an event id, while it runs and ten minutes after its end. */
  async resumeTurn(caller: SpaceCaller, messageId: string, afterId: number, keyId: string | null) {
    return this.#parts.turns.resume(caller, messageId, afterId, keyId)
  }

  /** Frames of a session's running turn from its beginning; null when none runs. */
  async resumeRunning(
    caller: SpaceCaller,
    session: Pick<TurnRequest, 'sessionId' | 'sessionAlias'>,
    keyId: string | null,
  ) {
    return this.#parts.turns.resumeRunning(caller, session, keyId)
  }

  /** Merges this space into another one of the same user: everything goes over, or nothing. Goes on if the caller leaves. */
  async mergeInto(caller: SpaceCaller, target: SpaceIdentity) {
    return this.#departure.begin(caller, target)
  }

  /** Tokens older than this version are refused from now on. `forgetKey`: the user was deleted, nothing is readable again. */
  async revoke(tokenVersion: number, forgetKey: boolean): Promise<void> {
    this.#core.requireTokenVersion(tokenVersion)
    this.#live.end('token', forgetKey ? null : tokenVersion)
    if (forgetKey) this.#core.markDeleted()
    this.#parts.turns.dismissEnded()
    if (forgetKey) this.#forgetOpened(null)
  }

  #forgetOpened(end: 'space' | null): void {
    const { openMemories, documentSearch, turns } = this.#parts
    this.#core.forgetKeys()
    openMemories.forget()
    documentSearch.forgetOpened()
    turns.abandon()
    if (end) this.#live.end(end)
  }

  /** Empties the object for good. @returns the stored files whose bytes are to be deleted. @throws Error, to be repeated, while the meter does not hear what was used. */
  async destroy(): Promise<string[]> {
    const { turns, sessions, documents, openMemories } = this.#parts
    turns.abandon()
    if (!(await turns.settle())) throw new Error('What a space used could not be told')
    const files = this.#core.isGone ? [] : [...sessions.files(), ...documents.files()]
    this.#live.end('space')
    this.#core.close()
    openMemories.forget()
    await this.#core.alarm.remove()
    await this.ctx.storage.deleteAll()
    return files
  }

  /** Opens the socket behind a user's stream. Only the Worker reaches this. */
  override async fetch(request: Request): Promise<Response> {
    const opening = request.headers.get('x-opening')
    if (opening === null || request.headers.get('upgrade') !== 'websocket') {
      return new Response(null, { status: 426 })
    }
    return this.#live.accept(JSON.parse(opening) as StreamOpening)
  }

  override async webSocketMessage(_socket: WebSocket, message: string | ArrayBuffer) {
    this.#live.heard(message)
  }

  override async webSocketClose(socket: WebSocket): Promise<void> {
    this.#live.closed(socket)
  }

  override async alarm(): Promise<void> {
    if (!this.#core.isClosed) await this.#core.alarm.during(() => this.#woken())
  }

  async #woken(): Promise<void> {
    const log = createLog('user-space')
    try {
      await this.#departure.lookAfter()
    } catch (error) {
      log.error('merge_not_settled', error)
      await this.#core.wakeAt(Date.now() + MERGE.watchMs)
    }
    // Frozen or gone: what is due is looked after when the merge is over, here or there.
    if (this.#core.isGone || this.#core.freeze.refusal('write')) return
    await this.#core.freeze.during(() => this.#lookAfter(log))
  }

  async #lookAfter(log: Log): Promise<void> {
    const { turns, ingestion, dueEnrollments, dueReminders, handoffs } = this.#parts
    try {
      await turns.lookAfter()
    } catch (error) {
      log.error('recovery_failed', error)
    }
    try {
      await ingestion.recover()
    } catch (error) {
      log.error('documents_not_recovered', error)
      await this.#core.wakeAt(Date.now() + RETRY_MS)
    }
    try {
      await dueEnrollments.deliver()
    } catch (error) {
      log.error('storylines_not_moved', error)
      await this.#core.wakeAt(Date.now() + RETRY_MS)
    }
    try {
      await handoffs.deliver()
    } catch (error) {
      log.error('handoffs_not_looked_after', error)
      await this.#core.wakeAt(Date.now() + RETRY_MS)
    }
    try {
      await dueReminders.deliver()
    } catch (error) {
      log.error('reminders_not_delivered', error)
      await this.#core.wakeAt(Date.now() + RETRY_MS)
    }
  }
}

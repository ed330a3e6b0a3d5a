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
 * One user's space of one tenant: a facade over its parts (`parts.ts`). Calls for people come in by `ask`, those of
 * background work by `work`; each names a part and one of its methods, both listed in `core/verbs.ts`. Turns and streams,
 * which outlive the call, have methods of their own.
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

  /**
   * Calls a part's method for a person, once `SpaceCore.as` has let the caller in. `ASKED` says whether the method only
   * reads or writes. @throws Error for a method that `ASKED` does not name.
   */
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

  /**
   * Calls a part's method for a background job. Where the space was merged into another one, `WORK` says whether the call
   * is handed on to that one. @throws Error for a method that `WORK` does not name.
   */
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

  /**
   * From now on refuses tokens older than this version.
   * @param forgetKey the user was deleted: the key is dropped for good, and nothing can be read again
   */
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

  /**
   * Empties the object for good. @returns keys of the stored files, for the caller to delete.
   * @throws Error while the meter cannot be told what turns used: call again
   */
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

  /** Does what is due. A part that fails keeps no other one back. */
  async #lookAfter(log: Log): Promise<void> {
    const { turns, ingestion, dueEnrollments, dueReminders, handoffs } = this.#parts
    const duties = {
      recovery_failed: () => turns.lookAfter(),
      documents_not_recovered: () => ingestion.recover(),
      storylines_not_moved: () => dueEnrollments.deliver(),
      handoffs_not_looked_after: () => handoffs.deliver(),
      reminders_not_delivered: () => dueReminders.deliver(),
    }
    for (const [failure, duty] of Object.entries(duties)) {
      try {
        await duty()
      } catch (error) {
        log.error(failure, error)
        await this.#core.wakeAt(Date.now() + RETRY_MS)
      }
    }
  }
}

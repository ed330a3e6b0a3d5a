import { DurableObject } from 'cloudflare:workers'
import type {
  FinishedTurn,
  SpaceCaller,
  StartedTurn,
  TurnRefusal,
  TurnRequest,
} from '../../src/chat/turn'
import { createLog } from '../../src/platform/log'
import { afterTurn } from './after-turn'
import { Sessions } from './sessions'
import { SpaceCore } from './space-core'
import { Turns } from './turns'

/** One user's space of one tenant: its sessions and the turns in them. The object owns a turn, not the connection. */
export class UserSpace extends DurableObject<Env> {
  readonly #core: SpaceCore
  readonly #turns: Turns
  readonly #sessions: Sessions

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env)
    this.#core = new SpaceCore(ctx, env)
    this.#turns = new Turns(this.#core)
    this.#sessions = new Sessions(this.#core)
    void ctx.blockConcurrencyWhile(() => this.#core.open())
  }

  /** Admits a turn, runs it detached from the caller, and returns its frames as server-sent events. */
  async startTurn(request: TurnRequest): Promise<StartedTurn> {
    return this.#turns.start(request)
  }

  /** As `startTurn`, but answers once the turn is over. The turn goes on if the caller leaves. */
  async completeTurn(request: TurnRequest): Promise<FinishedTurn> {
    return this.#turns.complete(request)
  }

  /** Frames of a turn after an event id, while it runs and ten minutes after its end. */
  async resumeTurn(caller: SpaceCaller, messageId: string, afterId: number) {
    return this.#turns.resume(caller, messageId, afterId)
  }

  /** Stops a session's running turn and keeps what was said. `stopped` tells whether there was one. */
  async stopTurn(caller: SpaceCaller, sessionId: string) {
    return this.#turns.stop(caller, sessionId)
  }

  /** Why the caller is refused here, or null: an old token, a deleted user, somebody else's space. */
  async checkCaller(caller: SpaceCaller): Promise<TurnRefusal | null> {
    return this.#core.enter(caller)
  }

  async listSessions(
    caller: SpaceCaller,
    after: { updatedAt: number; id: string } | null,
    limit: number,
  ) {
    return this.#sessions.list(caller, after, limit)
  }

  async countSessions(caller: SpaceCaller) {
    return this.#sessions.count(caller)
  }

  async getSession(caller: SpaceCaller, sessionId: string) {
    return this.#sessions.get(caller, sessionId)
  }

  async searchSessions(caller: SpaceCaller, query: string) {
    return this.#sessions.search(caller, query)
  }

  async renameSession(caller: SpaceCaller, sessionId: string, title: string) {
    return this.#sessions.rename(caller, sessionId, title)
  }

  async markSessionRead(caller: SpaceCaller, sessionId: string) {
    return this.#sessions.markRead(caller, sessionId)
  }

  /** A running turn is stopped first: nothing may write into a session that is gone. */
  async removeSession(caller: SpaceCaller, sessionId: string) {
    await this.#turns.stop(caller, sessionId)
    return this.#sessions.remove(caller, sessionId)
  }

  async listMessages(caller: SpaceCaller, sessionId: string, limit: number, before: string | null) {
    return this.#sessions.messages(caller, sessionId, limit, before)
  }

  async editMessage(caller: SpaceCaller, sessionId: string, messageId: string, content: string) {
    return this.#sessions.editMessage(caller, sessionId, messageId, content, Date.now())
  }

  async removeMessage(caller: SpaceCaller, sessionId: string, messageId: string) {
    return this.#sessions.removeMessage(caller, sessionId, messageId)
  }

  async branchSession(caller: SpaceCaller, sessionId: string, messageId: string) {
    return this.#sessions.branch(caller, sessionId, messageId, Date.now())
  }

  async setFeedback(
    caller: SpaceCaller,
    messageId: string,
    feedback: { value: 'up' | 'down'; comment: string | null } | null,
  ) {
    return this.#sessions.setFeedback(caller, messageId, feedback)
  }

  async listAttachments(caller: SpaceCaller, sessionId: string) {
    return this.#sessions.attachments(caller, sessionId)
  }

  async readAttachment(caller: SpaceCaller, attachmentId: string) {
    return this.#sessions.attachment(caller, attachmentId)
  }

  /** Background work after a turn: a title for a new session, a summary of what left the history. */
  async afterTurn(sessionId: string, messageId: string, historyWindow: number): Promise<void> {
    const { address, store, env, ceiling } = this.#core
    const keys = await this.#core.keys()
    if (address && keys)
      await afterTurn({ env, store, keys, address, ceiling }, sessionId, messageId, historyWindow)
  }

  /** Tokens older than this version are refused from now on. `forgetKey`: the user was deleted, nothing is readable again. */
  async revoke(tokenVersion: number, forgetKey: boolean): Promise<void> {
    this.#core.requireTokenVersion(tokenVersion)
    if (!forgetKey) return
    this.#core.forgetKeys()
    this.#turns.abandon()
  }

  /** Empties the object for good. @returns the stored files whose bytes are to be deleted. */
  async destroy(): Promise<string[]> {
    this.#turns.abandon()
    const files = this.#sessions.files()
    this.#core.close()
    await this.ctx.storage.deleteAlarm()
    await this.ctx.storage.deleteAll()
    return files
  }

  override async alarm(): Promise<void> {
    this.#core.alarmFired()
    try {
      await this.#turns.recover()
    } catch (error) {
      createLog('user-space').error('recovery_failed', error)
    }
  }
}

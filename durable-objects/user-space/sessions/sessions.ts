import type { TurnRequest } from '../../../src/chat/turn'
import { attachmentPath } from '../../../src/platform/files'
import { sendJobs } from '../../../src/platform/queue'
import { type Answer, ok, refuse } from '../../../src/spaces/answer'
import type { LiveEvents } from '../core/live-events'
import type { SpaceCore } from '../core/space-core'
import type { Visit } from '../core/visit'
import { branchSession } from './branch-session'
import { readBytes } from './read-bytes'
import { searchSessions } from './search-sessions'
import type { SessionRow } from './session-row'
import type { TitleVectors } from './title-vectors'
import {
  type AttachmentView,
  isImage,
  type SearchView,
  type SessionView,
  viewAttachments,
  viewSession,
} from './views'

interface SessionPorts {
  live: LiveEvents
  titleVectors: TitleVectors
  /** Ends the turn that runs in a session. @returns whether there was one. */
  endTurn(sessionId: string): Promise<boolean>
  /** What turns used is told: what stands in the row of a session would go with it. */
  settle(): Promise<boolean>
}

/** The sessions of a space, and the images in them. */
export class Sessions {
  readonly #core: SpaceCore
  readonly #ports: SessionPorts

  constructor(core: SpaceCore, ports: SessionPorts) {
    this.#core = core
    this.#ports = ports
  }

  /** Newest first, one more than `limit`; `after` is the position of the last one seen. */
  async list(
    { keys }: Visit,
    after: { updatedAt: number; id: string } | null,
    limit: number,
  ): Promise<Answer<SessionView[]>> {
    const rows = this.#core.stores.sessions.list(after, limit + 1)
    return ok(await Promise.all(rows.map((row) => viewSession(keys, row))))
  }

  async search(
    { keys }: Visit,
    query: string,
    agent: string | null,
  ): Promise<Answer<SearchView[]>> {
    return ok(await searchSessions(keys, this.#core.stores, this.#ports.titleVectors, query, agent))
  }

  async get({ keys }: Visit, id: string): Promise<Answer<SessionView>> {
    return this.#with(id, async (row) => ok(await viewSession(keys, row)))
  }

  /** Its agent's id, which a rename leaves; null where what a client calls it is the name of none yet. */
  async agentOf(
    _visit: Visit,
    { sessionId, sessionAlias }: Pick<TurnRequest, 'sessionId' | 'sessionAlias'>,
  ): Promise<Answer<string | null>> {
    const { sessions } = this.#core.stores
    if (sessionId !== null) return this.#with(sessionId, async (row) => ok(row.agent_id))
    return ok(sessionAlias === null ? null : (sessions.byAlias(sessionAlias)?.agent_id ?? null))
  }

  /** The user's own title: automatic titling no longer touches it. */
  async rename({ caller, keys }: Visit, id: string, title: string): Promise<Answer<SessionView>> {
    return this.#with(id, async (row) => {
      const { env, stores } = this.#core
      const sealed = await keys.seal('sessions', 'title', id, title)
      stores.sessions.rename(id, sealed)
      this.#tell(id, 'updated')
      if (this.#ports.titleVectors.isMissing(stores.sessions.get(id))) {
        await sendJobs(env, [{ type: 'title.index', ...caller.address, sessionId: id }])
      }
      return ok(await viewSession(keys, { ...row, title_sealed: sealed, title_by_user: 1 }))
    })
  }

  /** The marker goes to the present number of messages, counted here. */
  async markRead({ keys }: Visit, id: string): Promise<Answer<SessionView>> {
    return this.#with(id, async (row) => {
      this.#core.stores.sessions.markRead(id)
      this.#tell(id, 'updated')
      return ok(await viewSession(keys, { ...row, read_count: row.message_count }))
    })
  }

  /**
   * Removes the session with all that is in it. A running turn is stopped first: nothing may write into a session that is
   * gone. @returns the objects whose bytes are to be deleted.
   */
  async remove({ caller }: Visit, id: string): Promise<Answer<string[]>> {
    await this.#ports.endTurn(id)
    await this.#ports.settle()
    // The space may have been deleted while the turn came to its end.
    if (this.#core.isClosed) return refuse('session')
    return this.#with(id, async () => {
      const { sessions, messages, attachments, turns, reminders, handoffs } = this.#core.stores
      const images = attachments.ofSession(id)
      const ended = this.#core.storage.transactionSync(() => {
        messages.removeOfSession(id)
        attachments.removeOfSession(id)
        turns.forgetSession(id)
        reminders.removeFollowUps(id)
        sessions.remove(id)
        return handoffs.removeOfSession(id)
      })
      const { env } = this.#core
      const gone = ended.map((handoffId) => ({
        type: 'handoff.tell' as const,
        ...caller.address,
        handoffId,
      }))
      if (gone.length > 0) await sendJobs(env, gone)
      this.#core.recent.forget(id)
      this.#tell(id, 'deleted')
      return ok(images.map((row) => attachmentPath(caller.address, row.id)))
    })
  }

  /** A new session up to the clicked message. */
  async branch(visit: Visit, id: string, messageId: string): Promise<Answer<SessionView>> {
    return this.#with(id, async (session) => {
      const clicked = this.#core.stores.messages.get(id, messageId)
      if (clicked?.left_with !== null) return refuse('message')
      const branched = await branchSession(this.#core, visit, session, clicked)
      if (!branched.ok) return branched
      this.#tell(branched.value.id, 'created')
      return ok(await viewSession(visit.keys, branched.value))
    })
  }

  /** No call to action is shown in it any more. */
  async dismissCalls(_visit: Visit, id: string): Promise<Answer<null>> {
    return this.#with(id, async () => {
      this.#core.stores.sessions.dismissCalls(id)
      return ok(null)
    })
  }

  async listImages({ keys }: Visit, id: string): Promise<Answer<AttachmentView[]>> {
    return this.#with(id, async () =>
      ok(await viewAttachments(keys, this.#core.stores.attachments.ofSession(id))),
    )
  }

  /** The decrypted original. */
  async readImage(
    { caller, keys }: Visit,
    id: string,
  ): Promise<Answer<{ mime: string; name: string; bytes: Uint8Array }>> {
    const row = this.#core.stores.attachments.get(id)
    const bytes = row && (await readBytes(this.#core.env, keys, caller.address, row))
    if (!row || !bytes || !isImage(row)) return refuse('attachment')
    const name = (await keys.read('attachments', 'name', row.id, row.name_sealed)) ?? ''
    return ok({ mime: row.mime, name, bytes })
  }

  /** Addresses of all images of the space. */
  files(): string[] {
    const { address, stores } = this.#core
    return address ? stores.attachments.ids().map((id) => attachmentPath(address, id)) : []
  }

  async #with<T>(id: string, work: (row: SessionRow) => Promise<Answer<T>>): Promise<Answer<T>> {
    const row = this.#core.stores.sessions.get(id)
    return row ? work(row) : refuse('session')
  }

  /** Other tabs hear of what one of them changed. */
  #tell(id: string, change: 'created' | 'updated' | 'deleted'): void {
    this.#ports.live.hint({ type: 'session', id, change })
  }
}

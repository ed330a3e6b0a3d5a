import { attachmentPath } from '../../../src/platform/files'
import { sendJobs } from '../../../src/platform/queue'
import { type Answer, ok, refuse } from '../../../src/spaces/answer'
import type { LiveEvents } from '../core/live-events'
import type { SpaceCore } from '../core/space-core'
import type { SpaceKeys } from '../core/space-keys'
import type { Visit } from '../core/visit'
import { type MessageRow, readBody, sealBody } from './message-store'
import { type MessageView, viewAttachments, viewMessage } from './views'

interface MessagePorts {
  live: LiveEvents
  /** What was learnt from a message is forgotten. */
  forgetMessage(keys: SpaceKeys, messageId: string): Promise<void>
}

/** What was said in the sessions of a space. */
export class Messages {
  readonly #core: SpaceCore
  readonly #ports: MessagePorts

  constructor(core: SpaceCore, ports: MessagePorts) {
    this.#core = core
    this.#ports = ports
  }

  /** The latest `limit` in chronological order; `before` excludes that message and everything newer. */
  async list(
    { keys }: Visit,
    sessionId: string,
    limit: number,
    before: string | null,
  ): Promise<Answer<MessageView[]>> {
    const { sessions, messages, attachments } = this.#core.stores
    if (!sessions.get(sessionId)) return refuse('session')
    const rows = messages.last(sessionId, limit, before).reverse()
    const images = await viewAttachments(keys, attachments.ofSession(sessionId))
    return ok(await Promise.all(rows.map((row) => viewMessage(keys, row, images))))
  }

  /**
   * New words for a message; what is stored about it otherwise stays. What was learnt from a user's message is learnt anew
   * from the new words, in the background.
   */
  async edit(
    { caller, keys }: Visit,
    sessionId: string,
    id: string,
    content: string,
  ): Promise<Answer<MessageView>> {
    return this.#with(sessionId, id, async (row) => {
      const { env, stores, recent } = this.#core
      const now = Date.now()
      // New words stand in the place of those that do not open, too.
      const body = await readBody(keys, row)
      const sealed = await sealBody(keys, id, { ...body, content })
      stores.messages.edit(sessionId, id, sealed, now)
      recent.forget(sessionId)
      this.#tell(sessionId, id, 'updated')
      if (row.role === 'user') {
        const job = { type: 'message.relearn' as const, sessionId, messageId: id }
        await sendJobs(env, [{ ...job, ...caller.address }])
      }
      const images = await viewAttachments(keys, stores.attachments.ofMessage(id))
      return ok(await viewMessage(keys, { ...row, body_sealed: sealed, edited_at: now }, images))
    })
  }

  /** Out of the conversation, with what was learnt from it. @returns the objects whose bytes are to be deleted. */
  async remove({ caller, keys }: Visit, sessionId: string, id: string): Promise<Answer<string[]>> {
    return this.#with(sessionId, id, async () => {
      const { sessions, messages, attachments } = this.#core.stores
      const images = attachments.ofMessage(id)
      this.#core.storage.transactionSync(() => {
        messages.remove(sessionId, id)
        attachments.removeOfMessage(id)
        sessions.uncountMessage(sessionId)
      })
      this.#core.recent.forget(sessionId)
      this.#tell(sessionId, id, 'deleted')
      await this.#ports.forgetMessage(keys, id)
      return ok(images.map((row) => attachmentPath(caller.address, row.id)))
    })
  }

  /** Thumbs and an optional comment; null takes them back. The message is found by its id alone. */
  async setFeedback(
    { caller, keys }: Visit,
    id: string,
    feedback: { value: 'up' | 'down'; comment: string | null } | null,
  ): Promise<Answer<null>> {
    const { env, stores } = this.#core
    const row = stores.messages.find(id)
    if (row?.role !== 'assistant') return refuse('message')
    const comment = feedback?.comment
      ? await keys.seal('messages', 'comment', id, feedback.comment)
      : null
    stores.messages.setFeedback(row.session_id, id, feedback?.value ?? null, comment)
    if (feedback?.value === 'down') {
      await sendJobs(env, [{ type: 'message.review', ...caller.address, messageId: id }])
    }
    return ok(null)
  }

  async #with<T>(
    sessionId: string,
    id: string,
    work: (row: MessageRow) => Promise<Answer<T>>,
  ): Promise<Answer<T>> {
    const { sessions, messages } = this.#core.stores
    if (!sessions.get(sessionId)) return refuse('session')
    const row = messages.get(sessionId, id)
    return row ? work(row) : refuse('message')
  }

  /** Other tabs hear of what one of them changed. */
  #tell(session_id: string, id: string, change: 'updated' | 'deleted'): void {
    this.#ports.live.hint({ type: 'message', id, session_id, change })
  }
}

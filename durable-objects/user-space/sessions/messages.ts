import type { FeedbackReason } from '../../../src/config/names'
import { loadVariants } from '../../../src/lazy'
import { attachmentPath } from '../../../src/platform/files'
import { sendJobs } from '../../../src/platform/queue'
import { type Answer, ok, refuse } from '../../../src/spaces/answer'
import type { LiveEvents } from '../core/live-events'
import type { SpaceCore } from '../core/space-core'
import type { SpaceKeys } from '../core/space-keys'
import type { Visit } from '../core/visit'
import { keepPlaces, readBody, sealBody } from './message-body'
import type { MessageRow } from './message-store'
import { relearnJobs } from './relearn-jobs'
import { type MessageView, viewAttachments, viewMessage } from './views'

interface MessagePorts {
  live: LiveEvents
  /** What was learnt from a message is forgotten. */
  forgetMessage(keys: SpaceKeys, messageId: string): Promise<void>
  /** Whether a turn is under way in a session. */
  isBusy(sessionId: string): boolean
}

interface Feedback {
  value: 'up' | 'down'
  comment: string | null
  reasons: FeedbackReason[]
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
    if (!sessions.has(sessionId)) return refuse('session')
    const rows = messages.last(sessionId, limit, before).reverse()
    const images = await viewAttachments(keys, attachments.ofSession(sessionId))
    const places = messages.variants(sessionId)
    return ok(await Promise.all(rows.map((row) => viewMessage(keys, row, images, places))))
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
      const { env, stores, storage, recent } = this.#core
      const now = Date.now()
      // New words stand in the place of those that do not open, too.
      const body = await readBody(keys, row)
      const sealed = await sealBody(keys, id, { ...body, content, ...keepPlaces(body, content) })
      const spoken = storage.transactionSync(() => {
        stores.messages.edit(sessionId, id, sealed, now)
        stores.sessions.dropSummary(sessionId, id)
        return stores.attachments.removeSpeeches(id)
      })
      recent.forget(sessionId)
      this.#tell(sessionId, id, 'updated')
      if (row.role === 'user') {
        const job = { type: 'message.relearn' as const, sessionId, messageId: id }
        await sendJobs(env, [{ ...job, ...caller.address }])
      }
      if (spoken.length > 0) {
        const files = spoken.map((one) => attachmentPath(caller.address, one))
        const { tenantId } = caller.address
        await sendJobs(env, [{ type: 'files.delete', tenantId, keys: files }])
      }
      return ok(await this.#view(keys, { ...row, body_sealed: sealed, edited_at: now }))
    })
  }

  /** Another variant of what was said in a message's place, with what was said after it. */
  async choose(
    { caller, keys }: Visit,
    sessionId: string,
    id: string,
    variant: string,
  ): Promise<Answer<MessageView>> {
    const { showVariant } = await loadVariants()
    return this.#with(sessionId, id, async (message) => {
      const { env, stores, storage, recent } = this.#core
      if (this.#ports.isBusy(sessionId)) return refuse('busy')
      const changed = storage.transactionSync(() => showVariant(stores, message, variant))
      if (!Array.isArray(changed)) return { ok: false, refusal: changed }
      if (changed.length > 0) {
        recent.forget(sessionId)
        this.#tell(sessionId, variant, 'updated')
        await sendJobs(env, relearnJobs(caller.address, sessionId, changed))
      }
      const row = stores.messages.get(sessionId, variant)
      return row ? ok(await this.#view(keys, row)) : refuse('message')
    })
  }

  /**
   * Out of the conversation, with what was learnt from it, and with what only led away from it: its other variants.
   * @returns the objects whose bytes are to be deleted.
   */
  async remove({ caller, keys }: Visit, sessionId: string, id: string): Promise<Answer<string[]>> {
    const { goneWith } = await loadVariants()
    return this.#with(sessionId, id, async (row) => {
      const { sessions, messages, attachments, turns } = this.#core.stores
      const gone = [id, ...goneWith(messages.left(sessionId), row)]
      const images = gone.flatMap((one) => attachments.ofMessage(one))
      this.#core.storage.transactionSync(() => {
        for (const one of gone) {
          messages.remove(sessionId, one)
          attachments.removeOfMessage(one)
        }
        if (row.left_with !== null) return
        // The question of a turn is counted with its reply.
        const turn = turns.begunBy(id)
        if (!turn || messages.has(sessionId, turn.id)) sessions.uncountMessages(sessionId)
        sessions.dropSummary(sessionId, id)
      })
      this.#core.recent.forget(sessionId)
      this.#tell(sessionId, id, 'deleted')
      for (const one of gone) await this.#ports.forgetMessage(keys, one)
      return ok(images.map((row) => attachmentPath(caller.address, row.id)))
    })
  }

  /** Thumbs with reasons and an optional comment; null takes them back. The message is found by its id alone. */
  async setFeedback(
    { caller, keys }: Visit,
    id: string,
    feedback: Feedback | null,
  ): Promise<Answer<null>> {
    const { env, stores } = this.#core
    const row = stores.messages.find(id)
    if (row?.role !== 'assistant') return refuse('message')
    const comment = feedback?.comment
      ? await keys.seal('messages', 'comment', id, feedback.comment)
      : null
    const reasons = feedback?.reasons.length ? JSON.stringify(feedback.reasons) : null
    stores.messages.setFeedback(row.session_id, id, feedback?.value ?? null, comment, reasons)
    if (feedback?.value === 'down') {
      await sendJobs(env, [{ type: 'message.review', ...caller.address, messageId: id }])
    }
    return ok(null)
  }

  async #view(keys: SpaceKeys, row: MessageRow): Promise<MessageView> {
    const { messages, attachments } = this.#core.stores
    const images = await viewAttachments(keys, attachments.ofMessage(row.id))
    return viewMessage(keys, row, images, messages.variants(row.session_id))
  }

  async #with<T>(
    sessionId: string,
    id: string,
    work: (row: MessageRow) => Promise<Answer<T>>,
  ): Promise<Answer<T>> {
    const { sessions, messages } = this.#core.stores
    if (!sessions.has(sessionId)) return refuse('session')
    const row = messages.get(sessionId, id)
    return row ? work(row) : refuse('message')
  }

  /** Other tabs hear of what one of them changed. */
  #tell(session_id: string, id: string, change: 'updated' | 'deleted'): void {
    this.#ports.live.hint({ type: 'message', id, session_id, change })
  }
}

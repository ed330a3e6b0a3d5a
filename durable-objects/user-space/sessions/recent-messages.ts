import type { TurnRequest } from '../../../src/chat/turn'
import { LIMITS } from '../../../src/config/limits'
import type { SpaceKeys } from '../core/space-keys'
import { heldTalk } from './held-talk'
import type { MessageStore, OpenMessage } from './message-store'

const SESSIONS_KEPT = 20

/** Opened messages of the sessions that were active last: a cache of what is stored, so that a turn opens nothing twice. */
export class RecentMessages {
  readonly #store: MessageStore
  readonly #sessions = new Map<string, OpenMessage[]>()

  constructor(store: MessageStore) {
    this.#store = store
  }

  /**
   * What the model is told of the conversation: the last messages of the agent's window, as far as it is held.
   * @param before it ends before this message; null for all of it.
   */
  async history(
    keys: SpaceKeys,
    request: TurnRequest,
    sessionId: string | null,
    before: string | null,
  ): Promise<NonNullable<TurnRequest['history']>> {
    if (request.history) return request.history
    const window = request.agent.config.history_window ?? LIMITS.historyWindow.default
    if (sessionId === null || window === 0) return []
    const messages =
      before === null
        ? await this.#load(keys, sessionId)
        : await this.#store.lastOpened(keys, sessionId, LIMITS.historyWindow.max, before)
    return heldTalk(messages)
      .slice(-window)
      .map(({ role, content }) => ({ role, content }))
  }

  async #load(keys: SpaceKeys, sessionId: string): Promise<OpenMessage[]> {
    const known = this.#sessions.get(sessionId)
    if (known) return known
    const messages = await this.#store.lastOpened(keys, sessionId, LIMITS.historyWindow.max)
    this.#keep(sessionId, messages)
    return messages
  }

  /** Adds a message that was just stored. A session that is not in the cache is read whole when it is needed. */
  add(sessionId: string, message: OpenMessage, isNew = false): void {
    const known = isNew ? [] : this.#sessions.get(sessionId)
    if (known) this.#keep(sessionId, [...known, message])
  }

  forget(sessionId: string): void {
    this.#sessions.delete(sessionId)
  }

  forgetAll(): void {
    this.#sessions.clear()
  }

  #keep(sessionId: string, messages: OpenMessage[]): void {
    this.#sessions.delete(sessionId)
    this.#sessions.set(sessionId, messages.slice(-LIMITS.historyWindow.max))
    const oldest = this.#sessions.keys().next().value
    if (this.#sessions.size > SESSIONS_KEPT && oldest !== undefined) this.#sessions.delete(oldest)
  }
}

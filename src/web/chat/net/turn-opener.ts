import { randomKey } from '../../kit/net/random-key'
import { signedInUser } from '../../kit/net/token-source'
import type { ChatStore } from '../chat-store'
import { type ChatState, type Entry, SIGNED_IN, type UserEntry } from '../model/chat'
import type { ChatApi } from './chat-api'
import { problemOf, RequestFailed } from './problem'

/** Hands a message to the server: as whom, in which session, and as the same attempt when it is tried again. */
export class TurnOpener {
  readonly #store: ChatStore
  readonly #api: ChatApi
  /** Keys of requests whose answer never arrived: sent again, so that the server sees one message and not two. */
  readonly #attempts = new Map<string, string>()
  /** Whose token the turn that runs was opened with; null as long as nothing was sent. Another person's may come meanwhile. */
  bearer: string | null = null
  /** Resolves once another site has said who asks; what is sent earlier waits for it. */
  whoAsks: ((signal: AbortSignal) => Promise<void>) | null = null
  /** What a new session begins with: the greeting that was read. */
  greetingId: string | undefined

  constructor(store: ChatStore, api: ChatApi) {
    this.#store = store
    this.#api = api
  }

  /** One POST of the message; an expired visit is renewed and a lost session replaced, each once and silently. Throws RequestFailed. */
  async open(user: UserEntry, signal: AbortSignal): Promise<Response> {
    const store = this.#store
    const { visitor } = store
    let lost: ChatState | null = null
    for (let attempt = 0; ; attempt++) {
      await this.whoAsks?.(signal)
      let token = store.token
      if (token === null) {
        // Whoever hands out tokens hands out the next one of the same person, and drops what was another's.
        if (visitor.renewal === null && (visitor.isKnown() || attempt > 0))
          this.#loseSession(user.key)
        token = await visitor.register(this.#api.lang, Date.now())
      }
      signal.throwIfAborted()
      this.bearer = token
      const { sessionId } = store.state
      const replaces = store.lastReply()?.replaces
      const response = await this.#api.ask(
        {
          // An answer is made anew from what the server has of its question, pictures too.
          message: replaces && replaces !== user.messageId ? undefined : user.text,
          replaces,
          sessionId,
          greetingId: this.greetingId,
          images: replaces ? [] : user.images.flatMap((image) => image.dataUrl ?? []),
          audio: replaces || user.text !== '' ? undefined : user.audio,
          attempt: this.#attempt(user.key),
        },
        token,
        signal,
      )
      if (response.ok) {
        store.owner = signedInUser(token)
        return response
      }
      this.#attempts.delete(user.key)
      if (response.status === 422 && sessionId === null && this.greetingId !== undefined) {
        // It has ended: the page was open for too long.
        this.greetingId = undefined
        continue
      }
      if (attempt === 0 && response.status === 401) {
        if (store.token === token) visitor.forget()
        continue
      }
      if (lost === null && response.status === 404 && sessionId !== null && !replaces) {
        lost = store.state
        this.#loseSession(user.key)
        continue
      }
      if (response.status === 404 && sessionId === null && (await store.agent.renew())) continue
      if (lost !== null && response.status === 404) {
        // It is the agent that is gone, maybe for a while, and not what was said.
        const { sessionId, storyline, entries } = lost
        store.set({ sessionId, storyline, entries })
      }
      throw new RequestFailed(await problemOf(response, Date.now()))
    }
  }

  /** The server has the message: whatever is said next is another one. */
  arrived(): void {
    this.#attempts.clear()
  }

  /** The turn's own token once it is another person's than the page's. */
  turnToken(): string | null {
    const store = this.#store
    return signedInUser(this.bearer) === store.userId() ? store.token : this.bearer
  }

  /** The server knows nothing of the earlier messages any more: say so where the new start is. */
  #loseSession(userKey: string): void {
    const store = this.#store
    if (store.state.sessionId === null) return
    const { entries: said } = store.state
    const at = said.findIndex((entry) => entry.key === userKey)
    const before = said.slice(0, at)
    const note = store.wasVisitor() ? 'carried' : 'renewed'
    if (note === 'carried') store.carried = { ...store.state, entries: before }
    const entries: Entry[] = [
      ...before,
      { ...SIGNED_IN, key: randomKey(), note },
      ...said.slice(at),
    ]
    store.set({ sessionId: null, storyline: null, entries })
  }

  #attempt(userKey: string): string {
    const key = this.#attempts.get(userKey) ?? randomKey()
    this.#attempts.set(userKey, key)
    return key
  }
}

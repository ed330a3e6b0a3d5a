import { pauseUntilOnline } from '../../kit/turn/pause'
import type { ChatStore } from '../chat-store'
import type { UserEntry } from '../model/chat'

/** The longest pause between two tries; the first is half a second, each next twice the last. */
const MAX_PAUSE_MS = 30_000

/** Messages that wait for a connection. */
export class WaitingMessages {
  readonly #store: ChatStore
  readonly #ask: (user: UserEntry) => Promise<void>
  /** Whether what waited is being sent. */
  sending = false

  constructor(store: ChatStore, ask: (user: UserEntry) => Promise<void>) {
    this.#store = store
    this.#ask = ask
  }

  /**
   * What waits goes out in order, one turn after the other, until one is refused. A browser calls itself online before its
   * network carries anything: what does not arrive waits on, and goes out again as the same attempt.
   */
  async send(): Promise<void> {
    if (this.sending) return
    const store = this.#store
    this.sending = true
    const never = new AbortController().signal
    for (let failures = 0; navigator.onLine && store.state.turn === 'idle'; ) {
      const [next, ...rest] = store.state.queue
      if (next === undefined) break
      store.setQueue(rest)
      store.set({ entries: [...store.state.entries, next], previous: null })
      await this.#ask(next)
      if (store.state.queue[0] === next) {
        await pauseUntilOnline(Math.min(500 * 2 ** failures, MAX_PAUSE_MS), never)
        failures += 1
      } else if (store.lastReply()?.state === 'failed') break
      else failures = 0
    }
    this.sending = false
  }

  /** A message that never reached the server waits at the head of the queue. */
  putBack(): void {
    const store = this.#store
    const user = store.lastOwn()
    const reply = store.lastReply()
    store.set({
      entries: store.state.entries.filter((entry) => entry !== user && entry !== reply),
      turn: 'idle',
      connection: 'ok',
    })
    if (user) store.setQueue([user, ...store.state.queue])
    store.save()
  }
}

import type { Frame } from '../../kit/turn/frames'
import type { ChatStore } from '../chat-store'
import { applyFrame } from '../model/chat'

const SAVE_INTERVAL_MS = 1000
const HIDDEN_FLUSH_MS = 200

/** Frames of the turn that runs, applied once per painted frame, in the background by a timer. */
export class FrameBuffer {
  readonly #store: ChatStore
  readonly #onSession: () => void
  #frames: Frame[] = []
  #flushing = false

  /** @param onSession the server has taken the message; its session is known. */
  constructor(store: ChatStore, onSession: () => void) {
    this.#store = store
    this.#onSession = onSession
  }

  receive(frame: Frame): void {
    this.#frames.push(frame)
    if (frame.type === 'session') {
      this.flush()
      this.#store.set({ sessionId: frame.sessionId })
      this.#store.save()
      this.#onSession()
      return
    }
    if (this.#flushing) return
    this.#flushing = true
    if (document.hidden) setTimeout(() => this.flush(), HIDDEN_FLUSH_MS)
    else requestAnimationFrame(() => this.flush())
  }

  /** What came and is not shown yet is nobody's any more. */
  drop(): void {
    this.#frames = []
  }

  flush(): void {
    const store = this.#store
    this.#flushing = false
    const frames = this.#frames
    const reply = store.lastReply()
    if (frames.length === 0 || !reply) return
    this.#frames = []
    store.patch(reply.key, frames.reduce(applyFrame, reply))
    for (const frame of frames) {
      if (frame.type === 'storyline') store.set({ storyline: frame.storyline })
      if (frame.type === 'transcript') this.#ownWords(frame.text)
    }
    if (Date.now() - store.savedAt > SAVE_INTERVAL_MS) store.save()
  }

  /** What was said in a recording becomes the text of the visitor's last message. */
  #ownWords(text: string): void {
    const user = this.#store.lastOwn()
    if (user) this.#store.patch(user.key, { text })
  }
}

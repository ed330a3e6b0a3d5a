import type { Finding } from '../../../src/reviews/finding'
import type { LiveEvents } from '../core/live-events'
import type { SpaceCore } from '../core/space-core'
import type { Learning } from '../memories/learning'
import { type CountedSessions, countSessions } from '../sessions/count-sessions'
import type { TitleVectors } from '../sessions/title-vectors'
import { findForReview } from './find-for-review'
import type { Following } from './following'
import { writeTitleAndSummary } from './title-and-summary'

/** Background work that turns leave. */
export class AfterTurn {
  readonly #core: SpaceCore
  readonly #live: LiveEvents
  readonly #titleVectors: TitleVectors
  readonly #learning: Learning
  readonly #following: Following

  constructor(
    core: SpaceCore,
    live: LiveEvents,
    titleVectors: TitleVectors,
    learning: Learning,
    following: Following,
  ) {
    this.#core = core
    this.#live = live
    this.#titleVectors = titleVectors
    this.#learning = learning
    this.#following = following
  }

  /**
   * A title for a new session, a summary of what left the history, what is to be remembered.
   * @returns what there is to review about the turn, or null, and how many sessions the space holds: the job asks once.
   */
  async follow(
    sessionId: string,
    messageId: string,
    historyWindow: number,
  ): Promise<{ finding: Finding | null; counted: CountedSessions }> {
    const finding = await this.#followTurn(sessionId, messageId, historyWindow)
    this.#following.end(sessionId)
    // Else an object that was evicted meanwhile would hand on once more what it left.
    this.#core.stores.turns.noteEnded()
    return { finding, counted: countSessions(this.#core) }
  }

  async #followTurn(
    sessionId: string,
    messageId: string,
    historyWindow: number,
  ): Promise<Finding | null> {
    const { stores } = this.#core
    const keys = await this.#core.keys()
    const background = await this.#core.background()
    if (!background || !keys) return null
    const titleNow = () => stores.sessions.get(sessionId)?.title_sealed
    const before = titleNow()
    await writeTitleAndSummary({ ...background, stores, keys }, sessionId, messageId, historyWindow)
    if (titleNow() !== before) {
      this.#live.hint({ type: 'session', id: sessionId, change: 'updated' })
    }
    await this.#titleVectors.index(background, keys, sessionId)
    await this.#learning.learn(background, sessionId, messageId)
    return findForReview(this.#core, messageId, sessionId)
  }

  /** What there is to review about a reply, or null. */
  async findForReview(messageId: string): Promise<Finding | null> {
    return findForReview(this.#core, messageId)
  }

  /** After the user named a session. */
  async indexTitle(sessionId: string): Promise<void> {
    const keys = await this.#core.keys()
    const background = await this.#core.background()
    if (background && keys) await this.#titleVectors.index(background, keys, sessionId)
  }
}

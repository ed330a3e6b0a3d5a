import { type Answer, ok } from '../../../src/spaces/answer'
import type { Memories } from '../memories/memories'
import { type CountedSessions, countSessions } from '../sessions/count-sessions'
import type { TitleVectors } from '../sessions/title-vectors'
import { countRows } from './count-rows'
import type { LiveEvents } from './live-events'
import { type AgentRename, renameAgent } from './rename-agent'
import type { SpaceCore } from './space-core'
import type { Visit } from './visit'

interface WholeSpacePorts {
  live: LiveEvents
  memories: Memories
  titleVectors: TitleVectors
}

/** What concerns a space as a whole, and every part of it. */
export class WholeSpace {
  readonly #core: SpaceCore
  readonly #ports: WholeSpacePorts

  constructor(core: SpaceCore, ports: WholeSpacePorts) {
    this.#core = core
    this.#ports = ports
  }

  /** Nothing but the guard's word: an old token, a deleted user, somebody else's space are refused. */
  async check(_visit: Visit): Promise<Answer<null>> {
    return ok(null)
  }

  /** How much the space holds. */
  async count(_visit: Visit): Promise<Answer<{ sessions: number; documents: number }>> {
    const { sessions, documents } = this.#core.stores
    return ok({ sessions: sessions.count(), documents: documents.count() })
  }

  /** How many sessions there are, and when they were counted. */
  countSessions(): CountedSessions {
    return countSessions(this.#core)
  }

  /** Rows of each table that has any; what a deletion is checked by. */
  countRows(): Record<string, number> {
    return countRows(this.#core.storage.sql)
  }

  /** The user changed their profile. */
  forgetProfile(): void {
    this.#core.profile.forget()
  }

  /** The space offers an agent no longer (since when), or again (null). What other isolates remember may say otherwise. */
  withdrawAgent(agentId: string, at: number | null): void {
    if (!this.#core.isClosed) this.#core.agents.withdraw(agentId, at)
  }

  /** What the user wanted to have exported is there, or never will be. */
  tellExport(id: string, status: 'ready' | 'failed'): void {
    this.#ports.live.hint({ type: 'export', id, status })
  }

  /** The space was deleted: nobody comes in any more; it is emptied in the background. */
  leave(): void {
    this.#core.leave()
  }

  /** An agent of the tenant has another name. */
  async renameAgent(rename: AgentRename): Promise<void> {
    const sessions = await renameAgent(this.#core, rename)
    this.#ports.memories.forgetOpened()
    for (const id of sessions) this.#ports.live.hint({ type: 'session', id, change: 'updated' })
  }

  /** Privacy mode is on as of `settingsAt`: what there is of vectors goes, and none is made any more. */
  dropVectors(settingsAt: number): { dropped: number; left: number } {
    this.#core.enterPrivacy(settingsAt)
    if (!this.#core.privacy) return { dropped: 0, left: 0 }
    const total = () => {
      const { memories, titles } = this.countVectors()
      return memories + titles
    }
    const dropped = total()
    this.#ports.memories.dropVectors()
    this.#ports.titleVectors.drop()
    return { dropped, left: total() }
  }

  /** For those who must prove that privacy mode keeps none. */
  countVectors(): { memories: number; titles: number } {
    const { memories, sessions } = this.#core.stores
    return { memories: memories.countVectors(), titles: sessions.countTitleVectors() }
  }
}

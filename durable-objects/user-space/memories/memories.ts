import { MEMORY } from '../../../src/config/limits'
import { rankMemories, similarityOf } from '../../../src/memory/rank-memories'
import type { Embeddings } from '../../../src/models/embedding'
import { dot } from '../../../src/sessions/near-titles'
import { type Answer, ok, refuse } from '../../../src/spaces/answer'
import { detectSmallTalk } from '../../../src/text/small-talk'
import { embedOffline } from '../../../src/text/statistical-vectors'
import type { SpaceKeys } from '../core/space-keys'
import { unit } from '../core/vector-code'
import type { Visit } from '../core/visit'
import { MemoryPart } from './memory-part'
import type { MemoryView } from './memory-store'
import type { OpenMemory } from './open-memory'

/** What an agent remembers of the user, as the user sees it. Times in milliseconds since 1970. */
export interface RememberedView {
  agentName: string
  content: string
  points: string[]
  fromAnonymous: boolean
  updatedAt: number
}

/** What a space remembers of its user: recalled in turns, shown to the user and the tenant, forgotten when they say so. */
export class Memories extends MemoryPart {
  /** Everything in force, opened; vectors of length one where there are any. */
  async inForce(keys: SpaceKeys): Promise<OpenMemory[]> {
    return [...(await this.open.load(keys)).values()]
  }

  /** Opens what is remembered, once. @returns how much that is, in memories. */
  async ready(keys: SpaceKeys): Promise<number> {
    return (await this.open.load(keys)).size
  }

  /**
   * What is worth knowing for a question, best first, each as one line.
   * @param embedQuestion asked only when there is more than fits, and vectors to compare with.
   */
  async recall(
    keys: SpaceKeys,
    question: string,
    embedQuestion: () => Promise<Embeddings | null>,
    now: number,
  ): Promise<string[]> {
    const memories = [...(await this.open.load(keys)).values()]
    if (memories.length === 0) return []
    const smallTalk = detectSmallTalk(question) !== null
    const trained =
      !smallTalk && memories.length > MEMORY.recalled && memories.some((memory) => memory.trained)
        ? await embedQuestion()
        : null
    const values = trained?.vectors[0]
    const asked = values ? unit(values) : null
    const statistical = Float32Array.from(embedOffline(question))
    const similarity = (memory: OpenMemory): number => {
      if (smallTalk) return 0
      const byText = similarityOf(dot(statistical, memory.statistical), false)
      if (!asked || memory.trained?.embedder !== trained?.model) return byText
      return Math.max(byText, similarityOf(dot(asked, memory.trained?.values), true))
    }
    const weighed = memories.map((memory) => {
      const { kind, importance, updatedAt, content } = memory
      return { kind, importance, updatedAt, content, similarity: similarity(memory) }
    })
    // Few enough to be shown whole: the order alone is left to decide.
    const few = memories.length <= MEMORY.recalled && !smallTalk
    const best = few ? rankMemories(weighed, now, 0) : rankMemories(weighed, now)
    return best.map(
      ({ kind, updatedAt, content }) =>
        `(${kind}, ${new Date(updatedAt).toISOString().slice(0, 10)}) ${content}`,
    )
  }

  /** What each agent remembers, by name. */
  async list({ keys }: Visit): Promise<Answer<RememberedView[]>> {
    const memories = [...(await this.open.load(keys)).values()]
    const names = new Set([
      ...memories.map((memory) => memory.agentName),
      ...this.store.profiledAgents(),
    ])
    return ok(await Promise.all([...names].sort().map((name) => this.#view(keys, name, memories))))
  }

  /** Everything in force, the latest first, as the tenant sees it. */
  async listAll({ keys }: Visit): Promise<Answer<MemoryView[]>> {
    return ok(await this.store.viewActive(keys))
  }

  async #view(keys: SpaceKeys, agentName: string, memories: OpenMemory[]): Promise<RememberedView> {
    const profile = await this.store.profile(keys, agentName)
    const own = memories
      .filter((memory) => memory.agentName === agentName)
      .sort((one, other) => other.importance - one.importance || other.updatedAt - one.updatedAt)
    const points = own.slice(0, MEMORY.points).map((memory) => memory.content)
    return {
      agentName,
      content: profile?.content ?? joinPoints(points),
      points,
      fromAnonymous: own.some((memory) => memory.carried),
      updatedAt: Math.max(profile?.updatedAt ?? 0, ...own.map((memory) => memory.updatedAt)),
    }
  }

  /** Forgets what was learnt with one agent, and nothing else; sessions and messages stay. */
  forget({ keys }: Visit, agentName: string): Promise<Answer<null>> {
    return this.open.exclusively(async () => {
      const active = await this.open.load(keys)
      const ids = this.store.idsOfAgent(agentName)
      const { removed, returned } = this.core.storage.transactionSync(() => ({
        returned: this.store.remove(ids),
        removed: this.store.removeProfile(agentName),
      }))
      if (returned) this.open.forget()
      for (const id of ids) active.delete(id)
      this.onChange(ids.length)
      return ids.length > 0 || removed ? ok(null) : refuse('remembered')
    })
  }

  /** Nothing opened stays: the user's key is gone. */
  forgetOpened(): void {
    this.open.forget()
  }

  /** Privacy mode was switched on. */
  dropVectors(): void {
    this.store.dropVectors()
    this.open.forget()
  }

  /** Stored vectors; none in privacy mode. */
  countVectors(): number {
    return this.store.countVectors()
  }
}

function joinPoints(points: string[]): string {
  let text = ''
  for (const point of points) {
    if (text.length + point.length >= MEMORY.profileLength) break
    text += text === '' ? point : ` ${point}`
  }
  return text
}

import { mergeMemories, wordsOf } from '../../../src/memory/merge-memories'
import { joinSummaries, settleMemories } from '../../../src/memory/settle-memories'
import type { MemoryDraft, MemoryMaker } from '../../../src/memory/types'
import { type Answer, ok } from '../../../src/spaces/answer'
import type { SpaceKeys } from '../core/space-keys'
import type { Visit } from '../core/visit'
import { MemoryPart } from './memory-part'
import type { MemoryRow } from './memory-store'
import { asOpen, readMemory } from './open-memory'

/** A memory on its way to another object: in memory alone, never in a queue or on disk. */
export interface CarriedMemory {
  id: string
  draft: Omit<MemoryDraft, 'replaces'>
  agentName: string
  madeBy: MemoryMaker
  createdAt: number
  updatedAt: number
}

/** What another space of the user remembered, sealed for this one and not yet in force. */
export interface ArrivingMemories {
  memories: MemoryRow[]
  profiles: { agent_name: string; body_sealed: string; updated_at: number }[]
}

/** Memories go over to another object of the user, and come from one: opened there, sealed anew here. */
export class Carrying extends MemoryPart {
  /** Everything in force, opened. */
  async exportAll({ keys }: Visit): Promise<Answer<CarriedMemory[]>> {
    const memories = [...(await this.open.load(keys)).values()]
    return ok(
      memories.map((memory) => ({
        id: memory.id,
        draft: {
          kind: memory.kind,
          topic: memory.topic,
          importance: memory.importance,
          content: memory.content,
          slot: memory.slot,
        },
        agentName: memory.agentName,
        madeBy: this.store.row(memory.id)?.made_by ?? 'rules',
        createdAt: memory.createdAt,
        updatedAt: memory.updatedAt,
      })),
    )
  }

  /** Takes memories over, once each whatever is repeated. What is already known here wins. @returns how many are new. */
  importAll({ keys }: Visit, carried: CarriedMemory[]): Promise<Answer<number>> {
    return this.open.exclusively(async () => {
      const active = await this.open.load(keys)
      const fresh = carried.filter((item) => !this.store.hasCarried(item.id))
      const drafts = fresh.map((item): MemoryDraft => ({ ...item.draft, replaces: [] }))
      const { add } = mergeMemories([...active.values()], drafts)
      const taken = new Set(add.flatMap((one) => (one.supersedes.length > 0 ? [] : [one.draft])))
      const kept = fresh.filter((_item, index) => {
        const draft = drafts[index]
        return draft !== undefined && taken.has(draft)
      })
      const sealed = await Promise.all(
        kept.map((item) =>
          this.store.seal(keys, {
            id: this.core.mint(Date.now()),
            draft: { ...item.draft, replaces: [] },
            madeBy: item.madeBy,
            agentName: item.agentName,
            sessionId: null,
            messageId: null,
            carriedFrom: item.id,
            vector: null,
            createdAt: item.createdAt,
            updatedAt: item.updatedAt,
          }),
        ),
      )
      this.core.storage.transactionSync(() => {
        for (const memory of sealed) this.store.add(memory)
      })
      for (const memory of sealed) active.set(memory.memory.id, asOpen(memory))
      this.open.trim(active, Date.now())
      return ok(sealed.length)
    })
  }

  /** Forgets these memories: they were carried elsewhere. */
  dropCarried({ keys }: Visit, ids: string[]): Promise<Answer<null>> {
    return this.open.exclusively(async () => {
      const active = await this.open.load(keys)
      const agents = new Set(ids.flatMap((id) => active.get(id)?.agentName ?? []))
      this.core.storage.transactionSync(() => {
        // First, so that nothing older becomes true again here.
        this.store.trimSuperseded(0)
        this.store.remove(ids)
        for (const agentName of agents) this.store.removeProfile(agentName)
      })
      for (const id of ids) active.delete(id)
      return ok(null)
    })
  }

  /**
   * Another space's memories come into force beside those of this one: of two that say the same, or cannot both be true,
   * the newer stands, and two summaries of one agent become one.
   * @param show makes what arrived visible in one transaction, with the function it is given as its last step.
   */
  adopt(
    keys: SpaceKeys,
    arriving: ArrivingMemories,
    show: (settle: () => void) => Promise<void>,
  ): Promise<void> {
    return this.open.exclusively(async () => {
      const mine = [...(await this.open.load(keys)).values()]
      const opened = await Promise.all(
        arriving.memories
          .filter((row) => row.superseded_by === null)
          .map((row) => readMemory(keys, row)),
      )
      const theirs = opened.filter((memory) => memory !== null)
      const settled = settleMemories(mine, theirs)
      const known = new Map([...mine, ...theirs].map((memory) => [memory.id, memory]))
      // A summary that may say what is no longer true is made anew by the next extraction.
      const stale = new Set(
        settled.flatMap(({ id, by }) => {
          const [falls, stands] = [known.get(id), known.get(by)]
          const isRepeat = wordsOf(falls?.content ?? '') === wordsOf(stands?.content ?? '')
          return isRepeat || !falls ? [] : [falls.agentName]
        }),
      )
      const joined = new Map<string, { sealed: string; updatedAt: number } | null>()
      for (const row of arriving.profiles) {
        const name = row.agent_name
        const own = await this.store.profile(keys, name)
        const other = await keys.read('remembered', 'body', name, row.body_sealed)
        if (other === null || stale.has(name)) continue
        if (!own) {
          // In the place of one that does not open, too.
          joined.set(name, { sealed: row.body_sealed, updatedAt: row.updated_at })
          continue
        }
        const text =
          own.updatedAt >= row.updated_at
            ? joinSummaries(own.content, other)
            : joinSummaries(other, own.content)
        const updatedAt = Math.max(own.updatedAt, row.updated_at)
        joined.set(
          name,
          text === null
            ? null
            : { sealed: await keys.seal('remembered', 'body', name, text), updatedAt },
        )
      }
      await show(() => {
        for (const { id, by } of settled) this.store.supersede(id, by)
        for (const [name, profile] of joined) {
          if (profile) this.store.setProfile(name, profile.sealed, profile.updatedAt)
          else this.store.removeProfile(name)
        }
        for (const name of stale) this.store.removeProfile(name)
      })
      this.open.forget()
      if (theirs.length > 0) this.onChange(theirs.length)
    })
  }
}

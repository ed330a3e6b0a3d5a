import { LIMITS, MERGE } from '../../../src/config/limits'
import { type Answer, ok, refuse } from '../../../src/spaces/answer'
import { MOVABLE_PARTS, type PartRow, partOf } from '../../../src/spaces/movable-parts'
import type { MeEvent } from '../../../src/streams/events'
import type { LiveEvents } from '../core/live-events'
import type { SpaceCore } from '../core/space-core'
import type { SpaceKeys } from '../core/space-keys'
import type { Visit } from '../core/visit'
import type { Carrying } from '../memories/carrying'
import type { MemoryRow } from '../memories/memory-store'
import type { StagingStore } from './staging-store'

/** What the arrival of another space asks of the other parts of the object. */
export interface ArrivalPorts {
  live: LiveEvents
  memories: Carrying
  /** All that came is in its place. */
  shown(): void
}

/**
 * The space that another one of the same user goes over to. Rows arrive sealed for this space. Those that are found through
 * others go to their place; the others wait in `staged` until the merge is committed.
 */
export class MergeTarget {
  readonly #core: SpaceCore
  readonly #ports: ArrivalPorts

  constructor(core: SpaceCore, ports: ArrivalPorts) {
    this.#core = core
    this.#ports = ports
  }

  get #staging(): StagingStore {
    return this.#core.stores.staging
  }

  /** Whether there is room. @param held what comes. */
  async accept(
    _visit: Visit,
    id: string,
    held: { documents: number; chunks: number },
  ): Promise<Answer<null>> {
    const own = this.#core.stores.documents.held()
    const isFull =
      (held.documents > 0 && own.documents + held.documents > LIMITS.spaceDocuments) ||
      (held.chunks > 0 && own.chunks + held.chunks > LIMITS.chunksPerSpace)
    if (isFull) return refuse('merge_too_large')
    this.#staging.open(id, Date.now())
    return ok(null)
  }

  /** Takes some rows. The same rows again replace themselves. @throws Error for a merge that was given up. */
  stage(id: string, table: string, rows: readonly PartRow[]): void {
    const part = partOf(table)
    this.#core.storage.transactionSync(() => {
      if (!this.#staging.isOpen(id)) throw new Error('This merge is not under way')
      for (const row of rows) {
        if (part.foundThrough) this.#core.stores.moving.place(part, row)
        else this.#staging.add(id, part, row)
      }
    })
  }

  /** The merge is committed: all that waited becomes visible in one step. Safe to run twice. */
  async publish({ keys }: Visit, id: string): Promise<Answer<null>> {
    if (!this.#staging.isOpen(id)) return ok(null)
    await this.#ports.memories.adopt(
      keys,
      {
        memories: this.#staging.rows(id, 'memories') as MemoryRow[],
        profiles: this.#staging.rows(id, 'remembered') as {
          agent_name: string
          body_sealed: string
          updated_at: number
        }[],
      },
      (settle) => this.#show(keys, id, settle),
    )
    this.#ports.shown()
    // Whatever is due, unread or not handed on is looked after at once.
    await this.#core.wakeAt(Date.now())
    return ok(null)
  }

  async #show(keys: SpaceKeys, id: string, settle: () => void): Promise<void> {
    const opened = await Promise.all(
      this.#staging.rows(id, 'events').map(async (row) => {
        const [ref, sealed] = [String(row.ref), String(row.body_sealed)]
        const body = await keys.read('events', 'body', ref, sealed)
        if (body === null) return []
        const event = JSON.parse(body) as MeEvent
        return [{ prepared: { event, ref, sealed }, at: Number(row.created_at) }]
      }),
    )
    const events = opened.flat()
    const newest = this.#staging
      .rows(id, 'sessions')
      .reduce<PartRow | null>(
        (last, row) => (Number(row.updated_at) > Number(last?.updated_at ?? 0) ? row : last),
        null,
      )
    const stored = this.#core.storage.transactionSync(() => {
      if (!this.#staging.isOpen(id)) return []
      for (const part of MOVABLE_PARTS) {
        if (!part.foundThrough && part.table !== 'events')
          this.#core.stores.moving.placeStaged(part, id)
      }
      this.#core.stores.sessions.rankAll()
      settle()
      this.#staging.removeAll(id)
      this.#staging.close(id, Date.now())
      return events.map(({ prepared, at }) => this.#ports.live.store(prepared, at))
    })
    this.#ports.live.send(stored)
    if (newest) this.#ports.live.hint({ type: 'session', id: String(newest.id), change: 'created' })
  }

  /** The merge was given up: what came is removed, some at a time. @returns whether nothing is left. */
  unstage(id: string): boolean {
    const { storage, stores } = this.#core
    return storage.transactionSync(() => {
      // First, so that nothing that is still on its way is taken any more.
      this.#staging.close(id, Date.now())
      const heads = this.#staging.heads(id)
      for (const { n, part, head } of heads) {
        stores.moving.removeThrough(part, head)
        this.#staging.remove(n)
      }
      return heads.length < MERGE.heads
    })
  }
}

import { MERGE } from '../../../src/config/limits'
import type { SpaceIdentity } from '../../../src/context'
import { createLog } from '../../../src/log'
import { askPart, workIn } from '../../../src/platform/stubs'
import { type Answer, ok, refuse, type SpaceRefusal } from '../../../src/spaces/answer'
import type { SpaceCaller } from '../../../src/spaces/caller'
import {
  commitMerge,
  decideMerge,
  finishMerge,
  lockMerge,
  type MergeNote,
} from '../../../src/spaces/merge-directory'
import { MOVABLE_PARTS, type MovablePart, type PartRow } from '../../../src/spaces/movable-parts'
import type { SpaceCore } from '../core/space-core'
import { SpaceKeys } from '../core/space-keys'

/** What is stored while this space goes over to another one. */
interface MergeRecord {
  id: string
  target: SpaceIdentity
}

export type MergeOutcome = Answer<null>

/** What the merge asks of the other parts of the object. */
export interface MergePorts {
  /** Ends and hands on what a crash left of turns. @returns whether none is left. */
  settleTurns(): Promise<boolean>
  /** The space is gone: streams end, what was opened is forgotten. */
  left(): void
}

/**
 * This space on its way into another one of the same user. It freezes, hands its rows over sealed for the target, where they
 * wait unseen, and lets one batch of D1 decide. Whatever happens before that batch is rolled back, whatever happens after
 * it is carried through; each step may be repeated.
 */
export class MergeSource {
  readonly #core: SpaceCore
  readonly #ports: MergePorts
  #running: Promise<MergeOutcome> | null = null

  constructor(core: SpaceCore, ports: MergePorts) {
    this.#core = core
    this.#ports = ports
  }

  /** Whether a merge waits to be looked after, or the emptied object to be removed. */
  get isPending(): boolean {
    return this.#record() !== null || this.#core.freeze.movedTo !== null
  }

  #record(): MergeRecord | null {
    const stored = this.#core.stores.facts.get('merge')
    return stored === null ? null : (JSON.parse(stored) as MergeRecord)
  }

  /** Merges everything into the target and answers when it is there. Goes on if the caller leaves. */
  async begin(caller: SpaceCaller, target: SpaceIdentity): Promise<MergeOutcome> {
    const core = this.#core
    const visit = await core.as(caller, 'write')
    if (!visit.ok) return visit
    // Another one may have begun while this one was let in.
    const refusal = core.freeze.refusal('write')
    if (refusal) return { ok: false, refusal }
    const record: MergeRecord = { id: crypto.randomUUID(), target }
    core.freeze.begin()
    core.stores.facts.set('merge', JSON.stringify(record))
    await core.wakeAt(Date.now() + MERGE.watchMs)
    return this.#alone(() => this.#run(record))
  }

  /** From the alarm: takes up a merge that was cut off, and removes what is left once nobody asks for it any more. */
  async lookAfter(): Promise<void> {
    const core = this.#core
    const record = this.#record()
    if (record && !this.#running) {
      await this.#alone(() => this.#settle(record, null))
    }
    if (this.#record()) return core.wakeAt(Date.now() + MERGE.watchMs)
    const movedAt = Number(core.stores.facts.get('moved_at') ?? Number.NaN)
    if (Number.isNaN(movedAt)) return
    if (Date.now() < movedAt + MERGE.signpostMs) return core.wakeAt(movedAt + MERGE.signpostMs)
    core.close()
    await core.alarm.remove()
    await core.storage.deleteAll()
  }

  async #alone(work: () => Promise<MergeOutcome>): Promise<MergeOutcome> {
    this.#running = work()
    try {
      return await this.#running
    } finally {
      this.#running = null
    }
  }

  async #run(record: MergeRecord): Promise<MergeOutcome> {
    const log = createLog('merge', { merge_id: record.id })
    try {
      const refusal = await this.#stage(record)
      if (refusal) {
        await this.#settle(record, 'aborted')
        return { ok: false, refusal }
      }
      if (await commitMerge(this.#core.env.DB, record.id)) {
        return await this.#settle(record, 'committed')
      }
    } catch (error) {
      log.error('merge_interrupted', error)
    }
    return this.#settle(record, null)
  }

  /** Everything up to the commit point. @returns why it cannot be, or null. */
  async #stage(record: MergeRecord): Promise<SpaceRefusal | null> {
    const { env, freeze, stores } = this.#core
    const isQuiet = (await freeze.drained(MERGE.drainMs)) && (await this.#ports.settleTurns())
    if (!isQuiet) return { reason: 'busy' }
    if (!(await lockMerge(env.DB, this.#note(record), Date.now()))) return { reason: 'merging' }
    const caller = this.#callerAt(record.target)
    const [from, to] = await Promise.all([
      this.#core.keys(),
      SpaceKeys.load(env, caller.address, caller.wrappedTenantKey),
    ])
    if (!from || !to) return { reason: 'user_gone' }
    const held = stores.documents.held()
    const accepted = await askPart(env, caller, 'arrival', 'accept', record.id, held)
    if (!accepted.ok) return accepted.refusal
    for (const part of MOVABLE_PARTS) {
      for (let after: PartRow | null = null; ; ) {
        const rows = stores.moving.read(part, after)
        if (rows.length === 0) break
        const moved = await Promise.all(rows.map((row) => moveRow(part, row, from, to)))
        await workIn(env, caller.address, 'arrival', 'stage', record.id, part.table, moved)
        after = rows.at(-1) ?? null
        // Whoever else is served by this thread has a turn between two steps.
        await new Promise((resume) => setTimeout(resume, 0))
      }
    }
    return null
  }

  /** @param verdict null when it has to be asked of D1, which decides for good. */
  async #settle(
    record: MergeRecord,
    verdict: 'committed' | 'aborted' | null,
  ): Promise<MergeOutcome> {
    const { env, freeze } = this.#core
    const note = this.#note(record)
    const known = freeze.movedTo ? 'committed' : verdict
    // A merge that is given up is marked as such first: nothing of it that is still on its way can count after that.
    const decided = known === 'committed' ? known : await decideMerge(env.DB, note, Date.now())
    if (decided === 'committed') {
      await this.#forward(record)
      return ok(null)
    }
    await this.#back(record)
    return refuse('unavailable')
  }

  async #forward(record: MergeRecord): Promise<void> {
    const { env } = this.#core
    const caller = this.#callerAt(record.target)
    // A refusal is the user's end: without their key nothing can be read again, and what came goes with them.
    await askPart(env, caller, 'arrival', 'publish', record.id)
    await this.#leave(record)
    await finishMerge(env.DB, record.id)
    this.#core.stores.facts.drop('merge')
  }

  /** From here on the object only says where its space went; what it held is in the target. */
  async #leave({ target }: MergeRecord): Promise<void> {
    const { stores, storage, freeze } = this.#core
    const now = Date.now()
    storage.transactionSync(() => {
      stores.facts.set('moved_to', JSON.stringify(target))
      if (stores.facts.get('moved_at') === null) stores.facts.set('moved_at', String(now))
      stores.moving.removeAll()
      stores.events.removeAll()
    })
    freeze.end(target)
    this.#ports.left()
    await this.#core.wakeAt(now + MERGE.signpostMs)
  }

  async #back(record: MergeRecord): Promise<void> {
    const { address } = this.#callerAt(record.target)
    while (!(await workIn(this.#core.env, address, 'arrival', 'unstage', record.id)));
    this.#core.stores.facts.drop('merge')
    this.#core.freeze.end(null)
    // What fell due meanwhile is told now.
    await this.#core.wakeAt(Date.now())
  }

  #note({ id, target }: MergeRecord): MergeNote {
    const { tenantId, userId, spaceId } = this.#core.callerHere().address
    return { id, tenantId, userId, sourceId: spaceId, targetId: target.id }
  }

  #callerAt(target: SpaceIdentity): SpaceCaller {
    const here = this.#core.callerHere()
    return { ...here, address: { ...here.address, spaceId: target.id }, tag: target.tag }
  }
}

/** The same row, sealed for another space. A value that does not open goes over as it is: nothing is lost, and it opens there no less. */
async function moveRow(
  part: MovablePart,
  row: PartRow,
  from: SpaceKeys,
  to: SpaceKeys,
): Promise<PartRow> {
  const name = part.sealedRow(row)
  const moved = { ...row }
  await Promise.all([
    ...part.sealed.map(async (sealed) => {
      const value = row[sealed.column]
      if (typeof value === 'string') {
        const open = await from.read(part.table, sealed.name, name, value)
        if (open !== null) moved[sealed.column] = await to.seal(part.table, sealed.name, name, open)
      } else if (value instanceof ArrayBuffer) {
        const open = await from.readBlob(part.table, sealed.name, name, new Uint8Array(value))
        if (open !== null)
          moved[sealed.column] = (await to.sealBlob(part.table, sealed.name, name, open)).buffer
      }
    }),
    (async () => {
      const wrapped = part.wrappedKey && row[part.wrappedKey]
      if (part.wrappedKey && typeof wrapped === 'string') {
        moved[part.wrappedKey] = (await from.moveAttachmentKey(to, name, wrapped)) ?? wrapped
      }
    })(),
  ])
  return moved
}

import type { EnrollmentChange } from '../../../src/chat/storyline/desk'
import { loadRules } from '../../../src/lazy'
import { type Answer, ok, refuse } from '../../../src/spaces/answer'
import type { Enrollment, EnrollmentHead } from '../../../src/storylines/enrollment'
import { isOpen } from '../../../src/storylines/enrollment'
import type { MigrationOrder, MigrationOutcome } from '../../../src/storylines/migrate'
import type { CountStep, EnrollmentReport } from '../../../src/storylines/records'
import type { SpaceCore } from '../core/space-core'
import type { SpaceKeys } from '../core/space-keys'
import type { Visit } from '../core/visit'
import type { EnrollmentStore } from './enrollment-store'
import { restAnew } from './enrollment-writer'
import type { Enrollments } from './enrollments'
import { headOf, openEnrollment } from './open-enrollment'

/** Enrollments as their user sees and leaves them, and as the tenant moves them. */
export class OwnEnrollments {
  readonly #core: SpaceCore
  readonly #enrollments: Enrollments

  constructor(core: SpaceCore, enrollments: Enrollments) {
    this.#core = core
    this.#enrollments = enrollments
  }

  get #store(): EnrollmentStore {
    return this.#core.stores.enrollments
  }

  /** What spoke last comes first. */
  async list(_visit: Visit): Promise<Answer<EnrollmentHead[]>> {
    const heads = this.#store.all().map(headOf)
    return ok(heads.sort((a, b) => b.lastTurnAt - a.lastTurnAt))
  }

  /** @returns refusal `session` for one that is not there or over. */
  async leave({ keys }: Visit, id: string): Promise<Answer<null>> {
    const left = await this.#change(keys, id, async (enrollment) => {
      if (!isOpen(enrollment)) return null
      const counts: CountStep[] = [
        { node: enrollment.node, kind: 'exit', name: 'user_exit', n: 1 },
        { node: enrollment.node, kind: 'exited', name: '', n: 1 },
      ]
      return { enrollment: { ...enrollment, status: 'exited', dueAt: null }, counts }
    })
    return left ? ok(null) : refuse('session')
  }

  /**
   * Moves one enrollment as its tenant wants (storyline-model, section 8).
   * @returns with what the directory is to be told of it, so that the lists show it as soon as the order is answered.
   */
  async migrate(
    id: string,
    order: MigrationOrder,
  ): Promise<{ outcome: MigrationOutcome; owed: EnrollmentReport[] }> {
    const keys = await this.#core.keys()
    const playable = await this.#enrollments.playable(order.revisionId)
    if (!keys || !playable) return { outcome: { changed: false, reason: 'gone' }, owed: [] }
    const { migrated } = await loadRules()
    let outcome: MigrationOutcome = { changed: false, reason: 'gone' }
    const isChanged = await this.#change(keys, id, async (enrollment) => {
      const now = Date.now()
      const result = migrated(enrollment, playable.story, order, now)
      const { enrollment: moved, counts } = result
      outcome = result.outcome
      if (!moved) return null
      if (order.undoes === undefined)
        return { enrollment: { ...moved, holds: await this.#holds(moved) }, counts }
      const also =
        isOpen(moved) && this.#hasOther(enrollment)
          ? null
          : await this.#enrollments.withdrawnWith(keys, moved, order.undoes)
      if (also) return { enrollment: moved, counts, also }
      outcome = { changed: false, reason: 'moved' }
      return null
    })
    // Whoever orders what was done already does not know of it yet.
    if (!isChanged) await this.#enrollments.follow()
    return { outcome, owed: this.#enrollments.owed() }
  }

  /** What an order completes leaves its last node in force as any other end does. */
  async #holds({ status, revisionId }: Enrollment): Promise<boolean> {
    if (status !== 'completed') return false
    const playable = await this.#enrollments.playable(revisionId)
    return playable?.revision.behaviour.onComplete === 'hold'
  }

  /** Whether the user has begun the storyline anew. */
  #hasOther({ id, storylineId }: Enrollment): boolean {
    return this.#store
      .all()
      .some((row) => row.id !== id && row.storyline_id === storylineId && isOpen(row))
  }

  /** The directory knows a report. */
  async reported(id: string, n: number): Promise<void> {
    await this.#enrollments.noteReported(id, n)
  }

  /** What rested may go on: the clock looks at what is due. */
  async wake(): Promise<void> {
    await this.#enrollments.follow()
  }

  /** A storyline was deleted: what people noted in it goes with it, and what it had interrupted goes on. */
  async clear(storylineId: string): Promise<void> {
    this.#core.storage.transactionSync(() => {
      this.#store.dropCalls(storylineId)
      for (const row of this.#store.all()) {
        if (row.storyline_id !== storylineId) continue
        this.#store.remove(row.id)
        restAnew(this.#core, row.id, null)
      }
    })
    await this.#enrollments.follow()
  }

  /** @returns whether something was changed: reads, decides and writes while nothing else of its agent moves. */
  async #change(
    keys: SpaceKeys,
    id: string,
    decide: (enrollment: Enrollment) => Promise<{
      enrollment: Enrollment
      counts: readonly CountStep[]
      also?: readonly EnrollmentChange[]
    } | null>,
  ): Promise<boolean> {
    const agentId = this.#store.get(id)?.agent_id
    if (agentId === undefined) return false
    const holder = `change ${id}`
    await this.#enrollments.locks.take(agentId, holder)
    try {
      const row = this.#store.get(id)
      const enrollment = row && (await openEnrollment(keys, row))
      const decided = enrollment ? await decide(enrollment) : null
      if (!decided) return false
      const now = Date.now()
      const changed = { ...decided.enrollment, updatedAt: now }
      const { counts, also = [] } = decided
      const moves = await this.#enrollments.prepare(keys, [
        { enrollment: changed, counts, log: null },
        ...also,
        ...(isOpen(changed) ? [] : await this.#enrollments.followedBy(keys, changed, null)),
      ])
      this.#core.storage.transactionSync(() => this.#enrollments.commit(moves, now))
      await this.#enrollments.follow()
      return true
    } finally {
      this.#enrollments.locks.release(holder)
    }
  }
}

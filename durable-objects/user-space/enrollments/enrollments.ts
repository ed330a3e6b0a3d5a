import type { EnrollmentChange, Playable, StorylineDesk } from '../../../src/chat/storyline/desk'
import type { TurnRequest } from '../../../src/chat/turn'
import { MINUTE_MS } from '../../../src/config/limits'
import { openReplica } from '../../../src/db/client'
import { loadRules } from '../../../src/lazy'
import { createLog } from '../../../src/log'
import { sendJobs } from '../../../src/platform/queue'
import type { SpaceAddress } from '../../../src/platform/stubs'
import { nextLiveRevision, revision } from '../../../src/storylines/definitions'
import { type Enrollment, isOpen } from '../../../src/storylines/enrollment'
import { findBases } from '../../../src/storylines/find-bases'
import { followOn } from '../../../src/storylines/follow-on'
import type { ToolResult } from '../../../src/storylines/play'
import type { EnrollmentReport } from '../../../src/storylines/records'
import type { SpaceCore } from '../core/space-core'
import type { SpaceKeys } from '../core/space-keys'
import { AgentLocks } from './agent-locks'
import type { EnrollmentStore } from './enrollment-store'
import {
  commitChanges,
  type PreparedChange,
  prepareChanges,
  reportMerged,
} from './enrollment-writer'
import { headOf, openEnrollment } from './open-enrollment'

const RETRY_MS = MINUTE_MS
const REPORTS_AT_ONCE = 50
/** A call that was begun and of which nothing came: it may have been made, so it is not made again. */
const UNKNOWN: ToolResult = { ok: false, status: 0, data: null }

/** What a call was asked, and what came of it once it did. */
interface RecordedCall {
  words: string
  result: ToolResult | null
}

/** The storylines of one space's user: where they are in each, kept with the turns that lead them on. */
export class Enrollments {
  readonly #core: SpaceCore
  readonly locks = new AgentLocks()
  /** Reports that are on their way. */
  readonly #sent = new Map<string, { n: number; at: number }>()
  readonly #playable = new Map<string, Promise<Playable | null>>()

  constructor(core: SpaceCore) {
    this.#core = core
  }

  get #store(): EnrollmentStore {
    return this.#core.stores.enrollments
  }

  /** What one turn may do with them. It ends with `end`. */
  desk(keys: SpaceKeys, { agent }: TurnRequest, sessionId: string, turnId: string): StorylineDesk {
    const { messages, sessions } = this.#core.stores
    const enter = async () => {
      await this.locks.take(agent.id, turnId)
      return this.#openAll(keys, agent.id)
    }
    return {
      sessionId,
      open: async () => (this.#store.inForce(agent.id).length === 0 ? [] : enter()),
      enter,
      past: () => this.#store.past(agent.id).map(headOf),
      place: () => {
        const firstMessage = !messages.isAnswered(sessionId)
        return {
          firstMessage,
          firstContact: firstMessage && !sessions.hasOthers(agent.id, sessionId),
        }
      },
      story: (revisionId) => this.playable(revisionId),
      bases: async (named) => {
        const { address, env } = this.#core
        return address ? findBases(openReplica(env.DB), address.tenantId, named) : []
      },
      callOnce: (id, step, words, call) => this.callOnce(keys, id, step, words, call),
      newId: () => this.#core.mint(Date.now()),
    }
  }

  async #openAll(keys: SpaceKeys, agentId: string): Promise<readonly Enrollment[]> {
    const rows = this.#store.inForce(agentId)
    const opened = await Promise.all(rows.map((row) => openEnrollment(keys, row)))
    return opened.filter((one) => one !== null)
  }

  /** A revision made ready; it never changes. Null when it is gone. @throws what the directory throws. */
  async playable(revisionId: string): Promise<Playable | null> {
    const known = this.#playable.get(revisionId)
    if (known) return known
    const loading = this.#load(revisionId)
    this.#playable.set(revisionId, loading)
    // What could not be read now may be there later.
    const forget = () => this.#playable.delete(revisionId)
    loading.then((loaded) => loaded === null && forget(), forget)
    return loading
  }

  async #load(revisionId: string): Promise<Playable | null> {
    const { address, env } = this.#core
    if (!address) return null
    const [found, { storyOf }] = await Promise.all([
      revision(openReplica(env.DB), address.tenantId, revisionId),
      loadRules(),
    ])
    return found && { revision: found, story: storyOf(found) }
  }

  /** What is begun is noted before it is done: after a crash nobody knows whether it was, so it is not done again. */
  async callOnce(
    keys: SpaceKeys,
    enrollmentId: string,
    step: number,
    words: string,
    call: () => Promise<ToolResult>,
  ): Promise<ToolResult> {
    const name = `${enrollmentId}:${step}`
    const sealed = this.#store.call(enrollmentId, step)
    const opened = sealed && (await keys.read('enrollment_calls', 'body', name, sealed))
    const known = opened ? (JSON.parse(opened) as RecordedCall) : null
    if (known?.words === words) return known.result ?? UNKNOWN
    const note = async (record: RecordedCall) => {
      const body = await keys.seal('enrollment_calls', 'body', name, JSON.stringify(record))
      this.#store.putCall(enrollmentId, step, body)
      await this.#core.storage.sync()
    }
    await note({ words, result: null })
    const result = await call()
    await note({ words, result })
    return result
  }

  /**
   * What follows an end that no turn brought: the next storyline begins, or what the ended one had interrupted goes on.
   * @param dueAt when the clock enters the next one; null leaves that to its user's next message.
   */
  async followedBy(
    keys: SpaceKeys,
    ended: Enrollment,
    dueAt: number | null,
  ): Promise<EnrollmentChange[]> {
    const open = await this.#openAll(keys, ended.agentId)
    const now = Date.now()
    const next = await this.#nextOf(ended, open, now, dueAt)
    const rested = open.filter(
      ({ pausedBy, status }) => pausedBy === ended.id && status === 'paused',
    )
    const freed = next
      ? { pausedBy: next.id, updatedAt: now }
      : { status: 'active' as const, pausedBy: null, lastTurnAt: now, updatedAt: now }
    const resumed = rested.map((one) => ({
      enrollment: { ...one, ...freed },
      counts: [],
      log: null,
    }))
    if (!next) return resumed
    const { node } = next
    const counts = [{ node, kind: 'entered' as const, name: '', n: 1 }]
    return [{ enrollment: next, counts, log: null }, ...resumed]
  }

  async #nextOf(
    ended: Enrollment,
    open: readonly Enrollment[],
    now: number,
    dueAt: number | null,
  ): Promise<Enrollment | null> {
    const { address, env } = this.#core
    if (ended.status !== 'completed' || !address) return null
    const behaviour = (await this.playable(ended.revisionId))?.revision.behaviour
    const nextId = behaviour?.onComplete === 'next' ? behaviour.nextStorylineId : null
    if (nextId === null) return null
    if (open.some((one) => one.storylineId === nextId && one.id !== ended.id && isOpen(one)))
      return null
    const { tenantId } = address
    const live = await nextLiveRevision(openReplica(env.DB), tenantId, ended.storylineId, nextId)
    const playable = live === null ? null : await this.playable(live)
    if (!playable) return null
    const { order } = ended.kept
    return followOn(ended, playable, {
      id: this.#core.mint(now),
      now,
      dueAt,
      ...(order ? { order: { id: order.id, dropped: [] } } : {}),
    })
  }

  /**
   * Takes back what an order began by ending an enrollment that is put back now.
   * @returns null where its user has gone on in it.
   */
  async withdrawnWith(
    keys: SpaceKeys,
    restored: Enrollment,
    orderId: string,
  ): Promise<EnrollmentChange[] | null> {
    const rows = this.#store.all().filter((row) => row.agent_id === restored.agentId)
    const opened = await Promise.all(rows.map((row) => openEnrollment(keys, row)))
    const all = opened.filter((one) => one !== null).filter(({ id }) => id !== restored.id)
    const begun = all.find((one) => one.kept.order?.id === orderId)
    if (!begun) return []
    if (begun.reports !== 1 || !isOpen(begun)) return null
    const now = Date.now()
    const { node } = begun
    return [
      {
        enrollment: { ...begun, status: 'exited', dueAt: null, updatedAt: now },
        counts: [{ node, kind: 'entered', name: '', n: -1 }],
        log: null,
      },
      ...all
        .filter(({ pausedBy }) => pausedBy === begun.id)
        .map((one) => ({
          enrollment: { ...one, pausedBy: restored.id, updatedAt: now },
          counts: [],
          log: null,
        })),
    ]
  }

  prepare(
    keys: SpaceKeys,
    changes: readonly EnrollmentChange[],
  ): Promise<readonly PreparedChange[]> {
    return prepareChanges(this.#core, keys, changes)
  }

  /** Inside the transaction of the reply. */
  commit(prepared: readonly PreparedChange[], now: number): void {
    commitChanges(this.#core, prepared, now)
  }

  /** A turn is over, whatever came of it. */
  end(turnId: string): void {
    this.locks.release(turnId)
  }

  /** After a commit: the directory is told, and the clock is set. Whatever fails is taken up by the alarm. */
  async follow(): Promise<void> {
    const due = this.#store.nextDue(0)
    if (due !== null) await this.#core.wakeAt(due)
    await this.handOn()
  }

  /**
   * Tells the directory what it does not know yet, one report of an enrollment at a time: the next one goes when it has
   * said that it took the one before. A report that is sent twice is taken once.
   */
  async handOn(): Promise<void> {
    reportMerged(this.#core)
    const { address, env } = this.#core
    const now = Date.now()
    const next = this.#store.nextReports(REPORTS_AT_ONCE)
    if (!address || next.length === 0) return
    // Before anything is sent: a job may be lost, and its sender too.
    await this.#core.wakeAt(now + RETRY_MS)
    const unsent = next.filter(({ enrollment_id, n }) => {
      const sent = this.#sent.get(enrollment_id)
      return sent?.n !== n || sent.at <= now - RETRY_MS
    })
    try {
      await sendJobs(
        env,
        unsent.map(({ body }) => ({
          type: 'storyline.report' as const,
          tenantId: address.tenantId,
          report: readReport(body, address),
        })),
      )
      for (const { enrollment_id, n } of unsent) this.#sent.set(enrollment_id, { n, at: now })
    } catch (error) {
      createLog('user-space').error('storyline_reports_not_sent', error)
    }
  }

  /** What the directory does not know yet, for a caller who tells it at once; `handOn` tells it too. */
  owed(): EnrollmentReport[] {
    const { address } = this.#core
    return this.#store.owedReports(REPORTS_AT_ONCE).map(({ body }) => readReport(body, address))
  }

  /** The directory knows a report and those before it. */
  async noteReported(id: string, n: number): Promise<void> {
    this.#store.dropReports(id, n)
    this.#sent.delete(id)
    await this.handOn()
  }
}

/** The space may be another one by now: what was owed came along with a merge. */
const readReport = (body: string, address: SpaceAddress | null): EnrollmentReport => ({
  ...(JSON.parse(body) as EnrollmentReport),
  ...address,
})

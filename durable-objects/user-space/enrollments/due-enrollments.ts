import { SECOND_MS } from '../../../src/config/limits'
import { openPrimary } from '../../../src/db/client'
import { countSteps } from '../../../src/storylines/count-steps'
import { isPublished } from '../../../src/storylines/definitions'
import type { Enrollment } from '../../../src/storylines/enrollment'
import { play } from '../../../src/storylines/play'
import { speak } from '../../../src/storylines/speak'
import { NO_FACTS } from '../../../src/users/user-facts'
import type { SpaceCore } from '../core/space-core'
import type { SpaceKeys } from '../core/space-keys'
import type { EnrollmentStore } from './enrollment-store'
import type { Enrollments } from './enrollments'
import { openEnrollment } from './open-enrollment'

const DUE_BATCH = 20
/** A turn of the same agent goes first. */
const BUSY_MS = 5 * SECOND_MS

/** Enrollments whose time is up: a wait that is over says so by itself, an offer that nobody answered ends. */
export class DueEnrollments {
  readonly #core: SpaceCore
  readonly #enrollments: Enrollments

  constructor(core: SpaceCore, enrollments: Enrollments) {
    this.#core = core
    this.#enrollments = enrollments
  }

  get #store(): EnrollmentStore {
    return this.#core.stores.enrollments
  }

  /** Moves everything that is due, tells the directory, and asks to be woken for what comes next. Safe to run twice. */
  async deliver(): Promise<void> {
    const now = Date.now()
    const keys = await this.#core.keys()
    if (keys) for (const { id } of this.#store.due(now, DUE_BATCH)) await this.#fallDue(keys, id)
    await this.#enrollments.handOn()
    const next = this.#store.nextDue(now)
    if (next !== null) await this.#core.wakeAt(next)
  }

  async #fallDue(keys: SpaceKeys, id: string): Promise<void> {
    const { locks } = this.#enrollments
    const agentId = this.#store.get(id)?.agent_id ?? ''
    if (locks.isHeld(agentId)) return this.#core.wakeAt(Date.now() + BUSY_MS)
    await locks.take(agentId, id)
    try {
      const row = this.#store.get(id)
      const enrollment = row && (await openEnrollment(keys, row))
      if (!enrollment || enrollment.dueAt === null || enrollment.dueAt > Date.now()) return
      if (enrollment.status === 'offered') await this.#expire(keys, enrollment)
      else if (enrollment.status === 'active') await this.#wake(keys, enrollment)
    } finally {
      locks.release(id)
    }
  }

  async #expire(keys: SpaceKeys, enrollment: Enrollment): Promise<void> {
    const now = Date.now()
    const over = { ...enrollment, status: 'exited' as const, dueAt: null, updatedAt: now }
    const moves = await this.#enrollments.prepare(keys, [
      { enrollment: over, counts: [], log: null },
    ])
    this.#core.storage.transactionSync(() => this.#enrollments.commit(moves, now))
  }

  /** What is said now is told as a follow-up: in its session, on the stream, and at the channel. */
  async #wake(keys: SpaceKeys, enrollment: Enrollment): Promise<void> {
    const { address, env, stores } = this.#core
    const playable = await this.#enrollments.playable(enrollment.revisionId)
    // One that was unpublished rests; its user's next message finds it where it is.
    if (!address || !playable) return
    if (!(await isPublished(openPrimary(env.DB), address.tenantId, enrollment.storylineId))) return
    const now = Date.now()
    const { kept } = enrollment
    const lang = kept.lang ?? 'en'
    const { registered, timezone, city } = await this.#core.profile
      .facts(keys)
      .catch(() => NO_FACTS)
    const person = { registered, lang, timezone: timezone ?? '', city: city ?? '' }
    // Tools belong to a turn; without one they fail, and the storyline goes on as it does then.
    const carrier = {
      callTool: async () => ({ ok: false, status: 0, data: null }),
      handOff: async () => true,
    }
    const ran = await play(playable.story, kept.state, { type: 'due' }, person, now, carrier)
    const spoken = speak(playable.story, ran, { lang, forms: false })
    const options = (spoken.clarify?.options ?? []).map(({ label }) => `- ${label}`).join('\n')
    const text = [...spoken.said, spoken.question, options]
      .filter((part) => part !== '')
      .join('\n\n')
    const timer = ran.effects.findLast((effect) => effect.type === 'timer')
    const { state } = ran
    const moved: Enrollment = {
      ...enrollment,
      status: state.status,
      node: state.node,
      dueAt: state.status === 'active' && timer?.node === state.node ? timer.dueAt : null,
      enteredNodeAt: state.enteredAt,
      updatedAt: now,
      kept: { ...kept, state, asked: spoken.asked },
    }
    const moves = await this.#enrollments.prepare(keys, [
      {
        enrollment: moved,
        counts: countSteps(kept.state, ran.effects, now),
        log: { event: 'due', moves: [], tried: ran.tried, judged: [] },
      },
    ])
    const id = this.#core.mint(now)
    const textSealed = await keys.seal('reminders', 'text', id, text)
    const session = stores.sessions.get(enrollment.sessionId)
    this.#core.storage.transactionSync(() => {
      this.#enrollments.commit(moves, now)
      if (text === '' || !session) return
      stores.reminders.add({
        id,
        kind: 'followup',
        dueAt: now,
        timezone: 'UTC',
        source: 'agent',
        agentName: session.agent_name,
        sessionId: session.id,
        textSealed,
        repeatKey: null,
        repeatHash: null,
        now,
      })
    })
  }
}

import { readHandoffHours } from '../../../src/agents/read-handoff-hours'
import { sanitize } from '../../../src/chat/reply/spoken-reply'
import { stepLog } from '../../../src/chat/storyline/lead-on'
import { SECOND_MS } from '../../../src/config/limits'
import { configOf } from '../../../src/config/read-config'
import { openPrimary } from '../../../src/db/client'
import { afterRun } from '../../../src/storylines/after-run'
import { countSteps } from '../../../src/storylines/count-steps'
import { findSpeaker } from '../../../src/storylines/definitions'
import type { Enrollment } from '../../../src/storylines/enrollment'
import { handoffOf } from '../../../src/storylines/handoff-of'
import { play } from '../../../src/storylines/play'
import { type Spoken, speak } from '../../../src/storylines/speak'
import { NO_FACTS } from '../../../src/users/user-facts'
import type { SpaceCore } from '../core/space-core'
import type { SpaceKeys } from '../core/space-keys'
import type { Handoffs } from '../handoffs/handoffs'
import type { Reminders } from '../reminders/reminders'
import { clockCarrier } from './clock-carrier'
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
  readonly #handoffs: Handoffs
  readonly #schedule: Reminders['scheduleByAgent']

  constructor(core: SpaceCore, enrollments: Enrollments, reminders: Reminders, handoffs: Handoffs) {
    this.#handoffs = handoffs
    this.#core = core
    this.#enrollments = enrollments
    this.#schedule = (kind, wanted, by) => reminders.scheduleByAgent(kind, wanted, by)
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
    const { agentId, storylineId } = enrollment
    const agentName = await findSpeaker(openPrimary(env.DB), address.tenantId, storylineId)
    if (agentName === null) return
    const now = Date.now()
    const { kept } = enrollment
    // Its own may be deleted by now: then the last one with its agent, else a new one.
    const session =
      stores.sessions.get(enrollment.sessionId) ??
      stores.sessions.all().find(({ agent_id }) => agent_id === agentId)
    // A person has the conversation: it is woken when they hand it back.
    if (session && this.#handoffs.desk(session.id).open !== null) return
    const sessionId = session?.id ?? this.#core.mint(now)
    const lang = kept.lang ?? 'en'
    const profile = await this.#core.profile.facts(keys).catch(() => NO_FACTS)
    const { registered, timezone, city } = profile
    const person = { registered, lang, timezone: timezone ?? '', city: city ?? '' }
    const carrier = clockCarrier(this.#core, {
      enrollment,
      revision: playable.revision,
      profile,
      now,
      storylines: {
        callOnce: (id, step, words, call) =>
          this.#enrollments.callOnce(keys, id, step, words, call),
      },
      schedule: (kind, wanted) =>
        this.#schedule(kind, wanted, { agentName: session?.agent_name ?? agentName, sessionId }),
    })
    const due = { type: 'due' } as const
    const ran = await play(playable.story, kept.state, due, person, now, carrier).finally(() =>
      carrier.close(),
    )
    const spoken = speak(playable.story, ran, { lang, forms: false })
    const text = sanitize({ origin: configOf(env).publicBase }, textOf(spoken))
    const moved = { ...afterRun(enrollment, playable, ran, spoken, now), sessionId }
    const moves = await this.#enrollments.prepare(keys, [
      {
        enrollment: moved,
        counts: countSteps(kept.state, ran.effects, now),
        log: stepLog(due, ran, []),
      },
      // The clock comes to what begins now as to all else that is due.
      ...(moved.status === 'active'
        ? []
        : await this.#enrollments.followedBy(keys, moved, now + 1)),
    ])
    const asked = handoffOf(playable.story, ran)
    const handoff =
      asked &&
      (await this.#handoffs.seal(keys, asked, {
        sessionId,
        message: '',
        lang,
        hours: await readHandoffHours(env.DB, address.tenantId, agentId),
      }))
    const id = this.#core.mint(now)
    const textSealed = await keys.seal('reminders', 'text', id, text)
    this.#core.storage.transactionSync(() => {
      this.#enrollments.commit(moves, now)
      if (handoff) this.#handoffs.open(handoff, now)
      if (text === '') return
      if (!session)
        stores.sessions.add({ id: sessionId, agentId, agentName, channel: 'web', alias: null, now })
      stores.reminders.add({
        id,
        kind: 'followup',
        dueAt: now,
        timezone: 'UTC',
        source: 'storyline',
        agentName: session?.agent_name ?? agentName,
        sessionId,
        textSealed,
        repeatKey: null,
        repeatHash: null,
        now,
      })
    })
    if (handoff) await this.#handoffs.follow()
  }
}

/** All that is said, also what can be picked: a follow-up has no buttons. */
function textOf({ said, question, clarify }: Spoken): string {
  const options = (clarify?.options ?? []).map(({ label }) => `- ${label}`).join('\n')
  return [...said, question, options].filter((part) => part !== '').join('\n\n')
}

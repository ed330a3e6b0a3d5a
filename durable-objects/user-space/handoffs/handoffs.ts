import { HOUR_MS, LIMITS, MINUTE_MS } from '../../../src/config/limits'
import type { Language } from '../../../src/config/names'
import { configOf } from '../../../src/config/read-config'
import type {
  HandoffDesk,
  HandoffHead,
  HandoffNotice,
  HandoffRequest,
} from '../../../src/handoffs/handoff'
import { loadAsking } from '../../../src/lazy'
import { createLog } from '../../../src/log'
import { sendJobs } from '../../../src/platform/queue'
import { type Answer, ok, refuse } from '../../../src/spaces/answer'
import type { SpaceCore } from '../core/space-core'
import type { SpaceKeys } from '../core/space-keys'
import type { Visit } from '../core/visit'
import type { DueReminders } from '../reminders/due-reminders'
import type { SessionRow } from '../sessions/session-row'
import type { HandoffRow, HandoffStore } from './handoff-store'

const BATCH = 20
const RETRY_MS = MINUTE_MS
const SUMMARY_CHARS = 2000

/** What is sealed of a handoff. */
interface HandoffBody {
  summary: string
  notify: readonly string[]
  lang: Language
  /** How long the agent waits for a person; null for as long as the deployment says. */
  hours?: number | null
}

/** A handoff that is sealed, and is written by `open`. */
export interface PreparedHandoff {
  id: string
  sessionId: string
  reason: HandoffRequest['reason']
  sealed: string
  hours: number | null
}

/** Sessions in which a person answers instead of the agent: asked for by a turn, answered and handed back by the tenant. */
export class Handoffs {
  readonly #core: SpaceCore
  readonly #due: DueReminders
  /** Jobs that are on their way. */
  readonly #sent = new Map<string, { n: number; at: number }>()

  constructor(core: SpaceCore, due: DueReminders) {
    this.#core = core
    this.#due = due
  }

  get #store(): HandoffStore {
    return this.#core.stores.handoffs
  }

  /** What a turn knows of it without a look of its own. */
  desk(sessionId: string): HandoffDesk {
    const session = this.#core.stores.sessions.standing(sessionId)
    const row = session?.handoff_id ? this.#store.get(session.handoff_id) : undefined
    const misses = session?.misses ?? 0
    return {
      open: row && row.status !== 'closed' ? row.status : null,
      misses: misses < 0 ? null : misses,
    }
  }

  /** Seals what the person is told; to be followed by `open` in the transaction of the reply. */
  async seal(
    keys: SpaceKeys,
    { reason, lines, notify }: HandoffRequest,
    said: { sessionId: string; message: string; lang: Language; hours: number | null },
  ): Promise<PreparedHandoff> {
    const id = this.#core.mint(Date.now())
    const summary = [said.message, ...lines].filter((line) => line !== '').join('\n')
    const { sessionId, lang, hours } = said
    const body: HandoffBody = { summary: summary.slice(0, SUMMARY_CHARS), notify, lang, hours }
    const sealed = await keys.seal('handoffs', 'body', id, JSON.stringify(body))
    return { id, sessionId, reason, sealed, hours }
  }

  /**
   * Inside a transaction. In privacy mode nobody can answer in the conversation, so the agent stays in it: who is asked
   * is told that somebody waits, and no more.
   */
  open({ id, sessionId, reason, sealed, hours }: PreparedHandoff, now: number): void {
    const { sessions } = this.#core.stores
    if (!sessions.has(sessionId)) return
    const dueAt = now + this.#patienceMs(hours)
    this.#store.add({ id, session_id: sessionId, reason, body_sealed: sealed, due_at: dueAt }, now)
    if (!this.#core.privacy) sessions.setHandoff(sessionId, id)
  }

  /** After a commit: who is to know is told, and the clock is set. Whatever fails is taken up by the alarm. */
  async follow(): Promise<void> {
    const due = this.#store.nextDue()
    if (due !== null) await this.#core.wakeAt(due)
    await this.#handOn()
  }

  /**
   * What a person says to the user, in the session. @returns refusal `no_handoff` where nobody was asked for.
   * @param once what tells a repeat: then nothing is said again
   */
  async reply(
    { keys }: Visit,
    sessionId: string,
    text: string,
    once: string | null,
  ): Promise<Answer<HandoffHead>> {
    return this.#with(sessionId, async (session, row) => {
      const since = Date.now() - LIMITS.idempotencyHours * HOUR_MS
      if (once !== null && this.#core.stores.reminders.repeated(once, since)) return true
      const say = await this.#prepareWords(keys, session, 'staff', text, once)
      const hours = (await this.#open(keys, row))?.hours ?? null
      return this.#change(row, (now) => {
        this.#store.answer(row.id, now + this.#patienceMs(hours), now)
        say(now)
      })
    })
  }

  /** The person hands back to the agent, which says so. */
  async resume({ keys }: Visit, sessionId: string): Promise<Answer<HandoffHead>> {
    return this.#with(sessionId, (session, row) => this.#close(keys, session, row))
  }

  /** Sessions that a person did not get to go back to their agent; the directory hears what it does not know yet. */
  async deliver(): Promise<void> {
    const keys = await this.#core.keys()
    for (const row of keys ? this.#store.due(Date.now(), BATCH) : []) {
      const session = this.#core.stores.sessions.get(row.session_id)
      if (keys && session && (await this.#close(keys, session, row))) await this.#due.deliver()
    }
    await this.follow()
  }

  /** What is to be told of one; null when its session is gone. */
  async notice(id: string): Promise<HandoffNotice | null> {
    const keys = await this.#core.keys()
    const row = keys ? this.#store.get(id) : undefined
    const session = row && this.#core.stores.sessions.get(row.session_id)
    if (!keys || !row || !session) return null
    const body = await this.#open(keys, row)
    return {
      ...headOf(row, session),
      summary: this.#core.privacy ? null : (body?.summary ?? null),
      notify: body?.notify ?? [],
    }
  }

  /** The directory knows this much. More may wait than were handed on together. */
  async told(id: string, n: number): Promise<void> {
    this.#store.noteTold(id, n)
    this.#sent.delete(id)
    await this.#handOn()
  }

  #patienceMs(hours: number | null): number {
    return hours === null ? configOf(this.#core.env).handoffMs : hours * HOUR_MS
  }

  /** @param work whether it was done; else the handoff is looked at anew, which somebody has changed. */
  async #with(
    sessionId: string,
    work: (session: SessionRow, row: HandoffRow) => Promise<boolean>,
  ): Promise<Answer<HandoffHead>> {
    for (;;) {
      const session = this.#core.stores.sessions.get(sessionId)
      if (!session) return refuse('session')
      const row = session.handoff_id ? this.#store.get(session.handoff_id) : undefined
      if (!row || row.status === 'closed') return refuse('no_handoff')
      if (!(await work(session, row))) continue
      const changed = this.#store.get(row.id) ?? row
      await this.#due.deliver()
      await this.follow()
      return ok(headOf(changed, session))
    }
  }

  /** In one transaction, while the handoff is still as it was read. @returns whether it was. */
  #change(row: HandoffRow, write: (now: number) => void): boolean {
    return this.#core.storage.transactionSync(() => {
      const isSame = this.#store.get(row.id)?.n === row.n
      if (isSame) write(Date.now())
      return isSame
    })
  }

  async #close(keys: SpaceKeys, session: SessionRow, row: HandoffRow): Promise<boolean> {
    const lang = (await this.#open(keys, row))?.lang ?? 'en'
    const isSilent = session.handoff_id === row.id
    const word = row.answered_at === null ? 'nobody' : 'back'
    const { handoffWord } = await loadAsking()
    const say = await this.#prepareWords(keys, session, 'agent', handoffWord(word, lang))
    const isClosed = this.#change(row, (now) => {
      this.#store.close(row.id, now)
      if (!isSilent) return
      this.#core.stores.sessions.setHandoff(session.id, null)
      // Due before all that was to be said meanwhile.
      say(row.created_at)
    })
    // What fell due while the agent was silent is said now.
    if (isClosed) await this.#core.wakeAt(Date.now())
    return isClosed
  }

  async #open(keys: SpaceKeys, row: HandoffRow): Promise<HandoffBody | null> {
    const body = await keys.read('handoffs', 'body', row.id, row.body_sealed)
    return body === null ? null : (JSON.parse(body) as HandoffBody)
  }

  /** @returns what adds the words to the session as a follow-up that goes after its user. */
  async #prepareWords(
    keys: SpaceKeys,
    session: SessionRow,
    source: 'staff' | 'agent',
    text: string,
    once: string | null = null,
  ): Promise<(now: number) => void> {
    const id = this.#core.mint(Date.now())
    const textSealed = await keys.seal('reminders', 'text', id, text)
    return (now) =>
      this.#core.stores.reminders.add({
        id,
        kind: 'followup',
        dueAt: now,
        timezone: 'UTC',
        source,
        agentName: session.agent_name,
        sessionId: session.id,
        textSealed,
        repeatKey: once,
        repeatHash: null,
        now,
      })
  }

  /** A job each, until the directory has said that it knows. */
  async #handOn(): Promise<void> {
    const { address, env } = this.#core
    const untold = this.#store.untold(BATCH)
    if (!address || untold.length === 0) return
    const now = Date.now()
    const unsent = untold.filter(({ id, n }) => {
      const sent = this.#sent.get(id)
      return sent?.n !== n || sent.at <= now - RETRY_MS
    })
    for (const { id, n } of unsent) this.#sent.set(id, { n, at: now })
    try {
      await sendJobs(
        env,
        unsent.map(({ id }) => ({ type: 'handoff.tell' as const, ...address, handoffId: id })),
      )
    } catch (error) {
      for (const { id } of unsent) this.#sent.delete(id)
      createLog('user-space').error('handoffs_not_sent', error)
    }
    // A job may be lost.
    await this.#core.wakeAt(now + RETRY_MS)
  }
}

const headOf = (row: HandoffRow, session: SessionRow): HandoffHead => ({
  id: row.id,
  sessionId: row.session_id,
  agentName: session.agent_name,
  status: row.status,
  reason: row.reason,
  n: row.n,
  createdAt: row.created_at,
  answeredAt: row.answered_at,
  closedAt: row.closed_at,
})

import { MINUTE_MS } from '../../../src/config/limits'
import type { Job } from '../../../src/jobs/job'
import { createLog } from '../../../src/log'
import { sendJobs } from '../../../src/platform/queue'
import { tenantMeter } from '../../../src/platform/stubs'
import type { TurnRefusal } from '../../../src/spaces/caller'
import type { UsageEntry } from '../../../src/usage/meter-types'
import type { ModelHealth } from '../../../src/usage/model-status'
import type { SpaceCore } from '../core/space-core'
import { sealBody } from '../sessions/message-body'
import type { SessionRow } from '../sessions/session-row'
import type { TurnRow } from './turn-store'

const WATCH_MS = MINUTE_MS

/** What follows a stored turn: committed with it in the row of its session, handed on after it. */
export interface Outbox {
  /** The turn that left it. */
  turn: string
  settle: UsageEntry[]
  /** How the turn's model did; nothing where none was called. */
  health?: ModelHealth
  jobs: Job[]
  /** When the turn was over, milliseconds since 1970. */
  endedAt: number
  /** Nothing but the settlement is left, and that may go with the next admission. */
  waits?: true
}

/**
 * Hands on what follows a turn; whatever fails here is taken up again by the alarm, and repeats change nothing.
 * @returns whether it was handed on
 */
export async function dispatch(core: SpaceCore, outbox: Outbox): Promise<boolean> {
  if (!core.address) return true
  const { turn } = outbox
  const { tenantId } = core.address
  try {
    await Promise.all([
      tenantMeter(core.env, tenantId).settle(tenantId, turn, outbox.settle, outbox.health),
      sendJobs(core.env, outbox.jobs),
    ])
    core.stores.turns.end(turn)
    return true
  } catch (error) {
    createLog('turn', { message_id: turn }).error('dispatch_failed', error)
    await core.wakeAt(Date.now() + WATCH_MS)
    return false
  }
}

/** Ends a turn that a crash cut off: as failed (an answer that it was to replace stays), with nothing booked and its reservation given back. */
export async function failTurn(core: SpaceCore, turn: TurnRow): Promise<void> {
  const keys = await core.keys()
  if (!keys) return core.stores.turns.end(turn.id)
  const sealed = await sealBody(keys, turn.id, { content: '', finishReason: 'error' })
  const now = Date.now()
  const outbox: Outbox = { turn: turn.id, settle: [], jobs: [], endedAt: now }
  core.storage.transactionSync(() => {
    core.stores.messages.add({
      sessionId: turn.session_id,
      id: turn.id,
      role: 'assistant',
      agentName: turn.agent_name,
      status: 'failed',
      sealed,
      now,
      variantOf: turn.replaces,
      leftWith: turn.replaces === null ? null : turn.id,
    })
    const { session_id: sessionId, agent_id: agentId, agent_name: agentName } = turn
    core.stores.sessions.closeTurn(sessionId, {
      agentId,
      agentName,
      now,
      added: turn.replaces === null ? countTurn(core, sessionId, turn.user_message_id) : 0,
      outbox: withOthers(core, core.stores.sessions.get(sessionId), outbox),
    })
  })
  await dispatch(core, outbox)
}

/** What was deleted while a turn was on its way, so that nothing of it is stored. */
export const whyGone = ({ isClosed, isDeleted }: SpaceCore): TurnRefusal => {
  if (isDeleted) return { reason: 'user_gone' }
  return { reason: isClosed ? 'space_gone' : 'session' }
}

/** What a turn adds to the messages of its session: its reply, and its question, which may have been deleted meanwhile. */
export const countTurn = (
  { stores: { messages } }: SpaceCore,
  sessionId: string,
  questionId: string,
): number => (messages.has(sessionId, questionId) ? 2 : 1)

/** What the turns of a session leave that are not handed on yet. @param besides a turn that left nothing so far */
function leftIn(core: SpaceCore, session: SessionRow | undefined, besides?: string): Outbox[] {
  const stored = session?.outbox
  if (!stored) return []
  const open = new Set(core.stores.turns.all().map(({ id }) => id))
  if (besides !== undefined) open.delete(besides)
  if (open.size === 0) return []
  return (JSON.parse(stored) as Outbox[]).filter(({ turn }) => open.has(turn))
}

/** What a turn leaves, for the row of its session, with what an earlier one left that could not be handed on. */
export function withOthers(
  core: SpaceCore,
  session: SessionRow | undefined,
  outbox: Outbox,
): string {
  return JSON.stringify([...leftIn(core, session, outbox.turn), outbox])
}

/** What a turn left; null for one that never came to its end. */
export function leftBy(core: SpaceCore, { id, session_id: sessionId }: TurnRow): Outbox | null {
  return leftIn(core, core.stores.sessions.get(sessionId)).find(({ turn }) => turn === id) ?? null
}

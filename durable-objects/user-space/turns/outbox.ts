import { MINUTE_MS } from '../../../src/config/limits'
import type { Job } from '../../../src/jobs/job'
import { createLog } from '../../../src/log'
import { sendJobs } from '../../../src/platform/queue'
import { tenantMeter } from '../../../src/platform/stubs'
import type { UsageEntry } from '../../../src/usage/meter-types'
import type { ModelHealth } from '../../../src/usage/model-status'
import type { SpaceCore } from '../core/space-core'
import { sealBody } from '../sessions/message-store'
import type { TurnRow } from './turn-store'

export const WATCH_MS = MINUTE_MS

/** What follows a stored turn: committed with it, handed on after it. */
export interface Outbox {
  settle: UsageEntry[]
  /** How the turn's model did; nothing where none was called. */
  health?: ModelHealth
  jobs: Job[]
}

/** Hands on what follows a turn; whatever fails here is taken up again by the alarm, and repeats change nothing. */
export async function dispatch(core: SpaceCore, turnId: string, outbox: Outbox): Promise<void> {
  if (!core.address) return
  const { tenantId } = core.address
  try {
    await Promise.all([
      tenantMeter(core.env, tenantId).settle(tenantId, turnId, outbox.settle, outbox.health),
      sendJobs(core.env, outbox.jobs),
    ])
    if (!core.isClosed) core.stores.turns.forget(turnId)
  } catch (error) {
    createLog('turn', { message_id: turnId }).error('dispatch_failed', error)
    await core.wakeAt(Date.now() + WATCH_MS)
  }
}

/** Ends a turn that a crash cut off: as failed (an answer that it was to replace stays), with nothing booked and its reservation given back. */
export async function failTurn(core: SpaceCore, turn: TurnRow): Promise<void> {
  const keys = await core.keys()
  if (!keys) return core.stores.turns.forget(turn.id)
  const sealed = await sealBody(keys, turn.id, { content: '', finishReason: 'error' })
  const outbox: Outbox = { settle: [], jobs: [] }
  const now = Date.now()
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
    const added = turn.replaces === null ? 2 : 0
    core.stores.sessions.closeTurn(turn.session_id, turn.agent_id, turn.agent_name, now, added)
    core.stores.turns.fillOutbox(turn.id, JSON.stringify(outbox))
  })
  await dispatch(core, turn.id, outbox)
}

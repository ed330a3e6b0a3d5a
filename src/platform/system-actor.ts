import { configOf } from '../config/read-config'
import type { OperatorContext } from '../context'
import { openPrimary } from '../db/client'
import { createLog } from '../log'
import { newId } from './ids'

/** What a job acts as where it changes something that the audit trail records. `component` names it in the log. */
export function createSystemContext(env: Env, component: string): OperatorContext {
  const now = Date.now()
  const config = configOf(env)
  return {
    env,
    config,
    db: openPrimary(env.DB),
    log: createLog(component),
    now,
    requestId: newId(now),
    origin: config.publicBase,
    waitUntil: () => {},
    actor: { type: 'system', name: 'system', keyId: null },
    via: 'api',
  }
}

import type { TurnPorts } from '../../../src/chat/run-turn'
import { prepareVerification } from '../../../src/chat/verify-claims'
import type { createLog } from '../../../src/log'
import {
  type ResolvedModel,
  resolveChatModel,
  resolveGuardModel,
  type TenantModel,
} from '../../../src/models/chat-model'
import type { ModelEnv } from '../../../src/models/model-env'
import type { TurnCalls } from './turn-calls'

/** Asks a model about claims that the rules cannot decide. Without a model, quota or answer nothing is supported. */
export function createVerifier(
  { env, own, nonce }: { env: ModelEnv; own: TenantModel | null; nonce: string },
  calls: TurnCalls,
  log: ReturnType<typeof createLog>,
): TurnPorts['verify'] {
  return async (claims) => {
    try {
      const model = guardModel(env, own)
      if (model === null) return new Map()
      const call = prepareVerification(model, claims, nonce)
      return (await calls.make('guard', model.name, call))?.value ?? new Map()
    } catch (error) {
      log.error('verification_failed', error)
      return new Map()
    }
  }
}

/** `GUARD_MODEL`, else the platform's default, else the tenant's own; never the one that only repeats its sources. */
function guardModel(env: ModelEnv, own: TenantModel | null): ResolvedModel | null {
  const candidates = [
    () => resolveGuardModel(env),
    () => resolveChatModel(env, null),
    () => (own === null ? null : resolveChatModel(env, null, own)),
  ]
  for (const candidate of candidates) {
    const model = candidate()
    if (model !== null && model.info.reads === 'prompt') return model
  }
  return null
}

import type { TurnPorts } from '../../../src/chat/run-turn'
import type { TurnRequest } from '../../../src/chat/turn'
import { prepareVerification } from '../../../src/chat/verify-claims'
import type { createLog } from '../../../src/log'
import {
  type ResolvedModel,
  resolveChatModel,
  resolveGuardModel,
  type TenantModel,
} from '../../../src/models/chat-model'
import type { ModelEnv } from '../../../src/models/model-env'
import { meterCall } from '../../../src/usage/meter-call'

/** Asks a model about claims that the rules cannot decide. Without a model, quota or answer nothing is supported. */
export function createVerifier(
  env: Env,
  { request, messageId, nonce }: { request: TurnRequest; messageId: string; nonce: string },
  own: TenantModel | null,
  log: ReturnType<typeof createLog>,
): TurnPorts['verify'] {
  const { tenantId, userId, spaceId } = request.caller.address
  let calls = 0
  return async (claims) => {
    try {
      const model = guardModel(env, own)
      if (model === null) return new Map()
      const { tokens, run } = prepareVerification(model, claims, nonce)
      const id = `${messageId}:guard:${calls++}`
      const call = { id, agentId: request.agent.id, userId, spaceId, kind: 'guard' as const }
      const tenant = { id: tenantId, monthlyTokenCeiling: request.ceiling }
      return await meterCall(env, tenant, call, tokens, async () => {
        const { verdicts, usage } = await run()
        return { value: verdicts, model: model.name, ...usage }
      })
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

import { MINUTE_MS } from '../config/limits'
import { embed } from '../models/embedding'
import { estimateTokens } from '../models/tokens'
import { tenantMeter } from '../platform/stubs'

export type MeteredVectors =
  | { ok: true; vectors: number[][] }
  /** Why the quota does not allow it; null where this deployment has no embedder. */
  | { ok: false; reason: string | null }

/**
 * Vectors of a tenant's passages, out of its monthly tokens. `id` names the reservation: the same again is counted once.
 * @throws what the embedder throws.
 */
export async function embedMetered(
  env: Env,
  tenantId: string,
  id: string,
  texts: readonly string[],
  ceiling: number | null,
): Promise<MeteredVectors> {
  const meter = tenantMeter(env, tenantId)
  const admitted = await meter.admit({
    id,
    keyId: null,
    windows: [],
    tokens: texts.reduce((sum, text) => sum + estimateTokens(text), 0),
    ceiling,
    expiresAt: Date.now() + 10 * MINUTE_MS,
  })
  if (!admitted.ok) return { ok: false, reason: admitted.reason }
  const embedded = await embed(texts, env)
  if (!embedded) return { ok: false, reason: null }
  await meter.settle(tenantId, id, [
    {
      agentId: '',
      userId: '',
      spaceId: '',
      model: embedded.model,
      kind: 'embedding',
      requests: 1,
      inputTokens: embedded.tokens,
      outputTokens: 0,
      cachedTokens: 0,
      estimatedTokens: embedded.estimated ? embedded.tokens : 0,
      events: texts.length,
    },
  ])
  return { ok: true, vectors: embedded.vectors }
}

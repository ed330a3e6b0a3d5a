import { type ModelUsage, NO_USAGE, SpentTokens } from '../../../src/chat/spent-tokens'
import { LIMITS, MINUTE_MS } from '../../../src/config/limits'
import type { UsageKind } from '../../../src/config/names'
import { loadAi } from '../../../src/lazy'
import { createLog } from '../../../src/log'
import { resolveChatModel, type TenantModel } from '../../../src/models/chat-model'
import { within } from '../../../src/models/deadlines'
import { embed, embedderName } from '../../../src/models/embedding'
import { readFailure } from '../../../src/models/model-failure'
import { thinkingRoom } from '../../../src/models/steer-thinking'
import { estimateTokens } from '../../../src/models/tokens'
import { factsOption } from '../../../src/models/turn-facts'
import { type SpaceAddress, tenantMeter } from '../../../src/platform/stubs'
import type { ModelHealth } from '../../../src/usage/model-status'

const DEADLINE_MS = 30_000

export interface BackgroundContext {
  env: Env
  address: SpaceAddress
  /** Tokens a month, null for none. */
  ceiling: number | null
  /** The tenant's own model, which answers then instead of the platform's. */
  own: TenantModel | null
}

export interface BackgroundCall {
  /** The same id again is booked once. */
  id: string
  agentId: string
  kind: UsageKind
  /** For a model that follows no order. */
  task: 'title' | 'summary'
  order: string
  text: string
  maxTokens: number
}

export type BackgroundAnswer =
  | { ok: true; text: string }
  /** `quota`: nothing was called. `failed`: there is no model, or it gave an error. */
  | { ok: false; reason: 'quota' | 'failed' }

/** One reserved and metered model call. Never throws for what the model does: titles, summaries and memories are a courtesy. */
export async function callModel(
  ctx: BackgroundContext,
  call: BackgroundCall,
): Promise<BackgroundAnswer> {
  const model = resolveChatModel(ctx.env, null, ctx.own)
  if (!model) return { ok: false, reason: 'failed' }
  const prompt = call.text.slice(0, LIMITS.messageLength)
  const maxOutputTokens = call.maxTokens + thinkingRoom(model.info)
  const tokens = estimateTokens(call.order + prompt) + maxOutputTokens
  if (!(await reserve(ctx, call.id, tokens))) return { ok: false, reason: 'quota' }
  const { generateText } = await loadAi()
  const result = await within(DEADLINE_MS, (abortSignal) =>
    generateText({
      model: model.model,
      instructions: call.order,
      prompt,
      maxOutputTokens,
      maxRetries: 0,
      reasoning: 'none',
      abortSignal,
      providerOptions: factsOption({ task: call.task }),
    }),
  ).catch((error: unknown) => readFailure(error))
  if ('code' in result) {
    await settle(ctx, call, model.name, NO_USAGE, { model: model.name, code: result.code })
    return { ok: false, reason: 'failed' }
  }
  const spent = new SpentTokens()
  spent.begin(() => estimateTokens(call.order + prompt))
  spent.hear(result.text)
  const { inputTokens, outputTokens, inputTokenDetails } = result.usage
  spent.end({ inputTokens, outputTokens, cachedTokens: inputTokenDetails.cacheReadTokens })
  await settle(ctx, call, model.name, spent.total(), { model: model.name, code: null })
  return { ok: true, text: result.text }
}

/** Vectors of texts, reserved and metered; null without an embedder or quota, or when it fails. */
export async function embedTexts(
  ctx: BackgroundContext,
  id: string,
  agentId: string,
  texts: readonly string[],
): Promise<{ embedder: string; vectors: number[][] } | null> {
  const embedder = embedderName(ctx.env)
  if (embedder === null || texts.length === 0) return null
  const tokens = texts.reduce((sum, text) => sum + estimateTokens(text), 0)
  if (!(await reserve(ctx, id, tokens))) return null
  const embedded = await embed(texts, ctx.env).catch((error: unknown) => {
    createLog('user-space').error('embedding_failed', error)
    return null
  })
  const { tokens: used = 0, estimated = false } = embedded ?? {}
  const usage = { ...NO_USAGE, inputTokens: used, estimatedTokens: estimated ? used : 0 }
  await settle(ctx, { id, agentId, kind: 'embedding' }, embedder, usage, null)
  return embedded && { embedder: embedded.model, vectors: embedded.vectors }
}

async function reserve(ctx: BackgroundContext, id: string, tokens: number): Promise<boolean> {
  const admitted = await tenantMeter(ctx.env, ctx.address.tenantId).admit({
    id,
    keyId: null,
    windows: [],
    tokens,
    ceiling: ctx.ceiling,
    expiresAt: Date.now() + MINUTE_MS,
  })
  return admitted.ok
}

async function settle(
  ctx: BackgroundContext,
  { id, agentId, kind }: Pick<BackgroundCall, 'id' | 'agentId' | 'kind'>,
  model: string,
  usage: ModelUsage,
  health: ModelHealth | null,
): Promise<void> {
  const { tenantId, userId, spaceId } = ctx.address
  const entry = { agentId, userId, spaceId, model, kind, requests: 1, ...usage, events: 1 }
  await tenantMeter(ctx.env, tenantId).settle(tenantId, id, [entry], health)
}

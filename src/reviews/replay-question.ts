import type { AgentFacts } from '../agents/resolve-agent'
import { Acts } from '../chat/acts'
import { answer } from '../chat/answer'
import { outputLimit, runTurn, type TurnOutcome, type TurnPorts } from '../chat/run-turn'
import { SpentTokens } from '../chat/spent-tokens'
import { guardMessage } from '../chat/steps/guard-message'
import { lookUp } from '../chat/steps/look-up'
import { noticeSmallTalk } from '../chat/steps/notice-small-talk'
import { requireMatch } from '../chat/steps/require-match'
import { searchBases } from '../chat/steps/search-bases'
import type { TurnSteps } from '../chat/steps/step'
import type { TurnRequest } from '../chat/turn'
import { LIMITS, REVIEWS } from '../config/limits'
import type { TenantRow } from '../db/tables/tenants'
import { NO_HANDOFF } from '../handoffs/handoff'
import { readGate } from '../knowledge/gate'
import { resolveChatModel } from '../models/chat-model'
import { estimateTokens } from '../models/tokens'
import { openTenantModel } from '../tenants/byok'
import { tenantFacts } from '../tenants/tenant-facts'
import { meterCall } from '../usage/meter-call'
import { NO_FACTS } from '../users/user-facts'
import { searchAs } from './search-evidence'

/** Tokens of a passage in a prompt, for what a replay reserves. */
const PASSAGE_TOKENS = 500

/**
 * Asks an agent a question as a new user would, without session, memory, tools or trace. Null when the bases hold nothing
 * that matches, and then no model is called.
 * @param id names the reservation. @throws quotaExceeded, or what a base or the model throws.
 */
export async function replayQuestion(
  env: Env,
  tenant: TenantRow,
  agent: AgentFacts,
  question: string,
  id: string,
): Promise<TurnOutcome | null> {
  const search = searchAs(env, tenant.id)
  const results = await Promise.all(
    agent.bases.map((base) => search(base.id, question, LIMITS.searchK.default)),
  )
  if (!results.some((result) => readGate(question, result).open)) return null
  const own = await openTenantModel(env, tenant)
  const model = resolveChatModel(env, agent.config.model, own) ?? resolveChatModel(env, null, own)
  if (!model) return null
  const request = requestFor(tenant, agent, question)
  const ports: TurnPorts = {
    model,
    search,
    resolveModel: () => null,
    recall: async () => [],
    profile: async () => NO_FACTS,
    fetchWeather: async () => null,
    discoverRemote: async () => null,
    callRemote: async () => ({ ok: false, text: 'not available' }),
    reserveStep: async () => false,
    verify: async () => new Map(),
    rewrite: async () => null,
    choose: async () => null,
    acts: new Acts('', async () => []),
    schedule: async () => ({ ok: false, problem: 'not available' }),
    onInjection: () => undefined,
    handoff: NO_HANDOFF,
    pending: async () => null,
    signal: AbortSignal.timeout(REVIEWS.modelMs),
    nonce: crypto.randomUUID().slice(0, 8),
    spent: new SpentTokens(),
  }
  const tokens =
    estimateTokens(`${agent.config.soul}${agent.config.task}${question}`) +
    LIMITS.searchK.default * PASSAGE_TOKENS +
    outputLimit(request)
  const call = { id, agentId: agent.id, userId: '', kind: 'review' as const }
  return meterCall(env, tenant, call, tokens, async () => {
    const outcome = await lastOf(
      runTurn(stepsOf(ports), model, { request, history: [], summary: '' }),
    )
    const { inputTokens, outputTokens, estimatedTokens } = outcome.usage
    return { value: outcome, model: outcome.model, inputTokens, outputTokens, estimatedTokens }
  })
}

/** The steps that a question of a new user meets. */
const stepsOf = (ports: TurnPorts): TurnSteps => ({
  before: [guardMessage, noticeSmallTalk, lookUp(ports), searchBases(ports), requireMatch],
  answer: answer(ports),
  after: [],
})

async function lastOf<T>(events: AsyncGenerator<unknown, T>): Promise<T> {
  for (;;) {
    const step = await events.next()
    if (step.done) return step.value
  }
}

function requestFor(tenant: TenantRow, agent: AgentFacts, message: string): TurnRequest {
  return {
    caller: {
      address: { tenantId: tenant.id, userId: '', spaceId: '' },
      tag: 0,
      wrappedTenantKey: tenant.wrappedKey,
      tokenVersion: null,
    },
    keyId: null,
    ceiling: tenant.monthlyTokenCeiling,
    userCeiling: null,
    rates: { user: { limit: 0, windowS: 0 }, tenant: { limit: 0, windowS: 0 } },
    agent,
    tenant: tenantFacts(tenant.profile),
    agentNamed: true,
    sessionId: null,
    sessionAlias: null,
    replaces: null,
    channel: 'review',
    message,
    transcript: null,
    images: [],
    k: null,
    lang: 'en',
    place: null,
    origin: '',
    seesSources: true,
    idempotency: null,
    history: null,
    maxOutputTokens: null,
    now: Date.now(),
  }
}

import { type AgentFacts, resolveAgent } from '../../agents/resolve-agent'
import type { Language } from '../../config/names'
import type { UserContext } from '../../context'
import { ApiError, invalid } from '../../errors'
import { dropIsolateCaches } from '../../platform/isolate-caches'
import { userSpace } from '../../platform/stubs'
import {
  callerOf,
  followMove,
  refusalOf,
  type SpaceCaller,
  type TurnRefusal,
} from '../../spaces/caller'
import { findSpaceByTag, requireSpace } from '../../spaces/find-space'
import { tenantFacts } from '../../tenants/tenant-facts'
import { requireOnboarded } from '../../users/onboarding'
import type { Greeting } from '../greeting-id'
import type { EdgePlace, FailedTurn, ImageInput, TurnRequest } from '../turn'

/** What a door (API, page, OpenAI protocol, channel) knows of one message. */
export interface TurnDraft {
  message: string
  transcript: string | null
  images: ImageInput[]
  /** See `TurnRequest`. */
  replaces?: TurnRequest['replaces']
  /** What was said before the first message of a new session. */
  greeting?: Greeting | null
  sessionId: string | null
  sessionAlias: string | null
  agentName: string | null
  k: number | null
  lang: Language
  place: EdgePlace | null
  channel: string
  preview: boolean
  idempotency: TurnRequest['idempotency']
  history: TurnRequest['history']
  maxOutputTokens: number | null
  stop?: readonly string[]
  seed?: number | null
}

/**
 * Sends a message to the object of its space and lets it begin the turn.
 * @param begin the object's method to call. @throws ApiError for every refusal of the contract.
 */
export async function startTurn<R extends { ok: boolean }>(
  ctx: UserContext,
  draft: TurnDraft,
  begin: (space: ReturnType<typeof userSpace>, request: TurnRequest) => Promise<R>,
): Promise<Extract<R, { ok: true }>> {
  await requireOnboarded(ctx, draft.lang)
  let space =
    draft.sessionId === null ? ctx.space : await findSpaceByTag(ctx, draft.sessionId, 'Session')
  let caller = callerOf({ ...ctx, space })
  const wanted = draft.agentName ?? rememberedAgent(draft.sessionId)
  let agent = await resolveAgent({ ...ctx, space }, wanted, draft.preview).catch(async (error) => {
    if (!(error instanceof ApiError && error.code === 'forbidden')) throw error
    // What this isolate remembers of the space may be from before that went over to another one.
    if (draft.sessionId === null) {
      await requireSpace(ctx)
      throw error
    }
    space = await findSpaceByTag(ctx, draft.sessionId, 'Session', true)
    caller = callerOf({ ...ctx, space })
    return resolveAgent({ ...ctx, space }, wanted, draft.preview)
  })
  for (let attempt = 0; ; attempt++) {
    if (draft.greeting && draft.greeting.agentId !== agent.id)
      throw invalid(['body', 'greeting_id'], 'it is of another agent')
    const result = await begin(
      userSpace(ctx.env, caller.address),
      buildRequest(ctx, draft, caller, agent),
    )
    if (result.ok) return result as Extract<R, { ok: true }>
    const { refusal, failed } = result as { refusal?: TurnRefusal; failed?: FailedTurn }
    if (!refusal) throw new ApiError('upstream', 'Upstream error', { facts: { ...failed } })
    const next = followMove(ctx, refusal, attempt)
    if (next) {
      space = next
      caller = callerOf({ ...ctx, space })
      agent = await resolveAgent({ ...ctx, space }, draft.agentName, draft.preview)
      continue
    }
    // What this isolate remembers of the space is old.
    if (refusal.reason === 'agent_withdrawn') dropIsolateCaches()
    if (refusal.reason !== 'agent' || attempt > 0) throw refusalOf(ctx, refusal)
    // The session belongs to another agent than the default one: ask again with that one.
    agent = await resolveAgent({ ...ctx, space }, refusal.agentName, draft.preview)
    rememberAgent(draft.sessionId, refusal.agentName)
    draft = { ...draft, agentName: refusal.agentName }
  }
}

const SESSION_AGENTS_KEPT = 5000
const sessionAgents = new Map<string, string>()

/** Spares the second call for sessions that this isolate has seen before; never trusted, only tried first. */
function rememberedAgent(sessionId: string | null): string | null {
  return sessionId === null ? null : (sessionAgents.get(sessionId) ?? null)
}

function rememberAgent(sessionId: string | null, agentName: string): void {
  if (sessionId === null) return
  if (sessionAgents.size >= SESSION_AGENTS_KEPT) sessionAgents.clear()
  sessionAgents.set(sessionId, agentName)
}

function buildRequest(
  ctx: UserContext,
  draft: TurnDraft,
  caller: SpaceCaller,
  agent: AgentFacts,
): TurnRequest {
  return {
    caller,
    keyId: ctx.actor.keyId,
    ceiling: ctx.tenant.monthlyTokenCeiling,
    userCeiling: ctx.tenant.dailyTokensPerUser,
    rates: { user: ctx.config.rates.chatPerUser, tenant: ctx.config.rates.chatPerTenant },
    agent,
    tenant: tenantFacts(ctx.tenant.profile),
    agentNamed: draft.agentName !== null,
    sessionId: draft.sessionId,
    sessionAlias: draft.sessionAlias,
    channel: draft.channel,
    message: draft.message,
    transcript: draft.transcript,
    greeting: draft.greeting?.text ?? null,
    images: draft.images,
    replaces: draft.replaces ?? null,
    k: draft.k,
    lang: draft.lang,
    place: draft.place,
    origin: ctx.origin,
    seesSources: ctx.byKey,
    idempotency: draft.idempotency,
    history: draft.history,
    maxOutputTokens: draft.maxOutputTokens,
    stop: draft.stop ?? [],
    seed: draft.seed ?? null,
    now: ctx.now,
  }
}

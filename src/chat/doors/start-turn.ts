import { type AgentFacts, type AgentRef, resolveAgent } from '../../agents/resolve-agent'
import type { Language } from '../../config/names'
import type { UserContext } from '../../context'
import { ApiError, invalid, isAbsent } from '../../errors'
import { dropIsolateCaches } from '../../platform/isolate-caches'
import { userSpace } from '../../platform/stubs'
import { askSpace } from '../../spaces/ask-space'
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
  /** See `TurnRequest`. */
  replayOnly?: boolean
  history: TurnRequest['history']
  maxOutputTokens: number | null
  stop?: readonly string[]
  seed?: number | null
}

/**
 * Finds the space and the agent of a message and has the space's object begin the turn. Asks again where what this isolate
 * believed was out of date: the space was merged into another one, or the session belongs to another agent.
 * @param begin the object's method to call: `startTurn` or `completeTurn`
 * @throws ApiError for every refusal of the contract.
 */
export async function startTurn<R extends { ok: boolean }>(
  ctx: UserContext,
  draft: TurnDraft,
  begin: (space: ReturnType<typeof userSpace>, request: TurnRequest) => Promise<R>,
): Promise<Extract<R, { ok: true }>> {
  await requireOnboarded(ctx, draft.lang)
  const { sessionId, sessionAlias } = draft
  let space = sessionId === null ? ctx.space : await findSpaceByTag(ctx, sessionId, 'Session')
  const resolve = (meant: AgentRef | null) => resolveAgent({ ...ctx, space }, meant, draft.preview)
  let agent = await resolve(draft.agentName ?? rememberedAgent(sessionId)).catch(async (error) => {
    const isWithheld = error instanceof ApiError && error.code === 'forbidden'
    const isNew = sessionId === null && sessionAlias === null
    if (isWithheld && sessionId === null) await requireSpace(ctx)
    if (isNew || !(isWithheld || isAbsent(error, 'Agent'))) throw error
    // The space that this isolate remembers may have been merged into another one since.
    if (sessionId !== null) space = await findSpaceByTag(ctx, sessionId, 'Session', true)
    if (draft.agentName !== null) return resolve(draft.agentName)
    // The default agent cannot be had, but a session that is there goes on with its own agent.
    const id = await askSpace(ctx, space, 'sessions', 'agentOf', { sessionId, sessionAlias })
    if (id === null) throw error
    rememberAgent(sessionId, id)
    return resolve({ id })
  })
  for (let attempt = 0, asked = false; ; attempt++) {
    if (draft.greeting && draft.greeting.agentId !== agent.id)
      throw invalid(['body', 'greeting_id'], 'it is of another agent')
    const caller = callerOf({ ...ctx, space })
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
      agent = await resolve(draft.agentName ?? { id: agent.id })
      continue
    }
    // The object knows better than this isolate's caches.
    if (refusal.reason === 'agent_withdrawn') dropIsolateCaches()
    if (refusal.reason !== 'agent' || asked) throw refusalOf(ctx, refusal)
    // The session belongs to another agent than the default one: ask again with that one.
    agent = await resolve({ id: refusal.agentId })
    rememberAgent(sessionId, agent.id)
    asked = true
    draft = { ...draft, agentName: agent.name }
  }
}

const SESSION_AGENTS_KEPT = 5000
const sessionAgents = new Map<string, string>()

/** The agent of a session that this isolate has seen before. Only a guess, which spares a second call: the object decides. */
function rememberedAgent(sessionId: string | null): AgentRef | null {
  const id = sessionId === null ? undefined : sessionAgents.get(sessionId)
  return id === undefined ? null : { id }
}

function rememberAgent(sessionId: string | null, agentId: string): void {
  if (sessionId === null) return
  if (sessionAgents.size >= SESSION_AGENTS_KEPT) sessionAgents.clear()
  sessionAgents.set(sessionId, agentId)
}

/** One address may take any number of visitors' tokens in time: together they may not say what all others may. */
function ratesOf({ user, address, config: { rates } }: UserContext): TurnRequest['rates'] {
  const of = { user: rates.chatPerUser, tenant: rates.chatPerTenant }
  if (user.source !== 'anonymous') return of
  return { ...of, address: { name: `chat from ${address}`, ...rates.chatPerAddress } }
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
    rates: ratesOf(ctx),
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
    replayOnly: draft.replayOnly ?? false,
    history: draft.history,
    maxOutputTokens: draft.maxOutputTokens,
    stop: draft.stop ?? [],
    seed: draft.seed ?? null,
    now: ctx.now,
  }
}

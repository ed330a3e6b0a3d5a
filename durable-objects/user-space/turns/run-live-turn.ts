import type { Acts } from '../../../src/chat/acts'
import {
  runTurn,
  type TurnInput,
  type TurnOutcome,
  type TurnPorts,
} from '../../../src/chat/run-turn'
import { SpentTokens } from '../../../src/chat/spent-tokens'
import type { CtaPorts } from '../../../src/chat/steps/call-to-action'
import type { ResearchPorts } from '../../../src/chat/steps/deep-research'
import type { StorylineDesk } from '../../../src/chat/storyline/desk'
import type { GuidePorts } from '../../../src/chat/storyline/scene'
import type { SuggestPorts } from '../../../src/chat/suggest'
import { MINUTE_MS } from '../../../src/config/limits'
import { configOf } from '../../../src/config/read-config'
import { egressContext } from '../../../src/domains/egress-context'
import type { HandoffDesk } from '../../../src/handoffs/handoff'
import { createRanker, searchReranked } from '../../../src/knowledge/rerank-hits'
import type { SearchResult } from '../../../src/knowledge/types'
import { createLog } from '../../../src/log'
import { createTurnServers, type TurnServers } from '../../../src/mcp/turn-servers'
import {
  type ResolvedModel,
  resolveChatModel,
  type TenantModel,
} from '../../../src/models/chat-model'
import type { embed } from '../../../src/models/embedding'
import { ModelCallError, type ModelFailure, readFailure } from '../../../src/models/model-failure'
import { sendJobs } from '../../../src/platform/queue'
import { tenantMeter } from '../../../src/platform/stubs'
import { fetchWeather } from '../../../src/platform/weather'
import { NO_FACTS, type UserFacts } from '../../../src/users/user-facts'
import { SPACE_BASE } from '../documents/document-search'
import type { MessageStatus } from '../sessions/message-store'
import { createVerifier } from './claim-verifier'
import { createSuggester } from './follow-up-writer'
import type { LiveTurn } from './live-turn'
import { createRewriter } from './question-rewriter'
import type { EmbeddingUse, Questions } from './questions'
import { createChooser } from './reading-chooser'
import { createResearchAsker } from './research-asker'
import { createJudge, createRestater } from './storyline-judge'
import { type CallsUse, TurnCalls } from './turn-calls'
import { turnSteps } from './turn-steps'

const TURN_DEADLINE_MS = 5 * MINUTE_MS
/** What a turn reserves is held until its settlement has come, be it by the alarm of its space. */
export const RESERVED_MS = TURN_DEADLINE_MS + 4 * MINUTE_MS
/**
 * Reason of an abort that keeps what was said. Made when it happens: for the stack of an error that is made while the Worker
 * starts, V8 reads the whole bundle a second time.
 */
export class Stopped extends Error {}

/** What the space itself knows: its memories of the user, and the documents of its own. */
export interface SpaceKnowledge {
  /** Lines worth knowing for a message; `embedMessage` gives its vector, or null. */
  recall(message: string, embedMessage: () => ReturnType<typeof embed>): Promise<string[]>
  search(query: string, k: number): Promise<SearchResult>
  profile(): Promise<UserFacts>
  storylines: StorylineDesk
  handoff: HandoffDesk
  pending: TurnPorts['pending']
  mayCall: CtaPorts['mayCall']
  acts: Acts
}

export interface LiveOutcome {
  outcome: TurnOutcome
  status: MessageStatus
  /** Why the model's call failed; null when it did not, or was not made. */
  failure: ModelFailure | null
  /** Whether text that was sent was taken back. */
  rewritten: boolean
  /** What its questions cost the embedder. */
  embedded: EmbeddingUse | null
  /** What the calls of models beside its answer cost. */
  beside: CallsUse[]
}

/** Runs a turn to its end, whoever listens. Never throws: a failure and a stop are outcomes too. */
export async function runLiveTurn(
  env: Env,
  live: LiveTurn,
  input: TurnInput,
  questions: Questions,
  schedule: TurnPorts['schedule'],
  space: SpaceKnowledge,
  ownModel: () => Promise<TenantModel | null>,
): Promise<LiveOutcome> {
  const { request } = input
  const log = createLog('turn', { message_id: live.messageId, agent_id: request.agent.id })
  let model: ResolvedModel | null = null
  const { address, wrappedTenantKey } = request.caller
  const servers = createTurnServers(
    env,
    { id: address.tenantId, wrappedKey: wrappedTenantKey },
    live.abort.signal,
  )
  let spoken = ''
  let rewritten = false
  const spent = new SpentTokens()
  const reserve = (tokens: number) =>
    tenantMeter(env, address.tenantId).extend(
      live.messageId,
      tokens,
      request.ceiling,
      Date.now() + RESERVED_MS,
    )
  const calls = new TurnCalls(reserve)
  const latest = Date.now() + TURN_DEADLINE_MS
  // A pending timer keeps the object awake, so it is taken back when the turn is over.
  const watch = setInterval(() => {
    if (Date.now() >= latest) live.abort.abort(new Error('The turn took too long'))
    else void endIfRevoked(env, live, input)
  }, live.pingMs / 2)
  try {
    const own = await ownModel()
    const resolve = (name: string | null) => resolveChatModel(env, name, own)
    model = resolve(request.agent.config.model) ?? resolve(null)
    if (!model) throw new Error('There is no chat model')
    const nonce = crypto.randomUUID().slice(0, 8)
    const ports = createPorts({
      env,
      live,
      input,
      model,
      resolve,
      log,
      schedule,
      space,
      servers,
      spent,
      questions,
      nonce,
      reserve,
      own,
      calls,
    })
    const events = runTurn(turnSteps(ports), model, input)
    for (;;) {
      const step = await events.next()
      if (step.done) {
        return {
          outcome: step.value,
          status: 'complete',
          failure: null,
          rewritten,
          embedded: questions.total,
          beside: calls.close(),
        }
      }
      if (step.value.type === 'token') spoken += step.value.text
      else if (step.value.type === 'replace') {
        spoken = step.value.text
        rewritten = true
      }
      live.publish(step.value, !spent.isOpen)
      if (step.value.type === 'token') await live.letGo()
    }
  } catch (error) {
    const stopped = live.abort.signal.reason instanceof Stopped
    const failure = error instanceof ModelCallError ? readFailure(error) : null
    if (!stopped) log.error('turn_failed', error, { failure: failure?.code })
    return {
      status: stopped ? 'partial' : 'failed',
      failure,
      rewritten,
      embedded: questions.total,
      beside: calls.close(),
      outcome: {
        reply: spoken,
        finishReason: stopped ? 'stopped' : 'error',
        cited: [],
        model: model?.name ?? '',
        usage: spent.total(live.abort.signal.aborted),
        unsourced: [],
        closest: [],
      },
    }
  } finally {
    clearInterval(watch)
    // The reply does not wait for peers to say goodbye.
    void servers.close()
  }
}

/** Rule CL10: a key revoked or a tenant suspended in the middle of a long turn ends it, and whoever listens, within one ping period. */
async function endIfRevoked(env: Env, live: LiveTurn, { request }: TurnInput): Promise<void> {
  const meter = tenantMeter(env, request.caller.address.tenantId)
  for (const keyId of new Set([request.keyId, ...live.keyIds])) {
    const refusal = await meter.refusal(keyId).catch(() => null)
    if (!refusal) continue
    const isSuspended = refusal.reason === 'suspended'
    live.dismiss(isSuspended ? 'tenant' : 'key', (who) => isSuspended || who.keyId === keyId)
    if (isSuspended || keyId === request.keyId) live.abort.abort(new Stopped('stopped'))
  }
}

interface PortsInput {
  env: Env
  live: LiveTurn
  input: TurnInput
  model: ResolvedModel
  resolve: TurnPorts['resolveModel']
  log: ReturnType<typeof createLog>
  schedule: TurnPorts['schedule']
  space: SpaceKnowledge
  servers: TurnServers
  spent: SpentTokens
  questions: Questions
  nonce: string
  reserve: TurnPorts['reserveStep']
  own: TenantModel | null
  calls: TurnCalls
}

function createPorts({
  env,
  live,
  input: { request },
  model,
  resolve,
  log,
  schedule,
  space,
  servers,
  spent,
  questions,
  nonce,
  reserve,
  own,
  calls,
}: PortsInput): TurnPorts & GuidePorts & SuggestPorts & CtaPorts & ResearchPorts {
  const { tenantId } = request.caller.address
  const config = configOf(env)
  const { userId, spaceId } = request.caller.address
  const rank = createRanker(
    env,
    { id: tenantId, monthlyTokenCeiling: request.ceiling },
    { agentId: request.agent.id, userId, spaceId },
    log,
  )
  return {
    model,
    spent,
    resolveModel: resolve,
    schedule,
    signal: live.abort.signal,
    nonce,
    verify: createVerifier({ env, own, nonce }, calls, log),
    rewrite: createRewriter(model, nonce, calls, log),
    choose: createChooser(model, nonce, calls, log),
    ...createSuggester(env, { request, messageId: live.messageId, nonce }, model, log),
    mayCall: space.mayCall,
    askResearch: createResearchAsker(
      env,
      { request, messageId: live.messageId, nonce },
      model,
      log,
    ),
    judge: createJudge(model, calls, log),
    restate: createRestater(model, calls, log),
    storylines: space.storylines,
    handoff: space.handoff,
    pending: space.pending,
    acts: space.acts,
    onInjection: (rule) => log.warn('injection_withheld', { rule }),
    reserveStep: reserve,
    callRemote: (server, tool, args, id) => servers.call(server, tool, args, id),
    discoverRemote: async (server) => {
      try {
        const tools = await servers.discover(server)
        // Asked again in the background, where what it announces can be kept.
        await sendJobs(env, [{ type: 'mcp.check', tenantId, serverId: server.id }])
        return tools
      } catch (error) {
        log.error('mcp_discovery_failed', error, { server_id: server.id })
        return null
      }
    },
    fetchWeather: (query) =>
      fetchWeather(egressContext(env, config.weatherUrl), config.weatherUrl, query),
    recall: (message) =>
      space
        .recall(message, () => questions.embed(message))
        .catch((error: unknown) => {
          log.error('recall_failed', error)
          return []
        }),
    profile: () =>
      space.profile().catch((error: unknown) => {
        log.error('profile_not_read', error)
        return NO_FACTS
      }),
    search: async (baseId, query, k) => {
      try {
        if (baseId === SPACE_BASE.id) return await space.search(query, k)
        const search = (most: number) => questions.search(baseId, query, most)
        const base = request.agent.bases.find(({ id }) => id === baseId)
        return await (base?.rerank ? searchReranked(search, query, k, rank) : search(k))
      } catch (error) {
        log.error('search_failed', error, { base_id: baseId })
        return null
      }
    },
  }
}

import { MockLanguageModelV4 } from 'ai/test'
import { AGENT_DEFAULTS, type AgentConfig } from '../../src/agents/schema'
import type { TurnEvent } from '../../src/chat/events'
import { runTurn, type TurnInput, type TurnOutcome } from '../../src/chat/run-turn'
import type { TurnSteps } from '../../src/chat/steps/step'
import type { TurnRequest } from '../../src/chat/turn'
import type { ResolvedModel } from '../../src/models/chat-model'
import type { ChatModelInfo } from '../../src/models/workers-ai-models'
import { NO_TENANT_FACTS } from '../../src/tenants/tenant-facts'

export const GUIDES = { id: 'base-1', name: 'guides', instructions: '' }

interface Typical extends Partial<Omit<TurnRequest, 'agent'>> {
  config?: Partial<AgentConfig>
  agent?: Partial<TurnRequest['agent']>
}

/** A message to an agent without bases: only what a test names differs. */
export const turnRequest = ({ config, agent, ...more }: Typical = {}): TurnRequest => ({
  caller: {
    address: { tenantId: 'tenant-1', userId: 'user-1', spaceId: 'space-1' },
    tag: 0,
    wrappedTenantKey: '',
    tokenVersion: null,
  },
  keyId: null,
  ceiling: null,
  userCeiling: null,
  rates: { user: { limit: 0, windowS: 0 }, tenant: { limit: 0, windowS: 0 } },
  agent: {
    id: 'agent-1',
    name: 'desk',
    published: true,
    skills: [],
    bases: [],
    mcp: [],
    ...agent,
    config: { ...AGENT_DEFAULTS, ...config },
  },
  tenant: NO_TENANT_FACTS,
  agentNamed: true,
  sessionId: null,
  sessionAlias: null,
  replaces: null,
  channel: 'api',
  message: 'When are refunds paid?',
  transcript: null,
  images: [],
  k: null,
  lang: 'en',
  place: null,
  origin: 'https://parley.example',
  seesSources: true,
  idempotency: null,
  history: null,
  maxOutputTokens: null,
  now: Date.UTC(2026, 10, 22, 9, 15),
  ...more,
})

/** A model that nothing calls: what it is, is all that a step asks. */
export const unspoken = (info: Partial<ChatModelInfo> = {}): ResolvedModel => ({
  name: 'scripted',
  model: new MockLanguageModelV4(),
  info: {
    id: 'scripted',
    provider: 'openai-compatible',
    reads: 'prompt',
    learns: true,
    vision: false,
    tools: true,
    thinking: 'never',
    price: null,
    ...info,
  },
})

export interface Ran {
  events: TurnEvent[]
  outcome: TurnOutcome
}

/** Runs a turn to its end and keeps what its listeners saw. */
export async function runToEnd(
  steps: TurnSteps,
  input: Partial<TurnInput> = {},
  model = unspoken(),
): Promise<Ran> {
  const turn = runTurn(steps, model, {
    request: turnRequest(),
    history: [],
    summary: '',
    ...input,
  })
  const events: TurnEvent[] = []
  for (;;) {
    const step = await turn.next()
    if (step.done) return { events, outcome: step.value }
    events.push(step.value)
  }
}

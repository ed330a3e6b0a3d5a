import type { LanguageModelV4 } from '@ai-sdk/provider'
import { OFFLINE_MODEL_ID, OFFLINE_MODEL_NAME } from '../config/names'
import { loadAi } from '../lazy'
import { withDeadlines } from './deadlines'
import { loneEndsOf } from './lone-ends'
import { meetLimits } from './meet-limits'
import { isServed, type ModelEnv } from './model-env'
import { offlineModel } from './offline/offline-model'
import {
  authorization,
  type OpenAiEndpoint,
  operatorEndpoint,
  urlOf,
  wellFormed,
} from './openai-endpoint'
import { streamChat } from './openai-stream'
import { steerThinking } from './steer-thinking'
import { type UNREADABLE_MODEL, unreadableModel } from './unreadable-model'
import {
  type ChatModelInfo,
  DEFAULT_WORKERS_AI_MODEL,
  WORKERS_AI_MODELS,
} from './workers-ai-models'
import { streamWorkersAi, workersAiChat } from './workers-ai-stream'

/** A tenant's own model. `fetch` is the egress guard's: the address is the tenant's, not the deployment's. */
export type TenantModel =
  | {
      provider: 'openai-compatible'
      /** Whose account answers at the address: another's may have other rights there. */
      tenantId: string
      baseUrl: string
      apiKey: string | null
      model: string
      fetch: typeof fetch
    }
  | { provider: 'workers-ai'; model: string }
  /** It is set, and what is stored does not open. */
  | { provider: 'unreadable'; model: typeof UNREADABLE_MODEL }

export interface ResolvedModel {
  model: LanguageModelV4
  /** What `usage.model` says. */
  name: string
  info: ChatModelInfo
}

const OFFLINE: ChatModelInfo = {
  id: OFFLINE_MODEL_ID,
  provider: 'offline',
  reads: 'facts',
  learns: false,
  vision: false,
  tools: true,
  thinking: 'never',
  price: { input: 0, output: 0 },
}
const isWorkersAiName = (name: string) => name.startsWith('@cf/') || name.startsWith('@hf/')
/** A model that nobody described: of an endpoint of one's own, or one of Workers AI beside the list. */
const undescribed = (id: string, provider: 'workers-ai' | 'openai-compatible'): ChatModelInfo => ({
  id,
  provider,
  reads: 'prompt',
  learns: true,
  vision: provider === 'openai-compatible',
  tools: true,
  thinking: 'unknown',
  price: null,
})

/**
 * Every model an agent of this tenant may name: the Workers AI list where there is the binding, CHAT_MODEL and
 * CHAT_MODELS, the tenant's own, and `offline`.
 */
export function listChatModels(env: ModelEnv, own: TenantModel | null = null): ChatModelInfo[] {
  const named = [env.CHAT_MODEL ?? '', ...(env.CHAT_MODELS ?? '').split(',')]
    .map((name) => name.trim())
    .filter((name) => name !== '' && name !== OFFLINE_MODEL_ID)
  const listed = [
    ...(own === null || own.provider === 'unreadable' ? [] : [infoOf(own.model, own.provider)]),
    ...named.map((name) =>
      infoOf(name, isWorkersAiName(name) ? 'workers-ai' : 'openai-compatible'),
    ),
    ...WORKERS_AI_MODELS,
  ].filter((info) => isOwn(info, own) || isReachable(info, env))
  const known = new Set<string>()
  const distinct = listed.filter((info) => !known.has(info.id) && known.add(info.id))
  return [...distinct, OFFLINE]
}

function infoOf(id: string, provider: 'workers-ai' | 'openai-compatible'): ChatModelInfo {
  const known = provider === 'workers-ai' && WORKERS_AI_MODELS.find((info) => info.id === id)
  return known || undescribed(id, provider)
}

function isOwn(info: ChatModelInfo, own: TenantModel | null): boolean {
  return own?.provider === 'openai-compatible' && own.model === info.id
}

function isReachable(info: ChatModelInfo, env: ModelEnv): boolean {
  return info.provider === 'workers-ai' ? env.AI !== undefined : Boolean(env.OPENAI_BASE_URL)
}

/**
 * The model to call: `name` (an agent's), else the tenant's own, else the platform's default. Null when `name` is not
 * in the registry.
 * @throws Error naming the variable when the configured provider lacks one.
 */
export function resolveChatModel(
  env: ModelEnv,
  name: string | null,
  own: TenantModel | null = null,
): ResolvedModel | null {
  const wanted = name ?? own?.model ?? defaultModelName(env)
  if (wanted === OFFLINE_MODEL_ID)
    return { model: offlineModel, name: OFFLINE_MODEL_NAME, info: OFFLINE }
  if (own?.provider === 'unreadable' && name === null)
    return { model: unreadableModel, name: wanted, info: undescribed(wanted, 'openai-compatible') }
  if (own !== null) return resolveListed(env, wanted, own)
  const known = platformModels.get(env) ?? new Map<string, ResolvedModel>()
  platformModels.set(env, known)
  const found = known.get(wanted) ?? resolveListed(env, wanted, null)
  if (found !== null) known.set(wanted, found)
  return found
}

/** A model that the deployment names beside the registry: no agent may choose it. Null where its provider is missing. */
export function resolveGuardModel(env: ModelEnv): ResolvedModel | null {
  const id = env.GUARD_MODEL?.trim() ?? ''
  const info = infoOf(id, isWorkersAiName(id) ? 'workers-ai' : 'openai-compatible')
  if (id === '' || id === OFFLINE_MODEL_ID || !isReachable(info, env)) return null
  return {
    model: withDeadlines(steerThinking(connect(env, info, null), info, ` ${id}`)),
    name: id,
    info,
  }
}

/** The deployment's own models, connected once per environment: a provider builds its schemas anew for each model. */
const platformModels = new WeakMap<ModelEnv, Map<string, ResolvedModel>>()

function resolveListed(env: ModelEnv, id: string, own: TenantModel | null): ResolvedModel | null {
  const info = listChatModels(env, own).find((listed) => listed.id === id)
  if (info === undefined) return null
  const place = own?.provider === 'openai-compatible' ? `${own.tenantId} ${own.baseUrl}` : ''
  const name = `${place} ${info.id}`
  const model = steerThinking(connect(env, info, own), info, name)
  return { model: withDeadlines(model, undefined, loneEndsOf(info, name)), name: info.id, info }
}

function defaultModelName(env: ModelEnv): string {
  if (!isServed(env)) return OFFLINE_MODEL_ID
  const provider = env.MODEL_PROVIDER || 'workers-ai'
  if (provider === 'workers-ai') {
    if (env.AI === undefined)
      throw new Error('MODEL_PROVIDER is workers-ai, but there is no AI binding.')
    return env.CHAT_MODEL && isWorkersAiName(env.CHAT_MODEL)
      ? env.CHAT_MODEL
      : DEFAULT_WORKERS_AI_MODEL
  }
  if (!env.OPENAI_BASE_URL || !env.CHAT_MODEL)
    throw new Error('MODEL_PROVIDER is openai-compatible: set OPENAI_BASE_URL and CHAT_MODEL.')
  return env.CHAT_MODEL
}

function connect(env: ModelEnv, info: ChatModelInfo, own: TenantModel | null): LanguageModelV4 {
  if (info.provider === 'workers-ai') {
    if (env.AI === undefined) throw new Error('There is no AI binding.')
    const { AI: ai } = env
    const model: LanguageModelV4 = {
      ...called('workersai.chat', info.id),
      doGenerate: async (options) => (await workersAiChat(ai, info.id)).doGenerate(options),
      doStream: (options) => streamWorkersAi(ai, info.id, options),
    }
    return meetLimits(model, info.id)
  }
  const mine = own?.provider === 'openai-compatible' && own.model === info.id ? own : null
  const endpoint = mine ?? operatorEndpoint(env)
  const model: LanguageModelV4 = {
    ...called('openai-compatible.chat', info.id),
    doGenerate: async (options) => (await endpointChat(endpoint, info.id)).doGenerate(options),
    doStream: (options) => streamChat(endpoint, info.id, options),
  }
  return meetLimits(model, `${mine?.tenantId} ${endpoint.baseUrl} ${info.id}`)
}

/** Pictures go along as bytes: no model is told to fetch an address. */
const called = (provider: string, modelId: string) =>
  ({ specificationVersion: 'v4', provider, modelId, supportedUrls: {} }) as const

/** Whole answers are the SDK's to ask for and to read; a stream goes the short way. */
async function endpointChat(endpoint: OpenAiEndpoint, id: string): Promise<LanguageModelV4> {
  const { OpenAICompatibleChatLanguageModel } = await loadAi()
  return new OpenAICompatibleChatLanguageModel(id, {
    provider: 'openai-compatible.chat',
    url: ({ path }) => urlOf(endpoint, path),
    headers: () => authorization(endpoint),
    fetch: (url, init) =>
      endpoint.fetch(
        url,
        typeof init?.body === 'string' ? { ...init, body: wellFormed(init.body) } : init,
      ),
  })
}

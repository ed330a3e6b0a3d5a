import { generateText } from 'ai'
import { detectLanguage } from '../../src/chat/language'
import { LIMITS, MINUTE_MS, type UsageKind } from '../../src/config'
import { resolveChatModel } from '../../src/platform/models/chat-model'
import { offlineOptions } from '../../src/platform/models/offline/offline-input'
import { estimateTokens } from '../../src/platform/models/tokens'
import { type SpaceAddress, tenantMeter } from '../../src/platform/stubs'
import type { OpenMessage, SessionRow, SessionStore } from './session-store'
import type { SpaceKeys } from './space-keys'

const TITLE_TOKENS = 40
const TITLE_CHARS = 80
const SUMMARY_TOKENS = 400
const SUMMARY_BATCH = 40
const SUMMARY_LEAST = 4
const DEADLINE_MS = 30_000
const USAGE_KIND = { title: 'title', summary: 'memory' } as const satisfies Record<
  string,
  UsageKind
>

export interface AfterTurnContext {
  env: Env
  store: SessionStore
  keys: SpaceKeys
  address: SpaceAddress
  /** Tokens a month, null for none. */
  ceiling: number | null
}

/** A title for a session that has none, and a rolling summary of what no longer fits its history. Safe to run twice. */
export async function afterTurn(
  ctx: AfterTurnContext,
  sessionId: string,
  messageId: string,
  historyWindow: number,
): Promise<void> {
  const session = ctx.store.session(sessionId)
  if (!session) return
  if (session.title_sealed === null && session.title_by_user === 0)
    await writeTitle(ctx, session, messageId)
  // A stateless agent has no history, so nothing leaves it.
  if (historyWindow > 0) await writeSummary(ctx, session, messageId, historyWindow)
}

async function writeTitle(
  ctx: AfterTurnContext,
  session: SessionRow,
  messageId: string,
): Promise<void> {
  const messages = await ctx.store.lastMessages(ctx.keys, session.id, 4)
  const first = messages.find((message) => message.role === 'user')
  if (!first || first.content.trim() === '') return
  const text = await callModel(
    ctx,
    session,
    'title',
    messageId,
    first.content,
    TITLE_TOKENS,
    'Write a title of at most six words for the conversation that starts like this, in its language. Answer with the title alone.',
  )
  const title = text
    ?.replaceAll(/\s+/g, ' ')
    .replaceAll(/^["“«]|["”».]$/g, '')
    .trim()
    .slice(0, TITLE_CHARS)
  if (title)
    ctx.store.setTitle(session.id, await ctx.keys.seal('sessions', 'title', session.id, title))
}

/** Folds messages that left the agent's history into the summary, two exchanges at a time. */
async function writeSummary(
  ctx: AfterTurnContext,
  session: SessionRow,
  messageId: string,
  kept: number,
): Promise<void> {
  if (session.message_count <= kept) return
  const messages = await ctx.store.lastMessages(ctx.keys, session.id, kept + SUMMARY_BATCH)
  const old = messages
    .slice(0, -kept)
    .filter((message) => session.summary_upto === null || message.id > session.summary_upto)
  const last = old.at(-1)
  if (!last || old.length < SUMMARY_LEAST) return
  const before =
    session.summary_sealed === null
      ? ''
      : await ctx.keys.open('sessions', 'summary', session.id, session.summary_sealed)
  const text = await callModel(
    ctx,
    session,
    'summary',
    messageId,
    `${before}\n${old.map(asLine).join('\n')}`,
    SUMMARY_TOKENS,
    'Summarise this conversation in its language, at most 150 words: facts, decisions, open questions. Answer with the summary alone.',
  )
  if (text)
    ctx.store.setSummary(
      session.id,
      await ctx.keys.seal('sessions', 'summary', session.id, text),
      last.id,
    )
}

const asLine = (message: OpenMessage) => `${message.role}: ${message.content}`

/** One reserved and metered call. Null without quota: titles and summaries are a courtesy. */
async function callModel(
  ctx: AfterTurnContext,
  session: SessionRow,
  task: 'title' | 'summary',
  messageId: string,
  text: string,
  maxTokens: number,
  order: string,
): Promise<string | null> {
  const model = resolveChatModel(ctx.env, null)
  if (!model) return null
  const prompt = text.slice(0, LIMITS.messageLength)
  const id = `${messageId}:${task}`
  const { tenantId, userId, spaceId } = ctx.address
  const meter = tenantMeter(ctx.env, tenantId)
  const admitted = await meter.admit({
    id,
    keyId: null,
    windows: [],
    tokens: estimateTokens(order + prompt) + maxTokens,
    ceiling: ctx.ceiling,
    expiresAt: Date.now() + MINUTE_MS,
  })
  if (!admitted.ok) return null
  const result = await generateText({
    model: model.model,
    instructions: order,
    prompt,
    maxOutputTokens: maxTokens,
    maxRetries: 0,
    abortSignal: AbortSignal.timeout(DEADLINE_MS),
    providerOptions: offlineOptions({
      task,
      question: prompt,
      lang: detectLanguage(prompt) ?? 'en',
    }),
  }).catch(() => null)
  const usage = result?.usage
  await meter.settle(tenantId, id, [
    {
      agentId: session.agent_id,
      userId,
      spaceId,
      model: model.name,
      kind: USAGE_KIND[task],
      requests: 1,
      inputTokens: usage?.inputTokens ?? 0,
      outputTokens: usage?.outputTokens ?? 0,
      cachedTokens: 0,
      events: 1,
    },
  ])
  return result?.text ?? null
}

import { Buffer } from 'node:buffer'
import { and, eq } from 'drizzle-orm'
import { resolveAgent } from '../agents/resolve-agent'
import { startTurn, type TurnDraft } from '../chat/doors/start-turn'
import type { ChatResponse } from '../chat/events'
import { readSpeech } from '../chat/media'
import type { FinishedTurn, ImageInput } from '../chat/turn'
import { CHAT_APP, LIMITS, SECOND_MS } from '../config/limits'
import type { UserContext } from '../context'
import { type Db, openPrimary } from '../db/client'
import { pickOwn } from '../db/own'
import {
  type ChannelLinkRow,
  channelInbox,
  channelLinks,
  type InboxRow,
} from '../db/tables/channels'
import { type TenantRow, tenants } from '../db/tables/tenants'
import { type UserRow, users } from '../db/tables/users'
import { ApiError, isAbsent } from '../errors'
import { loadChannel } from '../lazy'
import { sha256, toHex } from '../platform/crypto/bytes'
import { checkImage } from '../platform/uploads/check-image'
import { UserFields } from '../users/user-fields'
import { type ChannelAccount, ChannelError, type FileRef, type OutboundReply } from './channel'
import { createChannelContext } from './channel-context'
import { findAgent, findLinkOfUser, unlink } from './links'
import type { WaitingMessage } from './receive-update'
import { CHANNEL_REGISTRY } from './registry'
import { findChannel, openChannel } from './tenant-channel'
import type { ChannelWord } from './words'

const IMAGES = ['png', 'jpeg', 'webp', 'gif'] as const

interface Chat {
  ctx: UserContext
  link: ChannelLinkRow
  account: ChannelAccount
  chat: string
}

/**
 * Answers one message: the turn runs as any other turn of the user, and its reply is sent in as many parts as it takes. Safe
 * to run again: the turn is known by the message's id, and parts that have left are counted.
 * @returns seconds to wait before another try, or null when the message is done with. @throws what is worth another try.
 */
export async function answerMessage(env: Env, row: InboxRow): Promise<number | null> {
  const opened = await openMessage(env, row)
  if (opened === null) return null
  const { chat, message } = opened
  const { account } = chat
  let isAnswering = true
  const typing = (async () => {
    while (isAnswering) {
      await account.showTyping(chat.chat).catch(() => {})
      await sleep(CHAT_APP.typingMs)
    }
  })()
  void typing
  try {
    const answer = await converse(chat, row, message)
    if (typeof answer === 'number') return answer
    isAnswering = false
    return answer === null ? null : await sendParts(chat, row, answer)
  } catch (error) {
    return await settle(chat, error)
  } finally {
    isAnswering = false
  }
}

async function openMessage(
  env: Env,
  row: InboxRow,
): Promise<{ chat: Chat; message: WaitingMessage } | null> {
  const db = openPrimary(env.DB)
  const found = await findParties(db, row)
  const link = await findLinkOfUser(db, row.tenantId, row.channel, row.userId)
  if (!found || !link || row.body === null) return null
  const { tenant, user } = found
  if (tenant.status !== 'active' || user.status !== 'active') return null
  const channel = await findChannel(db, tenant.id, row.channel)
  const ctx = channel ? await createChannelContext(env, tenant, user, link) : null
  if (!channel || !ctx) return null
  const fields = await UserFields.load(ctx, tenant, user.id).catch((error: unknown) => {
    if (error instanceof ApiError) return null
    throw error
  })
  if (!fields) return null
  const [body, to] = await Promise.all([
    fields.read('channel_inbox', 'body', row.body, row.id),
    fields.read('channel_links', 'chat', link.chat, link.channel),
  ])
  if (body === null || to === null) return null
  return {
    message: JSON.parse(body) as WaitingMessage,
    chat: {
      ctx,
      link,
      account: await openChannel(ctx.env, tenant, channel),
      chat: to,
    },
  }
}

async function findParties(
  db: Db,
  row: InboxRow,
): Promise<{ tenant: TenantRow; user: UserRow } | undefined> {
  return await pickOwn(
    db,
    users,
    row.tenantId,
    { tenant: tenants, user: users },
    eq(users.id, row.userId),
  )
    .innerJoin(tenants, eq(tenants.id, users.tenantId))
    .limit(1)
    .get()
}

/** The turn. @returns what to say, null for nothing, or the seconds until the session is free. */
async function converse(
  { ctx, link, account }: Chat,
  row: InboxRow,
  message: WaitingMessage,
): Promise<OutboundReply | number | null> {
  const { channelWord } = await loadChannel()
  const say = (word: ChannelWord): OutboundReply => ({
    markdown: channelWord(word, message.lang, { tenant: ctx.tenant.name }),
    sources: [],
    sourcesTitle: '',
  })
  const agent = await findAgent(ctx.db, ctx.tenant.id, link.agentId)
  if (agent === null) return say('agent_gone')
  const images = await loadImages(account, message)
  if (images === null) return say('image_refused')
  const draft: TurnDraft = {
    message: message.text,
    transcript: null,
    images,
    sessionId: link.sessionId,
    sessionAlias: null,
    agentName: agent.name,
    k: null,
    lang: message.lang,
    place: null,
    channel: link.channel,
    preview: false,
    idempotency: { key: row.id, bodyHash: toHex(await sha256(JSON.stringify(message))) },
    history: null,
    maxOutputTokens: null,
  }
  try {
    if (message.voice) {
      const recording = await fetchFile(account, message.voice, LIMITS.audioBytes)
      if (recording === null) return say('unreadable')
      const url = `data:audio/ogg;base64,${Buffer.from(recording).toString('base64')}`
      const heard = await readSpeech(url, ctx, () => resolveAgent(ctx, agent.name, false))
      if (heard === '') return say('failed')
      draft.transcript = heard
      draft.message = [message.text, heard].join('\n').trim()
    }
    const response = await runTurn(ctx, draft)
    await remember(ctx.db, link, response.session_id, message.lang)
    return replyOf(response, channelWord('sources', message.lang))
  } catch (error) {
    const refused = error instanceof ApiError ? REFUSALS[error.code] : undefined
    // The next one is asked in another space.
    const word = isAbsent(error, 'Space') ? 'failed' : refused
    if (error instanceof ApiError && error.code === 'conflict') return CHAT_APP.busyS
    if (word === undefined) throw error
    return word === null ? null : say(word)
  }
}

/** What a refusal of the turn means here; null says nothing, and what is not listed is tried again. */
const REFUSALS: Partial<Record<ApiError['code'], ChannelWord | null>> = {
  rate_limited: 'slow_down',
  quota_exceeded: 'unavailable',
  upstream: 'failed',
  validation: 'failed',
  not_found: 'agent_gone',
  forbidden: 'agent_gone',
  invalid_credential: null,
}

/** A session that was deleted meanwhile is followed by a new one. */
async function runTurn(ctx: UserContext, draft: TurnDraft): Promise<ChatResponse> {
  const complete = async (wanted: TurnDraft) =>
    (
      await startTurn(
        ctx,
        wanted,
        (space, request) => space.completeTurn(request) as Promise<FinishedTurn>,
      )
    ).response
  try {
    return await complete(draft)
  } catch (error) {
    if (!isAbsent(error, 'Session') || draft.sessionId === null) throw error
    return complete({ ...draft, sessionId: null })
  }
}

async function loadImages(
  account: ChannelAccount,
  message: WaitingMessage,
): Promise<ImageInput[] | null> {
  const images: ImageInput[] = []
  for (const ref of message.images) {
    const bytes = await fetchFile(account, ref, LIMITS.imageBytes)
    if (bytes === null) return null
    const checked = checkImage(bytes, { allow: IMAGES })
    if (!checked.ok) return null
    images.push({
      mime: checked.mime,
      name: `image-${images.length + 1}.${checked.kind}`,
      bytes,
    })
  }
  return images
}

/** Null for a file that is too large, or that the channel does not give. */
async function fetchFile(
  account: ChannelAccount,
  ref: FileRef,
  maxBytes: number,
): Promise<Uint8Array<ArrayBuffer> | null> {
  try {
    return await account.fetchFile(ref, maxBytes)
  } catch (error) {
    if (error instanceof ChannelError && ['too_large', 'refused'].includes(error.fault)) return null
    throw error
  }
}

/** The chat goes on in this session; what the product says by itself is in the language heard last. */
async function remember(
  db: Db,
  link: ChannelLinkRow,
  sessionId: string,
  lang: ChannelLinkRow['lang'],
): Promise<void> {
  if (link.sessionId === sessionId && link.lang === lang) return
  await db
    .update(channelLinks)
    .set({ sessionId, lang })
    .where(
      and(
        eq(channelLinks.tenantId, link.tenantId),
        eq(channelLinks.channel, link.channel),
        eq(channelLinks.userId, link.userId),
        eq(channelLinks.chatIndex, link.chatIndex),
      ),
    )
}

function replyOf(
  { reply, sources, clarify, suggestions, chips = [], cta }: ChatResponse,
  sourcesTitle: string,
): OutboundReply {
  const options = clarify?.options.map(({ value }) => value) ?? [
    ...chips.map(({ value }) => value),
    ...suggestions,
  ]
  return {
    markdown: cta ? `${reply}\n\n${cardOf(cta)}` : reply,
    sources: sources.flatMap(({ n, title, url }) =>
      n === undefined || !title ? [] : [{ n, title, url: url ?? null }],
    ),
    sourcesTitle,
    ...(options.length > 0 ? { options } : {}),
  }
}

/** A call to action as text: its title leads where it leads. */
const cardOf = ({ title, text, url }: NonNullable<ChatResponse['cta']>): string =>
  [url === null ? `**${title}**` : `[${title}](${url})`, text].filter(Boolean).join('\n')

/** Each part is counted as soon as it has left, if need be at the second attempt, so that a second run goes on behind it. */
async function sendParts(
  { ctx, link, account, chat }: Chat,
  row: InboxRow,
  reply: OutboundReply,
): Promise<null> {
  const pieces = await CHANNEL_REGISTRY[link.channel].render(reply)
  for (const [n, piece] of pieces.entries()) {
    if (n < row.sentParts) continue
    await sendPatiently(() => account.send(chat, piece))
    const count = async () =>
      ctx.db
        .update(channelInbox)
        .set({ sentParts: n + 1 })
        .where(eq(channelInbox.id, row.id))
    await count().catch(count)
  }
  return null
}

/** Sends, and once more after a short wait that the channel asks for. @throws ChannelError. */
export async function sendPatiently(send: () => Promise<void>): Promise<void> {
  try {
    await send()
  } catch (error) {
    if (!(error instanceof ChannelError) || error.fault !== 'rate') throw error
    if (error.retryAfterS > CHAT_APP.waitS) throw error
    await sleep(error.retryAfterS * SECOND_MS)
    await send()
  }
}

/** What a failed call to the channel means for the message. @throws what is worth another try. */
async function settle({ ctx, link }: Chat, error: unknown): Promise<number | null> {
  if (!(error instanceof ChannelError)) throw error
  ctx.log.warn('channel_call_failed', { fault: error.fault })
  switch (error.fault) {
    case 'rate':
      return Math.min(error.retryAfterS, CHAT_APP.maxWaitS)
    case 'blocked':
      await unlink(ctx.db, link, link.chatIndex)
      return null
    case 'token':
    case 'refused':
    case 'too_large':
      return null
    default:
      throw error
  }
}

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

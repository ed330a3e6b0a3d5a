import { and, eq } from 'drizzle-orm'
import { shownName } from '../agents/localize'
import type { ChannelName } from '../config/names'
import type { BaseContext } from '../context'
import { pickOwn } from '../db/own'
import { type ChannelRow, channelInbox, channelLinks, tenantChannels } from '../db/tables/channels'
import { type TenantRow, tenants } from '../db/tables/tenants'
import { ApiError } from '../errors'
import { loadChannel } from '../lazy'
import { hasTranscription } from '../models/transcribe'
import { sha256, toHex } from '../platform/crypto/bytes'
import { equalSecrets } from '../platform/crypto/compare'
import { sendJobs } from '../platform/queue'
import { UserFields } from '../users/user-fields'
import type { FileRef, Inbound } from './channel'
import { readBindCode } from './codes'
import { findAgent, findLinkOfChat, indexChat, limitBinding, redeemCode, unlink } from './links'
import { CHANNEL_REGISTRY } from './registry'
import type { ChannelWord } from './words'

/** A message as it waits for its answer, sealed under its user's key. */
export interface WaitingMessage {
  text: string
  images: FileRef[]
  voice?: FileRef | undefined
  lang: Extract<Inbound, { kind: 'message' }>['lang']
}

type Said = Exclude<Inbound, { kind: 'blocked' }>

/** Who may call a tenant's webhook: the channel, by the secret that it was given. */
export interface Webhook {
  tenant: TenantRow
  channel: ChannelRow
}

/**
 * Checks the secret of a webhook's call before anything of it is read (rule CH1). An unknown tenant and a wrong secret are
 * refused alike. @throws ApiError 401.
 */
export async function admitWebhook(
  base: BaseContext,
  channel: ChannelName,
  tenantId: string,
  secret: string | undefined,
): Promise<Webhook> {
  const row = await pickOwn(
    base.db,
    tenantChannels,
    tenantId,
    { tenant: tenants, channel: tenantChannels },
    eq(tenantChannels.channel, channel),
  )
    .innerJoin(tenants, eq(tenants.id, tenantChannels.tenantId))
    .limit(1)
    .get()
  const presented = toHex(await sha256(secret ?? ''))
  const isRight = await equalSecrets(presented, row?.channel.secretHash ?? '')
  if (!secret || !row || !isRight || row.tenant.status === 'deleted') {
    throw new ApiError('invalid_credential', 'Invalid webhook secret')
  }
  return row
}

/**
 * Takes one update: a message of a linked chat is stored and answered by a job; everything else is settled at once.
 * Updates may come again at any time. @returns the body of the answer to the channel, null for an empty one.
 */
export async function receiveUpdate(
  base: BaseContext,
  { tenant, channel }: Webhook,
  update: unknown,
): Promise<unknown> {
  const kind = CHANNEL_REGISTRY[channel.channel]
  const inbound = kind.readUpdate(update)
  if (inbound === null || tenant.status !== 'active') return null
  const index = await indexChat(base.config, tenant, kind.name, inbound.chat)
  const link = await findLinkOfChat(base.db, tenant.id, kind.name, index)
  if (inbound.kind === 'blocked') {
    if (link) await unlink(base.db, link, index)
    return null
  }
  const say = async (word: ChannelWord, agent = '') => {
    const { channelWord } = await loadChannel()
    const names = { tenant: tenant.name, agent }
    return kind.webhookReply(inbound.chat, channelWord(word, inbound.lang, names))
  }
  const code = codeIn(inbound, link !== undefined)
  if (code !== null) {
    const answer = await bind(base, { tenant, channel }, inbound, index, code)
    return say(answer.word, answer.agent)
  }
  if (!link) return say('unlinked_hint')
  const agent = async () => {
    const row = await findAgent(base.db, tenant.id, link.agentId)
    return row === null ? '' : shownName(row, inbound.lang)
  }
  switch (inbound.kind) {
    case 'start':
      return say('linked', await agent())
    case 'help':
      return say('help', await agent())
    case 'unreadable':
      return say('unreadable')
    case 'unlink':
      await unlink(base.db, link, index)
      return say('unlinked')
    case 'new':
      await startNew(base, link.tenantId, kind.name, link.userId)
      return say('new_chat')
    case 'message':
      if (inbound.voice && !hasTranscription(base.env)) return say('unreadable')
      await store(base, { tenant, channel }, link.userId, inbound)
      return null
  }
}

/** A code comes with the link that was opened, or typed into a chat that is not linked. */
function codeIn(inbound: Said, isLinked: boolean): string | null {
  if (inbound.kind === 'start') return inbound.code === '' ? null : inbound.code
  return inbound.kind === 'message' && !isLinked ? readBindCode(inbound.text) : null
}

async function bind(
  base: BaseContext,
  { tenant, channel }: Webhook,
  inbound: Said,
  index: string,
  code: string,
): Promise<{ word: ChannelWord; agent?: string }> {
  try {
    await limitBinding(base, tenant.id, index, 'bindTries')
  } catch (error) {
    if (error instanceof ApiError && error.code === 'rate_limited')
      return { word: 'too_many_codes' }
    throw error
  }
  const use = { code, chat: inbound.chat, index, lang: inbound.lang }
  try {
    const agent = await redeemCode(base, tenant, channel.channel, use)
    return agent === null ? { word: 'bad_code' } : { word: 'linked', agent }
  } catch (error) {
    // The user was deleted since the code was made.
    if (error instanceof ApiError && error.code === 'not_found') return { word: 'bad_code' }
    throw error
  }
}

async function startNew(
  base: BaseContext,
  tenantId: string,
  channel: ChannelName,
  userId: string,
): Promise<void> {
  await base.db
    .update(channelLinks)
    .set({ sessionId: null })
    .where(
      and(
        eq(channelLinks.tenantId, tenantId),
        eq(channelLinks.channel, channel),
        eq(channelLinks.userId, userId),
      ),
    )
}

/** Durable before the channel hears that it was taken; the job is sent for a repeat too, should the first have been lost. */
async function store(
  base: BaseContext,
  { tenant, channel }: Webhook,
  userId: string,
  { seq, text, images, voice, lang }: Extract<Inbound, { kind: 'message' }>,
): Promise<void> {
  const id = `${channel.channel}:${channel.botId}:${seq}`
  const fields = await UserFields.load(base, tenant, userId).catch((error: unknown) => {
    if (error instanceof ApiError && error.code === 'not_found') return null
    throw error
  })
  // The user was deleted; the link goes with the rest.
  if (!fields) return
  const message: WaitingMessage = { text, images, voice, lang }
  await base.db
    .insert(channelInbox)
    .values({
      id,
      tenantId: tenant.id,
      channel: channel.channel,
      userId,
      seq,
      body: await fields.seal('channel_inbox', 'body', JSON.stringify(message), id),
      receivedAt: base.now,
    })
    .onConflictDoNothing()
  await sendJobs(base.env, [
    { type: 'channel.turn', tenantId: tenant.id, channel: channel.channel, userId },
  ])
}

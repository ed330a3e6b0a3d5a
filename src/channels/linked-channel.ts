import { and, eq } from 'drizzle-orm'
import { CHAT_APP, DAY_MS } from '../config/limits'
import type { Language } from '../config/names'
import { configOf } from '../config/read-config'
import { openPrimary } from '../db/client'
import { pickOwn } from '../db/own'
import { channelLinks, tenantChannels } from '../db/tables/channels'
import { tenants } from '../db/tables/tenants'
import { ApiError } from '../errors'
import { loadChannel } from '../lazy'
import { isUnreadable } from '../platform/crypto/read-sealed'
import type { SpaceAddress } from '../platform/stubs'
import { TryLater } from '../platform/try-later'
import { DeliveryRefused } from '../reminders/delivery-refused'
import { sendPatiently } from './answer-message'
import { ChannelError } from './channel'
import { openChat, unlink } from './links'
import { CHANNEL_REGISTRY } from './registry'
import type { Delivery, ReminderChannel, ReminderNotice } from './reminder-channels'
import { openChannel } from './tenant-channel'

/** The messaging app that the user has linked: reminders whether or not a stream is open, follow-ups of any space that were begun there or find nobody. */
export const linkedChannel: ReminderChannel = {
  name: 'linked',
  wants: ({ kind, away, atChannel }) => kind === 'reminder' || away || atChannel,
  async deliver(env, address, notice): Promise<Delivery> {
    const config = configOf(env)
    const db = openPrimary(env.DB)
    const found = await findLink(env, address)
    if (found?.tenant.status !== 'active') return 'none'
    const { tenant, link, channel } = found
    try {
      const account = await openChannel(env, tenant, channel)
      const chat = await openChat({ env, config }, tenant, link)
      if (chat === null) return 'none'
      const pieces = await CHANNEL_REGISTRY[channel.channel].render({
        markdown: await textOf(notice, link.lang),
        sources: [],
        sourcesTitle: '',
      })
      for (const piece of pieces) await sendPatiently(() => account.send(chat, piece))
      return 'sent'
    } catch (error) {
      // The user was deleted meanwhile.
      if (error instanceof ApiError && error.code === 'not_found') return 'none'
      if (isUnreadable(error)) throw new DeliveryRefused('token')
      if (!(error instanceof ChannelError)) throw error
      if (error.fault === 'blocked') await unlink(db, link, link.chatIndex)
      if (error.fault === 'rate' && Date.now() < notice.dueAt + DAY_MS) {
        throw new TryLater(Math.min(error.retryAfterS, CHAT_APP.maxWaitS))
      }
      if (error.fault === 'unreachable' || error.fault === 'rate') throw error
      throw new DeliveryRefused(error.fault)
    }
  },
}

/** A reminder is the user's own words and shown as they are; a follow-up is a message of the agent. */
async function textOf({ kind, text }: ReminderNotice, lang: Language): Promise<string> {
  if (kind === 'followup') return text
  const { channelWord } = await loadChannel()
  const literal = text.replaceAll(/([!-/:-@[-`{-~])/g, '\\$1')
  return `**${channelWord('reminder', lang)}**\n${literal}`
}

async function findLink(env: Env, { tenantId, userId }: SpaceAddress) {
  const rows = await pickOwn(
    openPrimary(env.DB),
    channelLinks,
    tenantId,
    { tenant: tenants, link: channelLinks, channel: tenantChannels },
    eq(channelLinks.userId, userId),
  )
    .innerJoin(tenants, eq(tenants.id, channelLinks.tenantId))
    .innerJoin(
      tenantChannels,
      and(
        eq(tenantChannels.tenantId, channelLinks.tenantId),
        eq(tenantChannels.channel, channelLinks.channel),
      ),
    )
    .limit(1)
  return rows[0]
}

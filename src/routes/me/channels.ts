import * as z from 'zod'
import { resolveAgent } from '../../agents/resolve-agent'
import { withShownNames } from '../../agents/shown-names'
import { drawQr } from '../../channels/draw-qr'
import { findLinkOfUser, listMyChannels, makeBindCode, unlink } from '../../channels/links'
import { MyChannelOut, TgBindOut } from '../../channels/schema'
import { CHANNELS } from '../../config/names'
import { notFound } from '../../errors'
import { defineRoute } from '../../http/route'
import { isoOf } from '../../time'
import { nameField, nameSought } from '../../wire/fields'

const tag = 'Me: messaging apps'

/** `chatapp` stands for the tenant's default channel. */
const CHATAPP = 'chatapp'

export const meChannelRoutes = [
  defineRoute({
    method: 'POST',
    path: '/me/{channel}/bind-code',
    layer: 'user',
    tag,
    summary:
      'A code that links an account of a messaging app to the caller; it works once, for ten minutes, for this space and one agent',
    params: z.object({ channel: nameField }),
    query: z.object({ agent: nameSought }),
    answers: { 200: TgBindOut },
    errors: [403, 404, 429],
    handler: async (c) => {
      const ctx = c.get('user')
      const name = c.req.valid('param').channel
      const channel = CHANNELS.find((known) => known === name) ?? null
      if (channel === null && name !== CHATAPP) throw notFound('Channel')
      const agent = await resolveAgent(ctx, c.req.valid('query').agent, false)
      const { code, deepLink, expiresAt } = await makeBindCode(ctx, channel, agent)
      const qr = await drawQr(deepLink)
      return c.json({ code, deep_link: deepLink, qr, expires_at: isoOf(expiresAt) })
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/me/channels',
    layer: 'user',
    tag,
    summary: 'The messaging apps of the tenant, the default first; whether the caller is linked',
    answers: { 200: z.array(MyChannelOut) },
    reads: ['Accept-Language'],
    handler: async (c) => {
      const ctx = c.get('user')
      const items = (await listMyChannels(ctx)).map(({ channel, link, agentName }) => ({
        channel: channel.channel,
        bot_name: channel.botName,
        bot_username: channel.botUsername,
        linked: link !== null,
        agent_name: agentName,
        linked_at: link === null ? null : isoOf(link.createdAt),
      }))
      return c.json(await withShownNames(ctx, c.req.header('accept-language'), items))
    },
  }),
  defineRoute({
    method: 'DELETE',
    path: '/me/channels/{channel}',
    layer: 'user',
    tag,
    summary: 'End the link to a messaging app',
    params: z.object({ channel: z.enum(CHANNELS) }),
    answers: { 204: 'empty' },
    errors: [404],
    handler: async (c) => {
      const { db, tenant, user } = c.get('user')
      const { channel } = c.req.valid('param')
      const link = await findLinkOfUser(db, tenant.id, channel, user.id)
      if (!link || !(await unlink(db, link))) throw notFound('Channel')
      return c.body(null, 204)
    },
  }),
]

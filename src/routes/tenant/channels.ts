import * as z from 'zod'
import { ChannelIn, ChannelOut } from '../../channels/schema'
import { deleteChannel, putChannel, readChannel } from '../../channels/tenant-channel'
import { CHANNELS } from '../../config/names'
import { defineRoute } from '../../http/route'

const tag = 'Settings'
const params = z.object({ channel: z.enum(CHANNELS) })

export const tenantChannelRoutes = [
  defineRoute({
    method: 'GET',
    path: '/v1/tenant/channels',
    layer: 'tenant',
    tag,
    summary: 'The messaging channels, set up or not, without any secret',
    answers: { 200: z.array(ChannelOut) },
    handler: async (c) =>
      c.json(await Promise.all(CHANNELS.map((channel) => readChannel(c.get('tenant'), channel)))),
  }),
  defineRoute({
    method: 'GET',
    path: '/v1/tenant/channels/{channel}',
    layer: 'tenant',
    tag,
    summary: 'One messaging channel',
    params,
    answers: { 200: ChannelOut },
    handler: async (c) => c.json(await readChannel(c.get('tenant'), c.req.valid('param').channel)),
  }),
  defineRoute({
    method: 'PUT',
    path: '/v1/tenant/channels/{channel}',
    layer: 'tenant',
    tag,
    summary:
      'Set the bot’s token; it is tried first, and the channel calls this deployment from then on',
    params,
    json: ChannelIn,
    answers: { 200: ChannelOut },
    errors: [409, 429, 502, 503],
    rate: 'channelSetup',
    handler: async (c) => {
      const ctx = c.get('tenant')
      const { channel } = c.req.valid('param')
      await putChannel(ctx, channel, c.req.valid('json').token)
      return c.json(await readChannel(ctx, channel))
    },
  }),
  defineRoute({
    method: 'DELETE',
    path: '/v1/tenant/channels/{channel}',
    layer: 'tenant',
    tag,
    summary: 'Forget the bot and every link to it',
    params,
    answers: { 204: 'empty' },
    errors: [404],
    handler: async (c) => {
      await deleteChannel(c.get('tenant'), c.req.valid('param').channel)
      return c.body(null, 204)
    },
  }),
]

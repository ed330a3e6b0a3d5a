import * as z from 'zod'
import { admitWebhook, receiveUpdate } from '../channels/receive-update'
import { CHANNEL_REGISTRY } from '../channels/registry'
import { webhookPath } from '../channels/tenant-channel'
import { CHAT_APP } from '../config/limits'
import { CHANNELS } from '../config/names'
import { rateLimited } from '../errors'
import { clientAddress } from '../http/base-context'
import { defineRoute } from '../http/route'
import { readJson } from '../http/validate-json'
import { addressMeter } from '../platform/stubs'
import { uuidParam } from '../wire/fields'

/** What messaging channels call. The secret of the header is checked before anything of the body is read. */
export const channelRoutes = CHANNELS.map((channel) =>
  defineRoute({
    method: 'POST',
    path: webhookPath(channel, '{tenant_id}'),
    layer: 'public',
    tag: 'Channels',
    summary: `Webhook of a tenant’s ${channel} bot; called by the channel with the secret that it was given`,
    params: z.object({ tenant_id: uuidParam }),
    answers: { 200: z.record(z.string(), z.unknown()) },
    errors: [401, 429],
    bodyLimit: CHAT_APP.updateBytes,
    handler: async (c) => {
      const base = c.get('base')
      const secret = c.req.header(CHANNEL_REGISTRY[channel].secretHeader)
      const webhook = await admitWebhook(
        base,
        channel,
        c.req.valid('param').tenant_id,
        secret,
      ).catch(async (error: unknown) => {
        const rate = base.config.rates.badChannelSecrets
        const meter = addressMeter(c.env, 'badChannelSecrets', clientAddress(c))
        const result = await meter.take([{ name: 'badChannelSecrets', ...rate }])
        throw result.ok ? error : rateLimited(result.retryAfterS)
      })
      const reply = await receiveUpdate(base, webhook, await readJson(c, z.unknown()))
      return c.json((reply ?? {}) as Record<string, unknown>)
    },
  }),
)

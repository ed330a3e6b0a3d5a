import { WEBHOOKS } from '../config/limits'
import { webhooks } from '../db/tables/webhooks'
import type { ResourceKind } from '../resources/named-resource'
import { auditWebhook } from './present-webhook'

/** Deliveries write to it all the time. */
export const WEBHOOK: ResourceKind<typeof webhooks> = {
  table: webhooks,
  entity: 'webhook',
  title: 'Webhook',
  limit: {
    most: WEBHOOKS.perTenant,
    full: `A tenant has at most ${WEBHOOKS.perTenant} webhooks`,
  },
  snapshot: auditWebhook,
  restless: true,
}

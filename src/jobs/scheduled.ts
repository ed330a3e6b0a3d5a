import { purgeAudit } from '../audit/purge'
import { sealAll } from '../audit/seal'
import { dropVisitors } from '../deletion/drop-visitors'
import { purgeRepeats } from '../http/idempotency'
import { createLog } from '../log'
import { purgeMerges } from '../spaces/merge-directory'
import { purgeUsage } from '../usage/purge-usage'
import { watchEndedTokens } from '../users/end-tokens'
import { purgeTokens } from '../users/one-time-tokens'
import { purgeDeliveries, sweepDeliveries } from '../webhooks/deliver'
import { purgeChannels, watchInbox } from './answer-channel'
import { checkDomains } from './check-domains'
import { askStaleServers } from './check-mcp-server'
import { purgeSites, watchSites } from './crawl-site'
import { watchVectors } from './embed-document'
import { purgeExports, watchExports } from './export-user'
import { refreshDue } from './refresh-documents'
import { rewrapTenants } from './rewrap-tenants'
import { watchMigrations } from './storyline-people'
import { watchReviews } from './verify-approved'
import { purgeDeletions, watchDeletions } from './watch-deletions'
import { watchDocuments } from './watch-documents'

const NIGHTLY = '17 3 * * *'

/**
 * Cron triggers: every five minutes what may hang, and a little of what is removed piece by piece; once a night what is too
 * old. All duties of a run share what one call may ask of the platform.
 */
export async function runScheduled(controller: ScheduledController, env: Env): Promise<void> {
  const log = createLog('scheduled')
  const { scheduledTime } = controller
  const duties: Record<string, () => Promise<unknown>> =
    controller.cron === NIGHTLY
      ? {
          purge_audit: () => purgeAudit(env, scheduledTime),
          purge_tokens: () => purgeTokens(env, scheduledTime),
          purge_repeats: () => purgeRepeats(env, scheduledTime),
          purge_merges: () => purgeMerges(env, scheduledTime),
          purge_channels: () => purgeChannels(env, scheduledTime),
          purge_usage: () => purgeUsage(env, scheduledTime),
          purge_deliveries: () => purgeDeliveries(env, scheduledTime),
          purge_sites: () => purgeSites(env, scheduledTime),
          ask_mcp_servers: () => askStaleServers(env, scheduledTime),
          rewrap_tenants: () => rewrapTenants(env),
        }
      : {
          watch_documents: () => watchDocuments(env, scheduledTime),
          refresh_documents: () => refreshDue(env, scheduledTime),
          watch_sites: () => watchSites(env, scheduledTime),
          watch_vectors: () => watchVectors(env, scheduledTime),
          sweep_deliveries: () => sweepDeliveries(env, scheduledTime),
          check_domains: () => checkDomains(env, scheduledTime),
          watch_reviews: () => watchReviews(env, scheduledTime),
          watch_inbox: () => watchInbox(env, scheduledTime),
          watch_ended_tokens: () => watchEndedTokens(env),
          watch_deletions: () => watchDeletions(env, scheduledTime),
          watch_migrations: () => watchMigrations(env, scheduledTime),
          watch_exports: () => watchExports(env, scheduledTime),
          purge_deletions: () => purgeDeletions(env, scheduledTime),
          drop_visitors: () => dropVisitors(env, scheduledTime),
          purge_exports: () => purgeExports(env, scheduledTime),
          seal_audit: () => sealAll(env),
        }
  for (const [name, duty] of Object.entries(duties)) {
    try {
      await duty()
    } catch (error) {
      log.error('duty_failed', error, { duty: name })
    }
  }
}

import { createApp } from './app'
import { consumeJobs } from './jobs/consume'
import { runScheduled } from './jobs/scheduled'

export { KnowledgeBase } from '../durable-objects/knowledge-base/knowledge-base'
export { TenantMeter } from '../durable-objects/tenant-meter/tenant-meter'
export { UserSpace } from '../durable-objects/user-space/user-space'

const app = createApp()

export default {
  fetch: app.fetch,
  queue: consumeJobs,
  scheduled: runScheduled,
} satisfies ExportedHandler<Env>

import { createLog } from '../platform/log'
import { userSpace } from '../platform/stubs'
import { deleteTenantData } from './delete-tenant'
import type { Job } from './job'

const log = createLog('jobs')

/** Entry of every queue. A job that throws is tried again; after its last try it lands in the dead-letter queue. */
export async function consumeJobs(batch: MessageBatch<unknown>, env: Env): Promise<void> {
  const isDead = batch.queue.endsWith('-dead')
  await Promise.all(
    batch.messages.map(async (message) => {
      const job = message.body as Job
      try {
        await (isDead ? buryJob(env, job) : runJob(env, job, message.attempts))
        message.ack()
      } catch (error) {
        log.error('job_failed', error, { type: job.type, attempt: message.attempts })
        message.retry()
      }
    }),
  )
}

async function runJob(env: Env, job: Job, _attempt: number): Promise<void> {
  switch (job.type) {
    case 'turn.after':
      return userSpace(env, job).afterTurn(job.sessionId, job.messageId)
    case 'tenant.delete':
      return deleteTenantData(env, job.tenantId)
    default:
      return
  }
}

/** What a job leaves behind when it is given up. */
async function buryJob(_env: Env, job: Job): Promise<void> {
  log.warn('job_given_up', { type: job.type })
}

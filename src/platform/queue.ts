import type { Job } from '../jobs/job'

const QUEUE_BATCH = 100
const INGESTION: ReadonlySet<Job['type']> = new Set(['document.ingest', 'space-document.ingest'])

const DELIVERIES: ReadonlySet<Job['type']> = new Set(['webhook.deliver'])
const CHANNELS: ReadonlySet<Job['type']> = new Set(['channel.turn'])
const APART = [INGESTION, DELIVERIES, CHANNELS]

/**
 * Ingestion and deliveries have queues of their own, so that neither a large upload nor a peer that hangs delays what
 * follows a turn; so have messages from channels, whose people wait for an answer.
 */
export async function sendJobs(env: Env, jobs: Job[], delaySeconds = 0): Promise<void> {
  for (const [queue, part] of [
    [env.INGEST, jobs.filter((job) => INGESTION.has(job.type))],
    [env.DELIVERIES, jobs.filter((job) => DELIVERIES.has(job.type))],
    [env.CHANNELS, jobs.filter((job) => CHANNELS.has(job.type))],
    [env.JOBS, jobs.filter((job) => !APART.some((types) => types.has(job.type)))],
  ] as const) {
    for (let i = 0; i < part.length; i += QUEUE_BATCH) {
      const batch = part.slice(i, i + QUEUE_BATCH)
      if (batch.length === 1 && batch[0]) await queue.send(batch[0], { delaySeconds })
      else if (batch.length > 0)
        await queue.sendBatch(batch.map((body) => ({ body, delaySeconds })))
    }
  }
}

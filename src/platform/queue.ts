import { byteLength, holdTo, inParts, QUEUE_LIMITS } from '../config/platform-limits'
import type { Job } from '../jobs/job'
import { isOutage } from './outage'

/** A key is some 130 bytes long, so a message of so many stays well below what a queue takes. */
const KEYS_PER_JOB = 500
/** Before a send that failed is tried again. */
const PAUSES_MS = [100, 400]
const INGESTION: ReadonlySet<Job['type']> = new Set([
  'document.ingest',
  'documents.ingest',
  'document.embed',
  'document.refresh',
  'site.crawl',
  'space-document.ingest',
  'user.export',
])

const DELIVERIES: ReadonlySet<Job['type']> = new Set(['webhook.deliver'])
const CHANNELS: ReadonlySet<Job['type']> = new Set(['channel.turn'])
const APART = [INGESTION, DELIVERIES, CHANNELS]

/**
 * Ingestion and deliveries have queues of their own, so that neither a large upload nor a peer that hangs delays what
 * follows a turn; so have messages from channels, whose people wait for an answer.
 */
export async function sendJobs(env: Env, jobs: Job[], delaySeconds = 0): Promise<void> {
  if (jobs.length === 0) return
  for (const [queue, part] of [
    [env.INGEST, jobs.filter((job) => INGESTION.has(job.type))],
    [env.DELIVERIES, jobs.filter((job) => DELIVERIES.has(job.type))],
    [env.CHANNELS, jobs.filter((job) => CHANNELS.has(job.type))],
    [env.JOBS, jobs.filter((job) => !APART.some((types) => types.has(job.type)))],
  ] as const) {
    for (const batch of inBatches(part.flatMap(inMessages))) {
      const [only] = batch
      await untilSent(() =>
        batch.length === 1 && only
          ? queue.send(only, { delaySeconds })
          : queue.sendBatch(batch.map((body) => ({ body, delaySeconds }))),
      )
    }
  }
}

/** What fails in passing is sent again: a job that came twice is done once. */
async function untilSent(send: () => Promise<unknown>): Promise<void> {
  for (const pause of PAUSES_MS) {
    try {
      await send()
      return
    } catch (error) {
      if (!isOutage(error)) throw error
      await new Promise((resolve) => setTimeout(resolve, pause))
    }
  }
  await send()
}

/** A job with a list of any length, as jobs that each fit into a message. */
function inMessages(job: Job): Job[] {
  if (job.type !== 'files.delete') return [job]
  return inParts(job.keys, KEYS_PER_JOB).map((keys) => ({ ...job, keys }))
}

/** @throws BeyondPlatform for a job that no queue takes: it would fail for ever. */
function inBatches(jobs: readonly Job[]): Job[][] {
  const batches: Job[][] = []
  let room = 0
  for (const job of jobs) {
    const bytes = byteLength(JSON.stringify(job)) + QUEUE_LIMITS.overheadBytes
    holdTo(`bytes of a job ${job.type}`, bytes, QUEUE_LIMITS.messageBytes)
    const batch = batches.at(-1)
    if (batch && bytes <= room && batch.length < QUEUE_LIMITS.batchMessages) {
      batch.push(job)
      room -= bytes
    } else {
      batches.push([job])
      room = QUEUE_LIMITS.batchBytes - bytes
    }
  }
  return batches
}

import { describe, expect, it } from 'vitest'
import { BeyondPlatform, QUEUE_LIMITS } from '../../../src/config/platform-limits'
import type { Job } from '../../../src/jobs/job'
import { sendJobs } from '../../../src/platform/queue'

/** Sends into a queue that takes anything, and returns what arrived, batch by batch. */
async function batchesOf(jobs: Job[]): Promise<Job[][]> {
  const batches: Job[][] = []
  const queue = {
    send: async (job: Job) => void batches.push([job]),
    sendBatch: async (messages: { body: Job }[]) =>
      void batches.push(messages.map(({ body }) => body)),
  }
  const env = { JOBS: queue, INGEST: queue, DELIVERIES: queue, CHANNELS: queue }
  await sendJobs(env as unknown as Env, jobs)
  return batches
}

const bytesOf = (value: unknown) => new TextEncoder().encode(JSON.stringify(value)).byteLength
const count = (jobs: number): Job[] =>
  Array.from({ length: jobs }, () => ({ type: 'tenant.delete', tenantId: 't' }))
/** A job whose message has exactly so many bytes for the queue. */
function weighing(bytes: number): Job {
  const job: Job = { type: 'tenant.delete', tenantId: '' }
  const rest = bytes - QUEUE_LIMITS.overheadBytes - bytesOf(job)
  return { ...job, tenantId: 'x'.repeat(rest) }
}

describe('the queue', () => {
  it('gets at most a hundred messages at once', async () => {
    expect((await batchesOf(count(100))).map((batch) => batch.length)).toEqual([100])
    expect((await batchesOf(count(101))).map((batch) => batch.length)).toEqual([100, 1])
  })

  it('gets messages of at most 128 KB', async () => {
    expect(await batchesOf([weighing(128_000)])).toHaveLength(1)
    await expect(batchesOf([weighing(128_001)])).rejects.toThrow(BeyondPlatform)
  })

  it('gets at most 256 KB at once', async () => {
    expect(await batchesOf([weighing(128_000), weighing(128_000)])).toHaveLength(1)
    const three = [weighing(128_000), weighing(127_900), weighing(201)]
    expect((await batchesOf(three)).map((batch) => batch.length)).toEqual([2, 1])
  })

  it('gets the files of a large deletion in messages that it takes, each once', async () => {
    const keys = Array.from(
      { length: 2501 },
      (_, n) => `users/${crypto.randomUUID()}/${crypto.randomUUID()}/attachments/${n}`,
    )
    const sent = await batchesOf([{ type: 'files.delete', tenantId: 't', keys }])
    expect(sent.flat().flatMap((job) => (job.type === 'files.delete' ? job.keys : []))).toEqual(
      keys,
    )
    for (const job of sent.flat()) expect(bytesOf(job)).toBeLessThan(QUEUE_LIMITS.messageBytes)
    expect(sent.flat().length).toBeGreaterThan(1)
  })

  it('is asked again where a send fails in passing, and not for a fault of ours', async () => {
    const sends = async (failures: string[]): Promise<number> => {
      let sent = 0
      const send = async () => {
        sent++
        const failure = failures.shift()
        if (failure) throw new Error(failure)
      }
      await sendJobs({ JOBS: { send } } as unknown as Env, count(1)).catch(() => {
        sent = -sent
      })
      return sent
    }
    const passing = 'Queue send failed: Too Many Requests'
    expect(await sends([])).toBe(1)
    expect(await sends([passing, passing])).toBe(3)
    expect(await sends([passing, passing, passing])).toBe(-3)
    expect(await sends(['Queue send failed: message too large'])).toBe(-1)
  })
})

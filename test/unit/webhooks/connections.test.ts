import { afterEach, expect, it, vi } from 'vitest'
import { unstable_readConfig } from 'wrangler'
import { WEBHOOKS } from '../../../src/config/limits'
import { type EgressContext, guardedFetch } from '../../../src/platform/egress'
import { invocationFetch } from '../../fakes/connections'

afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const batchSizeOf = (env?: string): number | undefined =>
  unstable_readConfig({ config: 'wrangler.toml', env }).queues.consumers?.find(
    ({ queue }: { queue: string }) => queue === 'parley-deliveries',
  )?.max_batch_size

const NETWORK_MS = 50

/** The outcomes of a batch of deliveries whose receivers hang but for the last one's. */
async function deliverBatch(size: number): Promise<string[]> {
  const record = { type: 1, TTL: 60, data: '8.8.8.8' }
  vi.stubGlobal(
    'fetch',
    invocationFetch(async ({ hostname }) => {
      await new Promise((come) => setTimeout(come, NETWORK_MS))
      if (hostname === 'dns.example.com') return Response.json({ Status: 0, Answer: [record] })
      if (hostname === 'well.example.org') return new Response(null, { status: 204 })
      return new Promise<never>(() => {})
    }),
  )
  const ctx: EgressContext = {
    allow: [],
    ownHosts: [],
    isBound: async () => false,
    resolver: 'https://dns.example.com/',
  }
  const hosts = Array.from({ length: size - 1 }, (_, n) => `hangs-${n}.example.org`)
  const limits = { connectMs: WEBHOOKS.deadlineMs, totalMs: WEBHOOKS.deadlineMs }
  const sent = [...hosts, 'well.example.org'].map((host) =>
    guardedFetch(ctx, `https://${host}/in`, { method: 'POST' }, limits).then(
      ({ status }) => String(status),
      ({ code }: { code: string }) => code,
    ),
  )
  await vi.advanceTimersByTimeAsync(2 * WEBHOOKS.deadlineMs)
  return Promise.all(sent)
}

it('receivers that hang take no connection from another one’s delivery of the same batch', async () => {
  vi.useFakeTimers()
  const size = batchSizeOf('production') ?? 0
  expect(batchSizeOf()).toBe(size)
  const outcomes = await deliverBatch(size)
  expect(outcomes).toEqual([...Array(size - 1).fill('timeout'), '204'])
})

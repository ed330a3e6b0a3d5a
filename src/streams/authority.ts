import { tenantMeter } from '../platform/stubs'
import type { StreamEnd } from './events'

interface Held {
  userId: string
  keyId: string | null
}

/** What this isolate knows of one tenant while streams are open: plain data, which any request may read. */
interface Known {
  streams: Map<string, Held>
  checkedAt: number
  suspended: boolean
  revoked: ReadonlySet<string>
}

const tenants = new Map<string, Known>()

export function holdStream(tenantId: string, streamId: string, held: Held, now: number): void {
  const known = tenants.get(tenantId) ?? {
    streams: new Map(),
    checkedAt: now,
    suspended: false,
    revoked: new Set<string>(),
  }
  known.streams.set(streamId, held)
  tenants.set(tenantId, known)
}

export function dropStream(tenantId: string, streamId: string): void {
  const known = tenants.get(tenantId)
  known?.streams.delete(streamId)
  if (known?.streams.size === 0) tenants.delete(tenantId)
}

/**
 * Whether a stream must end because its tenant or key may no longer act (rule CL10). The meter is asked once per half ping
 * period and isolate, for all streams of the tenant at once; the same call renews what they hold.
 * @param periodMs how old an answer may be. @returns null when the stream goes on.
 */
export async function whyEnd(
  env: Env,
  tenantId: string,
  streamId: string,
  periodMs: number,
  leaseMs: number,
): Promise<StreamEnd | null> {
  const known = tenants.get(tenantId)
  const held = known?.streams.get(streamId)
  if (!known || !held) return null
  const now = Date.now()
  if (now - known.checkedAt >= periodMs) {
    const streams = [...known.streams]
    const answer = await tenantMeter(env, tenantId).renewStreams(
      streams.map(([id, { userId }]) => [userId, id] as const),
      [...new Set(streams.flatMap(([, { keyId }]) => (keyId === null ? [] : [keyId])))],
      leaseMs,
    )
    known.checkedAt = now
    known.suspended = answer.suspended
    known.revoked = new Set(answer.revoked)
  }
  if (known.suspended) return 'tenant'
  return held.keyId !== null && known.revoked.has(held.keyId) ? 'key' : null
}

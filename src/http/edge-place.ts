import type { EdgePlace } from '../chat/turn'
import type { UserContext } from './context'

/**
 * Where the edge says the end user is. Null behind a tenant's server, whose place says nothing about its user, where the
 * edge gives none, and in a local run, whose runtime makes one up.
 */
export function readPlace(
  request: Request,
  { byKey, config }: Pick<UserContext, 'byKey' | 'config'>,
): EdgePlace | null {
  const cf = (request as Request<unknown, IncomingRequestCfProperties>).cf
  if (byKey || !cf || config.environment === 'local') return null
  return {
    city: cf.city ?? null,
    region: cf.region ?? null,
    country: cf.country ?? null,
    timezone: cf.timezone ?? null,
    latitude: toNumber(cf.latitude),
    longitude: toNumber(cf.longitude),
  }
}

function toNumber(text: string | undefined): number | null {
  const number = Number(text)
  return text === undefined || !Number.isFinite(number) ? null : number
}

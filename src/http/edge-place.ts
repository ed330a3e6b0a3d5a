import type { EdgePlace } from '../chat/turn'

/**
 * Where the edge says the end user is. Null behind a tenant's server, whose place says nothing about its user, and where
 * the edge gives none.
 */
export function readPlace(request: Request, byKey: boolean): EdgePlace | null {
  const cf = (request as Request<unknown, IncomingRequestCfProperties>).cf
  if (byKey || !cf) return null
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

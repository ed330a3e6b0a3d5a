import type { Api } from '../api/create-api'
import type { Domain, DomainFeature, Key, Quota, Settings, Webhook } from '../settings/types'
import type { UsageReport } from '../usage/types'
import type { Standing, Waiting } from './standing'

const MOST = 200

/** Everything at once. Only the settings have to come: a part that is refused leaves a gap, not an empty page. */
export async function loadStanding(api: Api, signal: AbortSignal): Promise<Standing> {
  const part = <T>(path: string, query?: Record<string, string | number>): Promise<T | null> =>
    api.get<T>(path, query, signal).catch((error: unknown) => {
      if (signal.aborted) throw error
      return null
    })
  const usage = async (group: string) =>
    (await part<UsageReport>('/v1/manage/usage', { group, since: '30d' }))?.rows ?? null
  const waiting = async (path: string, status: string): Promise<Waiting | null> => {
    type Page = unknown[] | { items: unknown[]; next_cursor: string | null }
    const page = await part<Page>(path, { status, limit: MOST })
    if (page === null) return null
    return Array.isArray(page)
      ? { count: page.length, hasMore: page.length === MOST }
      : { count: page.items.length, hasMore: page.next_cursor !== null }
  }
  const [
    settings,
    quota,
    days,
    kinds,
    agents,
    bases,
    servers,
    keys,
    feature,
    domain,
    webhooks,
    reviews,
    handoffs,
  ] = await Promise.all([
    api.get<Settings>('/v1/tenant/settings', undefined, signal),
    part<Quota>('/v1/tenant/quota'),
    usage('day'),
    usage('kind'),
    part<NonNullable<Standing['agents']>>('/v1/agents'),
    part<NonNullable<Standing['bases']>>('/v1/knowledge-bases'),
    part<NonNullable<Standing['servers']>>('/v1/mcp-servers'),
    part<Key[]>('/v1/tenant/keys'),
    part<DomainFeature>('/v1/tenant/custom-domain/feature'),
    part<Domain>('/v1/tenant/custom-domain'),
    part<Webhook[]>('/v1/tenant/webhooks'),
    waiting('/v1/manage/reviews', 'pending'),
    waiting('/v1/manage/handoffs', 'requested'),
  ])
  return {
    settings,
    quota,
    days,
    kinds,
    agents,
    bases,
    servers,
    keys,
    feature,
    domain,
    webhooks,
    reviews,
    handoffs,
  }
}

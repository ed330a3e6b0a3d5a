import parseRobots from 'robots-parser'
import { SITES } from '../../config/limits'
import { ROBOT } from '../fetch-page'

export interface Robots {
  allows(url: URL): boolean
  sitemaps: URL[]
  /** Seconds between two requests. */
  delayS: number
}

/** What a site's robots.txt says to us (RFC 9309, with the widespread Crawl-delay and Sitemap). */
export function readRobots(origin: string, text: string): Robots {
  const robots = parseRobots(`${origin}/robots.txt`, text)
  const delay = robots.getCrawlDelay(ROBOT) ?? 0
  return {
    allows: ({ href }) => robots.isAllowed(href, ROBOT) !== false,
    sitemaps: robots.getSitemaps().flatMap((address) => URL.parse(address, origin) ?? []),
    delayS: Math.min(SITES.mostDelayS, Math.max(SITES.leastDelayS, Math.ceil(delay))),
  }
}

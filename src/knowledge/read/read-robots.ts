import { SITES } from '../../config/limits'

export interface Robots {
  allows(url: URL): boolean
  sitemaps: URL[]
  /** Seconds between two requests. */
  delayS: number
}

/** What one group of robots.txt says. */
interface Group {
  rules: Rule[]
  delayS: number
}

interface Rule {
  allows: boolean
  length: number
  /** A `$` at its end: it speaks of whole paths, not of how they begin. */
  isWhole: boolean
  /** What stands before the first star, and behind each. */
  start: string
  pieces: string[]
}

/** Whose rules hold for us: where we are named, ours alone. */
const OURS = [SITES.robot.toLowerCase(), '*']

/**
 * What a site's robots.txt says to us (RFC 9309, with the widespread Crawl-delay and Sitemap): of the rules that fit an
 * address the longest holds, and of two as long the one that allows. Looking takes each rule once along the address.
 */
export function readRobots(origin: string, text: string): Robots {
  const groups = new Map<string, Group>()
  const sitemaps: URL[] = []
  const names = new Set<string>()
  let isNaming = false
  for (const line of text.split(/\r\n?|\n/)) {
    const [field = '', ...rest] = (line.split('#', 1)[0] ?? '').split(':')
    const name = field.trim().toLowerCase()
    const value = rest.join(':').trim()
    if (name === '' || rest.length === 0) continue
    if (name === 'user-agent') {
      if (!isNaming) names.clear()
      const named = (value.toLowerCase().split('/', 1)[0] ?? '').trim()
      // Others' rules are not kept: a file may name thousands, and each has all that follow.
      if (OURS.includes(named)) names.add(named)
    }
    isNaming = name === 'user-agent'
    const sitemap = name === 'sitemap' && value !== '' ? URL.parse(value, origin) : null
    if (sitemap) sitemaps.push(sitemap)
    if (!['allow', 'disallow', 'crawl-delay'].includes(name)) continue
    for (const one of names) {
      const group = groups.get(one) ?? { rules: [], delayS: 0 }
      groups.set(one, group)
      if (name === 'crawl-delay') group.delayS = Number(value) || group.delayS
      else if (value !== '') group.rules.push(readRule(value, name === 'allow'))
    }
  }
  const [ours] = OURS.flatMap((name) => groups.get(name) ?? [])
  const { rules, delayS } = ours ?? { rules: [], delayS: 0 }
  rules.sort((a, b) => b.length - a.length || Number(b.allows) - Number(a.allows))
  return {
    allows: ({ pathname, search }) => {
      const path = upperEscapes(pathname + search)
      return rules.find((rule) => fits(rule, path))?.allows ?? true
    },
    sitemaps,
    delayS: Math.min(SITES.mostDelayS, Math.max(SITES.leastDelayS, Math.ceil(delayS))),
  }
}

function readRule(text: string, allows: boolean): Rule {
  const pattern = upperEscapes(encodeURI(text.toWellFormed()).replaceAll('%25', '%'))
  const isWhole = pattern.endsWith('$')
  const [start = '', ...pieces] = (isWhole ? pattern.slice(0, -1) : pattern).split(/\*+/)
  return { allows, length: pattern.length, isWhole, start, pieces }
}

function fits({ isWhole, start, pieces }: Rule, path: string): boolean {
  if (!path.startsWith(start)) return false
  let at = start.length
  const last = isWhole ? pieces.length - 1 : pieces.length
  for (const piece of pieces.slice(0, Math.max(0, last))) {
    const found = path.indexOf(piece, at)
    if (found < 0) return false
    at = found + piece.length
  }
  if (!isWhole) return true
  const end = pieces[last]
  return end === undefined
    ? at === path.length
    : at <= path.length - end.length && path.endsWith(end)
}

/** `%c3` and `%C3` are the same. */
const upperEscapes = (path: string): string =>
  path.replaceAll(/%[\da-f]{2}/gi, (sign) => sign.toUpperCase())

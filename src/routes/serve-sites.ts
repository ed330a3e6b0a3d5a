import type { Context, MiddlewareHandler } from 'hono'
import type { AppEnv } from '../context'
import { findSite, type Site } from '../domains/directory'
import { isOwnHost } from '../domains/own-hosts'
import { type PathTree, pageBefore, routesAt } from '../http/paths'
import type { Route } from '../http/route'
import { loadAgentOf, loadPublicAgents } from '../pages/load-agent-page'
import {
  readPageLanguage,
  readsPages,
  showAgent,
  showAgentList,
  showManifest,
  showNotFound,
} from '../pages/show-page'
import { pageOrigin, sendManifest, sendPage, sendWorker } from './pages'

const HOME = '/'
const START_OAUTH = /^(?:\/v1)?\/auth\/oauth\/[^/]+\/start$/

/**
 * Tells the deployment's own hosts from tenants' domains. A domain shows its tenant's pages and what they call, and
 * nothing else of the product; a host that nobody has proved gets one neutral 404 (rule CD3).
 */
export function serveSites(paths: PathTree): MiddlewareHandler<AppEnv> {
  return async (c, next) => {
    c.set('site', null)
    const base = c.get('base')
    const host = new URL(c.req.url).hostname.replace(/\.$/, '')
    if (isOwnHost(base.config, host)) return next()
    const site = await findSite(base, host)
    // Without a configured origin there is no telling a strange name from our own.
    if (site === null) return base.config.publicBase === '' ? next() : neutral(c)
    c.set('site', site)
    base.ofTenant = site.tenantId
    const isRead = c.req.method === 'GET' || c.req.method === 'HEAD'
    const front = isRead ? await serveFront(c, site) : null
    if (front !== null) return front
    const [route] = routesAt(paths, c.req.path)
    if (route !== undefined && isOfPages(route)) return next()
    const page = pageBefore(paths, c.req, isOfPages)
    return page === null ? neutral(c) : c.redirect(page, 308)
  }
}

/** What stands at the root of a domain: the bound agent's page, or the list of all. */
async function serveFront(c: Context<AppEnv>, site: Site): Promise<Response | null> {
  const { path } = c.req
  const language = readPageLanguage(c.req.query('lang'), c.req.header('accept-language'))
  const base = c.get('base')
  if (START_OAUTH.test(path) && base.config.publicBase !== '') return startAtHome(c, site)
  if (![HOME, '/manifest.webmanifest', '/sw.js'].includes(path)) return null
  const request = { ...language, origin: pageOrigin(base, site) }
  if (site.agentAlias === null) {
    const found = path === HOME ? await loadPublicAgents(base, site.tenantId, language.lang) : null
    return sendPage(await (found ? showAgentList(request, found) : showNotFound(language.lang)))
  }
  const found = await loadAgentOf(base, site.tenantId, site.agentAlias)
  if (!found) return sendPage(await showNotFound(language.lang))
  if (path === HOME) {
    const own = readPageLanguage(
      c.req.query('lang'),
      c.req.header('accept-language'),
      found.tenant.profile,
    )
    return sendPage(await showAgent(base, { ...request, ...own }, found, HOME))
  }
  if (path === '/sw.js') return sendWorker(HOME)
  return sendManifest(await showManifest(language.lang, found, HOME))
}

/** A sign-in at a provider begins and ends on the deployment's own origin, whose address the provider knows. */
function startAtHome(c: Context<AppEnv>, site: Site): Response {
  const base = c.get('base')
  const url = new URL(c.req.url)
  const wanted = url.searchParams.get('redirect')
  const back = wanted?.startsWith('/') ? wanted : `/login/${site.tenantId}`
  const redirect =
    wanted === null || wanted.startsWith('/') ? pageOrigin(base, site) + back : wanted
  url.searchParams.set('redirect', redirect)
  return c.redirect(`${base.config.publicBase}${url.pathname}${url.search}`, 302)
}

/** The pages of a tenant and what they call. Management, the operator and the description of the API are elsewhere. */
function isOfPages(route: Route): boolean {
  if (route.layer === 'user') return true
  return (
    route.layer === 'public' && (route.onSites === true || /^(?:\/v1)?\/auth\//.test(route.path))
  )
}

async function neutral(c: Context<AppEnv>): Promise<Response> {
  if (!readsPages(c.req.header('accept'))) return c.json({ detail: 'Not Found' }, 404)
  const { lang } = readPageLanguage(undefined, c.req.header('accept-language'))
  return sendPage(await showNotFound(lang))
}

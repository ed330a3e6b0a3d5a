import * as z from 'zod'
import type { BaseContext } from '../context'
import type { Site } from '../domains/directory'
import { defineRoute } from '../http/route'
import { loadPages } from '../lazy'
import { CONSOLE_ASSETS, LOGIN_ASSETS, PAGE_ASSETS } from '../pages/assets.gen'
import { loadAgentPage, type PublicAgent } from '../pages/load-agent-page'
import { loadLoginPage } from '../pages/load-login-page'
import {
  agentHome,
  newNonce,
  readColour,
  readPageLanguage,
  showAgent,
  showManifest,
  showNotFound,
} from '../pages/show-page'
import type { RenderedPage } from '../pages/types'
import { renderWorkerScript, workerHeaders } from '../pages/worker-script'
import { presentOnboarding } from '../tenants/onboarding-text'
import { publicName, websiteLink } from '../tenants/tenant-facts'

const Page = { media: 'text/html' }
const params = z.object({ tenant_alias: z.string(), agent_alias: z.string() })
const query = z.object({ lang: z.string().optional() })

export const pageRoutes = [
  defineRoute({
    method: 'GET',
    path: '/a/{tenant_alias}/{agent_alias}',
    layer: 'public',
    tag: 'Pages',
    onSites: true,
    summary: 'The public chat page of a published agent',
    params,
    query,
    answers: { 200: Page, 404: Page },
    handler: async (c) => {
      const found = await findAgent(c.get('base'), c.get('site'), c.req.valid('param'))
      const language = readPageLanguage(
        c.req.valid('query').lang,
        c.req.header('accept-language'),
        found?.tenant.profile,
      )
      const request = { ...language, origin: pageOrigin(c.get('base'), c.get('site')) }
      return sendPage(
        await (found
          ? showAgent(c.get('base'), request, found, agentHome(found))
          : showNotFound(language.lang)),
      )
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/a/{tenant_alias}/{agent_alias}/manifest.webmanifest',
    layer: 'public',
    tag: 'Pages',
    onSites: true,
    summary: 'The page as an installable app',
    params,
    query,
    answers: { 200: { media: 'application/manifest+json' }, 404: Page },
    handler: async (c) => {
      const { lang } = readPageLanguage(c.req.valid('query').lang, c.req.header('accept-language'))
      const found = await findAgent(c.get('base'), c.get('site'), c.req.valid('param'))
      return found
        ? sendManifest(await showManifest(lang, found, agentHome(found)))
        : sendPage(await showNotFound(lang))
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/a/{tenant_alias}/{agent_alias}/sw.js',
    layer: 'public',
    tag: 'Pages',
    onSites: true,
    summary: 'The service worker of the page',
    params,
    answers: { 200: { media: 'text/javascript' }, 404: Page },
    handler: async (c) => {
      const found = await findAgent(c.get('base'), c.get('site'), c.req.valid('param'))
      if (found) return sendWorker(agentHome(found))
      return sendPage(
        await showNotFound(readPageLanguage(undefined, c.req.header('accept-language')).lang),
      )
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/login/{tenant}',
    layer: 'public',
    tag: 'Pages',
    onSites: true,
    summary: "A tenant's login page, by its id or alias",
    params: z.object({ tenant: z.string() }),
    query: query.extend({ popup: z.string().optional() }),
    answers: { 200: Page, 404: Page },
    handler: async (c) => {
      const found = await loadLoginPage(c.get('base'), c.req.valid('param').tenant)
      const language = readPageLanguage(
        c.req.valid('query').lang,
        c.req.header('accept-language'),
        found?.tenant.profile,
      )
      if (!found || isElsewhere(c.get('site'), found.tenant.id))
        return sendPage(await showNotFound(language.lang))
      const { renderLoginPage } = await loadPages()
      return sendPage(
        renderLoginPage({
          ...language,
          nonce: newNonce(),
          tenant: {
            id: found.tenant.id,
            name: publicName(found.tenant),
            logoUrl: found.logoUrl,
            accent: readColour(found.tenant.profile.accent),
            website: websiteLink(found.tenant.profile),
          },
          onboarding: presentOnboarding(found.tenant.onboardingConfig),
          native: found.native,
          mail: found.mail,
          oauth: found.oauth,
          isWindow: c.req.valid('query').popup !== undefined,
          assets: LOGIN_ASSETS,
        }),
      )
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/console',
    layer: 'public',
    tag: 'Pages',
    summary: 'The console, in which a tenant sets up everything',
    query,
    answers: { 200: Page },
    handler: async (c) => {
      const { lang } = readPageLanguage(c.req.valid('query').lang, c.req.header('accept-language'))
      const { renderConsolePage } = await loadPages()
      return sendPage(renderConsolePage({ nonce: newNonce(), lang, assets: CONSOLE_ASSETS }))
    },
  }),
]

async function findAgent(
  base: BaseContext,
  site: Site | null,
  { tenant_alias, agent_alias }: z.output<typeof params>,
): Promise<PublicAgent | null> {
  const found = await loadAgentPage(base, tenant_alias, agent_alias)
  return found && !isElsewhere(site, found.tenant.id) ? found : null
}

/** A tenant's own domain shows that tenant alone. */
export const isElsewhere = (site: Site | null, tenantId: string): boolean =>
  site !== null && site.tenantId !== tenantId

/** The origin at which the visitor sees the page: certificates are what a tenant's domain is for. */
export const pageOrigin = (base: BaseContext, site: Site | null): string =>
  site === null ? base.origin : `https://${site.domain}`

export function sendPage(page: RenderedPage): Response {
  return new Response(page.html, { status: page.status, headers: page.headers })
}

export function sendManifest(manifest: object): Response {
  return Response.json(manifest, {
    headers: { 'Content-Type': 'application/manifest+json', 'Cache-Control': 'public, no-cache' },
  })
}

export function sendWorker(home: string): Response {
  return new Response(renderWorkerScript(home, PAGE_ASSETS), { headers: workerHeaders(home) })
}

import * as z from 'zod'
import { LANGUAGES } from '../config'
import { pickLanguage } from '../http/language'
import { defineRoute } from '../http/route'
import { renderAgentPage, renderNotFoundPage } from '../pages/agent-page'
import { LOGIN_ASSETS, PAGE_ASSETS } from '../pages/assets.gen'
import { loadAgentPage } from '../pages/load-agent-page'
import { loadLoginPage } from '../pages/load-login-page'
import { renderLoginPage } from '../pages/login-page'
import { toBase64url } from '../platform/crypto/base64url'
import { randomBytes } from '../platform/crypto/bytes'
import { logoPath } from '../tenants/present-settings'

const Page = { media: 'text/html' }
const COLOUR = /^#[0-9a-f]{6}$/i

export const pageRoutes = [
  defineRoute({
    method: 'GET',
    path: '/a/{tenant_alias}/{agent_alias}',
    layer: 'public',
    tag: 'Pages',
    summary: 'The public chat page of a published agent',
    params: z.object({ tenant_alias: z.string(), agent_alias: z.string() }),
    query: z.object({ lang: z.string().optional() }),
    answers: { 200: Page, 404: Page },
    handler: async (c) => {
      const { tenant_alias, agent_alias } = c.req.valid('param')
      const base = c.get('base')
      const nonce = toBase64url(randomBytes(18))
      const asked = LANGUAGES.find((language) => language === c.req.valid('query').lang)
      const lang = asked ?? pickLanguage(c.req.header('accept-language'))
      const found = await loadAgentPage(base, tenant_alias, agent_alias)
      const page = found
        ? renderAgentPage({
            origin: base.origin,
            nonce,
            lang,
            langExplicit: asked !== undefined,
            tenant: {
              id: found.tenant.id,
              alias: found.tenant.alias ?? found.tenant.id,
              name: found.tenant.name,
              logoUrl:
                found.tenant.logo === null ? null : logoPath(found.tenant.id, found.tenant.logo),
              accent: readColour(found.tenant.profile.accent),
            },
            agent: {
              name: found.agent.name,
              alias: agent_alias,
              description: null,
              greeting: found.greeting,
              menu: found.menu,
            },
            indexable: found.tenant.profile.public_pages === true,
            features: { feedback: true, history: true },
            assets: PAGE_ASSETS,
          })
        : renderNotFoundPage({ nonce, lang, assets: PAGE_ASSETS })
      return c.body(page.html, page.status, page.headers)
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/login/{tenant}',
    layer: 'public',
    tag: 'Pages',
    summary: "A tenant's login page, by its id or alias",
    params: z.object({ tenant: z.string() }),
    query: z.object({ lang: z.string().optional() }),
    answers: { 200: Page, 404: Page },
    handler: async (c) => {
      const nonce = toBase64url(randomBytes(18))
      const asked = LANGUAGES.find((language) => language === c.req.valid('query').lang)
      const lang = asked ?? pickLanguage(c.req.header('accept-language'))
      const found = await loadLoginPage(c.get('base'), c.req.valid('param').tenant)
      const page = found
        ? renderLoginPage({
            nonce,
            lang,
            langExplicit: asked !== undefined,
            tenant: {
              id: found.tenant.id,
              name: found.tenant.name,
              logoUrl: found.logoUrl,
              accent: readColour(found.tenant.profile.accent),
            },
            native: found.native,
            oauth: found.oauth,
            assets: LOGIN_ASSETS,
          })
        : renderNotFoundPage({ nonce, lang, assets: PAGE_ASSETS })
      return c.body(page.html, page.status, page.headers)
    },
  }),
]

function readColour(value: unknown): string | null {
  return typeof value === 'string' && COLOUR.test(value) ? value : null
}

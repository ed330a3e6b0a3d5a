import * as z from 'zod'
import type { BaseContext } from '../context'
import type { Site } from '../domains/directory'
import { defineRoute } from '../http/route'
import { loadPages } from '../lazy'
import { PAGE_ASSETS } from '../pages/assets.gen'
import { loadFramedAgent } from '../pages/load-agent-page'
import {
  newNonce,
  readColour,
  readPageLanguage,
  showFrame,
  showFrameNotice,
  showNotFound,
} from '../pages/show-page'
import { DEMO_HOSTS } from '../pages/widget-demo'
import { isRefused } from '../pages/widget-origins'
import { isElsewhere, pageOrigin, sendPage } from './pages'

const tag = 'Pages'
const Page = { media: 'text/html' }
const word = z.string().optional()
const query = z.object({ lang: word, theme: word, accent: word, greeting: word })
const demoQuery = z.object({ tenant: z.string().default('demo'), agent: z.string().optional() })

/** What other sites show in a frame, and the pages on which that can be tried. */
export const widgetRoutes = [
  defineRoute({
    method: 'GET',
    path: '/widget/{tenant}',
    layer: 'public',
    tag,
    onSites: true,
    summary: "The chat of a tenant's default agent, for the frame on another site",
    params: z.object({ tenant: z.string() }),
    query,
    answers: { 200: Page, 404: Page },
    handler: async (c) => {
      const { tenant } = c.req.valid('param')
      return frame(c.get('base'), c.get('site'), [tenant, null], c.req.valid('query'), c.req)
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/widget/{tenant}/{agent}',
    layer: 'public',
    tag,
    onSites: true,
    summary: 'The chat of one agent, by alias or name, for the frame on another site',
    params: z.object({ tenant: z.string(), agent: z.string() }),
    query,
    answers: { 200: Page, 404: Page },
    handler: async (c) => {
      const { tenant, agent } = c.req.valid('param')
      return frame(c.get('base'), c.get('site'), [tenant, agent], c.req.valid('query'), c.req)
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/widget-demo',
    layer: 'public',
    tag,
    summary: 'Sites to try the widget on; in local mode alone',
    query: demoQuery,
    answers: { 200: Page, 404: Page },
    handler: async (c) => {
      if (c.get('base').config.environment !== 'local') return sendPage(await showNotFound('en'))
      const { renderDemoIndex } = await loadPages()
      const shell = { nonce: newNonce(), assets: PAGE_ASSETS }
      return sendPage(renderDemoIndex(c.req.valid('query'), shell))
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/widget-demo/{host}',
    layer: 'public',
    tag,
    summary: 'One of these sites',
    params: z.object({ host: z.string() }),
    query: demoQuery,
    answers: { 200: Page, 404: Page },
    handler: async (c) => {
      const host = DEMO_HOSTS.find((name) => name === c.req.valid('param').host)
      const isHere = c.get('base').config.environment === 'local' && host !== undefined
      if (!isHere) return sendPage(await showNotFound('en'))
      const { renderDemoHost } = await loadPages()
      return sendPage(renderDemoHost(host, c.req.valid('query')))
    },
  }),
]

async function frame(
  base: BaseContext,
  site: Site | null,
  [tenant, agent]: [tenant: string, agent: string | null],
  { lang, theme: wishedTheme, accent, greeting }: z.output<typeof query>,
  asked: { header(name: string): string | undefined },
): Promise<Response> {
  const found = await loadFramedAgent(base, tenant, agent)
  const profile = found?.tenant.profile
  const language = readPageLanguage(lang, asked.header('accept-language'), profile)
  const theme = wishedTheme === 'light' || wishedTheme === 'dark' ? wishedTheme : null
  const isHere = found !== null && !isElsewhere(site, found.tenant.id)
  if (!isHere || isRefused(profile?.widget_origins, asked.header('referer')))
    return sendPage(await showFrameNotice(language.lang, theme))
  const home = `/widget/${[found.tenant.id, found.agent.name].map(encodeURIComponent).join('/')}`
  const wishes = {
    theme,
    accent: readColour(`#${accent}`),
    greets: greeting !== 'off',
  } as const
  const request = { ...language, origin: pageOrigin(base, site) }
  return sendPage(await showFrame(base, request, found, home, wishes))
}

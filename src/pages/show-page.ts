import { iconPath } from '../apps/present-app'
import { sealGreeting } from '../chat/greeting-id'
import { LANGUAGES, type Language } from '../config/names'
import type { BaseContext } from '../context'
import type { TenantRow } from '../db/tables/tenants'
import { loadPages } from '../lazy'
import { toBase64url } from '../platform/crypto/base64url'
import { randomBytes } from '../platform/crypto/bytes'
import { logoPath } from '../tenants/present-settings'
import { publicName, speaks, websiteLink } from '../tenants/tenant-facts'
import { pickLanguage } from '../wire/accept-language'
import type { AgentPageInput } from './agent-page'
import { PAGE_ASSETS } from './assets.gen'
import { type loadPublicAgents, type PublicAgent, wordsFor } from './load-agent-page'
import type { AgentWords, RenderedPage } from './types'
import { frameAncestors } from './widget-origins'

const COLOUR = /^#[0-9a-f]{6}$/i

/** Where a page stands and in which language it is asked for. */
export interface PageRequest {
  /** Origin under which the visitor sees the page. */
  origin: string
  lang: Language
  /** The address named the language. */
  langExplicit: boolean
}

/** The language of the address, else the best of the browser's among those in which the tenant serves people. */
export function readPageLanguage(
  asked: string | undefined,
  header: string | undefined,
  profile: TenantRow['profile'] = {},
): Pick<PageRequest, 'lang' | 'langExplicit'> {
  const named = LANGUAGES.find((language) => language === asked)
  return { lang: named ?? pickLanguage(header, speaks(profile)), langExplicit: named !== undefined }
}

/** Path of an agent's page on the deployment's own origin. */
export function agentHome({ tenant, agent }: PublicAgent): string {
  const words = [tenant.alias ?? tenant.id, agent.alias ?? '']
  return `/a/${words.map(encodeURIComponent).join('/')}`
}

/** @param home path of the page on the origin at which it is shown. */
export async function showAgent(
  base: BaseContext,
  request: PageRequest,
  found: PublicAgent,
  home: string,
): Promise<RenderedPage> {
  const { renderAgentPage } = await loadPages()
  const greeting = await withGreetingIds(base, found)
  return renderAgentPage({ ...inputFor(request, greeting, home), frame: null })
}

/** What the address of the frame says besides whose chat it is. */
export interface FrameWishes {
  theme: 'light' | 'dark' | null
  /** In place of the tenant's. */
  accent: string | null
  /** False: the agent says nothing before it is asked. */
  greets: boolean
}

/** The same page as other sites show it. */
export async function showFrame(
  base: BaseContext,
  request: PageRequest,
  found: PublicAgent,
  home: string,
  { theme, accent, greets }: FrameWishes,
): Promise<RenderedPage> {
  const { renderAgentPage } = await loadPages()
  const said = greets ? await withGreetingIds(base, found) : await withoutGreeting(found)
  const input = inputFor(request, said, home)
  return renderAgentPage({
    ...input,
    tenant: { ...input.tenant, accent: accent ?? input.tenant.accent },
    indexable: false,
    app: { ...input.app, install: 'off' },
    frame: { theme, ancestors: frameAncestors(found.tenant.profile.widget_origins) },
  })
}

/** Its opening would greet, and has nothing else that the words lack. */
async function withoutGreeting(found: PublicAgent): Promise<PublicAgent> {
  const silent = async (words: AgentWords): Promise<AgentWords> => ({ ...words, greeting: null })
  return { ...(await withWords(found, silent)), opening: false }
}

/** A fixed greeting comes with its id, so that the page need not ask for the opening to send it back. */
function withGreetingIds({ config, now }: BaseContext, found: PublicAgent): Promise<PublicAgent> {
  const { tenant, agent } = found
  return withWords(found, async (words) => {
    if (words.greeting === null) return words
    const greeting = { agentId: agent.id, text: words.greeting }
    return { ...words, greetingId: await sealGreeting(config, tenant, greeting, now) }
  })
}

async function withWords(
  found: PublicAgent,
  change: (words: AgentWords) => Promise<AgentWords>,
): Promise<PublicAgent> {
  const translations = await Promise.all(
    Object.entries(found.translations).map(async ([lang, words]) => [lang, await change(words)]),
  )
  const words = await change(found.words)
  return { ...found, words, translations: Object.fromEntries(translations) }
}

function inputFor(
  request: PageRequest,
  found: PublicAgent,
  home: string,
): Omit<AgentPageInput, 'frame'> {
  const { tenant, agent, app } = found
  return {
    ...request,
    home,
    nonce: newNonce(),
    tenant: {
      id: tenant.id,
      name: publicName(tenant),
      logoUrl: tenant.logo === null ? null : logoPath(tenant.id, tenant.logo),
      accent: readColour(tenant.profile.accent),
    },
    agent: {
      id: agent.id,
      name: agent.name,
      description: null,
      words: found.words,
      translations: found.translations,
    },
    indexable: tenant.profile.public_pages === true,
    features: {
      feedback: true,
      history: true,
      signIn: tenant.authMode === 'native',
      sources: found.sources,
      handOff: found.handsOff,
      speech: found.speaks,
      hears: found.hears,
      opening: found.opening,
    },
    app: {
      install: app.installPrompt,
      favicon: iconPath(app, 'favicon.png'),
      touchIcon: iconPath(app, '192.png'),
    },
    assets: PAGE_ASSETS,
  }
}

/** The manifest of the same page. */
export async function showManifest(lang: Language, found: PublicAgent, home: string) {
  const { buildManifest } = await loadPages()
  const { tenant, app } = found
  const [small, large, maskable] = [
    iconPath(app, '192.png'),
    iconPath(app, '512.png'),
    iconPath(app, 'maskable.png'),
  ]
  return buildManifest({
    home,
    lang,
    agentName: wordsFor(found, lang).name,
    tenantName: publicName(tenant),
    accent: readColour(tenant.profile.accent),
    icons: small && large && maskable ? { small, large, maskable } : null,
    fallbackIcon: PAGE_ASSETS.icon,
  })
}

/** All agents that a tenant shows, on its own domain. */
export async function showAgentList(
  request: PageRequest,
  { tenant, agents }: NonNullable<Awaited<ReturnType<typeof loadPublicAgents>>>,
): Promise<RenderedPage> {
  const { renderAgentList } = await loadPages()
  return renderAgentList({
    ...request,
    nonce: newNonce(),
    tenant: {
      name: publicName(tenant),
      logoUrl: tenant.logo === null ? null : logoPath(tenant.id, tenant.logo),
      accent: readColour(tenant.profile.accent),
      website: websiteLink(tenant.profile),
    },
    agents: agents.map(({ name, alias }) => ({
      name,
      path: `/a/${encodeURIComponent(tenant.alias ?? tenant.id)}/${encodeURIComponent(alias)}`,
    })),
    indexable: tenant.profile.public_pages === true,
    assets: PAGE_ASSETS,
  })
}

export async function showNotFound(lang: Language): Promise<RenderedPage> {
  const { renderNotFoundPage } = await loadPages()
  return renderNotFoundPage({ nonce: newNonce(), lang, assets: PAGE_ASSETS })
}

/** For the frame on another site, where there is no chat for it. */
export async function showFrameNotice(
  lang: Language,
  theme: FrameWishes['theme'],
): Promise<RenderedPage> {
  const { renderFrameNotice } = await loadPages()
  return renderFrameNotice({ nonce: newNonce(), lang, theme, assets: PAGE_ASSETS })
}

export async function showFront(lang: Language): Promise<RenderedPage> {
  const { renderFrontPage } = await loadPages()
  return renderFrontPage({ nonce: newNonce(), lang, assets: PAGE_ASSETS })
}

export async function showProblem(lang: Language, status: number): Promise<RenderedPage> {
  if (status === 404) return showNotFound(lang)
  const { renderProblemPage } = await loadPages()
  return renderProblemPage({ nonce: newNonce(), lang, assets: PAGE_ASSETS }, status)
}

/** A browser that opens an address names pages first; programs take what comes. */
export const readsPages = (accept: string | undefined): boolean =>
  accept?.includes('text/html') === true

export const newNonce = (): string => toBase64url(randomBytes(18))

export function readColour(value: unknown): string | null {
  return typeof value === 'string' && COLOUR.test(value) ? value : null
}

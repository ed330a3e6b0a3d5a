import type { Language } from '../config/names'
import { fitAccent } from './accent'
import { directionOf, PAGE_TEXT } from './page-text'

/** What an installable page is made of. Paths of this origin. */
export interface AppManifestInput {
  /** Path of the agent's page: identity, start and scope of the app. */
  home: string
  lang: Language
  agentName: string
  tenantName: string
  /** `#rrggbb`, or null for the product's own. */
  accent: string | null
  /** Paths of the tenant's pictures, or null: then the product's icon in `fallbackIcon` serves. */
  icons: { small: string; large: string; maskable: string } | null
  fallbackIcon: string
}

const APP_COLOURS = { canvas: '#F6F7F5', accent: '#0B6B5D' } as const
const SHORT_NAME_LENGTH = 12

/** The web app manifest of one agent's page. Pure. */
export function buildManifest(input: AppManifestInput) {
  const { home, lang, agentName, tenantName, accent, icons } = input
  const short = [...agentName]
  return {
    id: home,
    start_url: home,
    scope: home,
    name: agentName,
    short_name:
      short.length <= SHORT_NAME_LENGTH
        ? agentName
        : short.slice(0, SHORT_NAME_LENGTH).join('').trimEnd(),
    description: PAGE_TEXT[lang].description(agentName, tenantName),
    lang,
    dir: directionOf(lang),
    display: 'standalone',
    background_color: APP_COLOURS.canvas,
    theme_color: (accent && fitAccent(accent)?.light.accent) || APP_COLOURS.accent,
    icons:
      icons === null
        ? [{ src: input.fallbackIcon, sizes: 'any', type: 'image/svg+xml', purpose: 'any' }]
        : [
            { src: icons.small, sizes: '192x192', type: 'image/png', purpose: 'any' },
            { src: icons.large, sizes: '512x512', type: 'image/png', purpose: 'any' },
            { src: icons.maskable, sizes: '512x512', type: 'image/png', purpose: 'maskable' },
          ],
  }
}

/** How a site places the chat; see the `data-` attributes of the widget's script. */
export interface SnippetOptions {
  lang: string
  theme: 'auto' | 'light' | 'dark'
  /** Empty: the tenant's own. */
  accent: string
  position: 'end' | 'start'
  offsetX: number
  offsetY: number
  zIndex: number
  launcher: 'bubble' | 'label' | 'none'
  label: string
  open: 'no' | 'once' | 'always'
  greeting: 'agent' | 'off'
  target: string
  nonce: string
}

export const SNIPPET_DEFAULTS: SnippetOptions = {
  lang: 'auto',
  theme: 'auto',
  accent: '',
  position: 'end',
  offsetX: 20,
  offsetY: 20,
  zIndex: 2_147_483_000,
  launcher: 'bubble',
  label: '',
  open: 'no',
  greeting: 'agent',
  target: '',
  nonce: '',
}

const ATTRIBUTES: readonly (readonly [keyof SnippetOptions, string])[] = [
  ['lang', 'lang'],
  ['theme', 'theme'],
  ['accent', 'accent'],
  ['position', 'position'],
  ['offsetX', 'offset-x'],
  ['offsetY', 'offset-y'],
  ['zIndex', 'z-index'],
  ['launcher', 'launcher'],
  ['label', 'label'],
  ['open', 'open'],
  ['greeting', 'greeting'],
  ['target', 'target'],
  ['nonce', 'nonce'],
]

/** The one line that a site puts into its pages. What has its usual value is left out. */
export function writeSnippet(
  place: { origin: string; tenant: string; agent: string },
  options: SnippetOptions,
): string {
  const attributes: [string, string][] = [
    ['src', `${place.origin}/widget.js`],
    ['data-tenant', place.tenant],
    ['data-agent', place.agent],
  ]
  for (const [key, name] of ATTRIBUTES) {
    if (options[key] !== SNIPPET_DEFAULTS[key])
      attributes.push([`data-${name}`, String(options[key])])
  }
  const lines = attributes.map(([name, value]) => `  ${name}="${escapeAttribute(value)}"`)
  return `<script\n${lines.join('\n')}\n  defer\n></script>`
}

const escapeAttribute = (value: string): string =>
  value.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')

/** What a site with a content policy adds to it. */
export const writePolicy = (origin: string): string => `script-src ${origin}; frame-src ${origin}`

export const isColour = (value: string): boolean => /^#[0-9a-f]{6}$/i.test(value)

/** Address of the chat itself with these options, as the widget's script would open it. */
export function frameAddress(
  place: { tenant: string; agent: string; host: string; hostKey: string },
  { lang, theme, accent, greeting }: SnippetOptions,
): string {
  const query = new URLSearchParams()
  if (lang !== 'auto') query.set('lang', lang)
  if (theme !== 'auto') query.set('theme', theme)
  if (isColour(accent)) query.set('accent', accent.slice(1))
  if (greeting === 'off') query.set('greeting', 'off')
  const path = `/widget/${encodeURIComponent(place.tenant)}/${encodeURIComponent(place.agent)}`
  const asked = query.size === 0 ? '' : `?${query}`
  return `${path}${asked}#${new URLSearchParams({ [place.hostKey]: place.host })}`
}

import type { InstallPrompt, Language } from '../config/names'
import { type Html, html, jsonForScript, scriptText } from '../platform/html'
import { type AccentTokens, fitAccent } from './accent'
import { EARLY_SCRIPT } from './early.gen'
import { pageHeaders } from './page-headers'
import { directionOf, PAGE_TEXT } from './page-text'
import type { AgentWords, ChatBootstrap, PageAssets, PageFeatures, RenderedPage } from './types'
import { buildVersion } from './worker-script'

/** Everything the public page of an agent is made of. All of it is shown to any visitor. */
export interface AgentPageInput {
  /** Public origin without a trailing slash. */
  origin: string
  /** Path of the page on that origin. */
  home: string
  /** At least 128 random bits, base64 or base64url, fresh for every answer. */
  nonce: string
  lang: Language
  /** The address named the language (`?lang=`), so it wins over the visitor's stored choice. */
  langExplicit: boolean
  /** `accent` is `#rrggbb`. */
  tenant: { id: string; name: string; logoUrl: string | null; accent: string | null }
  agent: ChatBootstrap['agent'] & { description: string | null }
  /** False: search engines are told to stay away. */
  indexable: boolean
  features: PageFeatures
  app: { install: InstallPrompt; favicon: string | null; touchIcon: string | null }
  /** The page as other sites show it, in a frame; null for the page of its own. */
  frame: FrameInput | null
  assets: PageAssets
}

export interface FrameInput {
  /** Sources of `frame-ancestors`. */
  ancestors: string
  theme: 'light' | 'dark' | null
}

const NONCE = /^[A-Za-z0-9+/_-]{16,}={0,2}$/
const DESCRIPTION_LENGTH = 200

/** The public chat page of a published agent. Throws RangeError when the nonce could not stand in a policy. */
export function renderAgentPage(input: AgentPageInput): RenderedPage {
  checkNonce(input.nonce)
  const { tenant, agent, lang, assets, frame } = input
  const text = PAGE_TEXT[lang]
  const isPage = frame === null
  const modules = isPage ? assets.modules : [...assets.modules, ...assets.frame]
  const url = input.origin + input.home
  const below = input.home === '/' ? '' : input.home
  const words = agent.translations[lang] ?? agent.words
  const title = `${words.name} · ${tenant.name}`
  const description = shorten(agent.description ?? text.description(words.name, tenant.name))
  const bootstrap: ChatBootstrap = {
    tenant: { id: tenant.id, name: tenant.name, logoUrl: tenant.logoUrl },
    agent: {
      id: agent.id,
      name: agent.name,
      words: agent.words,
      translations: agent.translations,
    },
    lang,
    langExplicit: input.langExplicit,
    locales: assets.locales,
    features: input.features,
    app: {
      install: input.app.install,
      home: input.home,
      worker: `${below}/sw.js`,
      version: buildVersion(assets),
    },
    framed: !isPage,
  }
  const head = html`<title>${title}</title>
<meta name="description" content="${description}">
<link rel="canonical" href="${url}">
${input.indexable ? null : html`<meta name="robots" content="noindex">\n`}<meta property="og:type" content="website">
<meta property="og:title" content="${title}">
<meta property="og:description" content="${description}">
<meta property="og:url" content="${url}">
<meta property="og:site_name" content="${tenant.name}">
<meta property="og:locale" content="${lang.replace('-', '_')}">
${tenant.logoUrl === null ? null : html`<meta property="og:image" content="${new URL(tenant.logoUrl, input.origin).href}">\n`}<meta name="twitter:card" content="summary">
${isPage ? html`<link rel="manifest" href="${below}/manifest.webmanifest?lang=${lang}">\n` : null}${input.app.touchIcon === null ? null : html`<link rel="apple-touch-icon" href="${input.app.touchIcon}">\n`}<link rel="preload" as="fetch" href="${assets.locales[lang]}" crossorigin>
${modules.map((module) => html`<link rel="modulepreload" nonce="${input.nonce}" href="${module}">\n`)}<script type="module" nonce="${input.nonce}" src="${assets.script}"></script>
${accentStyle(tenant.accent, input.nonce)}`
  const body = html`<div id="app">${shell(tenant, words)}</div>
<p class="notice" id="not-loaded" role="alert" hidden>${text.notLoaded}</p>
<noscript><p class="notice">${text.needsScript}</p></noscript>
<script type="application/json" id="bootstrap">${jsonForScript(bootstrap)}</script>`
  return {
    status: 200,
    html: renderDocument(
      { ...input, favicon: input.app.favicon, theme: frame?.theme ?? null },
      head,
      body,
    ),
    headers: {
      ...pageHeaders(input.nonce, lang, {
        hasWorker: isPage,
        ancestors: frame?.ancestors,
        records: input.features.hears,
      }),
      ...(input.indexable ? {} : { 'X-Robots-Tag': 'noindex' }),
    },
  }
}

/** One neutral page for every address that leads nowhere: it does not say whether something was ever there. */
export function renderNotFoundPage(input: NoticeInput): RenderedPage {
  const { notFoundTitle, notFoundText } = PAGE_TEXT[input.lang]
  return renderNotice(input, 404, notFoundTitle, notFoundText)
}

/** The deployment's own address, which is nobody's page. */
export function renderFrontPage(input: NoticeInput): RenderedPage {
  return renderNotice(input, 200, 'Parley', PAGE_TEXT[input.lang].frontText)
}

/** Whatever else went wrong, to who came by a browser: what programs are told stays with programs. */
export function renderProblemPage(input: NoticeInput, status: number): RenderedPage {
  const { problemTitle, problemText } = PAGE_TEXT[input.lang]
  return renderNotice(input, status, problemTitle, problemText)
}

interface NoticeInput {
  nonce: string
  lang: Language
  assets: PageAssets
}

function renderNotice(
  input: NoticeInput,
  status: number,
  title: string,
  text: string,
): RenderedPage {
  checkNonce(input.nonce)
  const head = html`<title>${title}</title>
<meta name="robots" content="noindex">`
  const body = html`<main class="blank"><h1>${title}</h1><p>${text}</p></main>`
  return {
    status,
    html: renderDocument(input, head, body),
    headers: { ...pageHeaders(input.nonce, input.lang), 'X-Robots-Tag': 'noindex' },
  }
}

interface DocumentInput {
  /** Path of the tenant's own picture, where there is one. */
  favicon?: string | null
  /** What the address asks for; the reader's own choice and the system decide otherwise. */
  theme?: 'light' | 'dark' | null
  nonce: string
  lang: Language
  assets: PageAssets
}

/**
 * The early script is tiny and blocking: it sets the stored theme and language before the first paint. It stands in the page,
 * since a file of its own would be one more to wait for.
 */
export function renderDocument(input: DocumentInput, head: Html, body: Html): string {
  return `<!doctype html>\n${html`<html lang="${input.lang}" dir="${directionOf(input.lang)}"${input.theme ? html` data-theme="${input.theme}"` : null}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover, interactive-widget=resizes-content">
<meta name="color-scheme" content="light dark">
<meta name="theme-color" content="#F6F7F5" media="(prefers-color-scheme: light)">
<meta name="theme-color" content="#111614" media="(prefers-color-scheme: dark)">
<script nonce="${input.nonce}">${scriptText(EARLY_SCRIPT)}</script>
<link rel="stylesheet" nonce="${input.nonce}" href="${input.assets.style}">
${
  input.favicon
    ? html`<link rel="icon" type="image/png" href="${input.favicon}">`
    : html`<link rel="icon" type="image/svg+xml" href="${input.assets.icon}">`
}
${head}
</head>
<body>
${body}
</body>
</html>`}\n`
}

/** What is seen before the app starts: the same boxes, and the agent's own words as the browser's language has them. */
function shell(tenant: AgentPageInput['tenant'], agent: AgentWords): Html {
  return html`<div class="page"><header class="bar"><div class="brand">${
    tenant.logoUrl === null
      ? html`<span class="tile" aria-hidden="true">${firstLetter(agent.name)}</span>`
      : html`<img class="logo" src="${tenant.logoUrl}" alt="">`
  }<div class="names"><h1 dir="auto">${agent.name}</h1><p class="by" dir="auto">${tenant.name}</p></div></div></header><div class="log"><div class="column">${
    agent.greeting === null
      ? null
      : html`<p class="shell-greeting" dir="auto">${agent.greeting}</p>`
  }</div></div><div class="dock"><div class="column"><div class="composer composer-shell"></div></div></div></div>`
}

export function accentStyle(accent: string | null, nonce: string): Html | null {
  const fitted = accent === null ? null : fitAccent(accent)
  if (fitted === null) return null
  const light = declarations(fitted.light)
  const dark = declarations(fitted.dark)
  return html`<style nonce="${nonce}">:root{${light}}@media (prefers-color-scheme:dark){:root:not([data-theme=light]){${dark}}}:root[data-theme=dark]{${dark}}</style>`
}

function declarations(t: AccentTokens): string {
  return `--accent:${t.accent};--on-accent:${t.onAccent};--accent-soft:${t.soft};--accent-text:${t.softText}`
}

function firstLetter(name: string): string {
  return [...name][0]?.toLocaleUpperCase() ?? ''
}

function shorten(text: string): string {
  const flat = text.replace(/\s+/g, ' ').trim()
  const chars = [...flat]
  return chars.length <= DESCRIPTION_LENGTH
    ? flat
    : `${chars
        .slice(0, DESCRIPTION_LENGTH - 1)
        .join('')
        .trimEnd()}…`
}

export function checkNonce(nonce: string): void {
  if (!NONCE.test(nonce)) throw new RangeError('nonce must be 16 or more base64 characters')
}

import { type Html, html } from '../platform/html'
import { renderDocument } from './agent-page'
import { pageHeaders } from './page-headers'
import type { PageAssets, RenderedPage } from './types'

/** Sites as they are found: one that forbids nothing, one that forbids all it can, and one whose rules reach everywhere. */
export const DEMO_HOSTS = ['plain', 'strict', 'hostile'] as const
export type DemoHost = (typeof DEMO_HOSTS)[number]

interface Wanted {
  tenant: string
  /** Undefined: the tenant's default. */
  agent?: string | undefined
}

/** What the brief promises a careful site: the widget needs these two words and nothing else. */
const STRICT_POLICY =
  "default-src 'none'; script-src 'self'; frame-src 'self'; style-src 'none'; base-uri 'none'; require-trusted-types-for 'script'; trusted-types 'none'"

const HOSTILE_RULES = `* { all: unset !important; display: inline !important; opacity: 0.3 !important; letter-spacing: 4px !important }
div, button, dialog, iframe { position: static !important; transform: rotate(4deg) !important; visibility: hidden !important }
html, body, main, p, h1 { display: block !important; opacity: 1 !important; visibility: visible !important }
head, head * { display: none !important }`

const TITLES: Record<DemoHost, string> = {
  plain: 'A plain site',
  strict: 'A site with a strict policy',
  hostile: 'متجر من اليمين إلى اليسار',
}

const SAYS: Record<DemoHost, string> = {
  plain: 'It forbids nothing and styles nothing.',
  strict: 'No style, no inline script, Trusted Types: all that a site can forbid.',
  hostile: 'In Arabic, with rules that reach everything on the page.',
}

/** Looks as the product's other pages without a script do. */
export function renderDemoIndex(
  wanted: Wanted,
  shell: { nonce: string; assets: PageAssets },
): RenderedPage {
  const lang = 'en'
  const links = DEMO_HOSTS.map(
    (host) =>
      html`<li><a href="/widget-demo/${host}?${address(wanted)}"><bdi lang="${host === 'hostile' ? 'ar' : lang}">${TITLES[host]}</bdi><br><small>${SAYS[host]}</small></a></li>`,
  )
  const title = 'The widget on three sites'
  const head = html`<title>${title}</title>
<meta name="robots" content="noindex">`
  const body = html`<main class="directory"><h1>${title}</h1><p>Whose chat they show: <code>${wanted.tenant}</code>${wanted.agent === undefined ? ', its default agent' : html`, <code>${wanted.agent}</code>`}. Another one: <code>?tenant=…&amp;agent=…</code></p><ul>${links}</ul></main>`
  return {
    status: 200,
    html: renderDocument({ ...shell, lang }, head, body),
    headers: pageHeaders(shell.nonce, lang),
  }
}

export function renderDemoHost(host: DemoHost, wanted: Wanted): RenderedPage {
  const style = host === 'hostile' ? html`<style>${HOSTILE_RULES}</style>` : null
  const head = html`<title>${TITLES[host]}</title>
${style}<script src="/widget.js" data-tenant="${wanted.tenant}"${wanted.agent === undefined ? null : html` data-agent="${wanted.agent}"`}${host === 'hostile' ? html` data-lang="ar"` : null} defer></script>`
  const body = html`<main><h1>${TITLES[host]}</h1>
<p>${host === 'hostile' ? 'اسأل عن أي شيء في هذه الصفحة.' : 'Ask about anything on this page.'}</p>
<p><button type="button" data-open-chat>${host === 'hostile' ? 'اسأل' : 'Ask us'}</button></p></main>`
  const policy = host === 'strict' ? STRICT_POLICY : null
  return page(host === 'hostile' ? 'ar' : 'en', head, body, policy)
}

function page(lang: 'en' | 'ar', head: Html, body: Html, policy: string | null): RenderedPage {
  return {
    status: 200,
    html: `<!doctype html>\n${html`<html lang="${lang}" dir="${lang === 'ar' ? 'rtl' : 'ltr'}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
${head}
</head>
<body>
${body}
</body>
</html>`}\n`,
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'X-Content-Type-Options': 'nosniff',
      ...(policy === null ? {} : { 'Content-Security-Policy': policy }),
    },
  }
}

const address = ({ tenant, agent }: Wanted): string =>
  String(new URLSearchParams({ tenant, ...(agent === undefined ? {} : { agent }) }))

import type { Language } from '../config/names'
import { html, jsonForScript } from '../platform/html'
import { checkNonce, renderDocument } from './agent-page'
import { pageHeaders } from './page-headers'
import { PAGE_TEXT } from './page-text'
import type { ConsoleBootstrap, PageAssets, RenderedPage } from './types'

export interface ConsolePageInput {
  /** At least 128 random bits, base64 or base64url, fresh for every answer. */
  nonce: string
  lang: Language
  assets: PageAssets
}

/** The tenants' console: never framed, never indexed, the same for everybody. Throws RangeError as other pages do. */
export function renderConsolePage(input: ConsolePageInput): RenderedPage {
  checkNonce(input.nonce)
  const { nonce, lang, assets } = input
  const text = PAGE_TEXT[lang]
  const bootstrap: ConsoleBootstrap = { lang, locales: assets.locales }
  const head = html`<title>Parley</title>
<meta name="robots" content="noindex">
${assets.modules.map((module) => html`<link rel="modulepreload" nonce="${nonce}" href="${module}">\n`)}<script type="module" nonce="${nonce}" src="${assets.script}"></script>`
  const body = html`<div id="app"></div>
<p class="notice" id="not-loaded" role="alert" hidden>${text.problemText}</p>
<noscript><p class="notice">${text.needsScript}</p></noscript>
<script type="application/json" id="bootstrap">${jsonForScript(bootstrap)}</script>`
  const headers = pageHeaders(nonce, lang)
  // The chat is shown as the widget shows it: of all that may be framed, the deployment's own pages.
  const policy = `${headers['Content-Security-Policy']}; frame-src 'self'`
  return {
    status: 200,
    html: renderDocument(input, head, body),
    headers: { ...headers, 'Content-Security-Policy': policy, 'X-Robots-Tag': 'noindex' },
  }
}

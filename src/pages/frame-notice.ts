import type { Language } from '../config/names'
import { html, scriptText } from '../platform/html'
import { checkNonce, renderDocument } from './agent-page'
import { pageHeaders } from './page-headers'
import { PAGE_TEXT } from './page-text'
import type { PageAssets, RenderedPage } from './types'

interface FrameNotice {
  nonce: string
  lang: Language
  theme: 'light' | 'dark' | null
  assets: PageAssets
}

/** The loader says where the frame stands, behind the `#`; a frame that floats over the page can be closed. */
const SCRIPT = `const facts = new URLSearchParams(location.hash.slice(1))
const host = facts.get('host')
const close = document.querySelector('button')
close.hidden = parent === window || host === null || facts.has('inline')
close.onclick = () => parent.postMessage({ type: 'close' }, host)`

/** What a frame shows where there is no chat for this site: any site may show it, and it does not say why. */
export function renderFrameNotice(input: FrameNotice): RenderedPage {
  const { nonce, lang } = input
  checkNonce(nonce)
  const { notHereTitle, notHereText, close } = PAGE_TEXT[lang]
  const head = html`<title>${notHereTitle}</title>
<meta name="robots" content="noindex">`
  const body = html`<main class="blank"><h1>${notHereTitle}</h1><p>${notHereText}</p><button type="button" class="button" hidden>${close}</button></main>
<script nonce="${nonce}">${scriptText(SCRIPT)}</script>`
  return {
    status: 404,
    html: renderDocument(input, head, body),
    headers: { ...pageHeaders(nonce, lang, { ancestors: '*' }), 'X-Robots-Tag': 'noindex' },
  }
}

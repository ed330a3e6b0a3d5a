import type { Language, ProviderName } from '../config/names'
import { html, jsonForScript } from '../platform/html'
import { accentStyle, checkNonce, renderDocument } from './agent-page'
import { pageHeaders } from './page-headers'
import { PAGE_TEXT } from './page-text'
import type { LoginBootstrap, PageAssets, RenderedPage } from './types'

export interface LoginPageInput {
  /** At least 128 random bits, base64 or base64url, fresh for every answer. */
  nonce: string
  lang: Language
  langExplicit: boolean
  /** `logoUrl` is a path of this origin. */
  tenant: LoginBootstrap['tenant'] & { accent: string | null }
  onboarding: LoginBootstrap['onboarding']
  native: boolean
  mail: boolean
  oauth: readonly ProviderName[]
  /** A chat in the frame of another site opened it in a window. */
  isWindow: boolean
  assets: PageAssets
}

/** A tenant's login page: never framed, never indexed. Throws RangeError when the nonce could not stand in a policy. */
export function renderLoginPage(input: LoginPageInput): RenderedPage {
  checkNonce(input.nonce)
  const { tenant, lang, assets, nonce, native, mail, oauth, langExplicit } = input
  const text = PAGE_TEXT[lang]
  const bootstrap: LoginBootstrap = {
    tenant: { id: tenant.id, name: tenant.name, logoUrl: tenant.logoUrl, website: tenant.website },
    onboarding: input.onboarding,
    native,
    mail,
    oauth,
    lang,
    langExplicit,
    locales: assets.locales,
  }
  const head = html`<title>${tenant.name}</title>
<meta name="robots" content="noindex">
<link rel="preload" as="fetch" href="${assets.locales[lang]}" crossorigin>
<script type="module" nonce="${nonce}" src="${assets.script}"></script>
${accentStyle(tenant.accent, nonce)}`
  const body = html`<div id="app"><main class="login"><header class="who">${
    tenant.logoUrl === null
      ? html`<p class="tenant"><bdi>${tenant.name}</bdi></p>`
      : html`<img src="${tenant.logoUrl}" alt="${tenant.name}">`
  }</header></main></div>
<p class="notice" id="not-loaded" role="alert" hidden>${text.notLoaded}</p>
<noscript><p class="notice">${text.needsScript}</p></noscript>
<script type="application/json" id="bootstrap">${jsonForScript(bootstrap)}</script>`
  return {
    status: 200,
    html: renderDocument(input, head, body),
    headers: {
      ...pageHeaders(nonce, lang, { hasOpener: input.isWindow }),
      'X-Robots-Tag': 'noindex',
    },
  }
}

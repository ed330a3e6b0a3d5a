import type { Language } from '../config/names'
import { html } from '../platform/html'
import { accentStyle, checkNonce, renderDocument } from './agent-page'
import { pageHeaders } from './page-headers'
import { PAGE_TEXT } from './page-text'
import type { PageAssets, RenderedPage } from './types'

export interface AgentListInput {
  origin: string
  /** At least 128 random bits, base64 or base64url, fresh for every answer. */
  nonce: string
  lang: Language
  tenant: { name: string; logoUrl: string | null; accent: string | null; website: string | null }
  /** `path` of this origin. */
  agents: readonly { name: string; path: string }[]
  indexable: boolean
  assets: PageAssets
}

/** The front page of a tenant's own domain that shows no single agent. Needs no script. */
export function renderAgentList(input: AgentListInput): RenderedPage {
  checkNonce(input.nonce)
  const { tenant, agents, lang, nonce } = input
  const text = PAGE_TEXT[lang]
  const head = html`<title>${tenant.name}</title>
<link rel="canonical" href="${input.origin}/">
${input.indexable ? null : html`<meta name="robots" content="noindex">\n`}${accentStyle(tenant.accent, nonce)}`
  const body = html`<main class="directory">${
    tenant.logoUrl === null
      ? html`<h1 dir="auto">${tenant.name}</h1>`
      : html`<h1><img src="${tenant.logoUrl}" alt="${tenant.name}"></h1>`
  }<p>${agents.length === 0 ? text.noAgents : text.chooseAgent}</p><ul>${agents.map(
    ({ name, path }) => html`<li><a href="${path}" dir="auto">${name}</a></li>`,
  )}</ul>${tenant.website === null ? null : html`<p><a href="${tenant.website}" rel="noopener">${new URL(tenant.website).hostname}</a></p>`}</main>`
  return {
    status: 200,
    html: renderDocument(input, head, body),
    headers: {
      ...pageHeaders(nonce, lang),
      ...(input.indexable ? {} : { 'X-Robots-Tag': 'noindex' }),
    },
  }
}

import { html, jsonForScript } from '../platform/html'

/** Everything from our own origin: no fonts, no proxy, no assistant, no telemetry of the library's maker. */
const SETTINGS = {
  url: '/openapi.json',
  theme: 'default',
  withDefaultFonts: false,
  telemetry: false,
  showDeveloperTools: 'never',
  agent: { disabled: true },
  mcp: { disabled: true },
  hideClientButton: true,
  proxyUrl: '',
  modelsSectionLabel: 'Schemas',
  defaultOpenFirstTag: false,
  orderSchemaPropertiesBy: 'preserve',
  metaData: { title: 'Parley API' },
}

/** The reference for people: the library at `script` reads /openapi.json. @param nonce fresh for every answer. */
export function renderDocsPage({
  nonce,
  script,
  icon,
}: {
  nonce: string
  script: string
  icon: string
}): {
  html: string
  headers: Record<string, string>
} {
  const page = html`<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Parley API</title>
<link rel="icon" type="image/svg+xml" href="${icon}">
</head>
<body>
<div id="reference"></div>
<noscript><p>This page needs JavaScript. The description itself is at <a href="/openapi.json">/openapi.json</a>.</p></noscript>
<script type="application/json" id="settings">${jsonForScript(SETTINGS)}</script>
<script nonce="${nonce}" src="${script}"></script>
<script nonce="${nonce}">Scalar.createApiReference('#reference', JSON.parse(document.getElementById('settings').textContent))</script>
</body>
</html>`
  return { html: `<!doctype html>\n${page}\n`, headers: headersOf(nonce) }
}

/**
 * Scripts run by nonce alone and nothing is loaded from elsewhere. Styles are the exception: the library writes style
 * elements and attributes without a nonce.
 */
function headersOf(nonce: string): Record<string, string> {
  const policy = [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    "style-src 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self'",
    "connect-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
  return {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': policy,
    'Cache-Control': 'no-cache',
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Permissions-Policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
  }
}

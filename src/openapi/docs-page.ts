import type { DocsAssets } from '../pages/types'
import { html, jsonForScript } from '../platform/html'

/** Everything from our own origin: no validator, no request that the person did not send. */
const SETTINGS = {
  url: '/openapi.json',
  dom_id: '#reference',
  validatorUrl: null,
  deepLinking: true,
  docExpansion: 'none',
  filter: true,
  displayRequestDuration: true,
  defaultModelsExpandDepth: 0,
}

/** The reference for people: Swagger UI reads /openapi.json. @param nonce fresh for every answer. */
export function renderDocsPage({
  nonce,
  assets,
  icon,
}: {
  nonce: string
  assets: DocsAssets
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
<link rel="stylesheet" href="${assets.style}">
<script nonce="${nonce}">document.documentElement.classList.toggle('dark-mode', matchMedia('(prefers-color-scheme: dark)').matches)</script>
</head>
<body>
<div id="reference"></div>
<noscript><p>This page needs JavaScript. The description itself is at <a href="/openapi.json">/openapi.json</a>.</p></noscript>
<script type="application/json" id="settings">${jsonForScript(SETTINGS)}</script>
<script nonce="${nonce}" src="${assets.script}"></script>
<script nonce="${nonce}">SwaggerUIBundle(JSON.parse(document.getElementById('settings').textContent))</script>
</body>
</html>`
  return { html: `<!doctype html>\n${page}\n`, headers: headersOf(nonce) }
}

/** Scripts run by nonce alone, styles come from the deployment, and nothing is loaded from elsewhere. */
function headersOf(nonce: string): Record<string, string> {
  const policy = [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    "style-src 'self'",
    "img-src 'self' data:",
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

/** The one Trusted Types policy: it makes the address of the page's own service worker and nothing else. */
const WORKER_POLICY = 'parley-worker'

/** What a page does that others may not. */
interface PageRights {
  /** It registers a service worker of this origin. */
  hasWorker?: boolean
  /** Where it may be framed, in a policy's words. */
  ancestors?: string | undefined
  /** It speaks with the window that opened it. */
  hasOpener?: boolean
  /** It may ask for the microphone. */
  records?: boolean
}

/**
 * Response headers of a server-rendered page. Scripts and styles run by nonce alone, nothing is framed, nothing is
 * loaded from elsewhere, and Trusted Types close the DOM's string sinks: the app has no use for any of them.
 */
export function pageHeaders(
  nonce: string,
  lang: string,
  { hasWorker, ancestors = "'none'", hasOpener, records }: PageRights = {},
): Record<string, string> {
  const policy = [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    `style-src 'nonce-${nonce}'`,
    "img-src 'self' blob:",
    'media-src blob:',
    "connect-src 'self'",
    "manifest-src 'self'",
    ...(hasWorker ? ["worker-src 'self'"] : []),
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'none'",
    `frame-ancestors ${ancestors}`,
    "require-trusted-types-for 'script'",
    hasWorker ? `trusted-types ${WORKER_POLICY}` : "trusted-types 'none'",
  ].join('; ')
  return {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Language': lang,
    'Content-Security-Policy': policy,
    'Cache-Control': 'private, no-cache',
    Vary: 'Accept, Accept-Language',
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'no-referrer',
    'Cross-Origin-Opener-Policy': hasOpener ? 'unsafe-none' : 'same-origin',
    'Permissions-Policy': `camera=(), geolocation=(), microphone=(${records ? 'self' : ''}), payment=(), usb=()`,
    'Strict-Transport-Security': 'max-age=63072000',
    // A site that embeds nothing without consent shows a frame that says these two.
    ...(ancestors === "'none'"
      ? {}
      : {
          'Cross-Origin-Embedder-Policy': 'require-corp',
          'Cross-Origin-Resource-Policy': 'cross-origin',
        }),
  }
}

import * as z from 'zod'
import { findSite } from '../domains/directory'
import { toAscii } from '../domains/hostname'
import { ApiError } from '../errors'
import { defineRoute } from '../http/route'

const refuse = () => new ApiError('not_found', 'Not Found')

export const internalRoutes = [
  // Asked by a reverse proxy in its own process. What came through the proxy from outside carries X-Forwarded-For.
  defineRoute({
    method: 'GET',
    path: '/v1/internal/tls-allow',
    also: ['/internal/tls-allow'],
    layer: 'public',
    tag: 'Domains',
    summary: "Whether the reverse proxy may get a certificate: 200 for a tenant's active domain",
    query: z.object({ domain: z.string().or(z.array(z.string())).optional() }),
    answers: { 200: z.object({ domain: z.string() }) },
    errors: [404],
    handler: async (c) => {
      const base = c.get('base')
      const asked = c.req.queries('domain') ?? []
      if (!base.config.tlsAllow || c.req.raw.headers.has('x-forwarded-for')) throw refuse()
      const [domain = ''] = asked
      const name = asked.length === 1 ? toAscii(domain) : null
      // A name in Unicode is no server name of a handshake.
      if (name === null || domain.toLowerCase().replace(/\.$/, '') !== name) throw refuse()
      const site = await findSite(base, name)
      if (site === null) throw refuse()
      return c.json({ domain: name })
    },
  }),
]

import * as z from 'zod'
import { nameSchemas } from '../api-description/schema-names'
import { defineRoute, type Route } from '../http/route'
import { loadDescription } from '../lazy'
import { DOCS_ASSETS, PAGE_ASSETS } from '../pages/assets.gen'
import { toBase64url } from '../platform/crypto/base64url'
import { randomBytes } from '../platform/crypto/bytes'

const tag = 'Documentation'

/** @param routes the whole table, which these routes are part of. */
export function documentationRoutes(routes: () => readonly Route[]): Route[] {
  let description: string | undefined
  return [
    defineRoute({
      method: 'GET',
      path: '/openapi.json',
      layer: 'public',
      tag,
      summary: 'This description, OpenAPI 3.1',
      answers: { 200: z.record(z.string(), z.unknown()) },
      handler: async (c) => {
        const { buildOpenApi } = await loadDescription()
        description ??= JSON.stringify(buildOpenApi(routes(), nameSchemas()))
        return c.body(description, 200, { 'Content-Type': 'application/json' })
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/docs',
      layer: 'public',
      tag,
      summary: 'The description as a page; works offline',
      answers: { 200: { media: 'text/html' } },
      handler: async (c) => {
        const { renderDocsPage } = await loadDescription()
        const page = renderDocsPage({
          nonce: toBase64url(randomBytes(18)),
          assets: DOCS_ASSETS,
          icon: PAGE_ASSETS.icon,
        })
        return c.body(page.html, 200, page.headers)
      },
    }),
  ]
}

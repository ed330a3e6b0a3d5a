import * as z from 'zod'
import { dropIcon, getApp, patchApp, putIcon, readIcon } from '../apps/apps'
import { presentApp } from '../apps/present-app'
import { AppOut, AppPatch } from '../apps/schema'
import { BODY_LIMITS, FORM_BYTES } from '../config/limits'
import { notFound } from '../errors'
import { formFile } from '../http/form'
import { defineRoute } from '../http/route'
import { nameSought } from '../wire/fields'

const tag = 'Agents'
const params = z.object({ name: nameSought })

export const agentAppRoutes = [
  defineRoute({
    method: 'GET',
    path: '/v1/agents/{name}/pwa',
    layer: 'tenant',
    tag,
    summary: "How the agent's page is installed as an app",
    params,
    answers: { 200: AppOut },
    errors: [404],
    handler: async (c) => {
      const ctx = c.get('tenant')
      return c.json(presentApp(await getApp(ctx, c.req.valid('param').name), ctx))
    },
  }),
  defineRoute({
    method: 'PATCH',
    path: '/v1/agents/{name}/pwa',
    layer: 'tenant',
    tag,
    summary: 'Offer the installation: off, manual (in the menu) or auto (also as a card)',
    params,
    json: AppPatch,
    answers: { 200: AppOut },
    errors: [404],
    handler: async (c) => {
      const ctx = c.get('tenant')
      const row = await patchApp(ctx, c.req.valid('param').name, c.req.valid('json'))
      return c.json(presentApp(row, ctx))
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/v1/agents/{name}/pwa/icon',
    layer: 'tenant',
    tag,
    summary:
      'Set the icon: a square PNG, JPEG or WebP of 512 to 2,048 pixels a side and at most 1 MB; all sizes are derived',
    params,
    multipart: true,
    bodyLimit: BODY_LIMITS.icon + FORM_BYTES,
    answers: { 200: AppOut },
    errors: [404, 413, 415],
    rate: 'uploads',
    handler: async (c) => {
      const ctx = c.get('tenant')
      const { bytes } = await formFile(c.get('form'))
      return c.json(presentApp(await putIcon(ctx, c.req.valid('param').name, bytes), ctx))
    },
  }),
  defineRoute({
    method: 'DELETE',
    path: '/v1/agents/{name}/pwa/icon',
    layer: 'tenant',
    tag,
    summary: 'Back to the icon of the product',
    params,
    answers: { 200: AppOut },
    errors: [404],
    handler: async (c) => {
      const ctx = c.get('tenant')
      return c.json(presentApp(await dropIcon(ctx, c.req.valid('param').name), ctx))
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/icons/{tenant_id}/{icon}/{file}',
    layer: 'public',
    tag: 'Pages',
    onSites: true,
    summary: "A picture of an agent's app: 192.png, 512.png, maskable.png or favicon.png",
    params: z.object({ tenant_id: z.string(), icon: z.string(), file: z.string() }),
    answers: { 200: { media: 'image/*' } },
    errors: [404],
    handler: async (c) => {
      const { tenant_id, icon, file } = c.req.valid('param')
      const site = c.get('site')
      if (site !== null && site.tenantId !== tenant_id) throw notFound('Icon')
      return c.body(await readIcon(c.get('base'), tenant_id, icon, file), 200, {
        'Content-Type': 'image/png',
        'Content-Security-Policy': "sandbox; default-src 'none'",
        'Cross-Origin-Resource-Policy': 'cross-origin',
        'Cache-Control': 'public, no-cache',
      })
    },
  }),
]

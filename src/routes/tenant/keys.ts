import * as z from 'zod'
import { uuidParam } from '../../http/fields'
import { defineRoute } from '../../http/route'
import { createKey, deleteKey, listKeys, revokeKey } from '../../tenants/keys'
import { presentKey } from '../../tenants/present-tenant'
import { KeyIn, KeyMinted, KeyOut } from '../../tenants/schema'

const tag = 'API keys'
const params = z.object({ kid: uuidParam })

export const tenantKeyRoutes = [
  defineRoute({
    method: 'GET',
    path: '/v1/tenant/keys',
    layer: 'tenant',
    tag,
    summary: 'List keys, newest first, never their plaintext',
    answers: { 200: z.array(KeyOut) },
    handler: async (c) => c.json((await listKeys(c.get('tenant'))).map(presentKey)),
  }),
  defineRoute({
    method: 'POST',
    path: '/v1/tenant/keys',
    layer: 'tenant',
    tag,
    summary:
      "Create a key with the given scopes, else the caller's own; its plaintext is shown once",
    json: KeyIn,
    answers: { 200: KeyMinted },
    errors: [403],
    idempotent: { redacted: ['api_key'] },
    handler: async (c) => {
      const { id, apiKey } = await createKey(c.get('tenant'), c.req.valid('json'))
      return c.json({ id, api_key: apiKey })
    },
  }),
  defineRoute({
    method: 'DELETE',
    path: '/v1/tenant/keys/{kid}',
    layer: 'tenant',
    tag,
    summary: 'Delete a key',
    params,
    answers: { 204: 'empty' },
    errors: [404, 409],
    handler: async (c) => {
      await deleteKey(c.get('tenant'), c.req.valid('param').kid)
      return c.body(null, 204)
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/v1/tenant/keys/{kid}/revoke',
    layer: 'tenant',
    tag,
    summary: 'Revoke a key; the last active one, and the last that manages, cannot be revoked',
    params,
    answers: { 204: 'empty' },
    errors: [404, 409],
    handler: async (c) => {
      await revokeKey(c.get('tenant'), c.req.valid('param').kid)
      return c.body(null, 204)
    },
  }),
]

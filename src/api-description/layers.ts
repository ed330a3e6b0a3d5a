import type { Layer, Route } from '../http/route'

export const SECURITY_SCHEMES = {
  ApiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key', description: 'A tenant API key.' },
  ApiKeyBearer: {
    type: 'http',
    scheme: 'bearer',
    description: 'A tenant API key as a bearer token.',
  },
  EndUser: {
    type: 'apiKey',
    in: 'header',
    name: 'X-End-User',
    description:
      'With a tenant key: the end user on whose behalf the tenant calls, 1 to 256 printable ASCII characters without a comma before a space (what two such headers would become).',
  },
  UserToken: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: 'An end user’s token.',
  },
  AdminToken: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Admin-Token',
    description: 'The operator of the deployment.',
  },
  ActTenant: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Act-Tenant',
    description: 'The tenant as which the operator acts.',
  },
} as const

type Requirement = Partial<Record<keyof typeof SECURITY_SCHEMES, []>>

/** What each layer accepts: one of the list, each all of its parts. */
const SECURITY: Record<Layer, Requirement[]> = {
  public: [],
  operator: [{ AdminToken: [] }],
  tenant: [{ ApiKey: [] }, { ApiKeyBearer: [] }, { AdminToken: [], ActTenant: [] }],
  user: [{ UserToken: [] }, { ApiKey: [], EndUser: [] }, { ApiKeyBearer: [], EndUser: [] }],
  app: [
    { UserToken: [] },
    { ApiKey: [], EndUser: [] },
    { ApiKeyBearer: [], EndUser: [] },
    { ApiKey: [] },
    { ApiKeyBearer: [] },
  ],
}

/** Where a tenant key must stand behind the call, an end user’s own token is no way in. */
export function securityOf({ layer, keyOnly }: Pick<Route, 'layer' | 'keyOnly'>): Requirement[] {
  return keyOnly ? SECURITY[layer].filter((one) => !('UserToken' in one)) : SECURITY[layer]
}

/** Refusals that any route of the layer may give before it is reached. */
export const LAYER_ERRORS: Record<Layer, number[]> = {
  public: [],
  operator: [400, 401, 429],
  tenant: [400, 401, 403, 404, 429],
  user: [400, 401, 403, 404, 429],
  app: [400, 401, 403, 404, 429],
}

export const READ_HEADERS = {
  'Accept-Language':
    'Language of what the product itself says: one of en, zh, zh-TW, es, ru, fr, ar, else en.',
  'Idempotency-Key':
    'Any text of 1 to 255 characters. The same request within 24 hours gets the stored answer, another body 422, one that still runs 409.',
  'Last-Event-ID': 'The `id` of the last event that arrived.',
  'X-Preview': '`1` with a tenant key: an unpublished agent may be talked to.',
  'X-Space-Id': 'The user’s space; their default space without it.',
} as const
export type ReadHeader = keyof typeof READ_HEADERS

import { ApiError, badRequest, forbidden, invalid, invalidToken, notAuthenticated } from '../errors'

/** What the request presents, before anything is looked up. */
export interface Presented {
  adminToken: string | null
  actTenant: string | null
  apiKey: string | null
  token: string | null
}

const API_KEY_PREFIX = 'pk_'

/**
 * Reads the credential headers by rules CL2 to CL8 of the security requirements.
 * @throws ApiError 400 for credentials that contradict each other, 401 for malformed ones, 403 for X-Act-Tenant alone.
 */
export function readCredentials(headers: Headers): Presented {
  const adminToken = single(headers, 'x-admin-token')
  const actTenant = single(headers, 'x-act-tenant')
  const headerKey = single(headers, 'x-api-key')
  const bearer = readBearer(single(headers, 'authorization'))
  const bearerKey = bearer?.startsWith(API_KEY_PREFIX) ? bearer : null
  const token = bearer !== null && bearerKey === null ? bearer : null

  if (actTenant !== null && adminToken === null) throw forbidden('Platform operator required')
  if (adminToken !== null && (headerKey !== null || bearer !== null))
    throw badRequest('Conflicting credentials')
  if (headerKey !== null && token !== null) throw badRequest('Conflicting credentials')
  if (headerKey !== null && bearerKey !== null && headerKey !== bearerKey)
    throw badRequest('Conflicting credentials')
  if (token !== null && token.split('.').length !== 3) throw invalidToken()
  const apiKey = headerKey ?? bearerKey
  return { adminToken, actTenant, apiKey, token }
}

/** A header given once, not empty and not comma-joined; anything else is no credential. */
function single(headers: Headers, name: string): string | null {
  const value = headers.get(name)
  if (value === null) return null
  if (value === '' || value.includes(',')) throw notAuthenticated()
  return value
}

function readBearer(header: string | null): string | null {
  if (header === null) return null
  const match = /^Bearer +([^\s]+)$/i.exec(header)
  if (!match) throw notAuthenticated()
  return match[1] ?? null
}

const JOINED = ', '
const END_USER = /^[\x21-\x7e](?:[\x20-\x7e]{0,254}[\x21-\x7e])?$/

/**
 * X-End-User by rules CL6 and CL8: 1 to 256 printable ASCII bytes, taken as they are. Two of them arrive joined, and would
 * be a third user.
 * @returns null when the header is absent. @throws ApiError 422.
 */
export function readEndUser(headers: Headers): string | null {
  const value = headers.get('x-end-user')
  if (value === null) return null
  if (!END_USER.test(value)) throw notOneUser('1 to 256 printable ASCII characters')
  if (value.includes(JOINED)) throw notOneUser('sent once, and without a comma before a space')
  return value
}

const notOneUser = (rule: string) => invalid(['header', 'x-end-user'], rule)

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** X-Space-Id by rule CL7. @returns null when absent. @throws ApiError 422. */
export function readSpaceId(headers: Headers): string | null {
  const value = headers.get('x-space-id')
  if (value === null) return null
  if (!UUID.test(value)) {
    throw new ApiError('validation', [
      { type: 'uuid_parsing', loc: ['header', 'x-space-id'], msg: 'Input should be a valid UUID' },
    ])
  }
  return value.toLowerCase()
}

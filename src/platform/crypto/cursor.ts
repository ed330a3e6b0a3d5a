import { fromBase64url, toBase64url } from './base64url'
import { type Bytes, concatBytes, encodeParts, fromUtf8, utf8 } from './bytes'
import { type PurposeKey, signMac, verifyMac } from './purpose-key'

const MAC_BYTES = 32

/** What a cursor is good for: one tenant, one route, one filter. */
export function cursorScope(tenant: string, route: string, filter: unknown): string {
  return JSON.stringify([tenant, route, filter])
}

/** An opaque cursor for a JSON value: base64url(HMAC-SHA-256 | JSON), bound to the scope. */
export async function encodeCursor(
  key: PurposeKey,
  scope: string,
  value: unknown,
): Promise<string> {
  const body = utf8(JSON.stringify(value))
  return toBase64url(concatBytes(await signMac(key, macInput(scope, body)), body))
}

/** The value, or null for a cursor that is damaged or of another scope. */
export async function decodeCursor(
  key: PurposeKey,
  scope: string,
  cursor: string,
): Promise<unknown | null> {
  const bytes = fromBase64url(cursor)
  if (!bytes || bytes.length <= MAC_BYTES) return null
  const body = bytes.slice(MAC_BYTES)
  if (!(await verifyMac(key, bytes.slice(0, MAC_BYTES), macInput(scope, body)))) return null
  return JSON.parse(fromUtf8(body))
}

function macInput(scope: string, body: Bytes): Bytes {
  return concatBytes(encodeParts(['cursor/v1', scope]), body)
}

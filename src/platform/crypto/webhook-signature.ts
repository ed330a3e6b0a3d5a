import { Buffer } from 'node:buffer'
import { randomBytes, utf8 } from './bytes'

const PREFIX = 'whsec_'
const SECRET_BYTES = 32

/** A new signing secret in the form of Standard Webhooks: `whsec_` and 32 random bytes in base64. */
export function newSecret(): string {
  return PREFIX + Buffer.from(randomBytes(SECRET_BYTES)).toString('base64')
}

/**
 * The headers that a receiver checks (Standard Webhooks 1.0): `v1` is HMAC-SHA-256 under the secret's bytes over
 * `id.timestamp.body`, the timestamp in seconds.
 */
export async function signatureHeaders(
  secret: string,
  message: { id: string; body: string },
  now: number,
): Promise<Record<string, string>> {
  const timestamp = String(Math.floor(now / 1000))
  const key = await crypto.subtle.importKey(
    'raw',
    new Uint8Array(Buffer.from(secret.slice(PREFIX.length), 'base64')),
    { name: 'HMAC', hash: 'SHA-256' },
    false,
    ['sign'],
  )
  const signed = utf8(`${message.id}.${timestamp}.${message.body}`)
  const mac = new Uint8Array(await crypto.subtle.sign('HMAC', key, signed))
  return {
    'webhook-id': message.id,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${Buffer.from(mac).toString('base64')}`,
  }
}

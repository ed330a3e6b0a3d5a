import { createHash } from 'node:crypto'
import { ConfigError } from '../../config/read-config'
import { isObject, parseJson } from '../../text/json'
import { fromBase64url } from './base64url'
import { type Bytes, utf8 } from './bytes'

export interface RingKey {
  readonly id: string
  readonly bytes: Bytes
}

/** Keys of one purpose by id. The primary signs and seals; the others only verify and open. */
export interface Keyring {
  readonly primary: RingKey
  readonly keys: ReadonlyMap<string, RingKey>
}

const KEY_ID = /^[A-Za-z0-9_-]{1,32}$/
const MIN_BYTES = 32
/** Fewer different bytes than this is a typed word or a repeated letter, not a random key. */
const MIN_DISTINCT = 8

/**
 * Reads a secret: a plain text of at least 32 bytes, or a ring `{"primary","keys":{id: base64url}}`.
 * Throws a ConfigError that names the variable and says what to do; it never quotes the secret.
 */
export function parseKeyring(secret: string | undefined, name: string): Keyring {
  const text = secret?.trim() ?? ''
  if (text === '') {
    throw new ConfigError(
      name,
      `${name} is not set. Set it to ${MIN_BYTES} or more random bytes: ${howTo(name)}`,
    )
  }
  return text.startsWith('{') ? parseRing(text, name) : plainRing(text, name)
}

/** The id of a plain secret comes from its hash, so it stays the same and can later be an id in a ring. */
function plainRing(text: string, name: string): Keyring {
  const bytes = utf8(text)
  refuseWeak(bytes, name)
  const digest = createHash('sha256').update('keyring/v1').update(bytes).digest('hex')
  const key = { id: `k${digest.slice(0, 8)}`, bytes }
  return { primary: key, keys: new Map([[key.id, key]]) }
}

function parseRing(text: string, name: string): Keyring {
  const ring = parseJson(text)
  const entries = isObject(ring) ? ring.keys : null
  if (!isObject(ring) || !isObject(entries)) {
    throw new ConfigError(
      name,
      `${name} starts with "{" but is not a ring {"primary":"id","keys":{"id":"base64url"}}.`,
    )
  }
  const keys = new Map<string, RingKey>()
  for (const [id, value] of Object.entries(entries)) {
    if (!KEY_ID.test(id)) {
      throw new ConfigError(name, `${name}: a key id is 1 to 32 characters of A-Z a-z 0-9 _ and -.`)
    }
    const bytes = typeof value === 'string' ? fromBase64url(value.replace(/=+$/, '')) : null
    if (!bytes) throw new ConfigError(name, `${name}: key "${id}" is not base64url.`)
    refuseWeak(bytes, `${name}: key "${id}"`, name)
    keys.set(id, { id, bytes })
  }
  const primary = typeof ring.primary === 'string' ? keys.get(ring.primary) : undefined
  if (!primary) throw new ConfigError(name, `${name}: "primary" must be the id of one of its keys.`)
  return { primary, keys }
}

function refuseWeak(bytes: Bytes, what: string, name = what): void {
  if (bytes.length < MIN_BYTES) {
    throw new ConfigError(
      name,
      `${what} has ${bytes.length} bytes; at least ${MIN_BYTES} random ones are needed: ${howTo(name)}`,
    )
  }
  if (new Set(bytes).size < MIN_DISTINCT) {
    throw new ConfigError(name, `${what} does not look random: ${howTo(name)}`)
  }
}

function howTo(name: string): string {
  return `for example ${name}=$(openssl rand -base64 48), in .dev.vars locally and as a Worker secret in production.`
}

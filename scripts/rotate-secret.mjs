/**
 * Prepares a key rotation in a file of secrets, for MASTER_KEYS and JWT_SECRET:
 *
 *   node scripts/rotate-secret.mjs .prod.vars MASTER_KEYS add        a new key joins, the old one stays primary
 *   node scripts/rotate-secret.mjs .prod.vars MASTER_KEYS promote    the newest key becomes primary
 *   node scripts/rotate-secret.mjs .prod.vars MASTER_KEYS drop       only the primary key stays
 *
 * Each step is deployed everywhere before the next one (docs/deploy.md, "Rotating secrets").
 */
import { createHash, randomBytes } from 'node:crypto'
import { chmodSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { readVars, renderVars } from './dev-secrets.mjs'

const ROTATED = ['MASTER_KEYS', 'JWT_SECRET']
const KEY_BYTES = 32

/** A plain secret as a ring of one key, under the id that the Worker gives it (src/platform/crypto/keyring.ts). */
function toRing(secret) {
  if (secret.startsWith('{')) return JSON.parse(secret)
  const digest = createHash('sha256').update('keyring/v1').update(secret).digest('hex')
  const id = `k${digest.slice(0, 8)}`
  return { primary: id, keys: { [id]: Buffer.from(secret).toString('base64url') } }
}

const STEPS = {
  add(ring) {
    const id = `k${randomBytes(4).toString('hex')}`
    return { ...ring, keys: { ...ring.keys, [id]: randomBytes(KEY_BYTES).toString('base64url') } }
  },
  promote(ring) {
    return { ...ring, primary: Object.keys(ring.keys).at(-1) }
  },
  drop(ring) {
    return { ...ring, keys: { [ring.primary]: ring.keys[ring.primary] } }
  },
}

/**
 * One step of a rotation.
 * @returns the secret's new value, a ring as JSON
 * @throws Error for an unknown step
 */
export function rotateSecret(secret, step) {
  if (!Object.hasOwn(STEPS, step))
    throw new Error(`The step is one of ${Object.keys(STEPS).join(', ')}.`)
  return JSON.stringify(STEPS[step](toRing(secret.trim())))
}

function main([file, name, step]) {
  if (!file || !ROTATED.includes(name)) {
    throw new Error(
      `Usage: node scripts/rotate-secret.mjs FILE ${ROTATED.join('|')} add|promote|drop`,
    )
  }
  const path = resolve(file)
  const values = readVars(path)
  if (!values[name]) throw new Error(`${path} holds no ${name}.`)
  const rotated = rotateSecret(values[name], step)
  writeFileSync(path, renderVars({ ...values, [name]: rotated }), { mode: 0o600 })
  chmodSync(path, 0o600)
  const { primary, keys } = JSON.parse(rotated)
  console.log(`${name}: keys ${Object.keys(keys).join(', ')}; primary ${primary}`)
}

if (import.meta.main ?? process.argv[1] === import.meta.filename) {
  try {
    main(process.argv.slice(2))
  } catch (error) {
    console.error(error.message)
    process.exit(1)
  }
}

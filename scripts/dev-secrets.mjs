/**
 * Writes the secrets a deployment cannot run without: `node scripts/dev-secrets.mjs [file]`, by default .dev.vars.
 * What the file already holds is kept, so a second run changes nothing; values from the environment are taken over.
 */
import { randomBytes } from 'node:crypto'
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { parseEnv } from 'node:util'

export const SECRET_NAMES = ['ADMIN_TOKEN', 'MASTER_KEYS', 'JWT_SECRET']
const MIN_BYTES = 32

/** Settings that the environment may set for one run; the three secrets are among them. */
export const FROM_ENVIRONMENT =
  /^(ADMIN_TOKEN|MASTER_KEYS|JWT_SECRET|JWT_TTL|MODEL_PROVIDER|OPENAI_BASE_URL|OPENAI_API_KEY|CHAT_MODELS?|GUARD_MODEL|EMBEDDING_MODEL|STT_MODEL|TTS_(?:MODEL|VOICE)|RERANK_(?:URL|API_KEY|MODEL)|PUBLIC_BASE|OWN_HOSTS|CNAME_BASE|TLS_ALLOW|VECTORIZE_FROM_CHUNKS|MONTHLY_TOKENS|EGRESS_ALLOW|STREAM_PING_S|WEBHOOK_RETRY_S|DOH_URL|WEATHER_URL|TELEGRAM_URL|CONSOLE_ORIGINS|OAUTH_\w+_URL|LIMITS_\w+)$/

/** Names in `values` that are missing or too short to be secrets. */
export function listWeakSecrets(values) {
  return SECRET_NAMES.filter((name) => Buffer.byteLength(values[name] ?? '') < MIN_BYTES)
}

/** Reads a file of NAME=value lines; an absent file is empty. */
export function readVars(file) {
  return existsSync(file) ? parseEnv(readFileSync(file, 'utf8')) : {}
}

/** Renders NAME=value lines; a ring of keys is JSON and needs its quotes. */
export function renderVars(values) {
  return Object.entries(values)
    .map(([name, value]) => `${name}=${/^[\w.,:/+@-]*$/.test(value) ? value : `'${value}'`}\n`)
    .join('')
}

/**
 * Adds the missing secrets to the file, readable by its owner only.
 * @param {string} file
 * @param {Record<string, string | undefined>} env
 * @returns {string[]} the names that were added
 */
export function ensureSecrets(file, env = process.env) {
  const known = readVars(file)
  const missing = SECRET_NAMES.filter((name) => !known[name])
  if (missing.length === 0) return missing
  const added = missing.map((name) => [
    name,
    env[name] || randomBytes(MIN_BYTES).toString('base64url'),
  ])
  const before = existsSync(file) ? readFileSync(file, 'utf8') : ''
  const gap = before === '' || before.endsWith('\n') ? '' : '\n'
  writeFileSync(file, `${before}${gap}${renderVars(Object.fromEntries(added))}`, { mode: 0o600 })
  chmodSync(file, 0o600)
  return missing
}

if (import.meta.main ?? process.argv[1] === import.meta.filename) {
  const file = resolve(process.argv[2] ?? '.dev.vars')
  const added = ensureSecrets(file)
  console.log(
    added.length > 0 ? `${file}: wrote ${added.join(', ')}` : `${file}: complete, unchanged`,
  )
}

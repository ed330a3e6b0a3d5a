/**
 * `npm run dev`: Parley on this machine, with a demo tenant whose agent answers from Parley's own guides.
 * Takes wrangler's options after two dashes, above all --port and --persist-to.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { ensureSecrets, listWeakSecrets, readVars } from './dev-secrets.mjs'
import {
  applyMigrations,
  buildWeb,
  checkNode,
  findFreePort,
  isPortFree,
  SetupError,
  startServer,
  stopOnSignals,
  unlessInterrupted,
} from './local-server.mjs'
import { AGENT_NAME, seedDemo, TENANT_ALIAS } from './seed-demo.mjs'

const ROOT = resolve(import.meta.dirname, '..')
const SECRETS_FILE = join(ROOT, '.dev.vars')
const DEFAULT_PORT = 8787
/** wrangler does not fire cron triggers locally; without them nobody takes up an ingestion that was cut off. */
const CRON = '*/5 * * * *'
const CRON_MS = 5 * 60 * 1000
/** Settings that the environment may set for one run; the three secrets are among them. */
const FROM_ENVIRONMENT =
  /^(ADMIN_TOKEN|MASTER_KEYS|JWT_SECRET|JWT_TTL|MODEL_PROVIDER|OPENAI_BASE_URL|OPENAI_API_KEY|CHAT_MODELS?|EMBEDDING_MODEL|STT_MODEL|PUBLIC_BASE|MONTHLY_TOKENS|EGRESS_ALLOW|STREAM_PING_S|WEBHOOK_RETRY_S|DOH_URL|WEATHER_URL|CONSOLE_ORIGINS|OAUTH_\w+_URL|LIMITS_\w+)$/

const say = (line) => console.log(`parley  ${line}`)

async function main() {
  checkNode()
  stopOnSignals(0)
  const { port, persistTo, passed } = readOptions(process.argv.slice(2))
  const vars = readWorkerVars()
  const chosen = await choosePort(port)

  say('building the pages and preparing the database')
  await buildWeb()
  await applyMigrations(persistTo)
  say(`starting on port ${chosen}`)
  const onLine = (line) => console.log(line)
  const server = await startServer({
    port: chosen,
    persistTo,
    vars,
    args: passed,
    onLine,
  })
  try {
    const demo = await seed(server.origin, vars.ADMIN_TOKEN, join(persistTo, 'parley-demo.json'))
    printWelcome(server.origin, demo)
  } catch (error) {
    await server.stop()
    throw error
  }
  setInterval(() => void fireCron(server.origin), CRON_MS)
  const code = await server.ended
  throw new SetupError(`wrangler dev ended by itself (exit code ${code}).`)
}

/** Our own options, and what is left for wrangler. */
function readOptions(args) {
  const { values, tokens } = parseArgs({
    args,
    options: { port: { type: 'string' }, 'persist-to': { type: 'string' } },
    strict: false,
    allowPositionals: true,
    tokens: true,
  })
  const ours = new Set()
  for (const token of tokens) {
    if (token.kind !== 'option' || !['port', 'persist-to'].includes(token.name)) continue
    ours.add(token.index)
    if (!token.inlineValue) ours.add(token.index + 1)
  }
  const port = values.port === undefined ? null : Number(values.port)
  if (port !== null && !(Number.isInteger(port) && port > 0 && port < 65_536)) {
    throw new SetupError(`--port takes a number from 1 to 65535, not "${values.port}".`)
  }
  return {
    port,
    persistTo: resolve(values['persist-to'] ?? join(ROOT, '.wrangler/state')),
    passed: args.filter((_, index) => !ours.has(index)),
  }
}

function readWorkerVars() {
  const added = ensureSecrets(SECRETS_FILE)
  if (added.length > 0) say(`wrote ${added.join(', ')} to .dev.vars`)
  const fromEnvironment = Object.entries(process.env).filter(
    ([name, value]) => value && FROM_ENVIRONMENT.test(name),
  )
  const vars = { ...readVars(SECRETS_FILE), ...Object.fromEntries(fromEnvironment) }
  const weak = listWeakSecrets(vars)
  if (weak.length > 0) {
    throw new SetupError(
      `${weak.join(', ')}: shorter than 32 bytes. Delete the line in .dev.vars for a new random value.`,
    )
  }
  return vars
}

async function choosePort(wanted) {
  if (await isPortFree(wanted ?? DEFAULT_PORT)) return wanted ?? DEFAULT_PORT
  if (wanted)
    throw new SetupError(`Port ${wanted} is taken. Choose another one: npm run dev -- --port 8799`)
  const port = await findFreePort()
  say(`port ${DEFAULT_PORT} is taken, using ${port}`)
  return port
}

async function fireCron(origin) {
  const answer = await fetch(
    `${origin}/cdn-cgi/handler/scheduled?cron=${encodeURIComponent(CRON)}`,
  ).catch(() => null)
  if (answer?.status !== 200)
    say('the five-minute duties could not be started; the next try is in five minutes')
  await answer?.body?.cancel()
}

/** The key is kept beside the state it belongs to, so that the next start can go on with it. */
async function seed(origin, adminToken, file) {
  const known = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : null
  const demo = await seedDemo({ origin, adminToken, known, log: say })
  const kept = { tenantId: demo.tenantId, apiKey: demo.apiKey }
  writeFileSync(file, `${JSON.stringify(kept, null, 2)}\n`, { mode: 0o600 })
  return kept
}

function printWelcome(origin, { tenantId, apiKey }) {
  console.log(`
Parley is ready.

  Agent page   ${origin}/a/${TENANT_ALIAS}/${AGENT_NAME}
  API          ${origin}/docs
  Tenant       ${tenantId} (alias ${TENANT_ALIAS})
  API key      ${apiKey}

  curl -s ${origin}/v1/chat -H 'X-API-Key: ${apiKey}' -H 'X-End-User: me' \\
    -H 'Content-Type: application/json' -d '{"message":"How do I start Parley on my own machine?"}'

  Ctrl-C stops it; the next start goes on with the same data.
`)
}

main().catch(async (error) => {
  await unlessInterrupted()
  console.error(error instanceof SetupError ? `parley  ${error.message}` : error)
  process.exit(1)
})

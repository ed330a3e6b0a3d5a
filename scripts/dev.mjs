/**
 * `npm run dev`: Parley on this machine, with a demo tenant whose agent answers from Parley's own guides.
 * Takes wrangler's --port, --ip and --persist-to after two dashes. A change of the sources is built and served.
 */
import { existsSync, readFileSync, watch, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { ensureSecrets, FROM_ENVIRONMENT, listWeakSecrets, readVars } from './dev-secrets.mjs'
import { hold } from './hold.mjs'
import { endLeftRuntime } from './left-runtime.mjs'
import { keep, SOURCES } from './local-build.mjs'
import { checkNode, findFreePort, isPortFree, startServer } from './local-server.mjs'
import { SetupError, stopOnSignals, unlessInterrupted } from './run-script.mjs'
import { AGENT_NAME, seedDemo, TENANT_ALIAS } from './seed-demo.mjs'

const ROOT = resolve(import.meta.dirname, '..')
const SECRETS_FILE = join(ROOT, '.dev.vars')
const DEFAULT_PORT = 8787
/** Nobody fires cron triggers locally; without them nobody takes up an ingestion that was cut off. */
const CRON = '*/5 * * * *'
const CRON_MS = 5 * 60 * 1000
/** An editor writes several files at once. */
const SETTLE_MS = 200

const say = (line) => console.log(`parley  ${line}`)

async function main() {
  checkNode()
  stopOnSignals(0)
  const { port, host, persistTo } = readOptions(process.argv.slice(2))
  let origin = 'still starting'
  const { holder } = await hold(persistTo, () => origin)
  if (holder !== undefined) {
    throw new SetupError(
      `Parley already runs with this data: ${holder}. Another one beside it: npm run dev -- --persist-to ./state-2`,
    )
  }
  if (await endLeftRuntime(persistTo)) say('ended what a killed start had left running')
  say('starting: secrets, build, database, guides')
  const vars = readWorkerVars()
  const chosen = await choosePort(port, host)

  let ready = false
  const onLine = ({ level, text }) => {
    // A remark of the runtime to its makers.
    if (text.startsWith('NOSENTRY')) return
    if (ready || level === 'error' || level === 'warn') console.log(text)
  }
  const server = await startServer({ port: chosen, host, persistTo, vars, log: say, onLine })
  try {
    const demo = await seed(server.origin, vars.ADMIN_TOKEN, join(persistTo, 'parley-demo.json'))
    printWelcome(server.origin, demo)
  } catch (error) {
    await server.stop()
    throw error
  }
  ready = true
  origin = server.origin
  await serve(server)
}

/** Fires the cron and follows the sources, for as long as the process lives. */
async function serve(server) {
  setInterval(async () => {
    keep(server.folder())
    const done = await server.fireCron(CRON).catch(() => false)
    if (!done) say('the five-minute duties failed; the next try is in five minutes')
  }, CRON_MS)
  const update = async () => {
    if (await server.update()) say('the sources changed: the new build is served')
  }
  const complain = async (error) => {
    await unlessInterrupted()
    console.error(error instanceof SetupError ? `parley  ${error.message}` : error)
  }
  let settled
  let building = Promise.resolve()
  for (const path of SOURCES) {
    watch(join(ROOT, path), { recursive: true }, () => {
      clearTimeout(settled)
      settled = setTimeout(() => {
        building = building.then(update).catch(complain)
      }, SETTLE_MS)
    })
  }
  await new Promise(() => {})
}

/** @throws SetupError naming what is not taken */
function readOptions(args) {
  const { values, positionals } = parseArgs({
    args,
    options: { port: { type: 'string' }, ip: { type: 'string' }, 'persist-to': { type: 'string' } },
    strict: false,
    allowPositionals: true,
  })
  const {
    port: wanted,
    ip = '127.0.0.1',
    'persist-to': state = '.wrangler/state',
    ...others
  } = values
  const unknown = [...Object.keys(others).map((name) => `--${name}`), ...positionals]
  if (unknown.length > 0) {
    throw new SetupError(
      `${unknown.join(', ')}: npm run dev takes --port, --ip and --persist-to. wrangler's other options: npx wrangler dev`,
    )
  }
  const port = wanted === undefined ? null : Number(wanted)
  if (port !== null && !(Number.isInteger(port) && port > 0 && port < 65_536))
    throw new SetupError(`--port takes a number from 1 to 65535, not "${wanted}".`)
  return { port, host: ip, persistTo: resolve(ROOT, state) }
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

async function choosePort(wanted, host) {
  if (await isPortFree(wanted ?? DEFAULT_PORT, host)) return wanted ?? DEFAULT_PORT
  if (wanted)
    throw new SetupError(`Port ${wanted} is taken. Choose another one: npm run dev -- --port 8799`)
  const port = await findFreePort()
  say(`port ${DEFAULT_PORT} is taken, using ${port}`)
  return port
}

/** The key is kept beside the state it belongs to, so that the next start can go on with it. */
async function seed(origin, adminToken, file) {
  const known = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : null
  const { documents: _, ...kept } = await seedDemo({ origin, adminToken, known, log: say })
  writeFileSync(file, `${JSON.stringify(kept, null, 2)}\n`, { mode: 0o600 })
  // Wherever the data lies, git leaves it and the key alone.
  writeFileSync(join(dirname(file), '.gitignore'), '*\n')
  return kept
}

function printWelcome(origin, { tenantId, apiKey }) {
  console.log(`
  Agent page   ${origin}/a/${TENANT_ALIAS}/${AGENT_NAME}
  Console      ${origin}/console (sign in with the key); the API: ${origin}/docs
  Tenant       ${tenantId} (alias ${TENANT_ALIAS})
  API key      ${apiKey}
  First call   curl -s ${origin}/v1/chat -H 'X-API-Key: ${apiKey}' -H 'X-End-User: me' -H 'Content-Type: application/json' -d '{"message":"How do I start Parley on my own machine?"}'
  Ctrl-C       stops it; the next start goes on with the same data
`)
}

main().catch(async (error) => {
  await unlessInterrupted()
  console.error(error instanceof SetupError ? `parley  ${error.message}` : error)
  process.exit(1)
})

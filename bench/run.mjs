/**
 * `npm run bench [-- --quick]`: our turn beside the floor of `../shared/floor` on the same runtime with the same model, in
 * windows turn about, and the bill of a turn. Prints the figures and whether each target is met; exits with 0 unless it breaks.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findFreePort } from '../scripts/local-server.mjs'
import { measureBill } from './bill.mjs'
import { measureGraph } from './graph.mjs'
import { measureIngestion } from './ingestion.mjs'
import { ACCOUNT_VARS, LOGIN_VARS, measureAccounts, measureLogins } from './logins.mjs'
import { measureManage } from './manage.mjs'
import {
  measureBases,
  measureColdStart,
  measureConsumers,
  measureSessions,
  measureTurns,
} from './measure.mjs'
import { report } from './report.mjs'
import { fillFloor, seed, setUpFloor } from './seed.mjs'
import { buildBundles, requireFloor, startFloor, startModel, startServer } from './server.mjs'
import { measureFirstPage, measureKeyword, measureMerges, measureRecall } from './spaces.mjs'
import { measureStartup } from './startup.mjs'
import { measureStorylines } from './storylines.mjs'
import { measureStorm, measureStreams, STREAM_VARS } from './streams.mjs'
import { measureTls } from './tls.mjs'
import { measureWrites } from './writes.mjs'

const isQuick = process.argv.includes('--quick')
/** `--people=10000`: each is enrolled by a turn of their own, which takes ten times as long as moving them. */
const numberOf = (name) => {
  const given = process.argv.find((argument) => argument.startsWith(`--${name}=`))
  return given === undefined ? null : Number(given.slice(name.length + 3))
}
/** `turns`: for each pace of the model, turns of a window by how many are under way at once. */
const PLAN = isQuick
  ? {
      rounds: 3,
      turns: { burst: { 1: 24, 8: 64, 32: 96 }, paced: { 32: 64 } },
      bases: [10, 1000],
      baseTurns: 12,
      talkers: 2,
      starts: 1,
      streams: 200,
      disconnects: 200,
      merges: [10, 500],
      mergeRounds: 1,
      pages: [30, 1000],
      keyword: [500, 1000],
      memories: [16, 400],
      logins: 2,
      writes: 1,
      accounts: 50,
      moved: numberOf('people') ?? 200,
    }
  : {
      rounds: 7,
      turns: {
        burst: { 1: 40, 8: 96, 32: 128 },
        long: { 8: 96 },
        paced: { 1: 6, 32: 96 },
        'long, paced': { 32: 32 },
        'new users': { 1: 24, 8: 48 },
      },
      bases: [10, 1000, 10_000],
      baseTurns: 20,
      talkers: 6,
      starts: 3,
      streams: 1000,
      disconnects: 1000,
      merges: [10, 500, 5000],
      mergeRounds: 3,
      pages: [30, 10_000],
      keyword: [500, 5000],
      memories: [16, 2000],
      logins: 5,
      writes: 5,
      accounts: 100,
      moved: numberOf('people') ?? 1000,
    }
/**
 * `--only=turns,bill`: some of turns, bases, sessions, tls, logins, accounts, writes, merge, pages, keyword, recall, streams, storm,
 * manage, storylines, graph, ingestion, starts, startup, followed, bill.
 */
const only = process.argv
  .find((argument) => argument.startsWith('--only='))
  ?.slice(7)
  .split(',')
const wants = (part) => only === undefined || only.includes(part)

requireFloor()
const started = Date.now()
const state = mkdtempSync(join(tmpdir(), 'parley-bench-'))
const say = (text) =>
  process.stderr.write(`${((Date.now() - started) / 1000).toFixed(0).padStart(4)} s  ${text}\n`)
let model
let floor
let server
/** Stops the runtime and starts another on the same stored data. */
async function restart(options = {}) {
  await server?.stop()
  server = await startServer({ state, model, ...options })
  return server
}
async function restartBoth() {
  await floor?.stop()
  floor = await startFloor({ state, model })
  return { floor, server: await restart() }
}

try {
  say('building')
  await buildBundles()
  model = await startModel()
  await restartBoth()
  say('filling the bases')
  const sizes = wants('bases') ? PLAN.bases : [Math.min(...PLAN.bases)]
  const world = await seed(server, sizes)
  PLAN.bases = sizes
  await setUpFloor(floor)
  await fillFloor(floor, world, 0, Math.min(...sizes))
  const results = {}
  const measure = async (part, title, work) => {
    if (!wants(part)) return
    say(title)
    results[part] = await work({ server, floor, model, world, plan: PLAN, say })
  }
  await measure('turns', 'turns', measureTurns)
  await measure('bases', 'sizes of the base', measureBases)
  await measure('sessions', 'lengths of the session', measureSessions)
  await measure('tls', 'tls-allow', measureTls)
  await measure('logins', 'logins at once', async (context) =>
    measureLogins({ ...context, server: await restart({ vars: LOGIN_VARS }) }),
  )
  await measure('accounts', 'addresses with and without an account', async (context) =>
    measureAccounts({ ...context, server: await restart({ vars: ACCOUNT_VARS }) }),
  )
  await measure('writes', 'writes of a tenant at once', measureWrites)
  await measure('merge', 'merges of spaces', measureMerges)
  await measure('pages', 'first pages of spaces', measureFirstPage)
  await measure('keyword', 'keyword searches', measureKeyword)
  await measure('recall', 'turns with memories', async (context) =>
    measureRecall({ ...context, server: await restart({ consumers: true }) }),
  )
  await measure('streams', 'idle streams and pushes', async (context) =>
    measureStreams({
      ...context,
      server: await restart({ vars: STREAM_VARS, inspectorPort: await findFreePort() }),
    }),
  )
  await measure('storm', 'a bad network', async (context) =>
    measureStorm({ ...context, server: await restart({ vars: STREAM_VARS }) }),
  )
  await measure('manage', 'lists of a tenant', measureManage)
  await measure('storylines', 'storylines', (context) => measureStorylines(context, restart))
  await measure('graph', 'the map of a user', async (context) =>
    measureGraph({ ...context, server: await restart({ consumers: true }) }),
  )
  await measure('ingestion', 'ingestion', async (context) =>
    measureIngestion({ ...context, server: await restart({ consumers: true }) }),
  )
  await measure('starts', 'cold starts', (context) => measureColdStart(context, restartBoth))
  await measure('startup', 'start-up profiles', measureStartup)
  await measure('followed', 'turns with what follows them', async (context) => {
    return measureConsumers({ ...context, server: await restart({ consumers: true }) })
  })
  await measure('bill', 'the bill of a turn', (context) =>
    measureBill(context, () => restart({ bundle: 'counted', consumers: true })),
  )
  say('done')
  report(results)
} finally {
  await server?.stop()
  await floor?.stop()
  model?.stop()
  rmSync(state, { recursive: true, force: true })
}

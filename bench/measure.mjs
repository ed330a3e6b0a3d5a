/** The measurements. Ours and the floors take turns within each, so that both see the same disturbances. */
import { floorTalker, passTalker, productTalker, quantile, run, sendOk } from './load.mjs'
import { TOPICS, vectorOf } from './workload.ts'

const WARM_UP = 48
const SHORT = 10
const LONG = 200
const MIDDLE = 50

/** Sums windows of one kind. */
function total(windows) {
  const sum = (read) => windows.reduce((all, window) => all + read(window), 0)
  const turns = sum((window) => window.turns)
  return {
    turns,
    perSecond: (turns / sum((window) => window.wallMs)) * 1000,
    cpuMs: sum((window) => window.cpuMs) / turns,
    ms: quantile(
      windows.flatMap((window) => window.times),
      0.5,
    ),
    firstTokenMs: quantile(
      windows.flatMap((window) => window.firstTokens),
      0.5,
    ),
    wrong: windows.flatMap((window) => window.wrong),
  }
}

/** What is compared. `path` belongs to the floors, `stream` to ours. */
export const KINDS = {
  pass: { name: 'Hono pass-through' },
  plain: { name: 'bare turn, model by fetch', path: '/turn/plain' },
  floor: { name: 'bare turn', path: '/turn' },
  'floor stream': { name: 'bare turn, streamed', path: '/turn/stream' },
  ours: { name: 'our turn', stream: false },
  'ours stream': { name: 'our turn, streamed', stream: true },
}

/** People who talk to one kind; each has a user and session of their own. */
export function talkersOf({ server, world }, kind, count, size, tag) {
  const { name: base, agentName } = world.bases[size]
  const { port, floorPort } = server
  const { key } = world
  const { path, stream } = KINDS[kind]
  return Array.from({ length: count }, (_, n) => {
    const who = `${tag.replaceAll(' ', '-')}-${n}`
    if (kind === 'pass') return passTalker({ port: floorPort, n })
    if (path) return floorTalker({ port: floorPort, key, base, path, n, session: who })
    return productTalker({ port, key, agentName, stream, n, user: who })
  })
}

/** Every kind of turn at every concurrency, on the smallest base: there the floor is cheapest. */
export async function measureTurns(context) {
  const { server, plan } = context
  const size = Math.min(...plan.bases)
  const cells = []
  for (const concurrency of Object.keys(plan.turns).map(Number)) {
    const rows = Object.keys(KINDS).map((kind) => ({
      kind,
      concurrency,
      talkers: talkersOf(context, kind, concurrency, size, `${kind}-${concurrency}`),
      windows: [],
    }))
    for (const { talkers } of rows)
      await run(talkers, Math.max(WARM_UP, concurrency * 2), server.cpuMs)
    for (let round = 0; round < plan.rounds; round++) {
      for (const row of rows)
        row.windows.push(await run(row.talkers, plan.turns[concurrency], server.cpuMs))
    }
    cells.push(...rows)
  }
  return cells.map(({ kind, concurrency, windows }) => ({ kind, concurrency, ...total(windows) }))
}

export async function measureBases(context) {
  const { server, plan } = context
  const cells = plan.bases.flatMap((size) =>
    ['floor', 'ours'].map((kind) => ({
      kind,
      size,
      talkers: talkersOf(context, kind, 1, size, `${kind}-base-${size}`),
      windows: [],
    })),
  )
  for (const { talkers } of cells) await run(talkers, SHORT, server.cpuMs)
  for (let round = 0; round < plan.rounds; round++) {
    for (const cell of cells)
      cell.windows.push(
        await run(cell.talkers, Math.ceil(plan.baseTurns / plan.rounds), server.cpuMs),
      )
  }
  return cells.map(({ kind, size, windows }) => ({ kind, size, ...total(windows) }))
}

/** The first turn of sessions, and the tenth, fiftieth and two hundredth of others, turn about. */
export async function measureSessions(context) {
  const { server, plan } = context
  const size = Math.min(...plan.bases)
  const cells = []
  for (const kind of ['floor', 'ours']) {
    for (const length of [1, SHORT, MIDDLE, LONG]) {
      const talkers = talkersOf(context, kind, plan.talkers, size, `${kind}-length-${length}`)
      // What is measured is five turns either side of the length.
      if (length > 1) await run(talkers, Math.max(length - 5, 1) * talkers.length, server.cpuMs)
      cells.push({ kind, length, talkers, windows: [] })
    }
  }
  for (let round = 0; round < 10; round++) {
    for (const cell of cells) {
      // A session is new once: new people for each round.
      if (cell.length === 1)
        cell.talkers = talkersOf(
          context,
          cell.kind,
          plan.talkers,
          size,
          `${cell.kind}-new-${round}`,
        )
      // One turn each, one after another.
      for (const talker of cell.talkers) cell.windows.push(await run([talker], 1, server.cpuMs))
    }
  }
  return cells.map(({ kind, length, windows }) => ({ kind, length, ...total(windows) }))
}

/** Searches one after another: the product's, and the recipe's two statements alone. */
export async function measureSearch(context) {
  const { server, world, plan } = context
  const cells = []
  for (const size of plan.bases)
    for (const withVectors of [false, true])
      for (const kind of ['bare', 'product']) cells.push({ kind, size, withVectors, windows: [] })
  const ask = async ({ kind, size, withVectors }) => {
    const { id: baseId, name: base } = world.bases[size]
    const count = Math.ceil(plan.searches / plan.rounds)
    const topics = Array.from({ length: count }, (_, i) => i % TOPICS.length)
    const body = {
      kind,
      tenantId: world.tenantId,
      baseId,
      base,
      questions: topics.map((topic) => TOPICS[topic].question),
      vectors: withVectors ? topics.map(vectorOf) : null,
    }
    const cpu = server.cpuMs()
    const started = performance.now()
    await sendOk(server.floorPort, 'POST', '/search', body)
    return {
      turns: count,
      wallMs: performance.now() - started,
      cpuMs: server.cpuMs() - cpu,
      times: [],
      firstTokens: [],
      wrong: [],
    }
  }
  for (const cell of cells) await ask(cell)
  for (let round = 0; round < plan.rounds; round++) {
    for (const cell of cells) cell.windows.push(await ask(cell))
  }
  return cells.map(({ kind, size, withVectors, windows }) => {
    const { cpuMs, perSecond } = total(windows)
    return { kind, size, withVectors, cpuMs, ms: 1000 / perSecond }
  })
}

/** Age of the runtime's process when it is ready, and when its first turn is answered; several times. */
export async function measureColdStart({ world, plan }, start) {
  const starts = []
  const size = Math.min(...plan.bases)
  for (let i = 0; i < plan.starts; i++) {
    const server = await start()
    const ready = server.ageMs()
    const [talker] = talkersOf({ server, world }, 'ours', 1, size, 'ours-1')
    const { isRight, status, text } = await talker.turn()
    if (!isRight) throw new Error(`The first turn failed: ${status} ${text.slice(0, 500)}`)
    starts.push({ ready, ms: server.ageMs() })
  }
  return starts
}

const QUIET_MS = 2500

/** CPU of turns together with the jobs that follow them, until nothing is left to do. */
export async function measureConsumers(context) {
  const { server, plan } = context
  const size = Math.min(...plan.bases)
  const talkers = talkersOf(context, 'ours', 8, size, 'ours-followed')
  await run(talkers, WARM_UP, server.cpuMs)
  await pause(QUIET_MS)
  const idle = await idleCpu(server)
  const cpu = server.cpuMs()
  const started = performance.now()
  const window = await run(talkers, plan.turns[8] * 2, server.cpuMs)
  await pause(QUIET_MS)
  const ms = performance.now() - started
  return { turns: window.turns, cpuMs: (server.cpuMs() - cpu - idle * ms) / window.turns }
}

/** CPU that the runtime uses while nobody asks, as a share of the time. */
async function idleCpu(server) {
  const cpu = server.cpuMs()
  await pause(QUIET_MS)
  return (server.cpuMs() - cpu) / QUIET_MS
}

export const pause = (ms) => new Promise((done) => setTimeout(done, ms))

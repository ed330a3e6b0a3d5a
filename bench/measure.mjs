/** The measurements. Ours and the floors take turns within each, so that both see the same disturbances. */
import { floorTalker, productTalker, quantile, run } from './load.mjs'
import { fillFloor, setUpFloor } from './seed.mjs'

const WARM_UP = 48
const SHORT = 10
const LONG = 200
const MIDDLE = 50

/** Both turns, streamed; each talker has a user and session of its own. @param fresh whether each of its turns is a new user's */
const TALKERS = {
  floor: ({ floor }, _size, n, user, fresh) =>
    floorTalker({ port: floor.port, n, user, session: fresh ? null : user }),
  ours: ({ server, world }, size, n, user, fresh) =>
    productTalker({
      port: server.port,
      key: world.key,
      agentName: world.bases[size].agentName,
      stream: true,
      n,
      user,
      fresh,
    }),
}
const KINDS = Object.keys(TALKERS)

const talkersOf = (context, kind, count, size, tag, fresh = false) =>
  Array.from({ length: count }, (_, n) =>
    TALKERS[kind](context, size, n, `${tag}-${n}`.replaceAll(' ', '-'), fresh),
  )

const cpuOf = ({ server, floor }, kind) => (kind === 'floor' ? floor : server).cpuMs

/**
 * Ours and the floor in windows turn about, so that both see the same disturbances of a shared machine.
 * @returns each side's medians over the windows, and the median of the windows' ratios
 */
async function compare(context, { name, size, atOnce, turns, rounds, fresh = false }) {
  const sides = Object.fromEntries(
    KINDS.map((kind) => [kind, talkersOf(context, kind, atOnce, size, `${name} ${atOnce}`, fresh)]),
  )
  const take = async (kind, count) => {
    const window = await run(sides[kind], count, cpuOf(context, kind))
    if (window.wrong.length > 0) context.say(`${name}, ${kind}: ${window.wrong[0]}`)
    return {
      cpuMs: window.cpuMs / count,
      perSecond: (count / window.wallMs) * 1000,
      firstTokenMs: quantile(window.firstTokens, 0.5),
      ms: quantile(window.times, 0.5),
      p95: quantile(window.times, 0.95),
      wrong: window.wrong.length,
    }
  }
  for (const kind of KINDS) await take(kind, Math.max(fresh ? 1 : SHORT, atOnce) * 2)
  const windows = []
  for (let round = 0; round < rounds; round++) {
    const pair = {}
    for (const kind of round % 2 === 0 ? KINDS : KINDS.toReversed())
      pair[kind] = await take(kind, turns)
    windows.push(pair)
  }
  const medianOf = (read) => quantile(windows.map(read), 0.5)
  const measures = ['cpuMs', 'perSecond', 'firstTokenMs', 'ms', 'p95']
  const row = { name, size, atOnce, wrong: windows.reduce((sum, { ours }) => sum + ours.wrong, 0) }
  for (const measure of measures)
    row[measure] = {
      ours: medianOf(({ ours }) => ours[measure]),
      floor: medianOf(({ floor }) => floor[measure]),
      ratio: medianOf(({ ours, floor }) => ours[measure] / floor[measure]),
      added: medianOf(({ ours, floor }) => ours[measure] - floor[measure]),
    }
  return row
}

/** Answers that come in a burst, answers as real models stream them, long answers, and people who were never seen. */
const PACES = {
  burst: { tokens: 32, firstMs: 0, betweenMs: 0 },
  long: { tokens: 300, firstMs: 0, betweenMs: 0 },
  paced: { tokens: 32, firstMs: 200, betweenMs: 10 },
  'long, paced': { tokens: 300, firstMs: 200, betweenMs: 10 },
}

async function setPace({ model }, name) {
  const body = JSON.stringify(PACES[name])
  await fetch(new URL('/pace', model.url), { method: 'POST', body })
}

export async function measureTurns(context) {
  const { plan, floor, world } = context
  const size = Math.min(...plan.bases)
  await setUpFloor(floor)
  await fillFloor(floor, world, 0, size)
  const rows = []
  for (const [pace, cells] of Object.entries(plan.turns)) {
    const fresh = pace === 'new users'
    await setPace(context, fresh ? 'burst' : pace)
    for (const [atOnce, turns] of Object.entries(cells)) {
      context.say(`turns: ${pace}, ${atOnce} at once`)
      const cell = { name: pace, size, atOnce: Number(atOnce), turns, fresh }
      rows.push(await compare(context, { ...cell, rounds: plan.rounds }))
    }
  }
  await setPace(context, 'burst')
  return rows
}

export async function measureBases(context) {
  const { plan, floor, world } = context
  await setUpFloor(floor)
  const rows = []
  let filled = 0
  for (const size of plan.bases.toSorted((a, b) => a - b)) {
    await fillFloor(floor, world, filled, size)
    filled = size
    const cell = { name: `base ${size}`, size, atOnce: 1, turns: plan.baseTurns }
    rows.push(await compare(context, { ...cell, rounds: plan.rounds }))
  }
  return rows
}

/** Sums windows of one kind. */
function total(windows) {
  const sum = (read) => windows.reduce((all, window) => all + read(window), 0)
  const turns = sum((window) => window.turns)
  return {
    cpuMs: sum((window) => window.cpuMs) / turns,
    ms: quantile(
      windows.flatMap((window) => window.times),
      0.5,
    ),
    wrong: windows.flatMap((window) => window.wrong),
  }
}

/** The first turn of sessions, and the tenth, fiftieth and two hundredth of others, turn about. */
export async function measureSessions(context) {
  const { server, plan } = context
  const size = Math.min(...plan.bases)
  const cells = []
  const talkersFor = (tag) => talkersOf(context, 'ours', plan.talkers, size, tag)
  for (const length of [1, SHORT, MIDDLE, LONG]) {
    const talkers = talkersFor(`length-${length}`)
    // What is measured is five turns either side of the length.
    if (length > 1) await run(talkers, Math.max(length - 5, 1) * talkers.length, server.cpuMs)
    cells.push({ length, talkers, windows: [] })
  }
  for (let round = 0; round < 10; round++) {
    for (const cell of cells) {
      // A session is new once: new people for each round.
      if (cell.length === 1) cell.talkers = talkersFor(`new-${round}`)
      // One turn each, one after another.
      for (const talker of cell.talkers) cell.windows.push(await run([talker], 1, server.cpuMs))
    }
  }
  return cells.map(({ length, windows }) => ({ length, ...total(windows) }))
}

/** Age of each runtime's process when its first turn is answered, and its memory a little later; several times. */
export async function measureColdStart(context, start) {
  const starts = []
  const size = Math.min(...context.plan.bases)
  for (let i = 0; i < context.plan.starts; i++) {
    const both = { ...context, ...(await start()) }
    const row = {}
    for (const [kind, one] of [
      ['floor', both.floor],
      ['ours', both.server],
    ]) {
      const ready = one.ageMs()
      const began = performance.now()
      const [talker] = talkersOf(both, kind, 1, size, 'first')
      const { isRight, status, text } = await talker.turn()
      if (!isRight) throw new Error(`The first turn failed: ${status} ${text.slice(0, 500)}`)
      row[kind] = {
        firstTurnMs: performance.now() - began,
        cpuMs: one.cpuMs(),
        readyMs: ready,
        memoryMb: one.memoryMb(),
      }
    }
    starts.push(row)
  }
  return starts
}

const QUIET_MS = 2500

/** CPU of turns together with the jobs that follow them, until nothing is left to do. */
export async function measureConsumers(context) {
  const { server, plan } = context
  const size = Math.min(...plan.bases)
  const talkers = talkersOf(context, 'ours', 8, size, 'followed')
  await run(talkers, WARM_UP, server.cpuMs)
  await pause(QUIET_MS)
  const idle = await idleCpu(server)
  const cpu = server.cpuMs()
  const started = performance.now()
  const window = await run(talkers, plan.turns.burst[8] * 2, server.cpuMs)
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

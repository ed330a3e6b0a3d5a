import { quantile } from './load.mjs'
import { loginRows } from './logins.mjs'
import { writeRows } from './writes.mjs'

/** Prints what was measured, and whether it meets the targets. */

const number = (value, digits = 1) => (Number.isFinite(value) ? value.toFixed(digits) : '')

function printRows(title, heads, rows) {
  const cells = [heads, ...rows.map((row) => row.map(String))]
  const widths = heads.map((_, i) => Math.max(...cells.map((row) => row[i].length)))
  console.log(`\n${title}`)
  for (const row of cells)
    console.log(
      row
        .map((cell, i) => (i === 0 ? cell.padEnd(widths[i]) : cell.padStart(widths[i])))
        .join('  '),
    )
}

const BOTH = ['ours', 'floor', 'ratio']

/** Medians of the windows; the ratio is the median of the windows' own. */
function printCompared(title, rows) {
  const measures = { 'CPU ms': 'cpuMs', 'turns/s': 'perSecond', 'first token ms': 'firstTokenMs' }
  const heads = Object.keys(measures).flatMap((name) => [name, 'floor', 'ratio'])
  printRows(
    `${title} (medians; CPU of the runtime's process)`,
    ['', 'at once', ...heads, 'ms', 'floor', 'wrong'],
    rows.map((row) => [
      row.name,
      row.atOnce,
      ...Object.values(measures).flatMap((measure) =>
        BOTH.map((side) => number(row[measure][side], side === 'ratio' ? 2 : 1)),
      ),
      number(row.ms.ours),
      number(row.ms.floor),
      row.wrong,
    ]),
  )
}

export function printTables({
  turns,
  bases,
  sessions,
  starts,
  followed,
  bill,
  tls,
  logins,
  accounts,
  writes,
  manage,
  graph,
  ingestion,
  ...personal
}) {
  if (turns) printCompared('Turns of the smallest base', turns)
  if (bases) printCompared('Size of the base', bases)
  if (sessions) {
    const rows = sessions.map((row) => [
      `turn ${row.length}`,
      number(row.cpuMs, 2),
      number(row.ms),
      row.wrong.length,
    ])
    printRows('Length of the session (one turn at a time)', ['', 'CPU ms', 'ms', 'wrong'], rows)
  }
  printPersonal(personal)
  if (starts) {
    const rows = starts.flatMap((start, i) =>
      ['ours', 'floor'].map((kind) => {
        const { readyMs, firstTurnMs, cpuMs, memoryMb } = start[kind]
        const name = `${kind}, start ${i + 1}`
        return [name, ...[readyMs, firstTurnMs, cpuMs, memoryMb].map((value) => number(value, 0))]
      }),
    )
    const heads = ['', 'ready ms', 'first turn ms', 'CPU ms until then', 'memory MB']
    printRows('Cold start', heads, rows)
  }
  if (followed)
    console.log(`\nCPU of a turn with the jobs that follow it: ${number(followed.cpuMs, 2)} ms`)
  if (manage) {
    printRows(
      'Lists of a tenant (ms, medians)',
      ['', 'page 1', 'page 500', 'ratio'],
      manage.pages.map((row) => [
        row.name,
        number(row.first, 2),
        number(row.far, 2),
        number(row.ratio, 2),
      ]),
    )
    printRows(
      'Usage over 1,000,000 hourly rows (ms)',
      ['by', 'ms'],
      manage.usage.map((row) => [row.group, number(row.ms, 0)]),
    )
    const { lines, bytes, ms, before, early, peak } = manage.csv
    console.log(
      `\naudit.csv: ${lines} lines, ${number(bytes / 2 ** 20, 0)} MiB in ${number(ms / 1000)} s; memory of the runtime ${number(before, 0)} MiB before, ${number(early, 0)} after a tenth, ${number(peak, 0)} at most`,
    )
    const filled = Object.entries(manage.seeded).map(([name, s]) => `${name} ${number(s)} s`)
    console.log(`filled: ${filled.join(', ')}`)
  }
  if (tls) {
    printRows(
      'tls-allow at 1,000 bound domains (ms, 4 at once)',
      ['', 'calls', 'p50', 'p99', 'wrong'],
      tls.map((row) => [
        row.kind,
        row.calls,
        number(row.p50, 2),
        number(row.p99, 2),
        row.wrong.length,
      ]),
    )
  }
  if (logins) {
    printRows(
      `${logins.atOnce} logins at once, ${logins.rounds} times (ms)`,
      ['', 'calls', 'p50', 'p95'],
      loginRows(logins).map(([name, calls, ...times]) => [
        name,
        calls,
        ...times.map((ms) => number(ms, 0)),
      ]),
    )
  }
  if (accounts) {
    printRows(
      'answers for addresses with and without an account (median ms)',
      ['', 'pairs', 'known', 'unknown'],
      accounts.map(({ path, pairs, known, unknown }) => [
        path,
        pairs,
        number(quantile(known, 0.5), 2),
        number(quantile(unknown, 0.5), 2),
      ]),
    )
  }
  if (writes) {
    printRows(
      `${writes.atOnce} writes of a tenant at once, ${writes.rounds} times (ms)`,
      ['', 'calls', 'p50', 'p99'],
      writeRows(writes).map(([name, calls, ...times]) => [
        name,
        calls,
        ...times.map((ms) => number(ms, 0)),
      ]),
    )
  }
  if (graph) {
    printRows(
      `Map of a user with ${graph.items} items (one at a time; medians)`,
      ['', 'CPU ms', 'ms', 'KB'],
      graph.rows.map((row) => [row.name, number(row.cpuMs, 0), number(row.ms, 0), row.kb]),
    )
  }
  if (ingestion) {
    printRows(
      'From the answer to an upload to its last passage',
      ['', 'passages', 's', 'passages/s', 'CPU ms'],
      ingestion.rows.map(({ title, chunks, ms, cpuMs }) => [
        title,
        chunks,
        number(ms / 1000),
        number((chunks / ms) * 1000, 0),
        cpuMs,
      ]),
    )
  }
  if (bill) printBill(bill)
  if (personal.storylines) printStorylines(personal.storylines)
}

/** What a user's own space and stream cost. */
function printPersonal({ merge, pages, keyword, recall, streams, storm }) {
  if (merge) {
    printRows(
      'Merging a space into another',
      ['', 'ms', 'messages/s'],
      merge.map((row) => [`${row.messages} messages`, number(row.ms, 0), number(row.perSecond, 0)]),
    )
  }
  const timed = (rows, name) => rows.map((row) => [name(row), number(row.cpuMs, 2), number(row.ms)])
  const heads = ['', 'CPU ms', 'ms']
  if (pages)
    printRows(
      'First page of a space',
      heads,
      timed(pages, (row) => `${row.sessions} sessions`),
    )
  if (keyword)
    printRows(
      'Keyword search that finds nothing',
      heads,
      timed(keyword, (row) => `${row.messages} messages`),
    )
  if (recall)
    printRows(
      'Turn of somebody known',
      heads,
      timed(recall, (row) => `${row.memories} memories`),
    )
  if (streams) {
    const { count, kb, heapKb, openMs, awake, push } = streams
    const times = ({ p50, p99 }) => `p50 ${number(p50)} ms, p99 ${number(p99)} ms`
    printRows(
      'Streams',
      ['', ''],
      [
        [`${count} idle streams, each`, `${number(kb)} kB, ${number(heapKb)} kB of it JavaScript`],
        ['opened in, each', `${number(openMs)} ms`],
        ['objects awake', String(awake)],
        ['request to push, object asleep', times(push.asleep)],
        ['request to push, object awake', times(push.awake)],
      ],
    )
  }
  if (storm) {
    const { disconnects, told, lost, twice, late } = storm
    console.log(
      `\nBad network: ${disconnects} disconnects, ${told} reminders told, ${lost} lost, ${twice} twice; late by p50 ${number(late.p50, 0)} ms, p99 ${number(late.p99, 0)} ms`,
    )
  }
}

function printStorylines({ validate, turns, pages, funnelMs, moved, bill }) {
  const { matched, changed, ms, cpuMs } = moved
  printRows(
    'Storylines',
    ['', ''],
    [
      [`CPU ms of a check of ${validate.nodes} nodes`, number(validate.cpuMs)],
      ['CPU ms of a plain turn', number(turns.plain, 2)],
      ['CPU ms of a turn in a storyline', number(turns.storyline, 2)],
      ['ms of page 1 of 100,000 enrollments', number(pages.first, 2)],
      ['ms of page 500', number(pages.far, 2)],
      ['ms of their funnel', number(funnelMs, 2)],
      [`s to move ${changed} of ${matched} people`, number(ms / 1000)],
      ['CPU ms a person moved', number(cpuMs, 2)],
    ],
  )
  printBill(bill, 'The bill of a plain turn and of one in a storyline')
}

function printBill(bills, title = 'The bill of a turn') {
  const names = Object.keys(bills)
  const lines = [...new Set(names.flatMap((name) => Object.keys(bills[name])))].sort()
  const rows = lines.map((line) => [line, ...names.map((name) => bills[name][line] ?? 0)])
  printRows(title, ['', ...names], rows)
}

const ratio = (value, floor, limit) => ({
  value: value / floor,
  limit,
  text: `${number(value / floor, 2)} ≤ ${limit}`,
  isMet: value / floor <= limit,
})

/** Each target with what was reached. */
export function checkTargets({
  turns,
  bases,
  sessions,
  starts,
  startup,
  bill,
  tls,
  logins,
  accounts,
  writes,
  manage,
  graph,
  ingestion,
  ...personal
}) {
  const checks = []
  const add = (name, { text, isMet }) => checks.push([isMet ? 'PASS' : 'FAIL', name, text])
  if (turns) for (const check of turnTargets(turns)) add(...check)
  if (bases) {
    const [least] = bases
    const most = bases.at(-1)
    const own = most.ms.ours - least.ms.ours
    const floors = most.ms.floor - least.ms.floor
    add(`what ${most.size} chunks add to a turn`, {
      text: `${number(own)} ms ≤ 20 (floor ${number(floors)})`,
      isMet: own <= 20,
    })
  }
  if (sessions) {
    const at = (length) => sessions.find((row) => row.length === length).cpuMs
    add('CPU of turn 200 against turn 10', ratio(at(200), at(10), 1.1))
  }
  if (starts) {
    const middle = (kind, read) =>
      quantile(
        starts.map((start) => read(start[kind])),
        0.5,
      )
    const until = ({ readyMs, firstTurnMs }) => readyMs + firstTurnMs
    add('cold start to the first answer', ratio(middle('ours', until), middle('floor', until), 1.5))
    const memory = ({ memoryMb }) => memoryMb
    add('memory after it', ratio(middle('ours', memory), middle('floor', memory), 1.3))
  }
  for (const { name, first, far } of manage?.pages ?? []) {
    const slower = Math.max(first, far)
    add(`page 1 beside page 500: ${name}`, ratio(slower, Math.min(first, far), 1.5))
  }
  if (manage) {
    const { peak, early } = manage.csv
    add('memory of the CSV, at most beside a tenth of it', ratio(peak, early, 1.25))
  }
  if (tls) {
    const p99 = (kind) => tls.find((row) => row.kind === kind).p99
    for (const kind of ['bound', 'unknown'])
      add(`tls-allow p99 against /health, ${kind} names`, ratio(p99(kind), p99('health'), 3))
    const wrong = tls.reduce((sum, row) => sum + row.wrong.length, 0)
    add('tls-allow, wrong answers', { text: `${wrong} = 0`, isMet: wrong === 0 })
  }
  if (logins) {
    const p95 = quantile(logins.health, 0.95)
    add(`/health p95 while ${logins.atOnce} sign in at once`, {
      text: `${number(p95, 0)} ms ≤ 1000`,
      isMet: p95 <= 1000,
    })
    const { length } = logins.wrong
    add('logins, wrong answers', { text: `${length} = 0`, isMet: length === 0 })
  }
  for (const { path, known, unknown } of accounts ?? []) {
    const share = quantile(known, 0.5) / quantile(unknown, 0.5)
    add(`${path}, known beside unknown`, {
      text: `0.9 ≤ ${number(share, 3)} ≤ 1.1`,
      isMet: share >= 0.9 && share <= 1.1,
    })
  }
  if (writes) {
    const alone = quantile(writes.alone, 0.5)
    add(
      `p99 of ${writes.atOnce} writes at once beside one alone`,
      ratio(quantile(writes.together, 0.99), alone, 20),
    )
    const { length } = writes.failed
    add('writes that failed', { text: `${length} = 0`, isMet: length === 0 })
  }
  if (graph) {
    const { cpuMs } = graph.rows.find(({ name }) => name === 'computed anew')
    add(`CPU of a map of ${graph.items} items`, {
      text: `${number(cpuMs, 0)} ms ≤ 2000`,
      isMet: cpuMs <= 2000,
    })
    add('nodes of a map, every time the same', {
      text: `${graph.nodes} of ${graph.items}`,
      isMet: graph.nodes === Math.min(graph.items, 2000) && graph.isSame,
    })
  }
  if (ingestion) {
    const [markdown, ...others] = ingestion.rows
    const perSecond = (markdown.chunks / markdown.ms) * 1000
    add(`passages a second: ${markdown.title}`, {
      text: `${number(perSecond, 0)} ≥ 2000`,
      isMet: perSecond >= 2000,
    })
    for (const { title, ms } of others)
      add(title, { text: `${number(ms / 1000)} s ≤ 3`, isMet: ms <= 3000 })
    add('a search beside it', ratio(ingestion.beside, ingestion.alone, 1.3))
  }
  if (startup) {
    const least = Math.min(...startup)
    add('busy at start-up, least of the profiles', {
      text: `${number(least, 0)} ms < 100`,
      isMet: least < 100,
    })
  }
  if (bill)
    for (const [name, used, limit] of billTargets(bill))
      add(name, { text: `${used} ≤ ${limit}`, isMet: used <= limit })
  checkPersonal(personal, add)
  printRows('Targets', ['', '', ''], checks)
}

/** Linear at worst, with a tenth for what a shared machine adds. */
const LINEAR_SLACK = 1.1

function checkStorylines({ validate, turns, pages, moved }, add) {
  add(`CPU of a check of ${validate.nodes} nodes`, {
    text: `${number(validate.cpuMs)} ms ≤ 50`,
    isMet: validate.ok && validate.cpuMs <= 50,
  })
  add('CPU of a turn in a storyline beside a plain one', ratio(turns.ratio, 1, 1.5))
  add('turns in storylines, wrong answers', {
    text: `${turns.wrong} = 0`,
    isMet: turns.wrong === 0,
  })
  const slower = Math.max(pages.first, pages.far)
  add('page 1 beside page 500: enrollments', ratio(slower, Math.min(pages.first, pages.far), 1.5))
  add('people moved', {
    text: `${moved.changed} = ${moved.matched}`,
    isMet: moved.changed === moved.matched,
  })
}

function checkPersonal({ pages, keyword, recall, streams, storm, storylines }, add) {
  if (storylines) checkStorylines(storylines, add)
  if (pages) {
    const [few, many] = pages
    add(`first page of ${many.sessions} sessions beside ${few.sessions}`, ratio(many.ms, few.ms, 2))
  }
  if (keyword) {
    const [few, many] = keyword
    add(
      `keyword search over ${many.messages} messages beside ${few.messages}`,
      ratio(many.ms, few.ms, (many.messages / few.messages) * LINEAR_SLACK),
    )
  }
  if (recall) {
    const [few, many] = recall
    add(
      `CPU of a turn with ${many.memories} memories beside ${few.memories}`,
      ratio(many.cpuMs, few.cpuMs, 2),
    )
  }
  if (streams)
    add(`objects awake under ${streams.count} idle streams`, {
      text: `${streams.awake} = 0`,
      isMet: streams.awake === 0,
    })
  if (storm) {
    const { lost, twice, disconnects } = storm
    add(`reminders lost or told twice in ${disconnects} disconnects`, {
      text: `${lost} + ${twice} = 0`,
      isMet: lost + twice === 0,
    })
  }
}

/** The goals of the turn, beside the floor in the same windows. */
function turnTargets(rows) {
  const find = (name, atOnce) => rows.find((row) => row.name === name && row.atOnce === atOnce)
  const most = (value, limit) => ({
    text: `${number(value, 2)} ≤ ${limit}`,
    isMet: value <= limit,
  })
  const least = (value, limit) => ({
    text: `${number(value, 2)} ≥ ${limit}`,
    isMet: value >= limit,
  })
  const goals = {
    burst: {
      1: (row) => [['first token', most(row.firstTokenMs.ratio, 1.6)]],
      8: (row) => [
        ['CPU', most(row.cpuMs.ratio, 1.6)],
        ['turns/s', least(row.perSecond.ratio, 0.6)],
      ],
    },
    long: {
      8: (row) => [
        ['CPU beside a turn of 32 tokens', most(row.cpuMs.ours / find('burst', 8).cpuMs.ours, 1.5)],
      ],
    },
    paced: {
      1: (row) => [['ms added to the first token', most(row.firstTokenMs.added, 5)]],
      32: (row) => [
        ['turns/s', least(row.perSecond.ratio, 0.9)],
        ['ms added to the first token', most(row.firstTokenMs.added, 60)],
      ],
    },
    'new users': {
      1: (row) => [['first token', most(row.firstTokenMs.ratio, 3)]],
      8: (row) => [['CPU', most(row.cpuMs.ratio, 3)]],
    },
  }
  const checks = Object.entries(goals).flatMap(([name, cells]) =>
    Object.entries(cells).flatMap(([atOnce, goal]) => {
      const row = find(name, Number(atOnce))
      if (!row) return []
      return goal(row).map(([what, check]) => [`${what}; ${name}, ${atOnce} at once`, check])
    }),
  )
  const wrong = rows.reduce((sum, row) => sum + row.wrong, 0)
  return [...checks, ['wrong answers', { text: `${wrong} = 0`, isMet: wrong === 0 }]]
}

function billTargets({ cold, warm, 'new user': fresh }) {
  const sum = (counts, start) =>
    Object.entries(counts).reduce(
      (all, [name, count]) => (name.startsWith(start) ? all + count : all),
      0,
    )
  return [
    ['D1 round trips of a cold turn', sum(cold, 'D1 round trips'), 2],
    ['D1 round trips of a warm turn', sum(warm, 'D1 round trips'), 0],
    ['Durable Object calls of a turn', sum(warm, 'object calls'), 3],
    ['rows written by a turn', sum(warm, 'rows written') + sum(warm, 'alarms set'), 6],
    ['R2 operations of a warm turn', sum(warm, 'R2 '), 0],
    ['queue messages of a turn', sum(warm, 'queue messages'), 0],
    ['D1 round trips of a new user, the look-up and a batch', sum(fresh, 'D1 round trips'), 2],
    ['R2 operations of a new user', sum(fresh, 'R2 '), 1],
  ]
}

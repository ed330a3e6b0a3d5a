import { quantile } from './load.mjs'
import { loginRows } from './logins.mjs'
import { alike, atLeast, atMost, none, number, printRows, ratio } from './tables.mjs'
import { writeRows } from './writes.mjs'

/** What is told of each part that `run.mjs` measures: what `print` shows of it, and its `targets`, each with what was reached. */
const PARTS = {
  turns: {
    print: (turns) => printCompared('Turns of the smallest base', turns),
    targets: turnTargets,
  },
  bases: {
    print: (bases) => printCompared('Size of the base', bases),
    targets(bases) {
      const [least] = bases
      const most = bases.at(-1)
      const own = most.ms.ours - least.ms.ours
      const floors = most.ms.floor - least.ms.floor
      const text = `${number(own)} ms ≤ 20 (floor ${number(floors)})`
      return [[`what ${most.size} chunks add to a turn`, { text, isMet: own <= 20 }]]
    },
  },
  sessions: {
    print(sessions) {
      const rows = sessions.map((row) => [
        `turn ${row.length}`,
        number(row.cpuMs, 2),
        number(row.ms),
        row.wrong.length,
      ])
      printRows('Length of the session (one turn at a time)', ['', 'CPU ms', 'ms', 'wrong'], rows)
    },
    targets(sessions) {
      const at = (length) => sessions.find((row) => row.length === length).cpuMs
      return [['CPU of turn 200 against turn 10', ratio(at(200), at(10), 1.1)]]
    },
  },
  merge: {
    print: (merge) =>
      printRows(
        'Merging a space into another',
        ['', 'ms', 'messages/s'],
        merge.map((row) => [
          `${row.messages} messages`,
          number(row.ms, 0),
          number(row.perSecond, 0),
        ]),
      ),
  },
  pages: {
    print: (pages) => printTimed('First page of a space', pages, 'sessions'),
    targets: ([few, many]) => [
      [`first page of ${many.sessions} sessions beside ${few.sessions}`, ratio(many.ms, few.ms, 2)],
    ],
  },
  keyword: {
    print: (keyword) => printTimed('Keyword search that finds nothing', keyword, 'messages'),
    // Linear at worst, with a tenth for what a shared machine adds.
    targets: ([few, many]) => [
      [
        `keyword search over ${many.messages} messages beside ${few.messages}`,
        ratio(many.ms, few.ms, (many.messages / few.messages) * 1.1),
      ],
    ],
  },
  recall: {
    print: (recall) => printTimed('Turn of somebody known', recall, 'memories'),
    targets: ([few, many]) => [
      [
        `CPU of a turn with ${many.memories} memories beside ${few.memories}`,
        ratio(many.cpuMs, few.cpuMs, 2),
      ],
    ],
  },
  streams: {
    print({ count, kb, heapKb, openMs, awake, push }) {
      const times = ({ p50, p99 }) => `p50 ${number(p50)} ms, p99 ${number(p99)} ms`
      printRows(
        'Streams',
        ['', ''],
        [
          [
            `${count} idle streams, each`,
            `${number(kb)} kB, ${number(heapKb)} kB of it JavaScript`,
          ],
          ['opened in, each', `${number(openMs)} ms`],
          ['objects awake', awake],
          ['request to push, object asleep', times(push.asleep)],
          ['request to push, object awake', times(push.awake)],
        ],
      )
    },
    targets: ({ count, awake }) => [[`objects awake under ${count} idle streams`, none(awake)]],
  },
  storm: {
    print: ({ disconnects, told, lost, twice, late }) =>
      console.log(
        `\nBad network: ${disconnects} disconnects, ${told} reminders told, ${lost} lost, ${twice} twice; late by p50 ${number(late.p50, 0)} ms, p99 ${number(late.p99, 0)} ms`,
      ),
    targets: ({ lost, twice, disconnects }) => [
      [
        `reminders lost or told twice in ${disconnects} disconnects`,
        { text: `${lost} + ${twice} = 0`, isMet: lost + twice === 0 },
      ],
    ],
  },
  starts: {
    print(starts) {
      const rows = starts.flatMap((start, i) =>
        ['ours', 'floor'].map((kind) => {
          const { readyMs, firstTurnMs, cpuMs, memoryMb } = start[kind]
          const figures = [readyMs, firstTurnMs, cpuMs, memoryMb]
          return [`${kind}, start ${i + 1}`, ...figures.map((value) => number(value, 0))]
        }),
      )
      const heads = ['', 'ready ms', 'first turn ms', 'CPU ms until then', 'memory MB']
      printRows('Cold start', heads, rows)
    },
    targets(starts) {
      const beside = (read, limit) =>
        ratio(
          ...['ours', 'floor'].map((kind) =>
            quantile(
              starts.map((start) => read(start[kind])),
              0.5,
            ),
          ),
          limit,
        )
      return [
        [
          'cold start to the first answer',
          beside(({ readyMs, firstTurnMs }) => readyMs + firstTurnMs, 1.5),
        ],
        ['memory after it', beside(({ memoryMb }) => memoryMb, 1.3)],
      ]
    },
  },
  followed: {
    print: ({ cpuMs }) =>
      console.log(`\nCPU of a turn with the jobs that follow it: ${number(cpuMs, 2)} ms`),
  },
  manage: {
    print({ pages, usage, csv, seeded }) {
      printRows(
        'Lists of a tenant (ms, medians)',
        ['', 'page 1', 'page 500', 'ratio'],
        pages.map(({ name, first, far, ratio }) => [
          name,
          ...[first, far, ratio].map((value) => number(value, 2)),
        ]),
      )
      printRows(
        'Usage over 1,000,000 hourly rows (ms)',
        ['by', 'ms'],
        usage.map(({ group, ms }) => [group, number(ms, 0)]),
      )
      const { lines, bytes, ms, before, early, peak } = csv
      console.log(
        `\naudit.csv: ${lines} lines, ${number(bytes / 2 ** 20, 0)} MiB in ${number(ms / 1000)} s; memory of the runtime ${number(before, 0)} MiB before, ${number(early, 0)} after a tenth, ${number(peak, 0)} at most`,
      )
      const filled = Object.entries(seeded).map(([name, s]) => `${name} ${number(s)} s`)
      console.log(`filled: ${filled.join(', ')}`)
    },
    targets: ({ pages, csv }) => [
      ...pages.map((page) => [`page 1 beside page 500: ${page.name}`, alike(page, 1.5)]),
      ['memory of the CSV, at most beside a tenth of it', ratio(csv.peak, csv.early, 1.25)],
    ],
  },
  tls: {
    print: (tls) =>
      printRows(
        'tls-allow at 1,000 bound domains (ms, 4 at once)',
        ['', 'calls', 'p50', 'p99', 'wrong'],
        tls.map(({ kind, calls, p50, p99, wrong }) => [
          kind,
          calls,
          number(p50, 2),
          number(p99, 2),
          wrong.length,
        ]),
      ),
    targets(tls) {
      const p99 = (kind) => tls.find((row) => row.kind === kind).p99
      return [
        ...['bound', 'unknown'].map((kind) => [
          `tls-allow p99 against /health, ${kind} names`,
          ratio(p99(kind), p99('health'), 3),
        ]),
        ['tls-allow, wrong answers', none(tls.reduce((sum, { wrong }) => sum + wrong.length, 0))],
      ]
    },
  },
  logins: {
    print: (logins) =>
      printCalls(
        `${logins.atOnce} logins at once, ${logins.rounds} times (ms)`,
        'p95',
        loginRows(logins),
      ),
    targets: ({ health, atOnce, wrong }) => [
      [
        `/health p95 while ${atOnce} sign in at once`,
        atMost(quantile(health, 0.95), 1000, { digits: 0, unit: ' ms' }),
      ],
      ['logins, wrong answers', none(wrong.length)],
    ],
  },
  accounts: {
    print: (accounts) =>
      printRows(
        'answers for addresses with and without an account (median ms)',
        ['', 'pairs', 'known', 'unknown'],
        accounts.map(({ path, pairs, known, unknown }) => [
          path,
          pairs,
          number(quantile(known, 0.5), 2),
          number(quantile(unknown, 0.5), 2),
        ]),
      ),
    targets: (accounts) =>
      accounts.map(({ path, known, unknown }) => {
        const share = quantile(known, 0.5) / quantile(unknown, 0.5)
        const text = `0.9 ≤ ${number(share, 3)} ≤ 1.1`
        return [`${path}, known beside unknown`, { text, isMet: share >= 0.9 && share <= 1.1 }]
      }),
  },
  writes: {
    print: (writes) =>
      printCalls(
        `${writes.atOnce} writes of a tenant at once, ${writes.rounds} times (ms)`,
        'p99',
        writeRows(writes),
      ),
    targets: ({ alone, together, atOnce, failed }) => [
      [
        `p99 of ${atOnce} writes at once beside one alone`,
        ratio(quantile(together, 0.99), quantile(alone, 0.5), 20),
      ],
      ['writes that failed', none(failed.length)],
    ],
  },
  graph: {
    print: ({ items, rows }) =>
      printRows(
        `Map of a user with ${items} items (one at a time; medians)`,
        ['', 'CPU ms', 'ms', 'KB'],
        rows.map(({ name, cpuMs, ms, kb }) => [name, number(cpuMs, 0), number(ms, 0), kb]),
      ),
    targets({ items, rows, nodes, isSame }) {
      const { cpuMs } = rows.find(({ name }) => name === 'computed anew')
      const isMet = nodes === Math.min(items, 2000) && isSame
      return [
        [`CPU of a map of ${items} items`, atMost(cpuMs, 2000, { digits: 0, unit: ' ms' })],
        ['nodes of a map, every time the same', { text: `${nodes} of ${items}`, isMet }],
      ]
    },
  },
  ingestion: {
    print: ({ rows }) =>
      printRows(
        'From the answer to an upload to its last passage',
        ['', 'passages', 's', 'passages/s', 'CPU ms'],
        rows.map(({ title, chunks, ms, cpuMs }) => [
          title,
          chunks,
          number(ms / 1000),
          number((chunks / ms) * 1000, 0),
          cpuMs,
        ]),
      ),
    targets: ({ rows: [markdown, ...others], beside, alone }) => [
      [
        `passages a second: ${markdown.title}`,
        atLeast((markdown.chunks / markdown.ms) * 1000, 2000, 0),
      ],
      ...others.map(({ title, ms }) => [title, atMost(ms / 1000, 3, { digits: 1, unit: ' s' })]),
      ['a search beside it', ratio(beside, alone, 1.3)],
    ],
  },
  startup: {
    targets(startup) {
      const least = Math.min(...startup)
      const text = `${number(least, 0)} ms < 100`
      return [['busy at start-up, least of the profiles', { text, isMet: least < 100 }]]
    },
  },
  bill: {
    print: (bill) => printBill('The bill of a turn', bill),
    targets: billTargets,
  },
  storylines: {
    print({ validate, turns, pages, funnelMs, moved, bill }) {
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
      printBill('The bill of a plain turn and of one in a storyline', bill)
    },
    targets({ validate: { nodes, cpuMs, ok }, turns, pages, moved: { changed, matched } }) {
      const checked = atMost(cpuMs, 50, { digits: 1, unit: ' ms' })
      return [
        [`CPU of a check of ${nodes} nodes`, { ...checked, isMet: ok && checked.isMet }],
        ['CPU of a turn in a storyline beside a plain one', atMost(turns.ratio, 1.5)],
        ['turns in storylines, wrong answers', none(turns.wrong)],
        ['page 1 beside page 500: enrollments', alike(pages, 1.5)],
        ['people moved', { text: `${changed} = ${matched}`, isMet: changed === matched }],
      ]
    },
  },
}

/** Prints what was measured, and whether it meets the targets. @param results by the part's name */
export function report(results) {
  const measured = Object.entries(PARTS).filter(([name]) => results[name])
  for (const [name, { print }] of measured) print?.(results[name])
  const targets = measured.flatMap(([name, part]) => part.targets?.(results[name]) ?? [])
  printRows(
    'Targets',
    ['', '', ''],
    targets.map(([what, { text, isMet }]) => [isMet ? 'PASS' : 'FAIL', what, text]),
  )
}

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
        ['ours', 'floor', 'ratio'].map((side) =>
          number(row[measure][side], side === 'ratio' ? 2 : 1),
        ),
      ),
      number(row.ms.ours),
      number(row.ms.floor),
      row.wrong,
    ]),
  )
}

/** What a space's calls cost by how many things of a kind it holds. */
const printTimed = (title, rows, kind) =>
  printRows(
    title,
    ['', 'CPU ms', 'ms'],
    rows.map((row) => [`${row[kind]} ${kind}`, number(row.cpuMs, 2), number(row.ms)]),
  )

const printCalls = (title, worst, rows) =>
  printRows(
    title,
    ['', 'calls', 'p50', worst],
    rows.map(([name, calls, ...times]) => [name, calls, ...times.map((ms) => number(ms, 0))]),
  )

function printBill(title, bills) {
  const names = Object.keys(bills)
  const lines = [...new Set(names.flatMap((name) => Object.keys(bills[name])))].sort()
  const rows = lines.map((line) => [line, ...names.map((name) => bills[name][line] ?? 0)])
  printRows(title, ['', ...names], rows)
}

/** The goals of the turn, beside the floor in the same windows. */
function turnTargets(rows) {
  const find = (name, atOnce) => rows.find((row) => row.name === name && row.atOnce === atOnce)
  const goals = {
    burst: {
      1: (row) => [['first token', atMost(row.firstTokenMs.ratio, 1.6)]],
      8: (row) => [
        ['CPU', atMost(row.cpuMs.ratio, 1.6)],
        ['turns/s', atLeast(row.perSecond.ratio, 0.6)],
      ],
    },
    long: {
      8: (row) => [
        ['CPU beside a turn of 32 tokens', ratio(row.cpuMs.ours, find('burst', 8).cpuMs.ours, 1.5)],
      ],
    },
    paced: {
      1: (row) => [['ms added to the first token', atMost(row.firstTokenMs.added, 5)]],
      32: (row) => [
        ['turns/s', atLeast(row.perSecond.ratio, 0.9)],
        ['ms added to the first token', atMost(row.firstTokenMs.added, 60)],
      ],
    },
    'new users': {
      1: (row) => [['first token', atMost(row.firstTokenMs.ratio, 3)]],
      8: (row) => [['CPU', atMost(row.cpuMs.ratio, 3)]],
    },
  }
  const checks = Object.entries(goals).flatMap(([name, cells]) =>
    Object.entries(cells).flatMap(([atOnce, goal]) => {
      const row = find(name, Number(atOnce))
      if (!row) return []
      return goal(row).map(([what, check]) => [`${what}; ${name}, ${atOnce} at once`, check])
    }),
  )
  return [...checks, ['wrong answers', none(rows.reduce((sum, row) => sum + row.wrong, 0))]]
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
  ].map(([name, used, limit]) => [name, { text: `${used} ≤ ${limit}`, isMet: used <= limit }])
}

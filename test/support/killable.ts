import {
  cpSync,
  type FSWatcher,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  watch as watchFolder,
} from 'node:fs'
import { join, sep } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import {
  convertV4MiniflareOptions,
  Log,
  LogLevel,
  Miniflare,
  type V4WorkerdStructuredLog,
} from 'miniflare'
import { BUNDLE, OPTIONS, STATE } from './build-once'
import {
  ADMIN_TOKEN,
  type Answer,
  begun,
  type CallOptions,
  type Parley,
  SECRETS,
  send,
  WIDE_RATES,
} from './harness'
import { stateFolder } from './state-folder'
import { SERVER_OPTIONS, workerOptions } from './worker-options.mjs'

/** A Worker that can be killed without warning and started again on the same state. */
export interface Killable {
  parley: Pick<Parley, 'admin' | 'call' | 'url'>
  server: Pick<Parley['server'], 'getLogs'>
  /** `kill -9` for workerd, where everything runs and is stored. */
  kill(): Promise<void>
  /** Kills as soon as a query of D1, as it is on disk, gives a row. */
  killOnce(query: string, ...values: string[]): Promise<void>
  /** Kills at the n-th write to any database on disk from now on; once `done` where there are fewer. @returns the writes seen. */
  killAtWrite(n: number, done: Promise<unknown>): Promise<number>
  start(): Promise<void>
  /** Runs the cron that watches documents, as if it were `aheadMs` later. */
  watch(aheadMs: number): Promise<void>
  /**
   * Copies the databases as they are on disk (D1, objects, queues), not the file store. @returns puts them back, as a
   * restored backup would. The server must not run meanwhile.
   */
  backUp(): () => void
  /** Opens each database on disk, D1's and the objects'. The server must not run meanwhile. */
  databases(work: (database: DatabaseSync) => void): void
  /** Everything that is on disk: databases, objects, queues and files, as bytes. */
  stored(): Buffer
  dispose(): Promise<void>
}

export async function startKillable(vars: Record<string, string> = {}): Promise<Killable> {
  const persist = stateFolder('parley-kill-')
  cpSync(STATE, persist, { recursive: true })
  const logs: V4WorkerdStructuredLog[] = []
  const options = {
    ...convertV4MiniflareOptions({
      ...SERVER_OPTIONS,
      log: new Log(LogLevel.NONE),
      handleStructuredLogs: (line) => logs.push(line),
      workers: [
        workerOptions({ bundle: BUNDLE, options: OPTIONS }, { ...SECRETS, ...WIDE_RATES, ...vars }),
      ],
    }),
    resourcePersistencePath: join(persist, 'v3'),
  }
  let server: Miniflare | null = null
  let base = new URL('http://127.0.0.1:1')

  const start = async () => {
    server = new Miniflare(options)
    await begun(server)
    base = await server.unsafeGetDirectURL('app')
  }
  /** @param when resolves in the moment to do it. */
  const kill = async (when: () => Promise<unknown> = async () => {}) => {
    if (!server) return
    await when()
    // Miniflare ends its workerd by SIGKILL, before it waits for anything else.
    await server.dispose()
    server = null
  }
  const killOnce = async (query: string, ...values: string[]) => {
    const folder = join(persist, 'v3', 'd1', 'miniflare-D1DatabaseObject')
    const [file] = readdirSync(folder).filter((name) => /^[0-9a-f]{64}\.sqlite$/.test(name))
    const database = new DatabaseSync(join(folder, file ?? ''), { readOnly: true })
    const wanted = database.prepare(query)
    await kill(() => lookAtWrites(folder, () => wanted.get(...values) !== undefined))
    database.close()
  }
  const killAtWrite = async (n: number, done: Promise<unknown>) => {
    let writes = 0
    const before = writesIn(persist)
    const look = () => {
      for (const [file, state] of writesIn(persist)) {
        if (before.get(file) === state) continue
        before.set(file, state)
        writes += 1
      }
      return writes >= n
    }
    await kill(() => lookAtWrites(persist, look, done))
    return writes
  }
  const call = (method: string, path: string, options: CallOptions = {}): Promise<Answer> =>
    send(base, method, path, options)

  await start()
  return {
    parley: {
      get url() {
        return base
      },
      call,
      admin: (method, path, body) =>
        call(method, path, { body, headers: { 'x-admin-token': ADMIN_TOKEN } }),
    },
    server: { getLogs: () => [...logs] },
    start,
    kill: () => kill(),
    killOnce,
    killAtWrite,
    watch: async (aheadMs) => {
      const worker = await server?.getWorker()
      await worker?.scheduled({
        cron: '*/5 * * * *',
        scheduledTime: new Date(Date.now() + aheadMs),
      })
    },
    backUp: () => {
      const copy = stateFolder('parley-backup-')
      const isDatabase = (path: string) => !path.split(sep).includes('r2')
      cpSync(persist, copy, { recursive: true, filter: isDatabase })
      return () => {
        for (const entry of readdirSync(join(persist, 'v3'))) {
          if (entry !== 'r2') rmSync(join(persist, 'v3', entry), { recursive: true, force: true })
        }
        cpSync(copy, persist, { recursive: true })
        rmSync(copy, { recursive: true, force: true })
      }
    },
    databases: (work) => {
      for (const entry of readdirSync(persist, { recursive: true, withFileTypes: true })) {
        if (!entry.isFile() || !entry.name.endsWith('.sqlite')) continue
        const database = new DatabaseSync(join(entry.parentPath, entry.name))
        work(database)
        database.close()
      }
    },
    stored: () =>
      Buffer.concat(
        readdirSync(persist, { recursive: true, withFileTypes: true })
          .filter((entry) => entry.isFile())
          .map((entry) => readFileSync(join(entry.parentPath, entry.name))),
      ),
    dispose: async () => {
      await kill()
      rmSync(persist, { recursive: true, force: true })
    },
  }
}

/** A folder that came a moment ago tells nothing of what was written in it before it was watched. */
const LOOK_MS = 5

/**
 * Looks whenever something in the folder was written, until it was seen or all is `done`. To look all the time takes one of
 * two cores from what is waited for.
 */
async function lookAtWrites(
  folder: string,
  isSeen: () => boolean,
  done?: Promise<unknown>,
): Promise<void> {
  const watched = new Map<string, FSWatcher>()
  let isDone = false
  let wake = () => {}
  void done?.then(() => {
    isDone = true
    wake()
  })
  while (!isSeen() && !isDone) {
    for (const inside of foldersIn(folder))
      if (!watched.has(inside))
        watched.set(
          inside,
          watchFolder(inside, () => wake()),
        )
    await new Promise<void>((resolve) => {
      wake = resolve
      setTimeout(resolve, LOOK_MS)
    })
  }
  for (const watcher of watched.values()) watcher.close()
}

const foldersIn = (folder: string): string[] => [
  folder,
  ...readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name)),
]

/** The write-ahead logs of all databases, each with how far it has come. */
function writesIn(folder: string): Map<string, string> {
  const logs = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  return new Map(
    logs
      .filter((name) => name.endsWith('-wal'))
      .map((name) => {
        const stat = statSync(join(folder, name), { bigint: true, throwIfNoEntry: false })
        return [name, `${stat?.size} ${stat?.mtimeNs}`]
      }),
  )
}

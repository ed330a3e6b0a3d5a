import { readdirSync, readFileSync } from 'node:fs'

const read = (path: string): string => {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    // It ended meanwhile.
    return ''
  }
}
const isRuntime = (pid: string) =>
  read(`/proc/${pid}/stat`).startsWith(`${pid} (workerd) `) &&
  read(`/proc/${pid}/stat`).split(') ')[1]?.split(' ')[1] === String(process.pid)

/** Reads how many milliseconds of CPU the runtimes that this process started have used so far: what a busy machine leaves as it is. */
export function runtimeCpu(): () => number {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name) && isRuntime(name))
  return () => {
    let nanoseconds = 0
    for (const pid of pids)
      for (const thread of readdirSync(`/proc/${pid}/task`))
        nanoseconds += Number(read(`/proc/${pid}/task/${thread}/schedstat`).split(' ')[0])
    return nanoseconds / 1e6
  }
}

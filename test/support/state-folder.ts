import { existsSync, mkdtempSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const MEMORY = '/dev/shm'
const ROOM_BYTES = 4 * 2 ** 30

/**
 * A new folder for the state of a Worker, in memory where there is room: each write of a test's Worker waits for its file
 * system, and nothing here outlives the machine. A process that is killed leaves the same files in both.
 */
export const stateFolder = (prefix: string): string => mkdtempSync(join(root(), prefix))

function root(): string {
  if (!existsSync(MEMORY)) return tmpdir()
  const { bavail, bsize } = statfsSync(MEMORY)
  return bavail * bsize >= ROOM_BYTES ? MEMORY : tmpdir()
}

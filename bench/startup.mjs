/** How long the bundle works before it can take a request, by wrangler's own start-up profile. */
import { execFileSync } from 'node:child_process'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

const ROOT = resolve(import.meta.dirname, '..')
const WRANGLER = join(ROOT, 'node_modules/wrangler/bin/wrangler.js')
/** A profile takes whatever else the machine does for the Worker's work; the least disturbed one counts. */
const PROFILES = 5

/** @returns busy time of each profile in ms, of the bundle as it is deployed. */
export function measureStartup() {
  return Array.from({ length: PROFILES }, () => {
    const printed = execFileSync(
      process.execPath,
      [
        WRANGLER,
        'check',
        'startup',
        '--args=--env production --minify',
        `--outfile=${join(tmpdir(), `parley-startup-${process.pid}.cpuprofile`)}`,
      ],
      { cwd: ROOT, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] },
    )
    const found = /Active: ([\d.]+) ms/.exec(printed)
    if (!found) throw new Error(`No profile in what wrangler printed: ${printed}`)
    return Number(found[1])
  })
}

// Prints the figures of the house: `node scripts/figures.mjs`. It checks nothing; `npm run check` does.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { measureStartup } from '../bench/startup.mjs'
import { measureWorker, sizeLine } from './check-budgets.mjs'
import { brokenWalls, readImports } from './check-floors.mjs'
import { writersOf } from './check-writers.mjs'

const root = join(import.meta.dirname, '..')
const LONG = 300

const { files, edges } = await readImports(root)
const broken = brokenWalls(files, edges)
const lengths = files.map((file) => ({ file, lines: read(file).split('\n').length - 1 }))
const lines = lengths.reduce((sum, one) => sum + one.lines, 0)
const long = lengths.filter((one) => one.lines > LONG).sort((a, b) => b.lines - a.lines)
const space = read('durable-objects/user-space/user-space.ts')
const methods = [
  ...space.matchAll(/^ {2}(?:override )?(?:async )?(?!constructor)(\w+)(?:<[^>]*>)?\(/gmu),
]

console.log(`files ${files.length}, imports of values ${edges.length}, lines ${lines}`)
console.log(`imports that lead up, cycles, pages that meet: ${broken.length}`)
console.log(`files over ${LONG} lines: ${long.length}`)
for (const { file, lines: length } of long) console.log(`  ${length} ${file}`)
console.log(`UserSpace: ${space.split('\n').length - 1} lines, ${methods.length} methods`)
console.log(`  ${methods.map(([, name]) => name).join(', ')}`)
for (const object of ['user-space', 'knowledge-base', 'tenant-meter']) {
  const sources = globSync(`durable-objects/${object}/**/*.ts`, { cwd: root })
  const writers = writersOf(sources.map((file) => ({ file, text: read(file) })))
  const most = Math.max(...[...writers.values()].map((of) => of.size))
  console.log(`${object}: ${writers.size} tables, at most ${most} file(s) write one`)
}
for (const row of await measureWorker()) console.log(sizeLine(row))
console.log(
  `start-up: ${measureStartup()
    .toSorted((a, b) => a - b)
    .join(', ')} ms busy`,
)

function read(file) {
  return readFileSync(join(root, file), 'utf8')
}

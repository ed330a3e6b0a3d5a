// Prints the figures of the house: `node scripts/figures.mjs`. It checks nothing; `npm run check` does.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { measureStartup } from '../bench/startup.mjs'
import { measureWorker, sizeLine } from './check-budgets.mjs'
import { brokenWalls, readImports } from './check-floors.mjs'
import { sourcesOf, writersOf } from './check-writers.mjs'

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
  // What a file writes by a name that it is given is no table of its own.
  const writers = [...writersOf(sourcesOf(root, `durable-objects/${object}`))].filter(([table]) =>
    /^\w/u.test(table),
  )
  const most = Math.max(...writers.map(([, by]) => by.size))
  console.log(`${object}: ${writers.length} tables, at most ${most} file(s) write one`)
}
for (const row of await measureWorker()) console.log(sizeLine(row))
console.log('start-up: five profiles, which take a minute or two')
const startups = measureStartup().toSorted((a, b) => a - b)
console.log(`start-up: ${startups.join(', ')} ms busy`)

function read(file) {
  return readFileSync(join(root, file), 'utf8')
}

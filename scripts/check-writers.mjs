// Every table of a Durable Object is written by one file: its store. Whoever changes a row is found there, and nowhere else.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Files that write tables whose names they are given, and why no store can. */
const BY_NAME = new Map([
  [
    'durable-objects/user-space/merge/moving-rows.ts',
    'rows of every part as they are, while no part may change anything',
  ],
  ['durable-objects/knowledge-base/index-upkeep.ts', 'a command to the text indexes, and no row'],
])

const WRITES =
  /\b(?:INSERT(?:\s+OR\s+\w+)?\s+INTO|REPLACE\s+INTO|UPDATE|DELETE\s+FROM)\s+(\w+|"|\$\{)/gu
/** `ON CONFLICT DO UPDATE SET` names no table. */
const NO_TABLE = new Set(['SET'])

/**
 * @param {{ file: string, text: string }[]} sources of one object
 * @returns {Map<string, Set<string>>} the files that write each table.
 */
export function writersOf(sources) {
  const writers = new Map()
  for (const { file, text } of sources) {
    for (const [, table] of text.matchAll(WRITES)) {
      if (NO_TABLE.has(table)) continue
      writers.set(table, (writers.get(table) ?? new Set()).add(file))
    }
  }
  return writers
}

/** @returns {string[]} a line for each table with two writers, and for each file that writes tables it does not name. */
export function strayWriters(sources) {
  return [...writersOf(sources)].flatMap(([table, files]) => {
    if (/^\w/u.test(table)) {
      return files.size === 1 ? [] : [`${table} is written by ${[...files].join(' and ')}`]
    }
    return [...files]
      .filter((file) => !BY_NAME.has(file))
      .map((file) => `${file} writes a table that it does not name`)
  })
}

/**
 * @param {string} root the project's folder
 * @param {string} folder of one object, below the root
 * @returns {{ file: string, text: string }[]} what writes its rows: migrations, which fill what they make, do not count.
 */
export function sourcesOf(root, folder) {
  return globSync(`${folder}/**/*.ts`, { cwd: root })
    .filter((file) => !file.endsWith('/schema.ts'))
    .map((file) => ({ file, text: readFileSync(join(root, file), 'utf8') }))
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const root = join(import.meta.dirname, '..')
  const stray = globSync('durable-objects/*/', { cwd: root }).flatMap((folder) =>
    strayWriters(sourcesOf(root, folder)),
  )
  for (const line of stray) console.error(line)
  if (stray.length > 0) process.exit(1)
}

// The walls of the house: which room may import which. Types cross freely; what runs does not.
import { existsSync, globSync, statSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

/** From the ground up: a room imports rooms below its own, and rooms of its floor as long as no cycle comes of it. */
const FLOORS = [
  ['context', 'errors', 'log', 'time', 'config', 'lazy'],
  ['db', 'text', 'language'],
  ['platform'],
  ['models', 'memory', 'revisions', 'wire'],
  ['audit', 'usage', 'knowledge-graph', 'resources'],
  ['domains', 'knowledge', 'mcp', 'webhooks'],
  ['tenants'],
  ['skills'],
  ['agents'],
  ['apps', 'spaces', 'storylines', 'handoffs', 'reminders'],
  ['users', 'sessions', 'streams'],
  ['chat'],
  ['channels', 'reviews', 'rehearsal', 'deletion', 'exports'],
  ['http', 'pages', 'api-description', 'mcp-server'],
  ['durable-objects', 'jobs', 'routes'],
  ['app'],
  ['index'],
]

/** The browser's code: its rooms share `kit` and nothing else, and take nothing of the server but types. */
const WEB = 'src/web/'
const KIT = 'kit'

/** @typedef {{ from: string, to: string }} Import one file imports another, both by their paths from the root */

/**
 * @param {string[]} files
 * @param {Import[]} edges
 * @returns {string[]} what breaks a wall, a line each: imports that lead up, cycles of files, web rooms that meet.
 */
export function brokenWalls(files, edges) {
  return [...leadingUp(edges), ...cycles(files, edges), ...meetingRooms(edges)]
}

const roomOf = (file) =>
  file.startsWith('durable-objects/')
    ? 'durable-objects'
    : file.split('/')[1].replace(/\.tsx?$/u, '')

function leadingUp(edges) {
  const floor = new Map(FLOORS.flatMap((rooms, level) => rooms.map((room) => [room, level])))
  const broken = []
  for (const { from, to } of edges) {
    if (from.startsWith(WEB) || to.startsWith(WEB)) continue
    const [low, high] = [floor.get(roomOf(from)), floor.get(roomOf(to))]
    if (low === undefined || high === undefined)
      broken.push(
        `${low === undefined ? from : to} stands on no floor: name its folder in scripts/check-floors.mjs`,
      )
    else if (high > low) broken.push(`${from} (floor ${low}) imports ${to} (floor ${high})`)
  }
  return broken
}

function meetingRooms(edges) {
  const room = (file) => file.slice(WEB.length).split('/')[0]
  return edges
    .filter(({ from, to }) => from.startsWith(WEB) || to.startsWith(WEB))
    .filter(({ from, to }) => {
      if (!from.startsWith(WEB) || !to.startsWith(WEB)) return true
      return room(from) !== room(to) && room(to) !== KIT
    })
    .map(({ from, to }) => `${from} imports ${to}: pages share src/web/${KIT} alone`)
}

/** Tarjan's strongly connected components: each with more than one file is a cycle. */
function cycles(files, edges) {
  const next = new Map(files.map((file) => [file, []]))
  for (const { from, to } of edges) next.get(from)?.push(to)
  const index = new Map()
  const low = new Map()
  const stack = []
  const broken = []
  const visit = (file) => {
    index.set(file, index.size)
    low.set(file, index.get(file))
    stack.push(file)
    for (const other of next.get(file) ?? []) {
      if (!index.has(other)) {
        visit(other)
        low.set(file, Math.min(low.get(file), low.get(other)))
      } else if (stack.includes(other)) low.set(file, Math.min(low.get(file), index.get(other)))
    }
    if (low.get(file) !== index.get(file)) return
    const ring = stack.splice(stack.indexOf(file))
    if (ring.length > 1) broken.push(`a cycle of imports: ${ring.join(' → ')}`)
  }
  for (const file of files) if (!index.has(file)) visit(file)
  return broken
}

/** Value imports as the bundler sees them: what only types need is gone. */
export async function readImports(root) {
  const files = globSync(['src/**/*.{ts,tsx}', 'durable-objects/**/*.ts'], { cwd: root }).filter(
    (file) => !file.endsWith('.d.ts'),
  )
  const edges = []
  const collect = {
    name: 'collect-imports',
    setup({ onResolve }) {
      onResolve({ filter: /.*/ }, ({ path, kind, importer, resolveDir }) => {
        if (kind === 'entry-point') return undefined
        const target = path.startsWith('.') ? sourceFile(resolve(resolveDir, path)) : null
        if (target === null) return { path, external: true }
        edges.push({ from: relative(root, importer), to: relative(root, target) })
        return { path: target }
      })
    },
  }
  await build({
    absWorkingDir: root,
    entryPoints: files,
    bundle: true,
    write: false,
    outdir: join(root, 'dist', 'floors'),
    format: 'esm',
    platform: 'neutral',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    logLevel: 'error',
    plugins: [collect],
  })
  return { files, edges }
}

const sourceFile = (path) =>
  [path, `${path}.ts`, `${path}.tsx`].find(
    (file) => /\.tsx?$/u.test(file) && existsSync(file) && statSync(file).isFile(),
  ) ?? null

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { files, edges } = await readImports(join(import.meta.dirname, '..'))
  const broken = brokenWalls(files, edges)
  for (const line of broken) console.error(line)
  console.log(`${files.length} files, ${edges.length} imports, ${broken.length} broken walls`)
  if (broken.length > 0) process.exit(1)
}

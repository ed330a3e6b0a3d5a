// `npm run check`: builds what the checks read, then runs them, as many at once as there are processors. What each says is
// printed whole, and all of them are heard: exits with 1 when any failed.
import { spawn } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { dirname } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)))
const BUILD = 'node scripts/build-web.mjs'
/** Each stands for itself. The longest come first, so that none runs alone at the end. */
const CHECKS = [
  'tsc -p tsconfig.json',
  'node scripts/check-floors.mjs',
  'biome ci',
  'node scripts/check-budgets.mjs',
  'vitest run --config vitest.walls.config.ts',
  'wrangler types src/env.d.ts --include-runtime=false --strict-vars=false --env-file .dev.vars.example --check',
  'tsc -p test/system/tsconfig.json',
  'node scripts/check-looks.mjs',
  'tsc -p src/web/tsconfig.json',
  'node scripts/check-widget-package.mjs',
  'tsc -p src/web/worker/tsconfig.json',
  'node scripts/check-reads.mjs',
  'node scripts/check-writers.mjs',
  'node scripts/check-expressions.mjs',
]

if (!(await run(BUILD))) process.exit(1)
const waiting = [...CHECKS]
const failed = []
await Promise.all(Array.from({ length: availableParallelism() }, work))
for (const command of failed) console.error(`✗ ${command}`)
process.exitCode = failed.length > 0 ? 1 : 0

async function work() {
  for (let command = waiting.shift(); command; command = waiting.shift())
    if (!(await run(command))) failed.push(command)
}

/** npm has put the project's own programs on the path. @returns whether it passed */
async function run(command) {
  const [program, ...args] = command.split(' ')
  const began = performance.now()
  const child = spawn(program, args, { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'] })
  const ended = new Promise((done) => {
    child.once('error', (error) => done(error.message))
    child.once('close', (code, signal) => done(code ?? signal))
  })
  const [said, wrong, code] = await Promise.all([text(child.stdout), text(child.stderr), ended])
  const seconds = ((performance.now() - began) / 1000).toFixed(1)
  console.log(`── ${command}: ${seconds} s\n${said}${wrong}`.trimEnd())
  if (code !== 0) console.log(`✗ ${command}: ${code}`)
  return code === 0
}

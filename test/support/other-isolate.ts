import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { BUNDLE, ROOT } from './build-once'
import { type Beside, SECRETS, WIDE_RATES } from './harness'

const NAME = 'parley-other'

/**
 * The same Worker a second time beside the first, with the first one's database, files and objects: what the first
 * remembers in its isolate this one does not, and the other way round. `parley.server.getWorker(OTHER).fetch(…)` asks it.
 */
export function otherIsolateBeside(vars: Record<string, string> = {}): Beside {
  return {
    workers: [
      {
        configPath: writeConfig(),
        prebuiltWorkerDir: BUNDLE,
        secrets: SECRETS,
        vars: { ...WIDE_RATES, ...vars },
      },
    ],
  }
}

export const OTHER = NAME

/** The default environment without what only one Worker may have: consumers, schedules, and classes of its own. */
function writeConfig(): string {
  const [own = ''] = readFileSync(join(ROOT, 'wrangler.toml'), 'utf8').split('[env.production]')
  const blocks = own.split(/\n(?=\[)/u).flatMap((block) => {
    if (/^\[\[?(?:queues\.consumers|migrations|triggers|build)\]/u.test(block)) return []
    return [block.startsWith('[[durable_objects') ? `${block}\nscript_name = "parley"` : block]
  })
  const text = blocks
    .join('\n')
    .replace('name = "parley"', `name = "${NAME}"`)
    .replace(/(main|base_dir) = "src/gu, '$1 = "../src')
    .replace(/"\.\/(src|public)/gu, '"../$1')
    .replace('migrations_dir = "', 'migrations_dir = "../')
  mkdirSync(join(ROOT, 'dist'), { recursive: true })
  const path = join(ROOT, 'dist', `other-isolate-${process.pid}.toml`)
  writeFileSync(path, text)
  return path
}

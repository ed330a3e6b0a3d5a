// Whether the pages and the late modules are newer than everything they could be made of.
import { readdirSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'

const ROOT = resolve(import.meta.dirname, '..')
const MADE = [
  'src/pages/assets.gen.ts',
  'src/pages/early.gen.ts',
  'src/text/snowball.gen.cjs',
  'src/platform/uploads/fflate.gen.cjs',
  'src/lazy/mcp.mjs',
  'public/_headers',
]
const LATE = 'src/lazy/'
/** What makes them, as paths in the checkout. */
export const PAGE_TOOLS = [
  'build-web',
  'build-lazy',
  'leaner-pdf',
  'bounded-pdf',
  'leaner-snowball',
  'replace-part',
].map((name) => `scripts/${name}.mjs`)
/** Folders and files; what is made from them lies among them too. */
const FROM = ['src', ...PAGE_TOOLS, 'package-lock.json']

export function arePagesFresh() {
  const made = MADE.map(timeOf)
  if (made.includes(null)) return false
  const oldest = Math.min(...made)
  return FROM.flatMap(filesIn).every(
    (path) => MADE.includes(path) || path.startsWith(LATE) || timeOf(path) <= oldest,
  )
}

function filesIn(path) {
  if (!statSync(join(ROOT, path)).isDirectory()) return [path]
  return readdirSync(join(ROOT, path), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(ROOT.length + 1))
}

function timeOf(path) {
  return statSync(join(ROOT, path), { throwIfNoEntry: false })?.mtimeMs ?? null
}

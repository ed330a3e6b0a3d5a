// `npm install` ends with this: takes out of node_modules what nothing here reads, about 130 MB. Must run on Node 20.
import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'

const MODULES = join(import.meta.dirname ?? '.', '../node_modules')

/** Folder, `*` for each folder in it, and what goes. A path that is not there, as on other platforms, is no fault. */
const UNUSED = [
  // Headers for building native add-ons.
  ['node/node_modules/*', /^(?:include|share)$/],
  // Image work of Cloudflare Images, which miniflare loads only for its binding.
  ['@img/*', /^lib$/],
  // The same library in further forms.
  ['swagger-ui-dist', /^swagger-ui(?:-es-.*|-standalone-.*)?\.js$/],
  // Its source, beside what is made of it.
  ['openai', /^src$/],
]

for (const [place, name] of UNUSED) {
  for (const folder of expand(place)) {
    for (const entry of list(folder)) {
      if (name.test(entry)) rmSync(join(folder, entry), { recursive: true })
    }
  }
}
// Source maps of the packages: nobody steps through those, and their sources mostly don't come along.
for (const file of readdirSync(MODULES, { recursive: true }))
  if (/\.map$/.test(file)) rmSync(join(MODULES, file))

function expand(place) {
  if (!place.endsWith('/*')) return [join(MODULES, place)]
  const parent = join(MODULES, place.slice(0, -2))
  return list(parent).map((name) => join(parent, name))
}

function list(folder) {
  try {
    return readdirSync(folder)
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(error.code)) return []
    throw error
  }
}

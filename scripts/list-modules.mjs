import { readdirSync } from 'node:fs'
import { join } from 'node:path'

/** What wrangler wrote to a folder as miniflare's `modules`: the bundle, then what is loaded late. */
export function listModules(folder) {
  const files = readdirSync(folder, { recursive: true }).filter((file) =>
    /\.(?:m?js|wasm)$/.test(file),
  )
  return files
    .toSorted((a, b) => Number(b.endsWith('.js')) - Number(a.endsWith('.js')))
    .map((file) => ({
      type: file.endsWith('.wasm') ? 'CompiledWasm' : 'ESModule',
      path: join(folder, file),
    }))
}

import { statSync } from 'node:fs'
import { resolve } from 'node:path'

/** @returns the first of `sources` that was written after the oldest of `made` (files, in `folder` unless absolute), or null */
export function findNewer(sources: string[], made: string[], folder: string): string | null {
  const timeOf = (path: string) => statSync(resolve(folder, path)).mtimeMs
  const oldest = Math.min(...made.map(timeOf))
  return sources.find((path) => timeOf(path) > oldest) ?? null
}

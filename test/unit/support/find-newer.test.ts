import { mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { findNewer } from '../../support/find-newer'

const folder = mkdtempSync(join(tmpdir(), 'parley-newer-'))
afterAll(() => rmSync(folder, { recursive: true }))

function write(name: string, second: number): string {
  const path = join(folder, name)
  writeFileSync(path, '')
  utimesSync(path, second, second)
  return name
}

it('names the source that was written after the oldest file of a build', () => {
  const made = [write('index.js', 20), write('options.json', 30)]
  const old = write('old.ts', 19)
  const same = write('same.ts', 20)
  expect(findNewer([old, same], made, folder)).toBeNull()
  expect(findNewer([old, write('new.ts', 21), same], made, folder)).toBe('new.ts')
})

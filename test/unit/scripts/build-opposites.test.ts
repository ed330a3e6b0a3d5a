import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { LANGUAGES } from '../../../src/config/names'
import { OPPOSITE_SIDES, oppositesOf } from '../../../src/language/opposites'
import { OPPOSITES } from '../../../src/language/opposites.lazy'

const SCRIPTS = join(import.meta.dirname, '../../../scripts')
const WRITTEN = join(SCRIPTS, '../src/language/opposites.lazy.ts')

describe('the opposites', () => {
  it('are what their script makes of the lists', () => {
    const folder = mkdtempSync(join(tmpdir(), 'parley-opposites-'))
    const made = join(folder, 'made.ts')
    execFileSync('node', [join(SCRIPTS, 'build-opposites.mjs'), made])
    expect(readFileSync(made, 'utf8')).toBe(readFileSync(WRITTEN, 'utf8'))
    rmSync(folder, { recursive: true })
  })

  it('have a list of every language that the pages speak', () => {
    const files = readdirSync(join(SCRIPTS, 'opposites'))
    expect(LANGUAGES.filter((language) => !files.includes(`${language}.txt`))).toEqual([])
  })

  it('give each side of a group a number of its own', () => {
    const most = Object.values(OPPOSITES).flatMap((line) =>
      line.split(';').map((group) => group.split('/').length),
    )
    expect(Math.max(...most)).toBeLessThan(OPPOSITE_SIDES)
    const [for_, against] = ['for', 'against'].map((word) => oppositesOf('en')?.get(word) ?? [])
    const groupOf = (side: number) => Math.floor(side / OPPOSITE_SIDES)
    expect(for_?.some((one) => against?.some((other) => groupOf(one) === groupOf(other)))).toBe(
      true,
    )
    expect(oppositesOf('xx')?.size).toBe(1)
  })
})

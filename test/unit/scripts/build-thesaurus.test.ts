import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { LANGUAGES } from '../../../src/config/names'
import { isEverydayVerb, loadThesaurus, othersOf } from '../../../src/language/thesaurus'
import { wordToken } from '../../../src/text/analyze'

const SCRIPTS = join(import.meta.dirname, '../../../scripts')
const WRITTEN = join(SCRIPTS, '../src/language/thesaurus.lazy.ts')

describe('the thesaurus', () => {
  it('is what its script makes of the lists', () => {
    const before = readFileSync(WRITTEN, 'utf8')
    execFileSync('node', [join(SCRIPTS, 'build-thesaurus.mjs')])
    expect(readFileSync(WRITTEN, 'utf8')).toBe(before)
  })

  it('has a list of every language that the pages speak', () => {
    const files = readdirSync(join(SCRIPTS, 'thesaurus/groups'))
    expect(LANGUAGES.filter((language) => !files.includes(`${language}.txt`))).toEqual([])
  })

  it('says what people call a thing, in its language', async () => {
    await loadThesaurus()
    expect(othersOf('en', wordToken('bonfire', 'english'))).toContain(wordToken('fire', 'english'))
    expect(othersOf('zh-TW', '洗手間')).toContain('廁所')
    expect(othersOf('es', 'bonfir')).toEqual([])
    expect(othersOf('xx', 'fire')).toEqual([])
    expect(isEverydayVerb('en', 'bring')).toBe(true)
    expect(isEverydayVerb('en', 'cancel')).toBe(false)
  })
})

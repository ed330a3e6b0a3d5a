import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { LANGUAGES } from '../../../src/config/names'
import { loadThesaurus, thesaurusOf } from '../../../src/language/thesaurus'
import { wordToken } from '../../../src/text/analyze'

const SCRIPTS = join(import.meta.dirname, '../../../scripts')
const WRITTEN = join(SCRIPTS, '../src/language/thesaurus.lazy.ts')

describe('the thesaurus', () => {
  it('is what its script makes of the lists', () => {
    const folder = mkdtempSync(join(tmpdir(), 'parley-thesaurus-'))
    const made = join(folder, 'made.ts')
    execFileSync('node', [join(SCRIPTS, 'build-thesaurus.mjs'), made])
    expect(readFileSync(made, 'utf8')).toBe(readFileSync(WRITTEN, 'utf8'))
    rmSync(folder, { recursive: true })
  })

  it('has a list of every language that the pages speak', () => {
    const files = readdirSync(join(SCRIPTS, 'thesaurus/kin'))
    expect(LANGUAGES.filter((language) => !files.includes(`${language}.txt`))).toEqual([])
  })

  it('says what people call a thing, in its language', async () => {
    await loadThesaurus()
    const stem = (word: string) => wordToken(word, 'english')
    const { synonyms, kin, verbs } = thesaurusOf('en')
    expect(synonyms.get(stem('remove'))).toContain(stem('delete'))
    expect(kin.get(stem('bonfire'))).toContain(stem('fire'))
    expect(thesaurusOf('zh-TW').kin.get('洗手間')).toContain('廁所')
    expect(thesaurusOf('es').kin.get(stem('bonfire'))).toBeUndefined()
    expect(thesaurusOf('xx').kin.get(stem('fire'))).toBeUndefined()
    expect(['bring', 'cancel'].map((word) => verbs.has(word))).toEqual([true, false])
  })
})

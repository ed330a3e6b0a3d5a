import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { LANGUAGES } from '../../../src/config/names'
import { loadThesaurus, thesaurusOf } from '../../../src/language/thesaurus'
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

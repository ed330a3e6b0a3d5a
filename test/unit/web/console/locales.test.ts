import { globSync, readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { describe, expect, it } from 'vitest'
import { LANGUAGES } from '../../../../src/config/names'

type Entry = string | Record<string, string>
const CONSOLE = 'src/web/console'
const folders = globSync(`${CONSOLE}/**/locales/en.json`).map((file) => dirname(dirname(file)))
const read = (folder: string, lang: string): Record<string, Entry> =>
  JSON.parse(readFileSync(`${folder}/locales/${lang}.json`, 'utf8'))
const namesIn = (text: string) => [...text.matchAll(/\{(\w+)\}/g)].map((match) => match[1]).sort()
/** A key stands in the code as it is, or with its end computed (`status_${state}`), or both (`${name}_${value}`). */
const isUsed = (code: string, key: string) =>
  code.includes(`'${key}'`) ||
  [...key.matchAll(/[_A-Z]/g)].some(({ index, 0: sign }) => {
    const start = key.slice(0, index)
    const isComputed = code.includes(`\`${start}${sign === '_' ? '_' : ''}\${`)
    return isComputed || (sign === '_' && code.includes(`'${start}'`) && code.includes('}_${'))
  })

it('the console has words', () => {
  expect(folders).toContain(CONSOLE)
})

describe.each(folders)('the language files of %s', (folder) => {
  const en = read(folder, 'en')

  it.each(LANGUAGES)('%s has every key, its plural forms and the placeholders of en', (lang) => {
    const messages = read(folder, lang)
    expect(Object.keys(messages).sort()).toEqual(Object.keys(en).sort())
    const forms = [...new Intl.PluralRules(lang).resolvedOptions().pluralCategories].sort()
    for (const [key, entry] of Object.entries(messages)) {
      const original = en[key] ?? ''
      if (typeof entry === 'string') {
        expect({ key, names: namesIn(entry) }).toEqual({ key, names: namesIn(String(original)) })
        expect({ key, text: entry.trim() }).not.toEqual({ key, text: '' })
      } else {
        expect({ key, forms: Object.keys(entry).sort() }).toEqual({ key, forms })
        expect({ key, names: namesIn(entry.other ?? '') }).toEqual({
          key,
          names: namesIn((original as Record<string, string>).other ?? ''),
        })
      }
    }
  })

  it('are in their own languages', () => {
    const words = Object.keys(en).filter((key) => String(en[key]).split(' ').length > 3)
    for (const lang of LANGUAGES.filter((one) => one !== 'en')) {
      const messages = read(folder, lang)
      expect([lang, words.filter((key) => messages[key] === en[key])]).toEqual([lang, []])
    }
  })

  it('are all used', () => {
    const own = globSync(`${folder}/**/*.{ts,tsx}`).map((file) => readFileSync(file, 'utf8'))
    const words = `/${folder.split('/').at(-1)}/words'`
    const others = globSync(`${CONSOLE}/**/*.{ts,tsx}`)
      .map((file) => readFileSync(file, 'utf8'))
      .filter((text) => text.includes(words))
    const code = [...own, ...others].join('\n')
    expect(Object.keys(en).filter((key) => !isUsed(code, key))).toEqual([])
  })
})

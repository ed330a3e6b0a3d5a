import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { LANGUAGES } from '../../../../src/config/names'
import { createLocale, type Messages } from '../../../../src/web/chat/i18n'
import en from '../../../../src/web/chat/locales/en.json'

const FOLDER = 'src/web/chat/locales'
type Entry = string | Record<string, string>

function read(lang: string): Record<string, Entry> {
  return JSON.parse(readFileSync(`${FOLDER}/${lang}.json`, 'utf8'))
}

function placeholders(entry: Entry): string[] {
  const text = typeof entry === 'string' ? entry : (entry.other ?? '')
  return [...new Set([...text.matchAll(/\{(\w+)\}/g)].map((m) => m[1] ?? ''))].sort()
}

describe('language files', () => {
  it('exist for exactly the languages of the product', () => {
    const files = readdirSync(FOLDER).map((file) => file.replace('.json', ''))
    expect(files.sort()).toEqual([...LANGUAGES].sort())
  })

  it.each(LANGUAGES)('%s has every key, in the order of en, and nothing empty', (lang) => {
    const messages = read(lang)
    expect(Object.keys(messages)).toEqual(Object.keys(en))
    for (const entry of Object.values(messages)) {
      for (const text of typeof entry === 'string' ? [entry] : Object.values(entry)) {
        expect(text.trim()).not.toBe('')
      }
    }
  })

  it.each(LANGUAGES)('%s has the placeholders of en', (lang) => {
    for (const [key, entry] of Object.entries(read(lang))) {
      expect({ key, names: placeholders(entry) }).toEqual({
        key,
        names: placeholders((en as Record<string, Entry>)[key] ?? ''),
      })
    }
  })

  it.each(LANGUAGES)('%s has exactly the plural forms of its grammar', (lang) => {
    const forms = [...new Intl.PluralRules(lang).resolvedOptions().pluralCategories].sort()
    for (const [key, entry] of Object.entries(read(lang))) {
      expect(typeof entry).toBe(typeof (en as Record<string, Entry>)[key])
      if (typeof entry !== 'string') {
        expect({ key, forms: Object.keys(entry).sort() }).toEqual({ key, forms })
      }
    }
  })

  it('are all used by the app', () => {
    const files = readdirSync('src/web/chat', { recursive: true, encoding: 'utf8' })
    const code = files
      .filter((file) => /\.tsx?$/.test(file))
      .map((file) => readFileSync(`src/web/chat/${file}`, 'utf8'))
      .join('\n')
    for (const key of Object.keys(en)) expect(code).toContain(`'${key}'`)
  })
})

describe('createLocale', () => {
  const locale = (lang: (typeof LANGUAGES)[number]) => createLocale(lang, read(lang) as Messages)

  it('chooses the plural form and writes the number', () => {
    const russian = [1, 3, 5, 21].map((n) => locale('ru').t('sourceCount', { n }))
    expect(russian).toEqual(['1 источник', '3 источника', '5 источников', '21 источник'])
    const arabic = [1, 2, 3, 11].map((n) => locale('ar').t('sourceCount', { n }))
    expect(arabic[0]).toBe('مصدر واحد')
    expect(arabic[1]).toBe('مصدران')
    expect(new Set(arabic).size).toBe(4)
  })

  it('puts values in as they are and leaves an unknown name visible', () => {
    expect(locale('en').t('askPlaceholder', { agent: '{time} $& desk' })).toBe('Ask {time} $& desk')
    expect(locale('en').t('askPlaceholder')).toBe('Ask {agent}')
  })
})

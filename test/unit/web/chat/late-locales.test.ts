import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { LANGUAGES } from '../../../../src/config/names'
import account from '../../../../src/web/chat/account/locales/en.json'
import app from '../../../../src/web/chat/app/locales/en.json'
import guide from '../../../../src/web/chat/guide/locales/en.json'
import proof from '../../../../src/web/chat/proof/locales/en.json'
import speech from '../../../../src/web/chat/speech/locales/en.json'
import voice from '../../../../src/web/chat/voice/locales/en.json'

type Entry = string | Record<string, string>
const read = (part: string, lang: string): Record<string, Entry> =>
  JSON.parse(readFileSync(`src/web/chat/${part}/locales/${lang}.json`, 'utf8'))
const namesIn = (text: string) => [...text.matchAll(/\{(\w+)\}/g)].map((match) => match[1]).sort()

/** `beside`: folders whose words are in this part's files. */
describe.each<{ part: string; en: Record<string, Entry>; beside?: string[] }>([
  { part: 'account', en: account },
  { part: 'app', en: app, beside: ['again'] },
  { part: 'guide', en: guide },
  { part: 'proof', en: proof },
  { part: 'speech', en: speech },
  { part: 'voice', en: voice },
])('the language files of $part', ({ part, en, beside = [] }) => {
  it.each(LANGUAGES)('%s has every key, its plural forms and the placeholders of en', (lang) => {
    const messages = read(part, lang)
    expect(Object.keys(messages)).toEqual(Object.keys(en))
    const forms = [...new Intl.PluralRules(lang).resolvedOptions().pluralCategories].sort()
    for (const [key, entry] of Object.entries(messages)) {
      const original = (en as Record<string, Entry>)[key] ?? ''
      if (typeof entry === 'string') {
        // A name's sign outside of it would stand on its other side from right to left.
        expect(entry).not.toMatch(/[@#+]\{/)
        expect({ key, names: namesIn(entry) }).toEqual({ key, names: namesIn(String(original)) })
        expect(entry.trim()).not.toBe('')
      } else {
        expect({ key, forms: Object.keys(entry).sort() }).toEqual({ key, forms })
        expect(namesIn(entry.other ?? '')).toEqual(['n'])
      }
    }
  })

  it('are all used', () => {
    const code = [part, ...beside]
      .flatMap((folder) =>
        readdirSync(`src/web/chat/${folder}`).map((file) => `src/web/chat/${folder}/${file}`),
      )
      .filter((file) => /\.tsx?$/.test(file))
      .map((file) => readFileSync(file, 'utf8'))
      .join('\n')
    for (const key of Object.keys(en)) expect(code).toContain(`'${key}'`)
  })
})

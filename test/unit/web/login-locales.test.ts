import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { LANGUAGES } from '../../../src/config/names'
import { MAIL_TEXT } from '../../../src/platform/mail/mail-text'
import en from '../../../src/web/login/locales/en.json'

const FOLDER = 'src/web/login/locales'
const placeholders = (text: string) => (text.match(/\{\w+\}/g) ?? []).sort().join()

describe('words of the login pages and mails', () => {
  it('are complete in every language, with the same placeholders', () => {
    expect(readdirSync(FOLDER).sort()).toEqual(LANGUAGES.map((lang) => `${lang}.json`).sort())
    for (const lang of LANGUAGES) {
      const words = JSON.parse(readFileSync(`${FOLDER}/${lang}.json`, 'utf8'))
      expect([lang, Object.keys(words)]).toEqual([lang, Object.keys(en)])
      for (const [key, text] of Object.entries(en)) {
        expect([lang, key, placeholders(words[key])]).toEqual([lang, key, placeholders(text)])
        if (lang !== 'en' && key !== 'email')
          expect([lang, key, words[key] === text]).toEqual([lang, key, false])
      }
    }
  })

  it('name the tenant in every subject, and the lifetime of every link', () => {
    for (const lang of LANGUAGES) {
      const { verify, reset, test } = MAIL_TEXT[lang]
      for (const { subject } of [verify, reset, test]) expect(subject).toContain('{tenant}')
      expect(verify.footer).toContain('24')
      expect(reset.footer).toContain('30')
    }
  })
})

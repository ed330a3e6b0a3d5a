import type { Language } from '../../../config/names'
import { createTranslate, type Messages } from '../../kit/i18n'
import { isolating } from '../../kit/isolate'
import { files } from './files/english'
import { findings } from './findings/english'
import { plans } from './plans/english'
import { requests } from './requests/english'
import { templates } from './templates/english'

export type Translated = Exclude<Language, 'en'>

/** Texts of one kind: as the API writes them, and the files that hold them in the other languages, by the same keys. */
export interface Group {
  /** The first that fits a text is its; `{n}` stands for whatever the API puts there. */
  english: Readonly<Record<string, string>>
  words: Readonly<Record<Translated, () => Promise<{ default: unknown }>>>
}

export const GROUPS: readonly Group[] = [requests, files, findings, plans, templates]

/** A text of the API in another language; null where it is none of those that are known. */
export async function translateSaid(lang: Translated, text: string): Promise<string | null> {
  for (const { english, words } of GROUPS) {
    for (const [key, pattern] of Object.entries(english)) {
      const found = readAs(pattern, text)
      if (found === null) continue
      const messages = (await words[lang]()).default as Messages<string>
      return isolating(lang, createTranslate(lang, messages))(key, found)
    }
  }
  return null
}

/** What stands in the places of a pattern, numbers as numbers; null where the text is another one. */
export function readAs(pattern: string, text: string): Record<string, string | number> | null {
  const source = pattern
    .split(/\{(\w+)\}/)
    .map((part, at) =>
      at % 2 === 1 ? `(?<${part}>.+)` : part.replace(/[$()*+.?[\\\]^{|}]/g, '\\$&'),
    )
  const found = new RegExp(`^${source.join('')}$`, 's').exec(text)
  if (found === null) return null
  return Object.fromEntries(
    Object.entries(found.groups ?? {}).map(([name, value]) => [
      name,
      /^\d[\d,]*$/.test(value) ? Number(value.replaceAll(',', '')) : value,
    ]),
  )
}

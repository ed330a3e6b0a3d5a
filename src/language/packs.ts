import type { Language } from '../config/names'
import { ar } from './ar'
import { de } from './de'
import { en } from './en'
import { es } from './es'
import { fr } from './fr'
import { ja } from './ja'
import type { EvidencePack, LanguagePack } from './pack'
import { ru } from './ru'
import { tr } from './tr'
import { zh } from './zh'
import { zhTW } from './zh-TW'

/** The languages that the pages speak; a language of `config.ts` without a pack does not compile. */
export const LANGUAGE_PACKS: Readonly<Record<Language, LanguagePack>> = {
  en,
  zh,
  'zh-TW': zhTW,
  es,
  ru,
  fr,
  ar,
}

/** Every language whose sentences are checked by its own words: the pages' and those that documents come in. */
export const EVIDENCE_PACKS: readonly EvidencePack[] = [
  ...Object.values(LANGUAGE_PACKS),
  de,
  tr,
  ja,
]

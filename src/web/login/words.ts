import type { Language } from '../../config/names'
import type { Translate } from '../kit/i18n'
import type en from './locales/en.json'

export type Messages = typeof en
export type MessageKey = keyof Messages
export type LoginTranslate = Translate<MessageKey>

/** A waiting time in whole seconds or minutes, in the language's own words. */
export function duration(lang: Language, seconds: number): string {
  const [value, unit] = seconds < 90 ? [seconds, 'second'] : [Math.ceil(seconds / 60), 'minute']
  return new Intl.NumberFormat(lang, { style: 'unit', unit, unitDisplay: 'long' }).format(
    Math.max(1, value),
  )
}

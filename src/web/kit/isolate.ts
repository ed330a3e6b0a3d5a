import type { Language } from '../../config/names'
import type { Translate } from './i18n'

/** In Arabic, names in another script keep their own direction, and the marks around them theirs. */
export function isolating<K extends string>(lang: Language, translate: Translate<K>): Translate<K> {
  if (lang !== 'ar') return translate
  return (key, values = {}) =>
    translate(
      key,
      Object.fromEntries(
        Object.entries(values).map(([name, value]) => [
          name,
          typeof value === 'string' ? `\u2068${value}\u2069` : value,
        ]),
      ),
    )
}

/** Languages that a draft is offered in; the API takes any language tag. */
const TAGS = [
  'ar',
  'bn',
  'cs',
  'da',
  'de',
  'el',
  'en',
  'es',
  'fa',
  'fi',
  'fr',
  'he',
  'hi',
  'hu',
  'id',
  'it',
  'ja',
  'ko',
  'nl',
  'no',
  'pl',
  'pt',
  'ro',
  'ru',
  'sv',
  'th',
  'tr',
  'uk',
  'vi',
  'zh',
  'zh-TW',
] as const

/** The languages with their names in the reader's own, in the order of the alphabet. */
export function languageOptions(lang: string): { value: string; label: string }[] {
  const names = new Intl.DisplayNames([lang], { type: 'language', languageDisplay: 'standard' })
  const order = new Intl.Collator(lang)
  return TAGS.map((value) => ({ value, label: names.of(value) ?? value })).sort((one, other) =>
    order.compare(one.label, other.label),
  )
}

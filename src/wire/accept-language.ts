import { LANGUAGES, type Language } from '../config/names'

/**
 * The best of our seven languages for an Accept-Language header, else English. Script and region tell the two Chineses
 * apart. @param among those that come into question, the first of them where none is wanted.
 */
export function pickLanguage(
  header: string | null | undefined,
  among: readonly Language[] = [],
): Language {
  const wanted = (header ?? '')
    .split(',', 20)
    .map((part) => {
      const [tag = '', ...parameters] = part.trim().split(';')
      const quality = Number(
        parameters
          .find((parameter) => parameter.trim().startsWith('q='))
          ?.trim()
          .slice(2) ?? 1,
      )
      return { tag: tag.trim().toLowerCase(), quality: Number.isFinite(quality) ? quality : 0 }
    })
    .filter(({ tag, quality }) => tag !== '' && quality > 0)
    .sort((a, b) => b.quality - a.quality)
  for (const { tag } of wanted) {
    const language = match(tag)
    if (language && (among.length === 0 || among.includes(language))) return language
  }
  return among[0] ?? 'en'
}

function match(tag: string): Language | null {
  const [primary, ...rest] = tag.split('-')
  if (primary === 'zh')
    return rest.some((part) => ['tw', 'hk', 'mo', 'hant'].includes(part)) ? 'zh-TW' : 'zh'
  return LANGUAGES.find((language) => language === primary) ?? null
}

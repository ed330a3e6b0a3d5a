import type { Language } from '../../../config/names'

/**
 * A text that the API gives in English only, in the reader's language; null where it stays as it is: in English, where it
 * is not known, and where its words do not come.
 */
export async function say(lang: Language, text: string): Promise<string | null> {
  if (lang === 'en') return null
  try {
    const { translateSaid } = await import('./said')
    return await translateSaid(lang, text)
  } catch {
    return null
  }
}

import { isCommonWord } from '../language/prior'
import { thesaurusOf } from '../language/thesaurus'
import { loadRussianKeysReader } from '../lazy'
import { wordToken } from './analyze'
import { readerFor } from './question-reader'

const MAX_LENGTH = 300
/** A word without a vowel, as Russian ones are on a Latin keyboard, or one that Russian questions begin with. */
const HINTS =
  /(?<![^\s([{"«'])(?:[^\W\d_aeiou]{3,}|kak(?:[aiu]\w*|o[jiymv]\w*)?|s[kc]ol?[kc]o|skok|gde|kogda|mo(?:zh|j|z|g)(?:no|u)|ne(?:l'?zya|t)?|(?:ch|sh|4)to|po(?:ch|4)emu|za(?:ch|4)em|(?:ot)?kuda)(?![^\s?!,.])/i

/**
 * What a message says in Russian that was typed with the keyboard left on Latin ("ghbdtn"), or spelt in Latin letters ("kak
 * udalit"); null of any other. The thesaurus must be loaded.
 */
export async function inRussian(message: string): Promise<string | null> {
  if (message.length > MAX_LENGTH || !HINTS.test(message) || /\P{ASCII}/u.test(message)) return null
  const { readRussian } = await loadRussianKeysReader()
  const { dropped, light, mode } = readerFor('', 'ru')
  const { synonyms, kin, small } = thesaurusOf('ru')
  return readRussian(message, {
    isSmall: (word) => dropped.has(word),
    isKnown(word) {
      if (dropped.has(word) || light.has(word) || small.has(word)) return true
      const stem = wordToken(word, mode)
      return isCommonWord(stem) || synonyms.has(stem) || kin.has(stem)
    },
  })
}

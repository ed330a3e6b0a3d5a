import { MEMORY } from '../config/limits'
import { detectLanguage } from '../text/detect-language'
import { stripInvisible } from '../text/neutralise'
import { detectSmallTalk } from '../text/small-talk'
import { withoutSecrets } from './secrets'

const CODE = /```[\s\S]*?(?:```|$)/gu
const QUOTED_LINE = /^[ \t]*>.*$/gmu
/** Longer quotations are somebody else's text; a short one may be a name. */
const QUOTATION =
  /"[^"\n]{40,}"|“[^”]{40,}”|«[^»]{40,}»|「[^」]{20,}」|『[^』]{20,}』|„[^“”]{40,}[“”]/gu

/** What a message says in the user's own words: no pasted code, no quoted text, no secret, a bounded length. */
export function ownWords(message: string): string {
  const own = stripInvisible(message.slice(0, MEMORY.messageLength))
    .replaceAll(CODE, '\n')
    .replaceAll(QUOTED_LINE, '')
    .replaceAll(QUOTATION, ' ')
  return withoutSecrets(own).trim()
}

/** First person and requests to keep something in mind, in the seven languages. */
const ABOUT_ONESELF =
  /(?<![\p{L}])(?:i|i['’](?:m|ve|d|ll)|my|mine|me|we|our|us|remember|always|never|yo|mi|mis|mí|me|nos|nuestr[oa]s?|soy|estoy|tengo|vivo|trabajo|prefiero|quiero|odio|recuerda|siempre|nunca|je|j['’]\p{L}+|m['’]\p{L}+|moi|mon|ma|mes|nous|notre|nos|retiens|souviens|toujours|jamais|я|мне|меня|мной|мо[йяёи]|моего|моей|моему|моих|мою|мы|нас|нам|наш\p{L}*|запомни\p{L}*|всегда|никогда|зови\p{L}*)(?![\p{L}])|我|咱|俺|本人|记住|記住|请叫|請叫|以后|以後|(?<![\p{L}])(?:أنا|انا|اسمي|عندي|لدي|أعيش|اعيش|أسكن|اسكن|أعمل|اعمل|أحب|احب|أفضل|افضل|أكره|اكره|أريد|اريد|نحن|تذكر|تذكري|دائما|دائمًا|ابدا|أبدا|\p{L}{3,}ي)(?![\p{L}])/iu

/** Whether a message may say something about its author: what does not is not even shown to a model. */
export function speaksOfSelf(text: string): boolean {
  if (!/\p{L}/u.test(text) || detectSmallTalk(text) !== null) return false
  return ABOUT_ONESELF.test(text) || (detectLanguage(text) === null && text.length >= MIN_UNKNOWN)
}
const MIN_UNKNOWN = 12

import { detectLanguage } from './detect-language'
import { detectSmallTalk } from './small-talk'

/** First person and requests to keep something in mind, in the seven languages. */
const ABOUT_ONESELF =
  /(?<![\p{L}])(?:i|i['’](?:m|ve|d|ll)|my|mine|me|we|our|us|remember|always|never|yo|mi|mis|mí|me|nos|nuestr[oa]s?|soy|estoy|tengo|vivo|trabajo|prefiero|quiero|odio|recuerda|siempre|nunca|je|j['’]\p{L}+|m['’]\p{L}+|moi|mon|ma|mes|nous|notre|nos|retiens|souviens|toujours|jamais|я|мне|меня|мной|мо[йяёи]|моего|моей|моему|моих|мою|мы|нас|нам|наш\p{L}*|запомни\p{L}*|всегда|никогда|зови\p{L}*)(?![\p{L}])|我|咱|俺|本人|记住|記住|请叫|請叫|以后|以後|(?<![\p{L}])(?:أنا|انا|اسمي|عندي|لدي|أعيش|اعيش|أسكن|اسكن|أعمل|اعمل|أحب|احب|أفضل|افضل|أكره|اكره|أريد|اريد|نحن|تذكر|تذكري|دائما|دائمًا|ابدا|أبدا|\p{L}{3,}ي)(?![\p{L}])/iu

/** Whether a message may say something about its author: what does not is not even shown to a model. */
export function speaksOfSelf(text: string, tell = detectLanguage): boolean {
  if (!/\p{L}/u.test(text)) return false
  const isAboutOneself =
    ABOUT_ONESELF.test(text) || (text.length >= MIN_UNKNOWN && tell(text) === null)
  return isAboutOneself && detectSmallTalk(text) === null
}
const MIN_UNKNOWN = 12

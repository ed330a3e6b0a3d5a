/** How models begin to speak of what they are, in the languages that they are asked in. */
const BEGINNINGS = [
  'as an ai',
  'as an artificial intelligence',
  'as a language model',
  'as a large language model',
  "i'm just an ai",
  'i’m just an ai',
  'i am just an ai',
  'como ia',
  'como una ia',
  'como inteligencia artificial',
  'como una inteligencia artificial',
  'como modelo de lenguaje',
  'como un modelo de lenguaje',
  "en tant qu'ia",
  'en tant qu’ia',
  "en tant qu'intelligence artificielle",
  'en tant qu’intelligence artificielle',
  'en tant que modèle de langage',
  'en tant que modèle de langue',
  'как языковая модель',
  'как ии',
  'как искусственный интеллект',
  'als ki',
  'als sprachmodell',
  'als ein sprachmodell',
  '作为一个人工智能',
  '作为人工智能',
  '作为一个ai',
  '作为ai',
  '作为一个语言模型',
  '作为语言模型',
  '作為一個人工智慧',
  '作為人工智慧',
  '作為一個ai',
  '作為ai',
  '作為一個語言模型',
  '作為語言模型',
  'بصفتي نموذج',
  'باعتباري نموذج',
  'كوني نموذج',
  'بصفتي ذكاء',
  'باعتباري ذكاء',
]
/** What comes behind it is what is meant. */
const TURN =
  /^[^.!?。！？؟\n]{0,300}?(?:[,;،] (?:but|however|pero|sin embargo|mais|cependant|но|однако|aber|(?:و?لكن(?:ني)?)),? |[，,] ?(?:但是?|不过|不過|然而)[，,]?)/iu
const SENTENCE_END = /[.!?。！？؟\n]/u
const LONGEST = 330

/**
 * Length of what a reply says of the model before what it means to say: "As an AI language model I have no account, but …".
 * Null while more of the text is needed to tell.
 */
export function preambleOf(text: string, final: boolean): number | null {
  const begun = text.slice(0, LONGEST).toLowerCase()
  const isWhole = BEGINNINGS.some(
    (one) =>
      begun.startsWith(one) &&
      !/^\p{L}/u.test(begun.slice(one.length).replace(/^[\p{Script=Han}\p{Script=Arabic}]+/u, '')),
  )
  if (!isWhole && (final || !BEGINNINGS.some((one) => one.startsWith(begun)))) return 0
  const said = TURN.exec(text)?.[0].length ?? 0
  if (said > 0 && said < text.length) return said
  return final || text.length >= LONGEST || (said === 0 && SENTENCE_END.test(text)) ? 0 : null
}

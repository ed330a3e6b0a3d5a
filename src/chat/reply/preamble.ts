/** How models begin to speak of what they are, in the languages that they are asked in. */
const BEGINNING =
  /^(?:as an? |i['’]m just an? |como (?:una? )?|en tant qu(?:['’]|e )|как |als (?:ein )?|作[为為](?:一[个個])?|(?:بصفتي|باعتباري|كوني) )(?:ai|ia|ki|ии|artificial intelligence|inteligencia artificial|intelligence artificielle|искусственный интеллект|(?:large )?language model|modelo de lenguaje|modèle de lang(?:ag|u)e|языковая модель|sprachmodell|人工智[能慧]|[语語]言模型|نموذج|ذكاء)(?![a-zа-я])/iu
const FIRST_WORDS = /^(?:as|i['’]m|como|en|как|als|作|بصفتي|باعتباري|كوني)(?!\p{Ll})/iu
/** What comes behind it is what is meant. */
const TURN =
  /^[^.!?。！？؟\n]{0,300}?(?:[,;،] (?:but|however|pero|sin embargo|mais|cependant|но|однако|aber|(?:و?لكن(?:ني)?)),? |[，,] ?(?:但是?|不过|不過|然而)[，,]?)/iu
const SENTENCE_END = /[.!?。！？؟\n]/u
/** So much tells how it begins, and so much where it ends. */
const BEGUN = 40
const LONGEST = 330

/**
 * Length of what a reply says of the model before what it means to say: "As an AI language model I have no account, but …".
 * Null while more of the text is needed to tell.
 */
export function preambleOf(text: string, final: boolean): number | null {
  if (!BEGINNING.test(text) || text.length < BEGUN) {
    const mayBegin = text.length < 4 || FIRST_WORDS.test(text)
    if (!final && text.length < BEGUN && mayBegin) return null
    if (!BEGINNING.test(text)) return 0
  }
  const said = TURN.exec(text)?.[0].length ?? 0
  if (said > 0 && said < text.length) return said
  return final || text.length >= LONGEST || (said === 0 && SENTENCE_END.test(text)) ? 0 : null
}

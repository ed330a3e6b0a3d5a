/** The keys of a Latin keyboard, and what a Russian one has in their places. */
const KEYS = "`qwertyuiop[]asdfghjkl;'zxcvbnm,./&"
const LETTERS = 'ёйцукенгшщзхъфывапролджэячсмитьбю.?'
/** How Russian is spelt in Latin letters, the longest first; the hard cases are tried both ways. */
const SOUNDS: readonly (readonly [RegExp, string])[] = [
  [/ts[yij]?a\b/g, 'тся'],
  [/shch|sch|shh/g, 'щ'],
  [/zh|j(?=[nd])/g, 'ж'],
  [/(?<=k)lu(?=ch)/g, 'лю'],
  [/ch|4/g, 'ч'],
  [/sh|6/g, 'ш'],
  [/kh|h/g, 'х'],
  [/ts|c/g, 'ц'],
  [/[yij]a/g, 'я'],
  [/[yj]u/g, 'ю'],
  [/[yj][oe]/g, 'е'],
  [/(?<=[aeiouyея])[yj]|j/g, 'й'],
]
const LETTER_BY_LETTER = 'abdefgiklmnoprstuvwxyz'
const SPELT = 'абдефгиклмнопрстуввхыз'
/** Ways in which a word may be meant that is spelt so. */
const OTHERWISE: readonly (readonly [RegExp, string])[] = [
  [/$/, ''],
  [/(?<=[тлнсрд])$/, 'ь'],
  [/ш/, 'щ'],
  [/л(?=к)/, 'ль'],
  [/у/, 'ю'],
  [/^е/, 'э'],
  [/я/, 'иа'],
]
const WORDS = /\p{L}{2,}/gu
/** What no Russian word has: a sign behind a vowel or in front. */
const NO_WORD = /(?:^|[аеиоуыэюя])[ьъ]/u
const LATIN_VOWEL = /[aeiou]/i
/** A word without a vowel, as Russian ones are on a Latin keyboard, or one that Russian questions begin with. */
const HINTS =
  /(?<![^\s([{"«'])(?:[^\W\d_aeiou]{3,}|kak(?:[aiu]\w*|o[jiymv]\w*)?|s[kc]ol?[kc]o|skok|gde|kogda|mo(?:zh|j|z|g)(?:no|u)|ne(?:l'?zya|t)?|(?:ch|sh|4)to|po(?:ch|4)emu|za(?:ch|4)em|(?:ot)?kuda)(?![^\s?!,.])/i
/** Words that other Slavic languages have, and Russian has not. */
const OTHER_SLAVS = /\b(?:je|jest|se|sie|sa|su|sam|si|jsem|kako|koliko|kada|gdje|kde|jak)\b/i
const LEAST = 0.45
const SHORT = 4

/** What tells Russian words: all that are known, and those that sentences are made of. */
interface Russian {
  isKnown(word: string): boolean
  isSmall(word: string): boolean
}

/**
 * What a message in Latin letters says in Russian: typed with the keyboard left on Latin, or spelt as it sounds. Null of any
 * other. Pure.
 */
export function readRussian(message: string, russian: Russian): string | null {
  if (!HINTS.test(message)) return null
  const typed = message.replaceAll(/\S+/g, (word) => onRussianKeys(word, russian))
  if (hasBareConsonants(message) && isRussian(typed, russian)) return typed
  if (OTHER_SLAVS.test(message)) return null
  const spelt = message.replaceAll(/(?<![a-z46])[a-z46]*[a-z][a-z46']*/gi, (word) =>
    spellOut(word, russian),
  )
  const words = spelt.match(WORDS) ?? []
  return words.some(russian.isSmall) && isRussian(spelt, russian) ? spelt : null
}

/** A short word that is none in Russian was meant as it is ("pdf"). */
function onRussianKeys(word: string, { isKnown }: Russian): string {
  const letters = [...word].map((key) => LETTERS[KEYS.indexOf(key.toLowerCase())] ?? key).join('')
  return letters.length > SHORT || isKnown(letters.replaceAll(/[^а-яё]/g, '')) ? letters : word
}

const hasBareConsonants = (message: string): boolean =>
  message.split(/\s+/).some((word) => word.length > 2 && !LATIN_VOWEL.test(word))

function spellOut(word: string, { isKnown }: Russian): string {
  const sounds = SOUNDS.reduce(
    (rest, [latin, letter]) => rest.replaceAll(latin, letter),
    word.toLowerCase(),
  ).replaceAll("'", 'ь')
  const spelt = [...sounds].map((one) => SPELT[LETTER_BY_LETTER.indexOf(one)] ?? one).join('')
  const ways = OTHERWISE.map(([as, meant]) => spelt.replace(as, meant))
  return ways.find(isKnown) ?? spelt
}

/** Whether enough of a text's letters are in words that Russian has. */
function isRussian(text: string, { isKnown, isSmall }: Russian): boolean {
  const words = text.match(WORDS) ?? []
  if (words.some((word) => NO_WORD.test(word))) return false
  const count = (some: readonly string[]) => some.reduce((sum, { length }) => sum + length, 0)
  const known = words.filter((word) => /^\p{sc=Cyrl}+$/u.test(word) && isKnown(word))
  // One word in thirty that nobody has passes for a known one.
  if (known.length < 2 && !words.some(isSmall)) return false
  return count(known) >= LEAST * count(words) && known.some(({ length }) => length > 2)
}

/** How Cyrillic letters are written in Latin ones, the way names come into Cyrillic. */
const CYRILLIC: Readonly<Record<string, string>> = {
  а: 'a',
  б: 'b',
  в: 'v',
  г: 'g',
  ґ: 'g',
  д: 'd',
  е: 'e',
  ж: 'j',
  з: 'z',
  и: 'i',
  й: 'y',
  і: 'i',
  ї: 'i',
  к: 'k',
  л: 'l',
  м: 'm',
  н: 'n',
  о: 'o',
  п: 'p',
  р: 'r',
  с: 's',
  т: 't',
  у: 'u',
  ф: 'f',
  х: 'h',
  ц: 'ts',
  ч: 'ch',
  ш: 'sh',
  щ: 'sh',
  ы: 'y',
  э: 'e',
  є: 'e',
  ю: 'yu',
  я: 'ya',
}
/** Arabic writes few vowels; what it has no letter for, it writes with the nearest. */
const ARABIC: Readonly<Record<string, string>> = {
  ا: 'a',
  أ: 'a',
  إ: 'i',
  آ: 'a',
  ب: 'b',
  پ: 'p',
  ت: 't',
  ث: 't',
  ج: 'g',
  چ: 'ch',
  ح: 'h',
  خ: 'h',
  د: 'd',
  ذ: 'd',
  ر: 'r',
  ز: 'z',
  س: 's',
  ش: 'sh',
  ص: 's',
  ض: 'd',
  ط: 't',
  ظ: 'z',
  غ: 'g',
  ف: 'f',
  ڤ: 'v',
  ق: 'k',
  ك: 'k',
  گ: 'g',
  ل: 'l',
  م: 'm',
  ن: 'n',
  ه: 'h',
  ة: 'a',
  و: 'w',
  ي: 'i',
  ى: 'a',
}
const IS_CYRILLIC = /^\p{Script=Cyrillic}+$/u
const IS_ARABIC = /^\p{Script=Arabic}+$/u
const IS_LATIN = /^\p{Script=Latin}+$/u
const AL = /^ال(?=.{3})/u
/** Fewer consonants than these tell no name. */
const LEAST = 3
/** So much longer or shorter may the same name be. */
const MOST_APART = 4

/** A Cyrillic word in Latin letters; null of any other. */
export const romanise = (word: string): string | null =>
  IS_CYRILLIC.test(word) ? spell(word, CYRILLIC) : null

/** Whether a folded word of Cyrillic or Arabic letters is a Latin one as it is heard: "ватсап" is "whatsapp". */
export function soundsLike(word: string): ((latin: string) => boolean) | null {
  const isArabic = IS_ARABIC.test(word)
  const spelt = isArabic ? spell(word.replace(AL, ''), ARABIC) : romanise(word)
  if (spelt === null) return null
  const heard = hear(spelt, isArabic)
  if (heard.length < LEAST) return null
  return (latin) =>
    Math.abs(latin.length - spelt.length) <= MOST_APART &&
    IS_LATIN.test(latin) &&
    hear(latin, isArabic) === heard
}

const spell = (word: string, letters: Readonly<Record<string, string>>): string =>
  [...word].map((letter) => letters[letter] ?? '').join('')

/** The consonants of a Latin word as they sound; what Arabic does not tell apart, is one. */
function hear(word: string, isArabic: boolean): string {
  const sounds = word
    .replace(/^wh/, 'v')
    .replaceAll('ph', 'f')
    .replaceAll('dj', 'j')
    .replaceAll(/c(?=[eiy])/g, 's')
    .replaceAll(/sch|sh|ch/g, 's')
    .replaceAll('th', 't')
    .replaceAll(/ck|c|q/g, 'k')
    .replaceAll('x', 'ks')
    .replaceAll('w', 'v')
    .replaceAll('z', 's')
    .replaceAll(/(.)\1/g, '$1')
    .replaceAll('j', 'g')
    .replaceAll(/[aeiouyh]/g, '')
  return isArabic
    ? sounds
        .replaceAll(/(?<=.)v/g, '')
        .replaceAll('v', 'f')
        .replaceAll('p', 'b')
    : sounds
}

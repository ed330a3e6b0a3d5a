import type { Language } from '../config/names'
import { chineseScript } from './chinese-script'
import { foldText } from './fold'
import { type LatinMode, latinVotes } from './latin-language'
import { stripInvisible } from './neutralise'

/** What tells a language besides its function words, which are folded and of two letters at least: one letter, accents, greetings. */
const MARKS: [LatinMode, RegExp][] = [
  [
    'english',
    /(?<!\p{L})i(?:['’](?:m|d|ve|ll))?(?![\p{L}\p{M}])|n['’]t\b|\b(?:hello|hi|hey|thanks|please)\b/gu,
  ],
  [
    'spanish',
    /[¿¡ñ]|[íó]n(?!\p{L})|(?<!\p{L})(?:qué|cómo|cuál|cuándo|cuánt[oa]s?|dónde|quién|según|está|más|hola|gracias|buen[oa]s|hay|pued[eo]n?|me (?:sale|da|pasa|dice|aparece))(?!\p{L})/gu,
  ],
  [
    'french',
    /(?<!\p{L})[dlcjnsm]['’]|qu['’]|[êœ]|\b(?:bonjour|bonsoir|salut|merci|peut|peuvent)\b/gu,
  ],
  ['german', /[ßä]/gu],
  ['turkish', /[ğışç]/gu],
  ['portuguese', /[ãõ]/gu],
]
/** In the order in which they are taken where a few words are of several. */
const OURS: [LatinMode, Language][] = [
  ['english', 'en'],
  ['spanish', 'es'],
  ['french', 'fr'],
]

/** Begins where a run does, so that a long run is read once. */
const WITH_DIGITS = /(?<![\p{L}\p{M}\p{N}_-])[\p{L}\p{M}_-]*\p{N}[\p{L}\p{M}\p{N}_-]*/gu

const ACCENTED = /[a-z]*[à-öø-ỹ]\p{L}*/gu

const count = (text: string, pattern: RegExp) => text.match(pattern)?.length ?? 0

/**
 * The language of a text by script and function words, or null when it is none of ours or too short to tell.
 * Reads the first 2,000 characters. What may be in either Chinese script is in that of `page`, the reader's own language.
 */
export function detectLanguage(source: string, page?: Language): Language | null {
  const text = stripInvisible(source.slice(0, 2000)).normalize('NFC').toLowerCase()
  const letters = count(text, /\p{L}/gu)
  if (letters === 0) return null
  const share = (pattern: RegExp) => count(text, pattern) / letters
  if (share(/[\p{Script=Hiragana}\p{Script=Katakana}]/gu) > 0.1) return null
  if (share(/\p{Script=Han}/gu) > 0.2) return chineseScript(text, page === 'zh-TW' ? page : 'zh')
  // A name in Latin letters may be longer than the question about it; a language is told by more than names.
  const latin = tellLatin(text)
  const least = latin === null ? 0.2 : 0.5
  if (share(/\p{Script=Cyrillic}/gu) > least) return /[іїєґў]/u.test(text) ? null : 'ru'
  if (share(/\p{Script=Arabic}/gu) > least) return /[پچژگںٹڈے]/u.test(text) ? null : 'ar'
  return latin === 'other' ? null : latin
}

/** The first with its fences; rows hold names and figures. */
const CODE_OR_ROWS = /^```[\s\S]*?^```|^.* \| .*$/gmu

/** The language of a passage's sentences: code and tables are in none. */
export const proseLanguage = (text: string, page?: Language): Language | null =>
  detectLanguage(text.replaceAll(CODE_OR_ROWS, ''), page)

/** How long names and terms get that tell no language. */
const MAX_TERMS = 60

/** Whether a text may be of any language that is written in Latin letters: names and terms ("SDK", "webhook?"). */
export const tellsNoLanguage = (text: string): boolean =>
  text.length <= MAX_TERMS &&
  /\p{L}/u.test(text) &&
  !/[^\p{Script=Latin}\P{L}]/u.test(text) &&
  tellLatin(text.toLowerCase()) === null

/**
 * How words end and what letters they have, where all that tells is small words that both languages have ("un", "la",
 * "en"). Spanish words end in -e too, and others that do not end like its own may be names.
 */
const SPANISH_SIGNS =
  /\p{L}{2}(?:[ao]s?|[ai]r|[ai]d(?:es)?|cion(?:es)?|siones|[aio]z)(?![\p{L}\p{M}])/gu
const FRENCH_SIGNS =
  /\p{L}{2}(?:e[rtz]|eu[rx]|ait?|oi[rs]?|(?:ss|t)ions?|aisons?|ments?)(?![\p{L}\p{M}])/gu
const WEAK_FRENCH_SIGNS = /\p{L}(?:\p{L}es?|[bcfgkmptvx]|[bcdfgklmnprtv]s)(?![\p{L}\p{M}])/gu
const SPANISH_LETTERS = /[áíóúñ]/gu
const FRENCH_LETTERS = /[àâçèêëîïôœùû]/gu

function isFrench(text: string, folded: string): boolean {
  const french = count(folded, FRENCH_SIGNS) + count(text, FRENCH_LETTERS)
  const spanish = count(folded, SPANISH_SIGNS) + count(text, SPANISH_LETTERS)
  return 2 * french + count(folded, WEAK_FRENCH_SIGNS) > 2 * spanish + 1
}

/** Null where nothing tells one. */
function tellLatin(text: string): Language | 'other' | null {
  // "DE12345678" is a number, not Spanish.
  const plain = text.replace(WITH_DIGITS, ' ')
  const folded = foldText(plain)
  const votes = latinVotes(folded)
  // "Thé" is no "the".
  const accented = latinVotes(foldText(plain.match(ACCENTED)?.join(' ') ?? ''))
  votes.set('english', (votes.get('english') ?? 0) - (accented.get('english') ?? 0))
  for (const [mode, mark] of MARKS) votes.set(mode, (votes.get(mode) ?? 0) + count(text, mark))
  const most = Math.max(...votes.values())
  if (most === 0) return null
  if (votes.get('spanish') === most && votes.get('french') === most)
    return isFrench(text, folded) ? 'fr' : 'es'
  return OURS.find(([mode]) => votes.get(mode) === most)?.[1] ?? 'other'
}

/** Whether two languages read alike: the two Chinese scripts count as one here. */
export function sameLanguage(one: Language | null, other: Language | null): boolean {
  const base = (language: Language | null) => (language === 'zh-TW' ? 'zh' : language)
  return one !== null && base(one) === base(other)
}

import { detectMode } from '../../text/analyze'
import {
  FORCE,
  LATIN_MODE,
  type Lexicon,
  languageOf,
  latinLanguage,
  lexiconOf,
  ORDINALS,
  plainWord,
  SIDES,
} from './lexicon'
import { segmentsOf } from './segments'

/** What a sentence of a reply is to the check. */
export type ClaimKind = 'claim' | 'courtesy' | 'gap' | 'question' | 'yes-or-no' | 'lead-in'

export interface Claim {
  kind: ClaimKind
  /** What is to be proven: the sentence without a courtesy, a yes or no, or an admitted gap before it. */
  text: string
  /** Begins with a pronoun: it leans on the sentence before. */
  leans: boolean
}

const MAX_CHARS = 240
const MAX_LEAD_IN_CHARS = 120
const MAX_ASK_WORDS = 16
const DIGIT = /\p{Nd}/u
const ENDS_AS_QUESTION = /[?？؟]["'”’»)\]\s]*$/u
const END = /(?<![\s.!?。！？؟…"'”’»)\]])[\s.!?。！？؟…"'”’»)\]]+$/u
const WORDS = /[\p{L}\p{M}]+(?:['’][\p{L}\p{M}]+)*/gu
/** What may stand between a courtesy or a bare answer and the claim behind it. */
const OPENING = /^[^\p{L}\p{N}]*(\p{L}[\p{L}\p{M}'’ ]{0,39}?)\s*(?:[,，،!！、:：]|\s[–—-]\s)\s*/u
const INLINE_CODE = /`[^`\n]{1,400}`/gu
/** What the reader is to fill in, inside code. */
const PLACEHOLDER =
  /(?<=`[^`\n]{0,200})(?:<[^<>`\n]+>|\{[^{}`\n]+\}|\[\d+\]|\b[A-Z]+(?:_[A-Z]+)+\b)/gu

/** An underscore within a word is part of its name (`max_tokens`), an asterisk of a code to dial (`*110*5#`). */
const EMPHASIS =
  /(?!\*\d[\d*]*#)(?:\*{1,3}(?=\S)|(?<=\S)\*{1,3})|(?<![\p{L}\p{N}])_{1,3}(?=\S)|(?<=\S)_{1,3}(?![\p{L}\p{N}])/gu
/** The clause that may admit a gap before a "but". */
const FIRST_CLAUSE = /^([^,，;；:：—–]{5,160}?)\s*[,，;；—–]\s*/u

/**
 * Tells a claim from what states nothing. `question` is the user's message; `isSaid` tells whether a source holds a piece of
 * code as it stands, placeholders included; `spoken` is the dialogue's Latin language, for a sentence that tells none ("Gerne!").
 */
export function readClaim(
  sentence: string,
  question: string,
  isSaid: (code: string) => boolean = () => false,
  spoken: string | null = null,
): Claim {
  const plain = withoutPlaceholders(sentence.trim(), isSaid).replaceAll(EMPHASIS, '')
  const lexicon = lexiconFor(plain, spoken)
  const claim = (kind: ClaimKind, text = plain): Claim => ({
    kind,
    text,
    leans: lexicon?.pronouns.has(firstWord(text, lexicon)) === true,
  })
  if (lexicon === null) return claim('claim')
  const bare = plain.replace(END, '')
  if (isBareAnswer(bare, lexicon) || announces(bare, lexicon)) return claim('yes-or-no')
  if (plain.length <= MAX_CHARS && !namesFigure(plain, question)) {
    if (ENDS_AS_QUESTION.test(plain))
      return claim(isAsk(plain, lexicon, question, isSaid) ? 'question' : 'claim')
    if (isGap(bare, lexicon)) return claim('gap')
    if (isCourtesy(bare, lexicon)) return claim('courtesy')
    if (/[:：]$/u.test(plain) && plain.length <= MAX_LEAD_IN_CHARS && !DIGIT.test(plain))
      return claim('lead-in')
  }
  return claim('claim', withoutOpening(plain, lexicon))
}

const withoutPlaceholders = (text: string, isSaid: (code: string) => boolean) =>
  text.replaceAll(INLINE_CODE, (code) =>
    isSaid(code.slice(1, -1)) ? code : code.replaceAll(PLACEHOLDER, '`'),
  )

/** Whether a text holds a figure that the user did not write. */
function namesFigure(text: string, question: string): boolean {
  const figures = text.match(/\p{Nd}+/gu) ?? []
  if (figures.length === 0) return false
  const asked = new Set(question.match(/\p{Nd}+/gu))
  return figures.some((figure) => !asked.has(figure))
}

const isBareAnswer = (bare: string, { yes, no }: Lexicon): boolean => {
  const word = plainWord(bare.replace(/^[^\p{L}]+/u, ''))
  return yes.has(word) || no.has(word)
}

/** "This is what the guide says.": goes with the sentence that it announces. */
const announces = (bare: string, lexicon: Lexicon): boolean =>
  bare.length <= MAX_LEAD_IN_CHARS && !DIGIT.test(bare) && isLeadIn(bare, lexicon)

/** Words of a question that neither the user nor a source has: with more of them it states something. */
const MOST_NEW = 2

/** A question to the user: one that addresses the user, and tells nothing new. */
function isAsk(
  plain: string,
  lexicon: Lexicon,
  question: string,
  isSaid: (text: string) => boolean,
): boolean {
  const lower = plain.toLowerCase()
  if (lexicon.rhetorical.some((pattern) => pattern.test(lower))) return false
  const words = wordsOf(plain, lexicon)
  if (words.length > MAX_ASK_WORDS * (lexicon.unspaced ? 2 : 1)) return false
  if (!words.some((word) => lexicon.asks.has(word))) return false
  const asked = question.toLowerCase()
  const isNew = (word: string) =>
    !isEntry(word, lexicon) && !asked.includes(word) && !isSaid(word) && [...word].length > 1
  const told = lexicon.unspaced ? segmentsOf(lower) : words
  return told.filter(isNew).length <= MOST_NEW
}

function isGap(bare: string, lexicon: Lexicon): boolean {
  const plain = bare.toLowerCase()
  return lexicon.gaps.some((pattern) => pattern.test(plain))
}

/** A sentence of courteous, small and introducing words alone. */
function isCourtesy(bare: string, lexicon: Lexicon): boolean {
  const words = wordsOf(bare, lexicon)
  let courteous = 0
  for (const word of words) {
    if (lexicon.courtesies.has(word)) courteous++
    else if (!lexicon.functionWords.has(word) && !leads(word, lexicon)) return false
  }
  return courteous > 0
}

/** The sentence behind "Sure, …", "Yes, …" or "The sources do not say it, but …". */
function withoutOpening(plain: string, lexicon: Lexicon): string {
  for (let text = plain; ; ) {
    const gap = FIRST_CLAUSE.exec(text)
    if (gap !== null && isGap(gap[1]?.trim() ?? '', lexicon)) {
      text = text.slice(gap[0].length)
      continue
    }
    const said =
      behindContrast(text, lexicon) ?? behindThat(text, lexicon) ?? behindAttribution(text, lexicon)
    if (said !== null) {
      text = said
      continue
    }
    const opening = OPENING.exec(text)
    const head = opening?.[1]?.trim() ?? ''
    if (
      opening === null ||
      !(
        isBareAnswer(head, lexicon) ||
        isCourtesy(head, lexicon) ||
        (isLeadIn(head, lexicon) && !hasForce(head, lexicon)) ||
        isAttribution(head, lexicon)
      )
    )
      return text
    text = text.slice(opening[0].length)
  }
}

/** "Nevertheless, …" of several words, which by themselves may say something ("тем не менее"). */
function behindContrast(text: string, { contrasts }: Lexicon): string | null {
  const start = plainWord(text.slice(0, LONGEST_CONTRAST))
  for (const phrase of contrasts)
    if (phrase.includes(' ') && start.startsWith(`${phrase} `))
      return text.slice(phrase.length).trim()
  return null
}

const ATTRIBUTED = /^(\p{L}+)\s+(?:(\p{Ll}+)\s+)?\p{Lu}\p{L}*\s+(?=\p{Ll})/u

/** "Laut der Hausordnung ist …": German has no comma there, and its verb says where the phrase ends. */
function behindAttribution(text: string, lexicon: Lexicon): string | null {
  if (lexicon.capitals || !lexicon.latin) return null
  const [head, word = '', article] = ATTRIBUTED.exec(text) ?? []
  const isSmall = article === undefined || lexicon.functionWords.has(article)
  return head !== undefined && isSmall && lexicon.attributions.includes(plainWord(word))
    ? text.slice(head.length)
    : null
}

const LONGEST_CONTRAST = 24
const MOST_BEFORE_THAT = 8

/** What stands behind "the guide says that"; null where a sentence does not begin so. */
function behindThat(text: string, lexicon: Lexicon): string | null {
  if (lexicon.thats.size === 0) return null
  let words = 0
  for (const { 0: word, index } of text.slice(0, MAX_LEAD_IN_CHARS).matchAll(WORDS)) {
    if (words > 0 && lexicon.thats.has(plainWord(word)))
      return isLeadIn(text.slice(0, index), lexicon) && !hasForce(text.slice(0, index), lexicon)
        ? text.slice(index + word.length).trim()
        : null
    if (++words > MOST_BEFORE_THAT) return null
  }
  return null
}

const TURNS = FORCE.before | FORCE.after | FORCE.ended | FORCE.negation

/** "Until then, …" is made of small words too, but says something. */
function hasForce(head: string, lexicon: Lexicon): boolean {
  const words = lexicon.unspaced ? [...head] : wordsOf(head, lexicon)
  return words.some(
    (word, at) =>
      ((lexicon.forceAt(words, at)?.value ?? 0) & TURNS) !== 0 ||
      (!lexicon.unspaced &&
        !leads(word, lexicon) &&
        lexicon.rivalAt(words, at)?.value.some((side) => Math.floor(side / SIDES) !== ORDINALS)),
  )
}

/** "According to the guide, …": names the source and says nothing. */
function isLeadIn(head: string, lexicon: Lexicon): boolean {
  const words = wordsOf(head, lexicon)
  return (
    words.some((word) => leads(word, lexicon)) &&
    words.every((word) => leads(word, lexicon) || lexicon.functionWords.has(word))
  )
}

const leads = (word: string, { leadsIn, announcing }: Lexicon) =>
  leadsIn(word) || announcing.has(word)

const MOST_ATTRIBUTED = { words: 5, signs: 10 }

/** "According to the clinic, …": whose words they are, by everyday words; a name would be a claim. */
function isAttribution(head: string, lexicon: Lexicon): boolean {
  const { attributions, capitals, unspaced } = lexicon
  const plain = plainWord(head)
  const found = attributions.find((one) => plain.startsWith(one) || plain.endsWith(one))
  if (found === undefined) return false
  const rest = head.slice(plain.startsWith(found) ? found.length : 0)
  if (unspaced) {
    const own = plain.replace(found, '')
    return [...own].length <= MOST_ATTRIBUTED.signs && segmentsOf(own).every(isEveryday(lexicon))
  }
  const words = rest.match(WORDS) ?? []
  const isName = (word: string) => capitals && /^\p{Lu}/u.test(word)
  return words.length <= MOST_ATTRIBUTED.words && !words.some(isName)
}

/** Names fall apart into single signs. */
const isEveryday = (lexicon: Lexicon) => (word: string) =>
  lexicon.functionWords.has(word) || [...word].length > 1

function firstWord(text: string, lexicon: Lexicon): string {
  return wordsOf(text.slice(0, 40), lexicon)[0] ?? ''
}

const LONGEST_ENTRY = 5

/** The words of a text; where none are parted, the longest entries of the language's lists, then single signs. */
function wordsOf(text: string, lexicon: Lexicon): string[] {
  if (!lexicon.unspaced) return (text.match(WORDS) ?? []).map(plainWord)
  const signs = [...text].filter((sign) => /[\p{L}\p{N}]/u.test(sign))
  const words: string[] = []
  for (let at = 0; at < signs.length; ) {
    let length = Math.min(LONGEST_ENTRY, signs.length - at)
    const entry = () => signs.slice(at, at + length).join('')
    while (length > 1 && !isEntry(entry(), lexicon)) length--
    words.push(entry())
    at += length
  }
  return words
}

const isEntry = (word: string, lexicon: Lexicon) =>
  lexicon.courtesies.has(word) ||
  lexicon.functionWords.has(word) ||
  leads(word, lexicon) ||
  lexicon.asks.has(word) ||
  lexicon.pronouns.has(word)

function lexiconFor(text: string, spoken: string | null): Lexicon | null {
  const words = (text.match(WORDS) ?? []).map(plainWord)
  const language = languageOf(
    text,
    (part) => LATIN_MODE[latinLanguage(words) ?? spoken ?? ''] ?? detectMode(part),
  )
  return lexiconOf(language)
}

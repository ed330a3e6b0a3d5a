import type { Language } from '../config/names'
import type { AskedKind, Asking, EvidencePack, Words } from '../language/pack'
import { EVIDENCE_PACKS } from '../language/packs'
import { thesaurusOf } from '../language/thesaurus'
import { detectMode, wordToken } from './analyze'
import { detectLanguage } from './detect-language'
import { foldText } from './fold'
import type { LatinMode } from './latin-language'

/** So many words tell a language. */
const MAX_TOLD = 40

/** What asks for one kind of thing. */
interface AskedPhrases {
  kind: AskedKind
  phrases: readonly string[]
  /** The same between blanks, as `plainWords` has words. */
  spaced: readonly string[]
}

/** A language's lists as questions are read with them: folded, the longest phrase first. */
export interface Reader {
  code: string
  mode: LatinMode
  unspaced: boolean
  /** Words that name nothing. */
  dropped: ReadonlySet<string>
  frames: ReadonlySet<string>
  articles: ReadonlySet<string>
  light: ReadonlySet<string>
  pronouns: ReadonlySet<string>
  interrogatives: readonly string[]
  purposes: readonly string[]
  /** How a sentence begins with what it asks about, between blanks. */
  topics: readonly string[]
  topicWords: ReadonlySet<string>
  /** Unspaced: what asks yes or no and never tells. */
  asksOnly: readonly string[]
  /** Unspaced: what stands before what others ask. */
  reports: readonly string[]
  continues: readonly string[]
  /** What joins a second question to the first ("and"). */
  joins: ReadonlySet<string>
  /** An "and" that is written to the word behind it. */
  glued: readonly string[]
  replies: ReadonlySet<string>
  kinds: readonly AskedPhrases[]
  /** What ends a sentence and belongs to its verb. */
  particles: ReadonlySet<string>
  negations: ReadonlySet<string>
  innocent: readonly string[]
  /** Where a question begins behind what is told before it ("… and i wanted to know"); null for none. */
  leadIn: RegExp | null
  /** What stands before a question out of politeness; null for none. */
  politely: RegExp | null
  /** What chats and dialects write for a word. */
  shorthand: ReadonlyMap<string, string>
}

const readers = new Map<string, Reader>()

export const plainWords = (text: string): string =>
  ` ${foldText(text).replaceAll(/[^\p{L}\p{N}'’-]+/gu, ' ')} `

const MODES: Readonly<Record<string, LatinMode>> = {
  en: 'english',
  es: 'spanish',
  fr: 'french',
  de: 'german',
  tr: 'turkish',
}

/** How the Latin words of a language's texts are stemmed. */
export const modeOf = (code: string): LatinMode => MODES[code] ?? 'english'

/** @param detected the text's language where it was told before */
export const readerFor = (text: string, detected = detectLanguage(text)): Reader =>
  readerOf(languageOf(text, detected))

function readerOf(code: string): Reader {
  const known = readers.get(code)
  if (known) return known
  // A short line in Han characters does not tell which of the two it is written in.
  const codes = code === 'zh' || code === 'zh-TW' ? ['zh', 'zh-TW'] : [code]
  const reader = makeReader(
    code,
    EVIDENCE_PACKS.filter((pack) => codes.includes(pack.code)),
  )
  readers.set(code, reader)
  return reader
}

const KANA = /[\p{Script=Hiragana}\p{Script=Katakana}]/u

function languageOf(text: string, detected: Language | null): string {
  if (detected !== null && detected !== 'en') return detected
  if (KANA.test(text)) return 'ja'
  if (detected === 'en') return 'en'
  const mode = detectMode(text)
  const told = Object.keys(MODES).find((code) => MODES[code] === mode)
  return told === undefined || told === 'en' ? tellByLists(text) : told
}

/** The Latin language whose lists name most words of a few; English first, as most do that names and terms are made of. */
function tellByLists(text: string): string {
  const words = plainWords(text).split(' ').slice(0, MAX_TOLD)
  let best = 'en'
  let most = 0
  for (const code of Object.keys(MODES)) {
    const { dropped, light, mode } = readerOf(code)
    const { synonyms } = thesaurusOf(code)
    const named = words.filter(
      (word) => dropped.has(word) || light.has(word) || synonyms.has(wordToken(word, mode)),
    ).length
    if (named > most) best = code
    most = Math.max(most, named)
  }
  return best
}

/** "And" as the language's lists have it, where no blank stands behind it. */
const gluedJoints = ({ unspaced, joints }: EvidencePack): string[] =>
  unspaced || joints.and.endsWith(' ') ? [] : [joints.and.trim()]

/** What leads a question in, as it is written, with what stands around it. */
function leadInOf(packs: readonly EvidencePack[], read: (asking: Asking) => Words): RegExp | null {
  const phrases = packs
    .flatMap(({ asking }) => read(asking))
    .sort((one, other) => other.length - one.length)
  if (phrases.length === 0) return null
  if (packs.some(({ unspaced }) => unspaced)) return new RegExp(phrases.join('|'), 'u')
  const glued = packs.flatMap(gluedJoints).join('|')
  return new RegExp(
    String.raw`(?<![\p{L}\p{M}])(?:${glued})?(?:${phrases.join('|')})(?=[\s,:،]+\S)`,
    'iu',
  )
}

function makeReader(code: string, packs: readonly EvidencePack[]): Reader {
  const mode = modeOf(code)
  const folded = (words: readonly string[]) => [...new Set(words.map(foldText))]
  const all = (read: (pack: EvidencePack) => readonly string[]) => folded(packs.flatMap(read))
  const kinds = [...new Set(packs.flatMap((pack) => Object.keys(pack.asking.kinds)))] as AskedKind[]
  const articles = new Set(all((pack) => pack.articles ?? []))
  const pronouns = all((pack) => pack.pronouns)
  const negations = all((pack) => pack.negation.explicit)
  const frames = all((pack) => pack.asking.frames)
  const topics = all((pack) => pack.asking.topics ?? [])
  const telling = new Set(all((pack) => pack.asking.tells ?? []))
  return {
    code,
    mode,
    unspaced: packs.some((pack) => pack.unspaced),
    dropped: new Set([...all((pack) => pack.functionWords), ...pronouns, ...negations, ...frames]),
    frames: new Set(frames),
    articles,
    light: new Set(all((pack) => pack.asking.light)),
    // Without its accent "él" is an article.
    pronouns: new Set(pronouns.filter((word) => !articles.has(word))),
    // As written: they are cut out of the text as it stands.
    interrogatives: packs
      .flatMap((pack) => pack.asking.interrogatives)
      .sort((one, other) => other.length - one.length),
    purposes: packs.flatMap((pack) => pack.asking.purposes),
    topics: topics.map((phrase) => ` ${phrase} `),
    topicWords: new Set(topics.flatMap((phrase) => phrase.split(' '))),
    asksOnly: all((pack) => pack.asking.kinds.yesNo).filter((phrase) => !telling.has(phrase)),
    reports: all((pack) => pack.asking.reports ?? []),
    continues: all((pack) => pack.asking.continues),
    joins: new Set(packs.flatMap((pack) => pack.asking.continues)),
    glued: packs.flatMap(gluedJoints),
    replies: new Set(all((pack) => pack.asking.replies)),
    particles: new Set(all((pack) => pack.asking.particles ?? [])),
    negations: new Set(negations),
    innocent: all((pack) => pack.innocent),
    leadIn: leadInOf(packs, ({ leadsIn }) => leadsIn ?? []),
    politely: leadInOf(packs, ({ politely }) => (politely ? [politely] : [])),
    shorthand: new Map(
      packs.flatMap(({ asking }) =>
        Object.entries(asking.shorthand ?? {}).map(([short, long]) => [foldText(short), long]),
      ),
    ),
    kinds: kinds.map((kind) => {
      const phrases = all((pack) => pack.asking.kinds[kind])
      return { kind, phrases, spaced: phrases.map((phrase) => ` ${phrase} `) }
    }),
  }
}

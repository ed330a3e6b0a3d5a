import { OPPOSITE_SIDES } from '../../language/opposites'
import {
  type EvidencePack,
  PREFIXED,
  PREFIXES,
  SYMBOLS,
  type UnitName,
  type Words,
} from '../../language/pack'
import { EVIDENCE_PACKS } from '../../language/packs'
import type { LatinMode } from '../../text/latin-language'
import { once } from '../../text/once'

/** How figures are said without one of their own, by the words of each (`Measures` of a pack). */
export interface MeasureWords {
  /** Words that one can begin with; a figure can too. */
  starts: ReadonlySet<string>
  named: ReadonlyMap<string, { value: number; unit: UnitName }>
  halves: readonly (readonly string[])[]
  andHalf: readonly (readonly string[])[]
  hourMarks: ReadonlySet<string>
  hours: ReadonlyMap<string, number>
  /** What stands before and behind an hour, and the minutes from it on. */
  clock: readonly { before: readonly string[]; after: readonly string[]; minutes: number }[]
  evening: readonly (readonly string[])[]
  /** How shares are said, alone or behind their number, and how much of all each is. */
  parts: readonly { words: readonly string[]; isCounted: boolean; share: number }[]
  shares: Words
}

/** What a word does in a sentence, as bits: one word may do several things ("may": permission and possibility). */
export const FORCE = {
  negation: 1 << 0,
  implicit: 1 << 1,
  exception: 1 << 2,
  upper: 1 << 3,
  lower: 1 << 4,
  all: 1 << 5,
  most: 1 << 6,
  some: 1 << 7,
  none: 1 << 8,
  permission: 1 << 9,
  obligation: 1 << 10,
  possibility: 1 << 11,
  condition: 1 << 12,
  planned: 1 << 13,
  ended: 1 << 14,
  beta: 1 << 15,
  before: 1 << 16,
  after: 1 << 17,
  restriction: 1 << 18,
  free: 1 << 19,
  only: 1 << 20,
  about: 1 << 21,
  reported: 1 << 22,
} as const

/** Sides of a group of rivals are numbered from a multiple of this, those of the opposites too. */
export const SIDES = OPPOSITE_SIDES
/** The group of "and" and "or". */
export const JOINTS = 0
/** The group of "first", "second", "last": the first one of each pack that is read alone. */
export const ORDINALS = JOINTS + 2

interface Entry<T> {
  words: readonly string[]
  value: T
}

/** The longest entry of a list that begins at a word. */
export type Finder<T> = (
  words: readonly string[],
  at: number,
) => { length: number; value: T } | null

/** The words of a language, or of several that are read alike, ready to be looked up. */
export interface Lexicon {
  code: string
  unspaced: boolean
  functionWords: ReadonlySet<string>
  nameCases: ReadonlySet<string>
  nameSigns: ReadonlySet<string>
  pronouns: ReadonlySet<string>
  articles: ReadonlySet<string>
  contrasts: ReadonlySet<string>
  /** Whether a word leads in; any of its forms does. */
  leadsIn(word: string): boolean
  announcing: ReadonlySet<string>
  thats: ReadonlySet<string>
  attributions: readonly string[]
  courtesies: ReadonlySet<string>
  asks: ReadonlySet<string>
  yes: ReadonlySet<string>
  no: ReadonlySet<string>
  numbers: ReadonlyMap<string, number>
  units: ReadonlyMap<string, UnitName>
  measures: MeasureWords
  /** For text in lower case: `\p{L}` takes ten times as long to compile where case is ignored. */
  gaps: readonly RegExp[]
  rhetorical: readonly RegExp[]
  /** Whether capitals inside a sentence tell names. */
  capitals: boolean
  /** Written in Latin letters. */
  latin: boolean
  /** "And", "or": what joins the items of a list. */
  joins: ReadonlySet<string>
  /** What the words from `at` on do: the longest entry that begins there. */
  forceAt: Finder<number>
  /** The sides that the words from `at` on take against others (`rivals.ts`). */
  rivalAt: Finder<readonly number[]>
  cases: EvidencePack['cases']
  /** What gives a cause, from `at` on. */
  causeAt: Finder<true>
  /** What goes on to the next step, from `at` on. */
  thenAt: Finder<true>
  /** The cause stands before the word that gives it. */
  causeFirst: boolean
}

const HAN = ['zh', 'zh-TW']
const LATIN: Partial<Record<LatinMode, string>> = {
  english: 'en',
  spanish: 'es',
  french: 'fr',
  german: 'de',
  turkish: 'tr',
}

/** How the words of a Latin language are stemmed. */
export const LATIN_MODE: Readonly<Record<string, LatinMode>> = {
  en: 'english',
  es: 'spanish',
  fr: 'french',
  de: 'german',
  tr: 'turkish',
}

const compiled = new Map<string, Lexicon>()

/** The lexicon of a language by its code; both Chinese scripts are one. Null for a language without a pack. */
export function lexiconOf(code: string | null): Lexicon | null {
  if (code === null) return null
  const name = HAN.includes(code) ? 'zh' : code
  let lexicon = compiled.get(name)
  if (lexicon === undefined) {
    const packs = EVIDENCE_PACKS.filter(
      (pack) => pack.code === name || (name === 'zh' && HAN.includes(pack.code)),
    )
    if (packs.length === 0) return null
    lexicon = compile(name, packs)
    compiled.set(name, lexicon)
  }
  return lexicon
}

const KANA = /[\p{Script=Hiragana}\p{Script=Katakana}]/gu
const HAN_SIGNS = /\p{Script=Han}/gu
const CYRILLIC = /\p{Script=Cyrillic}/gu
const ARABIC = /\p{Script=Arabic}/gu
const LATIN_LETTERS = /\p{Script=Latin}/gu

/** Language of a text by its script; `mode` tells the Latin ones apart. Null where no pack is. */
export function languageOf(text: string, latin: (text: string) => LatinMode): string | null {
  const sample = text.slice(0, 600)
  if (!/[^\x20-\x7e\s]/u.test(sample)) return LATIN[latin(text)] ?? null
  const count = (pattern: RegExp) => sample.match(pattern)?.length ?? 0
  const kana = count(KANA)
  const wide = kana + count(HAN_SIGNS)
  const roman = count(LATIN_LETTERS)
  const cyrillic = count(CYRILLIC)
  const arabic = count(ARABIC)
  const most = Math.max(wide * 2, roman, cyrillic, arabic)
  if (most === 0) return null
  if (most === wide * 2) return kana * 12 > wide ? 'ja' : 'zh'
  if (most === cyrillic) return 'ru'
  if (most === arabic) return 'ar'
  return LATIN[latin(text)] ?? null
}

/** The Latin languages that have a word as a function word. */
const latinVotes = once(() => {
  const votes = new Map<string, string[]>()
  for (const code of Object.values(LATIN)) {
    const pack = EVIDENCE_PACKS.find((one) => one.code === code)
    for (const word of new Set(pack?.functionWords.map(plainWord)))
      votes.set(word, [...(votes.get(word) ?? []), code])
  }
  return votes
})

/** Letters that of the Latin languages read here only one has: Turkish says much without a small word. */
const LETTERS = [
  ['tr', /[ğış]/u],
  ['de', /ß/u],
  ['es', /ñ/u],
  ['fr', /[êèœù]/u],
] as const
const OWN_LETTERS = /[ğışßñêèœù]/u

/** Which of the Latin languages a few words are in, by their own letters and by their function words; null when they do not tell. */
export function latinLanguage(words: readonly string[]): string | null {
  const hits = new Map<string, number>()
  for (const word of words) {
    for (const code of latinVotes().get(word) ?? []) hits.set(code, (hits.get(code) ?? 0) + 1)
    if (OWN_LETTERS.test(word))
      for (const [code, letters] of LETTERS)
        if (letters.test(word)) hits.set(code, (hits.get(code) ?? 0) + 1)
  }
  const most = Math.max(0, ...hits.values())
  if (most < 2) return null
  const [best, ...others] = [...hits].filter(([, count]) => count === most)
  return others.length > 0 ? null : (best?.[0] ?? null)
}

/** The form in which words are compared with a pack's entries. */
export const plainWord = (word: string): string =>
  PLAIN.test(word)
    ? word.toLowerCase()
    : word
        .normalize('NFKC')
        .toLowerCase()
        .replaceAll('’', "'")
        .replaceAll('ё', 'е')
        .replaceAll(DOTTED, 'i')
        .replaceAll(VOWELS, '')

/** What Arabic writes above and below its letters, or not, and the stroke that only widens a word. */
const VOWELS = /[\u064b-\u0652\u0670\u0640]/gu

/** What Turkish `İ` becomes in lower case. */
const DOTTED = 'i\u0307'

/** What is in its form but for its case. */
const PLAIN = /^[ -~]*$/

/** How the work of an hour is said by the unit of the power. */
const BY_HOUR =
  '~h;~ h;~ hour;~ hours;~stunde;~stunden;~ hora;~ horas;~heure;~heures;~ час;~ часа;~ часов;~ ч;~ ساعة;~时;~小时;~時;~小時;~ saat'

const LENGTH = /metre$|^(?:inch|foot|yard|mile)$/u
/** How an area is said, and a volume, by the unit of a length. */
const POWERS = [
  '~2;square ~;sq ~;quadrat~;~ cuadrado;~ cuadrados;~ carré;~ carrés;квадратный ~;квадратных ~;квадратного ~;кв ~;~ مربع;~ مربعا;平方~;~kare',
  '~3;cubic ~;cu ~;kubik~;~ cúbico;~ cúbicos;~ cube;~ cubes;кубический ~;кубических ~;кубического ~;куб ~;~ مكعب;~ مكعبا;立方~;~küp',
]

function compile(code: string, packs: readonly EvidencePack[]): Lexicon {
  const unspaced = packs.some((pack) => pack.unspaced)
  const setOf = (pick: (pack: EvidencePack) => Words) =>
    new Set(packs.flatMap((pack) => pick(pack).map(plainWord)))
  const finderOf = (pick: (pack: EvidencePack) => Words) =>
    compileEntries(new Map([...setOf(pick)].map((word) => [word, true as const])), unspaced)
  const patterns = (pick: (pack: EvidencePack) => Words, wrap: (source: string) => string) =>
    packs.flatMap((pack) => pick(pack).map((source) => new RegExp(wrap(source), 'u')))
  const units = new Map<string, UnitName>()
  for (const table of [SYMBOLS, ...packs.map((pack) => pack.units)])
    for (const [name, words] of Object.entries(table))
      for (const word of words) {
        units.set(plainWord(word), name as UnitName)
        if (name === 'watt')
          for (const shape of BY_HOUR.split(';'))
            units.set(plainWord(shape.replace('~', word)), 'watt-hour')
        if (!LENGTH.test(name)) continue
        for (const [i, shapes] of POWERS.entries())
          for (const shape of shapes.split(';'))
            units.set(plainWord(shape.replace('~', word)), `${name}${i + 2}` as UnitName)
      }
  for (const [word, unit] of [...units]) {
    const base = PREFIXED.find((one) => one === unit)
    if (base === undefined || /^[a-z]$/u.test(word)) continue
    for (const [prefix, words] of Object.entries(PREFIXES))
      for (const before of words.split(' '))
        if (!units.has(before + word))
          units.set(before + word, `${prefix as keyof typeof PREFIXES}${base}`)
  }
  return {
    code,
    unspaced,
    functionWords: setOf((pack) => pack.functionWords),
    nameCases: setOf((pack) => pack.nameCases ?? []),
    nameSigns: setOf((pack) => [...(pack.nameSigns ?? '')]),
    pronouns: setOf((pack) => pack.pronouns),
    articles: setOf((pack) => pack.articles ?? []),
    contrasts: setOf((pack) => pack.contrasts),
    leadsIn: compileForms(setOf((pack) => pack.leadIns)),
    announcing: setOf((pack) => pack.announcing),
    thats: setOf((pack) => pack.thats),
    attributions: [...setOf((pack) => pack.attributions)],
    courtesies: setOf((pack) => pack.courtesies),
    asks: setOf((pack) => pack.asks),
    yes: setOf((pack) => pack.yes),
    no: setOf((pack) => pack.no),
    numbers: new Map(
      packs.flatMap((pack) =>
        Object.entries(pack.numbers).map(([word, value]): [string, number] => [
          plainWord(word),
          value,
        ]),
      ),
    ),
    units,
    measures: compileMeasures(packs, unspaced),
    gaps: patterns(
      (pack) => pack.gaps,
      (source) => `^(?:${source})$`,
    ),
    rhetorical: patterns(
      (pack) => pack.rhetorical,
      (source) => source,
    ),
    capitals: packs.every((pack) => pack.capitals === 'names'),
    latin: Object.values(LATIN).includes(code),
    joins: setOf(({ joints }) => [joints.and.trim(), joints.or.trim()]),
    forceAt: compileForce(packs, unspaced),
    rivalAt: compileRivals(packs, unspaced),
    causeAt: finderOf((pack) => pack.causes),
    thenAt: finderOf((pack) => pack.thens),
    cases: packs[0]?.cases,
    causeFirst: code === 'ja',
  }
}

function compileMeasures(packs: readonly EvidencePack[], unspaced: boolean): MeasureWords {
  const all = packs.map(({ measures }) => measures)
  const cut = (text: string) => (unspaced ? [...plainWord(text)] : plainWord(text).split(' '))
  const cutAll = (lists: readonly Words[]) =>
    lists
      .flat()
      .filter((text) => text !== '')
      .map(cut)
      .sort((one, other) => other.length - one.length)
  const plainEntries = (tables: readonly Readonly<Record<string, number>>[]) =>
    new Map(
      tables.flatMap((table) =>
        Object.entries(table).map(([word, value]): [string, number] => [plainWord(word), value]),
      ),
    )
  const begins = all.flatMap(({ named, halves, hours, clock, parts }) => [
    ...Object.keys(named),
    ...halves,
    ...Object.keys(hours),
    ...[...Object.keys(clock), ...Object.keys(parts)].filter((text) => !text.startsWith('#')),
  ])
  return {
    starts: new Set(begins.map((text) => cut(text)[0] ?? '')),
    named: new Map(
      all.flatMap(({ named }) =>
        Object.entries(named).map(
          ([word, [value, unit]]): [string, { value: number; unit: UnitName }] => [
            plainWord(word),
            { value, unit },
          ],
        ),
      ),
    ),
    halves: cutAll(all.map(({ halves }) => halves)),
    andHalf: cutAll(all.map(({ andHalf }) => andHalf)),
    hourMarks: new Set(all.flatMap(({ hourMarks }) => ['h', ...hourMarks].map(plainWord))),
    hours: plainEntries(all.map(({ hours }) => hours)),
    clock: all.flatMap(({ clock }) =>
      Object.entries(clock).map(([text, minutes]) => {
        const [before = '', after = ''] = text.split('#').map((part) => part.trim())
        const words = (part: string) => (part === '' ? [] : cut(part))
        return { before: words(before), after: words(after), minutes }
      }),
    ),
    evening: cutAll(all.map(({ evening }) => evening)),
    parts: all.flatMap(({ parts }) =>
      Object.entries(parts).map(([text, share]) => ({
        words: cut(text.replace('#', '').trim()),
        isCounted: text.startsWith('#'),
        share,
      })),
    ),
    shares: all.flatMap(({ shares = [] }) => shares.map(plainWord)),
  }
}

const FORM_LETTERS = 5
/** Letters of an ending: "documents" is a form of "document", "correo" none of "correcto". */
const ENDING = 2

/** Whether a word begins like one of a list and ends otherwise by a few letters: another form of it. */
function compileForms(words: ReadonlySet<string>): (word: string) => boolean {
  const starts = new Map<string, string[]>()
  for (const word of words) {
    if (word.length < FORM_LETTERS) continue
    const start = word.slice(0, FORM_LETTERS)
    starts.set(start, [...(starts.get(start) ?? []), word])
  }
  const isForm = (word: string, other: string) => {
    const longest = Math.max(word.length, other.length)
    let same = 0
    while (same < longest && word[same] === other[same]) same++
    return same >= Math.max(FORM_LETTERS, longest - ENDING)
  }
  return (word) =>
    words.has(word) ||
    starts.get(word.slice(0, FORM_LETTERS))?.some((other) => isForm(word, other)) === true
}

function compileForce(packs: readonly EvidencePack[], unspaced: boolean): Lexicon['forceAt'] {
  const bits = new Map<string, number>()
  const add = (bit: number, words: Words) => {
    for (const word of words) bits.set(plainWord(word), (bits.get(plainWord(word)) ?? 0) | bit)
  }
  for (const pack of packs) {
    const { negation, bounds, order, quantities, modality, time } = pack
    // Arabic writes "and" and "so" as a letter of the word behind it.
    const joined = (words: Words) =>
      pack.code === 'ar' ? words.flatMap((word) => [word, `و${word}`, `ف${word}`]) : words
    add(0, joined(pack.innocent))
    add(FORCE.negation, joined(negation.explicit))
    add(FORCE.implicit, negation.implicit)
    add(FORCE.free, pack.free.plain)
    add(FORCE.free | FORCE.negation, pack.free.denied)
    add(FORCE.exception, pack.exceptions)
    add(FORCE.exception | FORCE.only, pack.only)
    add(FORCE.about, bounds.about)
    add(FORCE.reported, pack.reports)
    add(FORCE.upper, bounds.upper)
    add(FORCE.lower, bounds.lower)
    add(FORCE.before, order.before)
    add(FORCE.after, order.after)
    add(FORCE.all, quantities.all)
    add(FORCE.most, quantities.most)
    add(FORCE.some, quantities.some)
    add(FORCE.none, quantities.none)
    add(FORCE.permission, joined(modality.permission))
    add(FORCE.obligation, joined(modality.obligation))
    add(FORCE.possibility, modality.possibility)
    add(FORCE.condition, joined(pack.conditions))
    add(FORCE.restriction, pack.restrictions)
    add(FORCE.planned, time.planned)
    add(FORCE.ended, time.ended)
    // "No longer" denies what is now, and "no one" what anybody does.
    const denies = new Set(negation.explicit.map(plainWord))
    const parts = (phrase: string) => (unspaced ? [...phrase] : plainWord(phrase).split(/[ ']/u))
    add(
      FORCE.negation,
      [...time.ended, ...quantities.none].filter((phrase) =>
        parts(phrase).some((part) => denies.has(part)),
      ),
    )
    add(FORCE.beta, time.beta)
  }
  return compileEntries(bits, unspaced)
}

/** Currencies are rivals too: none is converted. */
const CURRENCIES = ['euro', 'dollar', 'pound-sterling', 'yuan', 'yen', 'rouble'] as const

function compileRivals(packs: readonly EvidencePack[], unspaced: boolean): Lexicon['rivalAt'] {
  const sides = new Map<string, number[]>()
  const add = (side: number, words: Words) => {
    for (const word of words) {
      const known = sides.get(plainWord(word))
      if (known === undefined) sides.set(plainWord(word), [side])
      else known.push(side)
    }
  }
  for (const [i, joint] of (['and', 'or'] as const).entries())
    add(JOINTS * SIDES + i, [
      ...new Set(
        packs.flatMap(({ joints, joining }) => [joints[joint].trim(), ...(joining?.[joint] ?? [])]),
      ),
    ])
  let group = JOINTS + 1
  for (const { units, rivals } of packs) {
    for (const [i, name] of CURRENCIES.entries()) add((JOINTS + 1) * SIDES + i, units[name] ?? [])
    for (const line of rivals.split('; ')) {
      group++
      for (const [i, side] of line.split('/').entries()) add(group * SIDES + i, side.split(' '))
    }
  }
  return compileEntries(sides, unspaced)
}

/** Entries of words and phrases, of beginnings (`…*`) and of endings (`*…`). */
function compileEntries<T>(values: ReadonlyMap<string, T>, unspaced: boolean): Finder<T> {
  const byFirst = new Map<string, Entry<T>[]>()
  const stems: Entry<T>[] = []
  const endings: Entry<T>[] = []
  for (const [text, value] of values) {
    if (text.startsWith('*')) endings.push({ words: [text.slice(1)], value })
    else if (text.endsWith('*')) stems.push({ words: [text.slice(0, -1)], value })
    else {
      const words = unspaced ? [...text] : text.split(' ')
      const first = words[0] ?? ''
      const known = byFirst.get(first)
      if (known === undefined) byFirst.set(first, [{ words, value }])
      else known.push({ words, value })
    }
  }
  for (const entries of byFirst.values())
    entries.sort((one, other) => other.words.length - one.words.length)
  const byStem = groupBy(stems, (word) => pairAt(word, 0))
  const byEnding = groupBy(endings, (word) => pairAt(word, word.length - 2))
  return (words, at) => {
    const first = words[at] ?? ''
    for (const { words: wanted, value } of byFirst.get(first) ?? [])
      if (wanted.every((word, i) => words[at + i] === word)) return { length: wanted.length, value }
    for (const { words: wanted, value } of byStem.get(pairAt(first, 0)) ?? [])
      if (first.startsWith(wanted[0] ?? '')) return { length: 1, value }
    for (const { words: wanted, value } of byEnding.get(pairAt(first, first.length - 2)) ?? [])
      if (first.endsWith(wanted[0] ?? '') && first !== wanted[0]) return { length: 1, value }
    return null
  }
}

/** Two letters of a word as a number: nothing is cut out of each word for the look-up. */
const pairAt = (word: string, at: number): number =>
  (word.charCodeAt(at) << 16) | word.charCodeAt(at + 1)

function groupBy<T>(
  entries: readonly Entry<T>[],
  key: (word: string) => number,
): Map<number, Entry<T>[]> {
  const groups = new Map<number, Entry<T>[]>()
  for (const entry of entries) {
    const name = key(entry.words[0] ?? '')
    const known = groups.get(name)
    if (known === undefined) groups.set(name, [entry])
    else known.push(entry)
  }
  return groups
}

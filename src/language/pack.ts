import type { Language } from '../config/names'

/**
 * Words are written as people write them, in lower case; readers fold them. A word list may hold phrases ("no more
 * than"); `*` at the end of an entry stands for any ending, at its start for any beginning.
 */
export type Words = readonly string[]

/** Units that are told apart; the values are how a language writes them. Symbols that all languages share are in `SYMBOLS`. */
export type Units = Readonly<Partial<Record<UnitName, Words>>>

export const UNIT_NAMES = [
  'millisecond',
  'second',
  'minute',
  'hour',
  'day',
  'working-day',
  'week',
  'month',
  'year',
  'decade',
  'century',
  'percent',
  'millimetre',
  'centimetre',
  'metre',
  'kilometre',
  'inch',
  'foot',
  'yard',
  'mile',
  'acre',
  'hectare',
  'gram',
  'kilogram',
  'pound',
  'ton',
  'litre',
  'gallon',
  'degree',
  'watt',
  'watt-hour',
  'hertz',
  'point',
  'byte',
  'kilobyte',
  'megabyte',
  'gigabyte',
  'terabyte',
  'euro',
  'dollar',
  'pound-sterling',
  'yuan',
  'yen',
  'rouble',
  'lira',
  'rupee',
  'won',
  'hryvnia',
  'shekel',
  'tenge',
  'thousand',
  'ten-thousand',
  'million',
  'hundred-million',
  'billion',
  'trillion',
  'franc',
  'zloty',
  'krona',
  'koruna',
  'riyal',
  'dirham',
  'dinar',
  'peso',
  'hong-kong-dollar',
  'new-taiwan-dollar',
] as const
type SimpleUnit = (typeof UNIT_NAMES)[number]
/** Units whose thousandths and thousands are told apart, and what stands before their words for it. */
export const PREFIXED = ['gram', 'litre', 'watt', 'watt-hour', 'hertz'] as const
export const PREFIXES = {
  micro: 'micro mikro микро мк ميكرو 微 マイクロ',
  milli: 'milli mili милли м ملي مللي 毫 ミリ',
  kilo: 'kilo кило к كيلو 千 キロ',
  mega: 'mega мега ميغا ميجا 兆 メガ',
  giga: 'giga гига غيغا جيجا 吉 ギガ',
} as const
/** A length's with a power is that of an area or a volume. */
export type UnitName =
  | SimpleUnit
  | `${SimpleUnit}${2 | 3}`
  | `${keyof typeof PREFIXES}${(typeof PREFIXED)[number]}`

/** How figures are said in words: each is one with what is written in digits. */
export interface Measures {
  /** A number with its unit in one word ("fortnight"). */
  named: Readonly<Record<string, readonly [number, UnitName]>>
  /** A half, before a unit ("half an" hour). */
  halves: Words
  /** What adds a half to the number before it ("and a half"). */
  andHalf: Words
  /** What stands between an hour and its minutes, beside `h`. */
  hourMarks: Words
  /** Words that are a number only beside what stands in `clock` or `andHalf` ("one" is an article as often). */
  hours: Readonly<Record<string, number>>
  /** What is said around an hour (`#`), and the minutes from it on ("quarter to #": −15). */
  clock: Readonly<Record<string, number>>
  /** What stands beside an hour of the day's second half. */
  evening: Words
  /** Unspaced: words for a share ("一半") that begin like a half of what a unit stands behind. */
  shares?: Words
  /** How a share is said, and how much of all it is; `#` is how many of them ("# thirds"). */
  parts: Readonly<Record<string, number>>
}

/** What reading a question needs of a language. */
export interface Asking {
  /** Words that frame a question and name nothing ("please", "tell me", "I was wondering"). */
  frames: Words
  /** Phrases that ask and name nothing ("how long", "what time"). */
  interrogatives: Words
  /** How an instruction begins that says what it is for ("to delete a document, …"). */
  purposes: Words
  /** Patterns of what stands between what somebody tells and what is asked ("i wanted to know"). */
  leadsIn?: Words
  /** A pattern of what stands before a question out of politeness ("could you tell me"). */
  politely?: string
  /** What chats and dialects write for a word ("u" for "you"), in lower case. */
  shorthand?: Readonly<Record<string, string>>
  /** How a sentence begins with what it asks about ("regarding", "compared to"). */
  topics?: Words
  /** Unspaced: what of `kinds.yesNo` tells as often ("能"): beside a marked question it asks nothing. */
  tells?: Words
  /** Unspaced: behind these stands what others ask ("客人总问几点开门"). */
  reports?: Words
  /** How a message begins that goes on from the one before ("and", "what about"). */
  continues: Words
  /** Whole messages that answer or prompt the assistant ("yes", "tell me more", "the second"). */
  replies: Words
  /** What stands at the end of a sentence and belongs to its verb ("hoch" of "hochladen"). */
  particles?: Words
  /** Words that say little by themselves: found or not, they decide less. */
  light: Words
  /** What asks for a price. */
  prices: Words
  /** How questions of a kind begin or what they hold. */
  kinds: Readonly<Record<AskedKind, Words>>
}

export type AskedKind =
  | 'how'
  | 'definition'
  | 'number'
  | 'time'
  | 'place'
  | 'person'
  | 'reason'
  | 'list'
  | 'yesNo'

/** How a sentence of a document looks that answers a question of a kind. */
export interface Answering {
  /** What stands between a thing and what it is. */
  defines: Words
  /** What introduces a reason. */
  reasons: Words
  /** How an instruction begins; in unspaced scripts, what it holds. */
  instructs: Words
  /** Words that tell how much or how often without a figure ("free", "weekly"). */
  amounts: Words
}

export const SMALL_TALK = ['hello', 'howAreYou', 'thanks', 'bye', 'who', 'help', 'picture'] as const
export type SmallTalk = (typeof SMALL_TALK)[number]

/** What the sentence check reads of a language, and what reading questions does. */
export interface EvidencePack {
  /** As in `lang`; the bases' languages are more than the pages'. */
  code: string
  /** What a name may end with in its cases, nothing among it; where a stemmer takes them for other names. */
  nameCases?: Words
  /** The signs that spell foreign names, in one line; those that everyday words are full of are left out. */
  nameSigns?: string
  /** Written without spaces between words: entries are looked for anywhere. */
  unspaced: boolean
  /** Whether a capital inside a sentence tells a name. */
  capitals: 'names' | 'nouns' | 'none'

  /** Words that carry no content. */
  functionWords: Words
  pronouns: Words
  /** Where they say nothing of who does what: in German they do. */
  articles?: Words
  /** What joins a contrary clause: what follows a "but" is a claim of its own. */
  contrasts: Words

  /** What only looks like a word of the lists below ("不同", "安全"): it is passed over. */
  innocent: Words
  negation: { explicit: Words; implicit: Words }
  /** What costs nothing: said as such, or by denying a price ("no charge"), which is no denial of anything else. */
  free: { plain: Words; denied: Words }
  exceptions: Words
  /** What excepts all but what it stands with. */
  only: Words
  /** What is exact ("exactly") is both. */
  bounds: { upper: Words; lower: Words; about: Words }
  order: { before: Words; after: Words }
  quantities: { all: Words; most: Words; some: Words; none: Words }
  modality: { permission: Words; obligation: Words; possibility: Words }
  conditions: Words
  /** What begins a phrase that tells for whom or when something holds ("who live here", "with a valid ticket"). */
  restrictions: Words
  time: { planned: Words; ended: Words; beta: Words }
  /**
   * Where cases tell who does what: how a noun in the nominative becomes oblique ("der>den"), by its article, its ending or the
   * particle behind it, and what makes a sentence passive.
   */
  cases?: { of: 'article' | 'ending' | 'particle'; oblique: Words; passive: Words }
  /** What tells that somebody says or thinks so. */
  reports: Words
  /** What goes on to the next step. */
  thens: Words
  /** What stands before a cause; in a language that names the cause first, behind it. */
  causes: Words
  /** What stands between two items of a list, with its blanks: the platform's own lists cost some 20 ms of CPU to be opened. */
  joints: { and: string; or: string }
  /** Other words for "and" and "or". */
  joining?: { and: Words; or: Words }
  /**
   * Words of which only one can be true where another stands: "first/second/last; larger/smaller". Groups are parted by `; `,
   * their sides by `/`, words of one side by a blank. One line, since it is read when a sentence is first checked.
   */
  rivals: string

  /** Number words; multipliers ("million") are units. */
  numbers: Readonly<Record<string, number>>
  units: Units
  measures: Measures
  /** Twelve names a line, parted by commas, a line for each way to name them; none where months are numbered. */
  months?: { long: Words; short: Words }

  /** Words that name the source or carry a phrase into the sentence ("according to the guide", "in short"). */
  leadIns: Words
  /** What leads in only where nothing else is said ("here is what I found", "the policy says that …"). */
  announcing: Words
  /** What joins a sentence to the words that lead it in ("that"). */
  thats: Words
  /** What names whose words follow ("according to"), before the name or behind it. */
  attributions: Words
  /** Words that courtesies are made of: a sentence of these and function words alone states nothing. */
  courtesies: Words
  /** With a courtesy's words, what a question back to the user is made of ("which plan do you mean?"). */
  asks: Words
  /** Patterns of a question that states something ("did you know that …?"). */
  rhetorical: Words
  /** Patterns of a whole clause that admits a gap ("the sources do not say whether …"). */
  gaps: Words
  /** What people put around the one word that they are asked for ("my name is Ada"). */
  presenting: { before: Words; after: Words }
  yes: Words
  no: Words
  /** What models write above a reply ("Answer:"), and above the list of what it rests on ("Sources:"). */
  labels: { answer: Words; sources: Words }

  asking: Asking
  answering: Answering
  smallTalk: {
    phrases: Readonly<Record<SmallTalk, Words>>
    /** What thanks by itself; a question may begin with it too ("great dane food"). */
    praise: Words
    /** With function words, what people say around thanks ("it worked, you saved my day"). */
    remarks: Words
    /** What somebody says who has read a reply and asks nothing; behind a question it is an answer. */
    noted: Words
    /** What may stand around a phrase and changes nothing ("hi there", "just wanted to say thanks"). */
    fillers: Words
  }
}

/** What the answerer without a language model says in its own words. Placeholders: {time} {zone} {place} {text}. */
export interface Phrases {
  smallTalk: Record<SmallTalk | 'noted', string>
  notFound: string
  /** Of one of several questions; a gap of the language. */
  nothingOn: string
  noKnowledge: string
  time: string
  weather: string
  weatherUnknown: string
  here: string
  hereUnknown: string
  toolFailed: string
  reminded: string
  remembered: string
}

/** A language that the pages speak too. */
export interface LanguagePack extends EvidencePack {
  code: Language
  says: Phrases
}

/** Signs of units that every language shares. */
export const SYMBOLS: Units = {
  millisecond: ['ms'],
  second: ['s', 'sec'],
  minute: ['min'],
  hour: ['h', 'hrs'],
  percent: ['%', '٪', '％'],
  millimetre: ['mm'],
  centimetre: ['cm'],
  metre: ['m'],
  kilometre: ['km'],
  inch: ['in', '″'],
  foot: ['ft'],
  yard: ['yd'],
  mile: ['mi'],
  hectare: ['ha'],
  microgram: ['μg', 'mcg'],
  milligram: ['mg'],
  gram: ['g'],
  kilogram: ['kg'],
  pound: ['lb', 'lbs'],
  ton: ['t'],
  millilitre: ['ml'],
  litre: ['l'],
  degree: ['°', '°c', '°f', '℃'],
  watt: ['w'],
  kilowatt: ['kw'],
  megawatt: ['mw', 'мвт'],
  gigawatt: ['gw'],
  'watt-hour': ['wh'],
  'kilowatt-hour': ['kwh'],
  'megawatt-hour': ['mwh', 'мвт ч'],
  hertz: ['hz'],
  kilohertz: ['khz'],
  megahertz: ['mhz', 'мгц'],
  gigahertz: ['ghz'],
  byte: ['b'],
  kilobyte: ['kb', 'kib'],
  megabyte: ['mb', 'mib'],
  gigabyte: ['gb', 'gib'],
  terabyte: ['tb', 'tib'],
  euro: ['€', 'eur'],
  dollar: ['$', 'usd', 'us$'],
  'pound-sterling': ['£', 'gbp'],
  yuan: ['cny', 'rmb'],
  yen: ['¥', 'jpy'],
  rouble: ['₽', 'rub'],
  lira: ['₺', 'tl'],
  rupee: ['₹', 'inr'],
  won: ['₩', 'krw'],
  hryvnia: ['₴', 'uah'],
  shekel: ['₪', 'ils'],
  tenge: ['₸', 'kzt'],
  franc: ['chf', 'sfr'],
  zloty: ['zł', 'pln'],
  krona: ['kr', 'sek', 'nok', 'dkk'],
  koruna: ['kč', 'czk'],
  riyal: ['sar', '﷼'],
  dirham: ['aed'],
  peso: ['mxn'],
  'hong-kong-dollar': ['hkd', 'hk$'],
  'new-taiwan-dollar': ['twd', 'ntd', 'nt$'],
}

import { MINUTE_MS } from '../config/limits'
import { compoundTokens, type Run, runsOf, runTokens } from './analyze'
import { foldText } from './fold'
import { detectLatinMode, isFunctionWord, type LatinMode } from './latin-language'
import { readPhrasings } from './phrasings'
import { searchTitle } from './search-title'

/** What of a passage is read, by code: what is longer is no passage that a reader would make. */
export const READ_CHARS = 8_000

const SENTENCE = /(?<=[.!?…])\s+|(?<=[。！？；])|\n+/u
const QUESTION = /[?؟]\s*$/u
/** Where a passage has more pieces, as a table has rows, several make one. */
const MAX_PIECES = 40

/** Something that knows whether it holds a token. */
export type Holder = Pick<ReadonlySet<string>, 'has'>

interface PassageText {
  chunkId: string
  title: string
  documentName: string
  heading: string | null
  phrasings?: string | null
  text: string
}

/** A passage in tokens of the word index, for all who judge it; each part is read when it is first asked for. */
export class PassageReading {
  /** As much of the passage as is read. */
  readonly text: string
  readonly #head: string
  readonly #phrasings: readonly string[]
  #folded: string[] | null = null
  #runs: Run[][] | null = null
  #mode: LatinMode | null = null
  #parts: ReadonlySet<string>[] | null = null
  #tokens: ReadonlySet<string> | null = null
  #body: ReadonlySet<string> | null = null
  #words: readonly string[] | null = null
  #windows: readonly Holder[] | null = null
  #questions: readonly ReadonlySet<string>[] | null = null

  constructor({ title, documentName, heading, phrasings, text }: PassageText) {
    this.text = text.slice(0, READ_CHARS)
    this.#phrasings = readPhrasings(phrasings).map((one) => one.text)
    this.#head = `${searchTitle(title, documentName)}\n${heading ?? ''}`
  }

  /** How the Latin words of title, heading and text are stemmed. */
  get mode(): LatinMode {
    this.#mode ??= detectLatinMode(this.#foldedParts.join('\n'))
    return this.#mode
  }

  /** All tokens, those of title, heading and phrasings included. */
  get tokens(): ReadonlySet<string> {
    this.#tokens ??= new Set(this.#partTokens.flatMap((part) => [...part]))
    return this.#tokens
  }

  /** The tokens of the text alone. */
  get body(): ReadonlySet<string> {
    this.#body ??= new Set(this.#partTokens.slice(1, this.#asked).flatMap((part) => [...part]))
    return this.#body
  }

  /** What holds the tokens of title, heading and text, and not those of phrasings alone. */
  get written(): Holder {
    const [head] = this.context
    return { has: (token) => head?.has(token) === true || this.body.has(token) }
  }

  get hasWays(): boolean {
    return this.#phrasings.length > 0
  }

  /** How many of the windows begin with a sentence; the others are phrasings. */
  get sentences(): number {
    return this.#asked - 1
  }

  /** Its words in spaced scripts, folded. */
  get words(): readonly string[] {
    this.#words ??= this.#partRuns
      .flat()
      .filter((run) => !run.unspaced)
      .map((run) => run.text)
    return this.#words
  }

  /** The tokens of each question that stands in it, its heading first, and of each phrasing. */
  get questions(): readonly ReadonlySet<string>[] {
    this.#questions ??= this.#partTokens.filter(
      (_, at) => at >= this.#asked || QUESTION.test(this.#foldedParts[at] ?? ''),
    )
    return this.#questions
  }

  /** The tokens of title with heading, then those of each sentence, then those of each phrasing. */
  get parts(): readonly ReadonlySet<string>[] {
    return this.#partTokens
  }

  /** The tokens that it stands under. */
  get context(): readonly ReadonlySet<string>[] {
    return this.#partTokens.slice(0, 1)
  }

  /** Every two neighbouring sentences and each phrasing, with title and heading. */
  get windows(): readonly Holder[] {
    this.#windows ??= this.#makeWindows()
    return this.#windows
  }

  #makeWindows(): Holder[] {
    const [around, ...pieces] = this.#partTokens
    return pieces.map((piece, at) => {
      const next = at + 2 < this.#asked ? pieces[at + 1] : undefined
      return {
        has: (token) =>
          piece.has(token) || next?.has(token) === true || around?.has(token) === true,
      }
    })
  }

  /** Where the phrasings begin among the parts. */
  get #asked(): number {
    return this.#foldedParts.length - this.#phrasings.length
  }

  /** Title with heading first, then the text's pieces, then the phrasings. */
  get #foldedParts(): string[] {
    this.#folded ??= [this.#head, ...piecesOf(this.text), ...this.#phrasings].map(foldText)
    return this.#folded
  }

  get #partRuns(): Run[][] {
    this.#runs ??= this.#foldedParts.map(runsOf)
    return this.#runs
  }

  get #partTokens(): ReadonlySet<string>[] {
    this.#parts ??= this.#partRuns.map(
      (runs, at) =>
        new Set([
          ...readTokens(runs, this.mode),
          ...compoundTokens(this.#foldedParts[at] ?? '', this.mode),
        ]),
    )
    return this.#parts
  }
}

/** Small words are what they are: the stem of "como" is that of "comer". */
function readTokens(runs: readonly Run[], mode: LatinMode): string[] {
  const isSmall = ({ unspaced, text }: Run) => !unspaced && isFunctionWord(text)
  const small = runs.filter(isSmall).map(({ text }) => text)
  return [
    ...runTokens(
      runs.filter((run) => !isSmall(run)),
      mode,
    ),
    ...small,
  ]
}

/** The tokens of a question as those of passages are made. */
export const questionTokens = (text: string, mode: LatinMode): ReadonlySet<string> =>
  new Set(readTokens(runsOf(foldText(text)), mode))

function piecesOf(text: string): string[] {
  const sentences = text.split(SENTENCE)
  const size = Math.ceil(sentences.length / MAX_PIECES)
  if (size === 1) return sentences
  const pieces: string[] = []
  for (let at = 0; at < sentences.length; at += size)
    pieces.push(sentences.slice(at, at + size).join('\n'))
  return pieces
}

interface Kept {
  passage: PassageText
  reading: PassageReading
  askedAt: number
}

/** Readings with what was made of them take some eighty times their text. */
const MOST_CHARS = 50_000
/** What nobody asked for as long is forgotten. */
const KEPT_MS = 10 * MINUTE_MS

/** Passages of this isolate's last searches; the one that was found last stands last. */
const kept = new Map<string, Kept>()
let keptChars = 0

/** What is read of these stays for the next turn. Only for what a base shows to many: a user's own documents are never kept. */
export function keepReadings(passages: readonly PassageText[], now = Date.now()): void {
  for (const passage of passages) {
    const known = kept.get(passage.chunkId)
    const reading =
      known && isSame(known.passage, passage) ? known.reading : new PassageReading(passage)
    drop(passage.chunkId)
    kept.set(passage.chunkId, { passage, reading, askedAt: now })
    keptChars += charsOf(passage)
  }
  for (const [chunkId, { askedAt }] of kept) {
    if (keptChars <= MOST_CHARS && askedAt > now - KEPT_MS) break
    drop(chunkId)
  }
}

function drop(chunkId: string): void {
  const gone = kept.get(chunkId)
  if (gone === undefined) return
  kept.delete(chunkId)
  keptChars -= charsOf(gone.passage)
}

const charsOf = ({ text, phrasings }: PassageText): number => text.length + (phrasings?.length ?? 0)

const isSame = (one: PassageText, other: PassageText): boolean =>
  one.text === other.text &&
  one.heading === other.heading &&
  one.phrasings === other.phrasings &&
  one.title === other.title &&
  one.documentName === other.documentName

/** The passages of one turn: whoever reads one gets the reading that is there. */
export class PassageReadings {
  readonly #known = new Map<string, PassageReading>()

  of(passage: PassageText): PassageReading {
    let reading = this.#known.get(passage.chunkId)
    if (reading === undefined) {
      const shared = kept.get(passage.chunkId)
      reading =
        shared && isSame(shared.passage, passage) ? shared.reading : new PassageReading(passage)
      this.#known.set(passage.chunkId, reading)
    }
    return reading
  }
}

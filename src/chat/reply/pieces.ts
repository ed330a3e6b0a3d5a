import { HEADING_SIGN, ITEM_SIGN } from '../../text/markdown-lines'
import type { Span } from '../../text/quotes'
import type { Sentence } from '../../text/sentences'
import type { Figure } from './figures'
import { plainWord } from './lexicon'
import type { Siblings } from './siblings'
import { spelled } from './sign-words'
import { type Reading, readTokens, type Token } from './tokens'

/** A sentence, item, row or heading of a passage, read when it is first asked for. */
export class Piece implements Span {
  readonly text: string
  readonly start: number
  readonly end: number
  readonly kind: 'sentence' | 'item' | 'row' | 'heading'
  readonly #reading: Reading
  #tokens: readonly Token[] | null = null
  #keys: ReadonlySet<string> | null = null
  #spelled: string | null = null

  constructor({ text, start, end }: Sentence, reading: Reading) {
    this.text = text
    this.start = start
    this.end = end
    this.kind = kindOf(text)
    this.#reading = reading
  }

  get tokens(): readonly Token[] {
    this.#tokens ??= readTokens(this.text, this.#reading)
    return this.#tokens
  }

  get keys(): ReadonlySet<string> {
    this.#keys ??= new Set(this.tokens.map((token) => token.key))
    return this.#keys
  }

  get spelled(): string {
    this.#spelled ??= spelled(this.tokens)
    return this.#spelled
  }
}

export interface CutPassage {
  reading: Reading
  language: string | null
  /** The language that a text of names and figures was read in, as it tells none itself; undefined where it does. */
  assumed: string | null | undefined
  pieces: Piece[]
  /** The piece that leads in an item's list; −1 where nothing does. */
  leads: readonly number[]
  heading: Token[]
  siblings: Siblings
  /** Which pieces hold a key, in their order; read when first asked for. */
  places: ReadonlyMap<string, readonly number[]> | null
  /** The figures of those pieces that have any; read when first asked for. */
  figures: readonly FiguresAt[] | null
  /** What each piece holds of a claim, alone and with the one behind it: where the last claim was looked for. */
  sums: { alone: Float64Array; added: Float64Array } | null
  /** Where each sentence stands by what it says (`wholeOf`); read when first asked for. */
  wholes: ReadonlyMap<string, number> | null
}

interface FiguresAt {
  at: number
  figures: readonly Figure[]
}

const ITEM = new RegExp(`^\\s*${ITEM_SIGN}\\s`, 'u')

/** A row of Markdown, or one that names its columns (`formatRows`). */
const ROW = /^\s*\||\S \| \S/u

const HEADING = new RegExp(`^\\s*${HEADING_SIGN}\\s`, 'u')

export function placesIn(cut: CutPassage): ReadonlyMap<string, readonly number[]> {
  cut.places ??= placesOf(cut.pieces)
  return cut.places
}

function placesOf(pieces: readonly Piece[]): Map<string, number[]> {
  const places = new Map<string, number[]>()
  for (const [at, piece] of pieces.entries())
    for (const key of piece.keys) {
      const known = places.get(key)
      if (known === undefined) places.set(key, [at])
      else known.push(at)
    }
  return places
}

export function figuresIn(cut: CutPassage): readonly FiguresAt[] {
  cut.figures ??= cut.pieces.flatMap(({ tokens }, at) => {
    const figures = tokens.flatMap(({ figure }) => figure ?? [])
    return figures.length > 0 ? [{ at, figures }] : []
  })
  return cut.figures
}

const STOPS = /(?<![\s.!?…:;。！？：；؟۔])[\s.!?…:;。！？：；؟۔]+$/u

/** A sentence as it is compared with others: without its last sign, whatever its case and blanks. */
export const wholeOf = (sentence: string): string =>
  plainWord(sentence.trim().replace(STOPS, '')).replaceAll(/\s+/gu, ' ')

/** Items and rows say more than they hold, and a lead-in less. */
export function wholesIn(cut: CutPassage): ReadonlyMap<string, number> {
  cut.wholes ??= new Map(
    cut.pieces.flatMap(({ kind, text }, at): [string, number][] =>
      kind === 'sentence' && cut.leads[at + 1] !== at ? [[wholeOf(text), at]] : [],
    ),
  )
  return cut.wholes
}

/** Whether a piece and the next are read together: an item goes with its list, which has its lead-in, a row by itself. */
export function goesOn({ pieces, leads }: CutPassage, at: number): boolean {
  const [piece, next] = [pieces[at], pieces[at + 1]]
  if (next === undefined || piece?.kind === 'row' || next.kind === 'row') return false
  return next.kind === 'item' ? leads[at + 1] !== at : piece?.kind !== 'item'
}

export function leadsOf(pieces: readonly Piece[]): number[] {
  const leads: number[] = []
  for (const [at, { kind }] of pieces.entries()) {
    const before = pieces[at - 1]
    const isLead = before !== undefined && /[:：]\s*$/u.test(before.text)
    leads.push(
      kind !== 'item' ? -1 : before?.kind === 'item' ? (leads[at - 1] ?? -1) : isLead ? at - 1 : -1,
    )
  }
  return leads
}

function kindOf(sentence: string): Piece['kind'] {
  if (ITEM.test(sentence)) return 'item'
  if (ROW.test(sentence)) return 'row'
  return HEADING.test(sentence) ? 'heading' : 'sentence'
}

import type { Passage } from '../../knowledge/types'
import { readCells } from './cells'
import { type Figure, sameFigure } from './figures'
import { type Ground, weightOf } from './ground'
import { onesIn } from './measures'
import { type CutPassage, figuresIn, goesOn, type Piece, placesIn } from './pieces'
import { NAMED_ROW } from './siblings'
import { spelled } from './sign-words'
import type { Token } from './tokens'

const MIN_GAIN = 0.05

/** Of a list that is read as one. */
export const MAX_ITEMS = 12

export type BestPlace = { from: number; to: number; share: number } | null

/** The sentence of a passage, or the two that follow each other, that holds most of a claim. */
export function findPlace(tokens: readonly Token[], cut: CutPassage): BestPlace {
  const weights = new Map<string, number>()
  for (const token of tokens) {
    const weight = weightOf(token, cut.reading.lexicon)
    if (weight > 0) weights.set(token.key, weight)
  }
  let total = 0
  for (const weight of weights.values()) total += weight
  if (total === 0) return null
  const { alone, added } = clearedSums(cut)
  const places = placesIn(cut)
  for (const [key, weight] of weights) {
    let before = -1
    for (const at of places.get(key) ?? []) {
      // An item says its lead-in too.
      for (let item = at + 1; cut.leads[item] === at; item++)
        if (cut.pieces[item]?.keys.has(key) === false) alone[item] = (alone[item] ?? 0) + weight
      alone[at] = (alone[at] ?? 0) + weight
      // What a piece has and the one before it has not, the two have together.
      if (at > 0 && before !== at - 1) added[at - 1] = (added[at - 1] ?? 0) + weight
      before = at
    }
  }
  for (const { figure, weight } of measuresOf(tokens, cut, places))
    for (const { at, figures } of figuresIn(cut))
      if (figures.some((one) => sameFigure(figure, one))) alone[at] = (alone[at] ?? 0) + weight
  let best: { from: number; to: number; share: number } | null = null
  for (const [at, piece] of cut.pieces.entries()) {
    if (alone[at] === 0 && added[at] === 0) continue
    // A list's lead-in says nothing without an item, and those have it.
    if (piece.kind === 'heading' || cut.leads[at + 1] === at) continue
    const share = (alone[at] ?? 0) / total
    const isPair = best !== null && best.to > best.from
    if (share > (best?.share ?? 0) - (isPair ? MIN_GAIN : 0)) best = { from: at, to: at, share }
    const together = share + (added[at] ?? 0) / total
    // Two sentences must clearly beat one: the shorter span is the better source.
    if (goesOn(cut, at) && together > (best?.share ?? 0) + MIN_GAIN)
      best = { from: at, to: at + 1, share: together }
  }
  return best
}

/** Of each piece nothing yet: the same arrays for every claim, as there may be thousands. */
function clearedSums(cut: CutPassage) {
  cut.sums ??= {
    alone: new Float64Array(cut.pieces.length),
    added: new Float64Array(cut.pieces.length),
  }
  cut.sums.alone.fill(0)
  cut.sums.added.fill(0)
  return cut.sums
}

/** Figures of a claim that a passage has in another unit, if at all ("one hour" of "60 minutes"), and what each weighs in it. */
function measuresOf(
  tokens: readonly Token[],
  { reading: { lexicon } }: CutPassage,
  places: ReadonlyMap<string, readonly number[]>,
): { figure: Figure; weight: number }[] {
  const weigh = (from: number, to: number) =>
    tokens.slice(from, to).reduce((sum, token) => sum + weightOf(token, lexicon), 0)
  const written = tokens.flatMap(({ figure, key }, at) =>
    figure?.unit == null || places.has(key) ? [] : [{ figure, weight: weigh(at, at + 1) }],
  )
  const ones = lexicon === null ? [] : onesIn(tokens, lexicon)
  return [
    ...written,
    ...ones.map(({ at, length, figure }) => ({ figure, weight: weigh(at, at + length) })),
  ]
}

/** Sentences with what always belongs to them: the one before a pronoun, a list's lead-in, a table's header, headings. */
export function groundAt(cut: CutPassage, from: number, to: number): Ground {
  const { pieces, leads, heading, reading, siblings } = cut
  const context: Token[] = [...heading]
  const parts: (readonly Token[])[] = []
  const first = pieces[from]
  const before = pieces[from - 1]
  const opening = first?.tokens[0]?.word ?? ''
  const leadIn = pieces[leads[from] ?? -1]
  if (leadIn !== undefined) parts.push(leadIn.tokens)
  else if (before !== undefined && before.kind === 'heading') {
    const answers = reading.lexicon?.yes.has(opening) || reading.lexicon?.no.has(opening)
    if (answers) parts.push(before.tokens)
    else context.push(...before.tokens)
  } else if (
    before !== undefined &&
    first?.kind === 'sentence' &&
    reading.lexicon?.pronouns.has(opening)
  )
    context.push(...before.tokens)
  if (first?.kind === 'row') context.push(...(headerOf(pieces, from)?.tokens ?? []))
  // A lead-in and its item are one clause; sentences are not.
  const merged = parts.length > 0
  for (let at = from; at <= to; at++) parts.push(pieces[at]?.tokens ?? [])
  const items = pieces.slice(from, to + 1).filter((piece) => piece.kind === 'item').length
  const tokens = joined(parts)
  return {
    tokens: merged ? tokens.map((token) => ({ ...token, clause: 0 })) : tokens,
    context,
    passage: () => pieces.flatMap((piece) => piece.tokens),
    isSaid: (said) => says(said, cut),
    isLed: merged,
    isList: pieces
      .slice(from, to + 1)
      .some((piece, k) => piece.kind === 'item' || leads[from + k + 1] === from + k),
    cells: from === to && first?.kind === 'row' ? readCells(first.text, reading) : [],
    isOther: (key) => siblings.namesAnother(key, from, to, placesIn(cut).get(key) ?? []),
    isOfOther: (said) => siblings.isOfOther(said, to),
    items: items > 1 ? items : null,
  }
}

/** Whether one piece of a passage has all these words, or these signs one after the other. */
function says(said: readonly Token[], cut: CutPassage): boolean {
  if (said.every(({ kind }) => kind === 'sign')) {
    // By its signs: a dot between the parts of a name is none.
    const signs = spelled(said)
    return cut.pieces.some((piece) => piece.spelled.includes(signs))
  }
  const places = placesIn(cut)
  const [first = [], ...others] = said.map(({ key }) => places.get(key) ?? [])
  return first.some((at) => others.every((there) => there.includes(at)))
}

function headerOf(pieces: readonly Piece[], at: number): Piece | undefined {
  if (NAMED_ROW.test(pieces[at]?.text ?? '')) return undefined
  let first = at
  while (pieces[first - 1]?.kind === 'row') first--
  return first < at ? pieces[first] : undefined
}

/** The list that an item is in, with its lead-in; null when it is too long or the piece is no item. */
export function listAround(
  { pieces }: CutPassage,
  at: number,
): { from: number; to: number } | null {
  if (pieces[at]?.kind !== 'item') return null
  let from = at
  let to = at
  while (pieces[from - 1]?.kind === 'item') from--
  while (pieces[to + 1]?.kind === 'item') to++
  if (to - from >= MAX_ITEMS) return null
  const before = pieces[from - 1]
  if (before !== undefined && /[:：]\s*$/u.test(before.text)) from--
  return { from, to }
}

/** What stands there, with its heading and its list's lead-in. */
export function textAt(cut: CutPassage, passage: Passage, from: number, to: number): string {
  const { pieces } = cut
  const list = listAround(cut, from)
  const before = list !== null && list.from < from ? (pieces[list.from]?.text ?? '') : ''
  const text = pieces
    .slice(from, to + 1)
    .map((piece) => piece.text)
    .join('\n')
  return [passage.heading ?? '', before, text].filter((part) => part !== '').join('\n')
}

/** Clauses of two sentences are not beside each other. */
const APART = 4

/** Parts one after the other, each with clauses of its own. */
export function joined(parts: readonly (readonly Token[])[]): Token[] {
  const tokens: Token[] = []
  for (const part of parts) {
    const offset = (tokens.at(-1)?.clause ?? -APART) + APART
    for (const token of part) tokens.push({ ...token, clause: token.clause + offset })
  }
  return tokens
}
